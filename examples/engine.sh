#!/usr/bin/env bash
# The smallest engine in shell, to copy and improve: docs/write-an-engine.md.
#
# It plays Reversi: the move that flips the most discs.
#
# plyground check-engine examples/engine.sh --game reversi

start='---------------------------OX------XO--------------------------- X'
columns=abcdefgh

# Set board, own and other from the 64 squares and the player to move.
read_board() {
    if [[ ! $1 =~ ^[-XO]{64}$ || ! $2 =~ ^[XO]$ ]]; then
        echo 'error expected a position of Reversi'
        return 1
    fi
    board=$1 own=$2
    [[ $own == X ]] && other=O || other=X
}

# Set flips to the squares that a disc of $1 on the square $2 flips; $3 is the opponent.
find_flips() {
    local row=$(($2 / 8)) column=$(($2 % 8)) step r c line
    flips=()
    [[ ${board:$2:1} == - ]] || return
    for step in '-1 -1' '-1 0' '-1 1' '0 -1' '0 1' '1 -1' '1 0' '1 1'; do
        line=() r=$((row + ${step% *})) c=$((column + ${step#* }))
        while ((r >= 0 && r < 8 && c >= 0 && c < 8)) && [[ ${board:r*8+c:1} == "$3" ]]; do
            line+=($((r * 8 + c)))
            r=$((r + ${step% *})) c=$((c + ${step#* }))
        done
        ((r >= 0 && r < 8 && c >= 0 && c < 8)) && [[ ${board:r*8+c:1} == "$1" ]] && flips+=("${line[@]}")
    done
}

# Set best to the square that flips the most discs of $2 for $1; empty if there is none.
find_best() {
    local square most=0
    best=
    for ((square = 0; square < 64; square++)); do
        find_flips "$1" $square "$2"
        ((${#flips[@]} > most)) && most=${#flips[@]} best=$square
    done
}

play() {
    local square swapped=$own
    if [[ $1 != pass ]]; then
        local column=${columns%%"${1:0:1}"*}
        square=$(((${1:1:1} - 1) * 8 + ${#column}))
        find_flips "$own" $square "$other"
        for square in $square "${flips[@]}"; do
            board=${board:0:square}$own${board:square+1}
        done
    fi
    own=$other other=$swapped
}

# Choose a move here.
choose() {
    find_best "$own" "$other"
    if [[ -n $best ]]; then
        move=${columns:best%8:1}$((best / 8 + 1))
    else
        find_best "$other" "$own"
        [[ -n $best ]] && move=pass || move=none
    fi
}

read_board ${start}
waiting=
while read -r command rest; do
    case $command in
        uci) printf '%s\n' 'id name Smallest in shell' uciok ;;
        isready) echo readyok ;;
        ucinewgame) read_board ${start} ;;
        position)
            text=${rest%% moves *}
            [[ $text == startpos ]] && text=$start
            if read_board ${text} && [[ $rest == *' moves '* ]]; then
                for move in ${rest#* moves }; do
                    [[ $move =~ ^([a-h][1-8]|pass)$ ]] && play "$move"
                done
            fi
            ;;
        go)
            choose
            if [[ $rest == *infinite* || $rest == *ponder* ]]; then
                waiting=$move
            else
                echo "bestmove $move"
            fi
            ;;
        stop | ponderhit)
            [[ -n $waiting ]] && echo "bestmove $waiting"
            waiting=
            ;;
        quit) exit 0 ;;
    esac
done
exit 0
