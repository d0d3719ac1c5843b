#include "games/quoridor_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "games/quoridor_paths.h"

namespace plyground::quoridor {
namespace {

constexpr const char* kGameOver = "the game is over";
constexpr const char* kNoPawnMove = "no pawn move leads there";
constexpr const char* kWallInTheWay = "a wall is in the way";
constexpr const char* kOutsideGrid = "it lies outside the wall grid";

std::string format_at(int row, int col) {
    return {static_cast<char>('a' + col), static_cast<char>('1' + row)};
}

std::string player_name(int player) { return player == 0 ? "player 1" : "player 2"; }

// A move as written, not yet known to lie on any board.
struct MoveText {
    int row, col;
    char kind;  // 'h', 'v', or ' ' for a pawn

    int limit(int size) const { return kind == ' ' ? size : size - 1; }
    bool is_on_board(int size) const { return row < limit(size) && col < limit(size); }
    Action action() const {
        if (kind == ' ') return static_cast<Action>(cell_at(row, col));
        return static_cast<Action>((kind == 'h' ? kHWall : kVWall) + slot_at(row, col));
    }
};

std::optional<MoveText> read_move(std::string_view text) {
    if (text.size() != 2 && text.size() != 3) return std::nullopt;
    const auto lower = [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    };
    const MoveText move{text[1] - '1', lower(text[0]) - 'a',
                        text.size() == 3 ? lower(text[2]) : ' '};
    const bool known = text.size() == 2 || move.kind == 'h' || move.kind == 'v';
    const bool in_range =
        move.row >= 0 && move.row < kMaxSize && move.col >= 0 && move.col < kMaxSize;
    return known && in_range ? std::optional(move) : std::nullopt;
}

std::string expected_cell(int size) {
    return "expected a cell from a1 to " + format_at(size - 1, size - 1);
}

std::string expected_move(int size) {
    return expected_cell(size) + " or a wall from a1h to " + format_at(size - 2, size - 2) + "v";
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> split_words(std::string_view text) {
    constexpr std::string_view kSpace = " \t\n\v\f\r";
    std::vector<std::string_view> words;
    for (size_t start = 0; (start = text.find_first_not_of(kSpace, start)) != text.npos;) {
        const size_t end = std::min(text.find_first_of(kSpace, start), text.size());
        words.push_back(text.substr(start, end - start));
        start = end;
    }
    return words;
}

int parse_number(std::string_view field, int limit, const char* what) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() ||
        value > static_cast<unsigned>(limit)) {
        throw NotationError(std::string("expected ") + what + " from 0 to " +
                            std::to_string(limit) + ", got " + quoted(field));
    }
    return static_cast<int>(value);
}

// The first wall already standing that shares a slot or half of it with this one.
std::optional<Action> blocking_wall(const Walls& walls, Action wall, const Geometry& geometry,
                                    bool crossing) {
    const int slot = slot_of(wall);
    const auto holds = [&](bool vertical, int at) {
        return ((vertical ? walls.v : walls.h) >> at) & 1;
    };
    const auto name = [](bool vertical, int at) {
        return static_cast<Action>((vertical ? kVWall : kHWall) + at);
    };
    const bool vertical = is_vertical(wall);
    if (crossing) {
        if (holds(!vertical, slot)) return name(!vertical, slot);
        return std::nullopt;
    }
    const uint64_t first = vertical ? geometry.rim_south : geometry.rim_west;
    const uint64_t last = vertical ? geometry.rim_north : geometry.rim_east;
    const int step = vertical ? 8 : 1;
    if (holds(vertical, slot)) return name(vertical, slot);
    if (!((first >> slot) & 1) && holds(vertical, slot - step)) return name(vertical, slot - step);
    if (!((last >> slot) & 1) && holds(vertical, slot + step)) return name(vertical, slot + step);
    return std::nullopt;
}

std::optional<std::string> why_wall_illegal(const Position& position, Action wall) {
    const Geometry& geometry = position.geometry();
    if (!((geometry.slots >> slot_of(wall)) & 1)) return kOutsideGrid;
    if (position.hand[position.to_move] == 0) {
        return player_name(position.to_move) + " has no walls left";
    }
    if (const auto other = blocking_wall(position.walls, wall, geometry, false)) {
        return "it overlaps the wall at " + format_action(*other);
    }
    if (const auto other = blocking_wall(position.walls, wall, geometry, true)) {
        return "it crosses the wall at " + format_action(*other);
    }
    Position walled = position;
    walled.walls.place(wall);
    for (int player = 0; player < 2; ++player) {
        if (distance(walled, player) < 0) {
            return "it cuts " + player_name(player) + " off from the goal";
        }
    }
    return std::nullopt;
}

void parse_walls(std::string_view field, Position& position) {
    if (field == "-") return;
    const int size = position.rules.size;
    for (const std::string_view part : split(field, ',')) {
        const Action wall = parse_action(part, size);
        if (!is_wall(wall)) throw NotationError("expected a wall like 'e3h', got " + quoted(part));
        for (const bool crossing : {false, true}) {
            if (const auto other =
                    blocking_wall(position.walls, wall, position.geometry(), crossing)) {
                throw NotationError("the wall " + format_action(wall) +
                                    (crossing ? " crosses " : " overlaps ") +
                                    format_action(*other));
            }
        }
        position.walls.place(wall);
    }
}

int read_size(const std::vector<std::string_view>& fields) {
    const std::string_view field = fields.empty() ? "" : fields[0];
    if (field.size() != 1 || field[0] < '0' + kMinSize || field[0] > '0' + kMaxSize) {
        throw NotationError("expected a board size from 3 to 9 first, got " + quoted(field));
    }
    return field[0] - '0';
}

Position read_fields(const std::vector<std::string_view>& fields, const Rules& rules) {
    const int size = read_size(fields);
    if (size != rules.size) {
        throw NotationError("expected a board of size " + std::to_string(rules.size) + ", got " +
                            std::to_string(size));
    }
    if (fields.size() != 7) {
        throw NotationError(
            "expected 7 fields '<size> <pawn1>/<pawn2> <walls or -> <left1>/<left2> <to move> "
            "<move count> <moves since last wall>', got " +
            std::to_string(fields.size()));
    }
    const auto pawns = split(fields[1], '/');
    const auto hands = split(fields[3], '/');
    if (pawns.size() != 2)
        throw NotationError("expected two pawns like 'e1/e9', got " + quoted(fields[1]));
    if (hands.size() != 2)
        throw NotationError("expected walls left like '10/10', got " + quoted(fields[3]));

    Position position = Position::start(rules);
    for (int player = 0; player < 2; ++player) {
        position.pawn[player] = static_cast<uint8_t>(parse_cell(pawns[player], size));
        position.hand[player] =
            static_cast<uint8_t>(parse_number(hands[player], rules.walls, "walls left"));
    }
    if (position.pawn[0] == position.pawn[1])
        throw NotationError("both pawns stand on " + format_cell(position.pawn[0]));
    if (position.has_won(0) && position.has_won(1))
        throw NotationError("both pawns stand on their goal rows");
    parse_walls(fields[2], position);
    for (int player = 0; player < 2; ++player) {
        if (distance(position, player) < 0) {
            throw NotationError(player_name(player) + " is cut off from the goal");
        }
    }
    if (fields[4] != "1" && fields[4] != "2") {
        throw NotationError("expected player 1 or 2 to move, got " + quoted(fields[4]));
    }
    position.to_move = fields[4] == "1" ? 0 : 1;
    position.move_count =
        static_cast<uint16_t>(parse_number(fields[5], rules.max_moves, "a move count"));
    position.moves_since_wall = static_cast<uint16_t>(
        parse_number(fields[6], std::min(rules.no_progress_limit, position.move_count),
                     "moves since the last wall"));
    position.key = position.computed_key();
    return position;
}

// Runs the reader, whose errors say what is wrong but not where.
template <class Reader>
auto quoting(std::string_view text, Reader read) {
    try {
        return read();
    } catch (const NotationError& error) {
        throw NotationError("bad position " + quoted(text) + ": " + error.what());
    }
}

}  // namespace

std::string format_cell(int cell) { return format_at(row_of(cell), col_of(cell)); }

std::string format_action(Action action) {
    if (!is_wall(action)) return format_cell(action);
    const int slot = slot_of(action);
    return format_at(slot / 8, slot % 8) + (is_vertical(action) ? "v" : "h");
}

int parse_cell(std::string_view text, int size) {
    const auto move = read_move(text);
    if (move && move->kind == ' ' && move->is_on_board(size)) return move->action();
    throw NotationError(expected_cell(size) + ", got " + quoted(text));
}

Action parse_action(std::string_view text, int size) {
    const auto move = read_move(text);
    if (move && move->is_on_board(size)) return move->action();
    throw NotationError(expected_move(size) + ", got " + quoted(text));
}

Action parse_move(std::string_view text, const Position& position) {
    const auto move = read_move(text);
    const int size = position.rules.size;
    if (!move) throw NotationError(expected_move(size) + ", got " + quoted(text));
    if (!move->is_on_board(size)) {
        illegal_move(position, text, why_off_board(position, move->kind != ' '));
    }
    return move->action();
}

std::string format_position(const Position& position) {
    std::string walls;
    LegalMoves{{}, position.walls.h, position.walls.v}.for_each([&](Action wall) {
        if (!walls.empty()) walls += ',';
        walls += format_action(wall);
    });
    const auto number = [](int value) { return std::to_string(value); };
    return number(position.rules.size) + " " + format_cell(position.pawn[0]) + "/" +
           format_cell(position.pawn[1]) + " " + (walls.empty() ? "-" : walls) + " " +
           number(position.hand[0]) + "/" + number(position.hand[1]) + " " +
           number(position.to_move + 1) + " " + number(position.move_count) + " " +
           number(position.moves_since_wall);
}

int parse_position_size(std::string_view text) {
    return quoting(text, [&] { return read_size(split_words(text)); });
}

Position parse_position(std::string_view text, const Rules& rules) {
    return quoting(text, [&] { return read_fields(split_words(text), rules); });
}

std::string draw(const Position& position) {
    // Cells are three characters wide with one between them for vertical walls, and every second
    // line belongs to the horizontal walls.
    const int size = position.rules.size;
    const int width = 4 * size - 1;
    std::vector<std::string> lines(2 * size - 1, std::string(width, ' '));
    const auto line_of = [&](int row) -> std::string& { return lines[2 * (size - 1 - row)]; };
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col)
            line_of(row)[4 * col + 1] = '.';
    }
    for (int player = 0; player < 2; ++player) {
        const int cell = position.pawn[player];
        line_of(row_of(cell))[4 * col_of(cell) + 1] = static_cast<char>('1' + player);
    }
    LegalMoves{{}, position.walls.h, position.walls.v}.for_each([&](Action wall) {
        const int line = 2 * (size - 2 - slot_of(wall) / 8) + 1;
        const int left = 4 * (slot_of(wall) % 8);
        if (is_vertical(wall)) {
            for (int i = line - 1; i <= line + 1; ++i)
                lines[i][left + 3] = '|';
        } else {
            std::fill_n(lines[line].begin() + left, 7, '-');
        }
    });
    const std::string rim = "  +" + std::string(width, '-') + "+\n";
    std::string out = rim;
    for (int i = 0; i < 2 * size - 1; ++i) {
        const std::string label = i % 2 == 0 ? std::to_string(size - i / 2) : " ";
        out += label + " |" + lines[i] + "|\n";
    }
    out += rim + "  ";
    for (int col = 0; col < size; ++col)
        out += std::string("  ") + static_cast<char>('a' + col) + " ";
    out.pop_back();
    const char* const results[] = {"", "player 1 won", "player 2 won", "draw by the move limit",
                                   "draw by no progress"};
    const Outcome outcome = position.outcome();
    out += '\n';
    out += outcome == Outcome::kOngoing ? player_name(position.to_move) + " to move"
                                        : results[static_cast<int>(outcome)];
    return out + ", walls left " + std::to_string(position.hand[0]) + "/" +
           std::to_string(position.hand[1]) + ", move " + std::to_string(position.move_count);
}

// Whether only walls keep the pawn from an illegal cell: from a step, or from a jump over the
// opponent. Beside the opponent they do not while the straight jump over it is possible.
bool is_walled_off(const Position& position, int cell) {
    const int me = position.pawn[position.to_move];
    const int other = position.pawn[1 - position.to_move];
    const auto steps = [](int from, int to) {
        return std::abs(row_of(from) - row_of(to)) + std::abs(col_of(from) - col_of(to));
    };
    const auto is_on_board = [&](int row, int col) {
        return std::min(row, col) >= 0 && std::max(row, col) < position.rules.size;
    };
    if (!is_on_board(row_of(cell), col_of(cell))) return false;
    if (steps(me, cell) == 1) return cell != other;
    if (steps(me, other) != 1 || steps(other, cell) != 1 || cell == me) return false;
    const int row = 2 * row_of(other) - row_of(me);
    const int col = 2 * col_of(other) - col_of(me);
    if (!is_on_board(row, col)) return true;
    const int behind = cell_at(row, col);
    return cell == behind || !position.walls.neighbours(Bitboard::of(other)).has(behind);
}

std::optional<std::string> why_illegal(const Position& position, Action action) {
    if (position.is_over()) return kGameOver;
    if (is_wall(action)) return why_wall_illegal(position, action);
    if (!position.pawn_moves(position.to_move).has(action))
        return is_walled_off(position, action) ? kWallInTheWay : kNoPawnMove;
    return std::nullopt;
}

std::string why_off_board(const Position& position, bool wall) {
    return position.is_over() ? kGameOver : wall ? kOutsideGrid : kNoPawnMove;
}

void illegal_move(const Position& position, std::string_view move, std::string_view reason) {
    throw IllegalMoveError("illegal move '" + std::string(move) + "' in '" +
                           format_position(position) + "': " + std::string(reason));
}

void require_legal(const Position& position, Action action) {
    if (position.is_legal(action)) return;
    illegal_move(position, format_action(action), *why_illegal(position, action));
}

}  // namespace plyground::quoridor
