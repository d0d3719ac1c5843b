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

Action parse_action(std::string_view text) {
    const std::string move = lower(text);
    if (std::find(kPassNames.begin(), kPassNames.end(), move) != kPassNames.end()) return kPass;
    const int col = move.size() == 2 ? move[0] - 'a' : -1;
    const int row = move.size() == 2 ? move[1] - '1' : -1;
    if (row < 0 || row >= kSize || col < 0 || col >= kSize) {
        throw NotationError("expected a square from a1 to h8 or 'pass', got " + quoted(text));
    }
    return static_cast<Action>(square_at(row, col));
}

std::string format_position(const Position& position) {
    std::string text;
    for (int square = 0; square < kSquares; ++square)
        text += square_char(position, square);
    return text + ' ' + kDiscs[position.to_move];
}

Position parse_position(std::string_view text) {
    std::array<Squares, 2> discs{};
    int seen = 0;
    std::optional<int> side;
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c))) continue;
        const auto player = read_square(c);
        if (!player)
            bad_position(text, "expected squares '-', 'X' and 'O', got " + quoted({&c, 1}));
        if (seen < kSquares) {
            if (*player >= 0) discs[*player] |= bit_of(seen);
        } else if (seen == kSquares) {
            side = player;
        }
        ++seen;
    }
    if (seen != kSquares + 1) {
        bad_position(text, "expected 64 squares and the side to move, got " + std::to_string(seen) +
                               " characters");
    }
    if (*side < 0) bad_position(text, "expected 'X' or 'O' to move after the squares");
    return {discs[*side], discs[1 - *side], static_cast<uint8_t>(*side)};
}

std::string draw(const Position& position) {
    const std::string columns = "  a b c d e f g h\n";
    std::string out = columns;
    for (int row = 0; row < kSize; ++row) {
        out += static_cast<char>('1' + row);
        for (int col = 0; col < kSize; ++col) {
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
    if (!(position.empty() & bit_of(action))) return "the square is taken";
    return "it turns no disc over";
}

void require_legal(const Position& position, Action action) {
    if (position.is_legal(action)) return;
    throw IllegalMoveError("illegal move '" + format_action(action) + "' in '" +
                           format_position(position) + "': " + *why_illegal(position, action));
}

}  // namespace plyground::reversi
