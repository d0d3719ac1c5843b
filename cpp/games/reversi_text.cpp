#include "games/reversi_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/error.h"
#include "base/text.h"

namespace plyground::reversi {
namespace {

constexpr std::array<std::string_view, 5> kPassNames{"pass", "pa", "ps", "--", "@@"};
constexpr std::array<char, 2> kDiscs{'X', 'O'};  // by player
constexpr std::array<const char*, 2> kNames{"black", "white"};

std::string format_square(int square) {
    return {static_cast<char>('a' + col_of(square)), static_cast<char>('1' + row_of(square))};
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// The player whose disc the character stands for, -1 for an empty square, nothing for anything
// else.
std::optional<int> read_square(char c) {
    switch (c) {
        case 'X':
        case 'x':
        case '*':
            return 0;
        case 'O':
        case 'o':
            return 1;
        case '-':
        case '.':
            return -1;
        default:
            return std::nullopt;
    }
}

[[noreturn]] void bad_position(std::string_view text, const std::string& what) {
    throw NotationError("bad position " + quoted(text) + ": " + what);
}

// The size of the board whose squares and side to move take this many characters; 0 for none.
int board_size_of(size_t characters) {
    for (const int size : {4, 6, kSize}) {
        if (characters == static_cast<size_t>(size * size + 1)) return size;
    }
    return 0;
}

char square_char(const Position& position, int square) {
    for (int player = 0; player < 2; ++player) {
        if (position.discs(player) & bit_of(square)) return kDiscs[player];
    }
    return '-';
}

std::string count_text(const Position& position) {
    return std::to_string(std::popcount(position.discs(0))) + "-" +
           std::to_string(std::popcount(position.discs(1)));
}

}  // namespace

std::string format_action(Action action) {
    return action == kPass ? "pass" : format_square(action);
}

Action parse_action(std::string_view text, int size) {
    const std::string move = lower(text);
    if (std::find(kPassNames.begin(), kPassNames.end(), move) != kPassNames.end()) return kPass;
    const int col = move.size() == 2 ? move[0] - 'a' : -1;
    const int row = move.size() == 2 ? move[1] - '1' : -1;
    if (row < 0 || row >= size || col < 0 || col >= size) {
        throw NotationError("expected a square from a1 to " +
                            format_square(square_at(size - 1, size - 1)) + " or 'pass', got " +
                            quoted(text));
    }
    return static_cast<Action>(square_at(row, col));
}

std::string format_position(const Position& position) {
    std::string text;
    for_each_square(position.board(), [&](int square) { text += square_char(position, square); });
    return text + ' ' + kDiscs[position.to_move];
}

Position parse_position(std::string_view text) {
    std::string squares;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c))) continue;
        if (!read_square(c))
            bad_position(text, "expected squares '-', 'X' and 'O', got " + quoted({&c, 1}));
        squares += c;
    }
    const int size = board_size_of(squares.size());
    if (size == 0) {
        bad_position(text, "expected 64 squares (or 36 or 16) and the side to move, got " +
                               std::to_string(squares.size()) + " characters");
    }
    const int side = *read_square(squares.back());
    if (side < 0) bad_position(text, "expected 'X' or 'O' to move after the squares");
    std::array<Squares, 2> discs{};
    size_t next = 0;
    for_each_square(board_squares(size), [&](int square) {
        const int player = *read_square(squares[next++]);
        if (player >= 0) discs[player] |= bit_of(square);
    });
    return {discs[side], discs[1 - side], static_cast<uint8_t>(side), static_cast<uint8_t>(size)};
}

std::string draw(const Position& position) {
    const int size = position.size;
    std::string out = " ";
    for (int col = 0; col < size; ++col)
        out += {' ', static_cast<char>('a' + col)};
    out += '\n';
    for (int row = 0; row < size; ++row) {
        out += static_cast<char>('1' + row);
        for (int col = 0; col < size; ++col) {
            const char c = square_char(position, square_at(row, col));
            out += {' ', c == '-' ? '.' : c};
        }
        out += '\n';
    }
    if (!position.is_over()) {
        const int player = position.to_move;
        out += std::string(kNames[player]) + " (" + kDiscs[player] + ") to move";
    } else if (const int score = position.score()) {
        out += std::string(kNames[score > 0 ? position.to_move : 1 - position.to_move]) + " won";
    } else {
        out += "draw";
    }
    return out + ", discs " + count_text(position);
}

std::optional<std::string> why_illegal(const Position& position, Action action) {
    if (position.is_legal(action)) return std::nullopt;
    if (position.is_over()) return "the game is over";
    if (action == kPass) return "only a player without a move may pass";
    if (!position.moves()) return "there is no move but to pass";
    if (!(position.board() & bit_of(action))) return "it is not on the board";
    if (!(position.empty() & bit_of(action))) return "the square is taken";
    return "it turns no disc over";
}

void require_legal(const Position& position, Action action) {
    if (position.is_legal(action)) return;
    throw IllegalMoveError("illegal move '" + format_action(action) + "' in '" +
                           format_position(position) + "': " + *why_illegal(position, action));
}

}  // namespace plyground::reversi
