// Quoridor's text: names of moves, position lines, the drawn board, and random text, which must
// cause no error but a NotationError.
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "check.h"
#include "games/quoridor.h"
#include "games/quoridor_paths.h"
#include "games/quoridor_text.h"
#include "quoridor_model.h"

namespace plyground::quoridor {
namespace {

const Rules kStandard{9, 10, 200, 50};
const Rules kSmall{5, 5, 100, 30};
const Rules kTiny{3, 2, 50, 20};

Action parse_legal_move(std::string_view text, const Position& position) {
    const Action action = parse_move(text, position);
    require_legal(position, action);
    return action;
}

template <class Error, class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Every action of every board has one name, which parses in either case of letters.
void test_names() {
    for (int size = kMinSize; size <= kMaxSize; ++size) {
        std::set<std::string> names;
        for (int index = 0; index < action_count(size); ++index) {
            const Action action = from_dense(index, size);
            const std::string name = format_action(action);
            std::string upper = name;
            for (char& c : upper)
                c = static_cast<char>(std::toupper(c));
            CHECK_IN(name == test::name_of(test::move_of(action)), name);
            CHECK_IN(parse_action(name, size) == action, name);
            CHECK_IN(parse_action(upper, size) == action, upper);
            if (!is_wall(action)) {
                CHECK_IN(format_cell(action) == name, name);
                CHECK_IN(parse_cell(name, size) == action && parse_cell(upper, size) == action,
                         name);
            }
            CHECK_IN(names.insert(name).second, name);
        }
    }
    CHECK(parse_action("e2", 9) == 9 * 1 + 4);
    CHECK(parse_action("e3h", 9) == 81 + 8 * 2 + 4);
    CHECK(parse_action("d4v", 9) == 145 + 8 * 3 + 3);
    CHECK(parse_action("a1", 9) == 0 && parse_action("i9", 9) == 80);
    CHECK(parse_action("a1h", 9) == 81 && parse_action("h8h", 9) == 144);
    CHECK(parse_action("a1v", 9) == 145 && parse_action("h8v", 9) == 208);
}

// Names of cells or walls that a board does not have, and text that is not a name.
void test_names_that_cannot_be_read() {
    const auto refused = [](const char* text, int size) {
        const std::string action = message_of<NotationError>([&] { parse_action(text, size); });
        const std::string cell = message_of<NotationError>([&] { parse_cell(text, size); });
        const std::string got = std::string(", got '") + text + "'";
        CHECK_IN(contains(action, "expected a cell") && contains(action, got), text);
        CHECK_IN(contains(cell, "expected a cell") && contains(cell, got), text);
    };
    for (const char* text :
         {"",    "e",   "2",   "2e", "e0",  "e10", "j1", "e2x",  "e2hh", " e2", "e2 ", "e-",
          "i1h", "a9v", "zz9", "h",  "e2,", "ee",  "11", "e2H ", "`1",   "@1",  "e:",  "e/"}) {
        refused(text, 9);
    }
    for (const char* text : {"d1", "a4", "c1h", "a3v", "i9"})
        refused(text, 3);
    CHECK(contains(message_of<NotationError>([] { parse_cell("e3h", 9); }), "got 'e3h'"));
    const std::string long_text(1000, 'x');
    CHECK(message_of<NotationError>([&] { parse_action(long_text, 9); }).size() < 200);
    using namespace std::string_view_literals;
    const std::string odd = message_of<NotationError>([] { parse_action("e\0\n\xff"sv, 9); });
    CHECK_IN(odd.ends_with("got 'e" + std::string(3, '?') + "'"), odd);
}

void test_positions_read_back() {
    for (const char* text :
         {"9 e1/e9 - 10/10 1 0 0", "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1", "9 a1/i9 h8h,a1v 0/10 2 200 50",
          "9 e9/e8 - 10/10 2 15 15", "9 i5/e1 a1h,c1h,e1h,g1h 10/6 1 30 20"}) {
        CHECK_IN(format_position(parse_position(text, kStandard)) == text, text);
    }
    CHECK(format_position(Position::start(kSmall)) == "5 c1/c5 - 5/5 1 0 0");
    CHECK(format_position(Position::start(kTiny)) == "3 b1/b3 - 2/2 1 0 0");
    // The same position written with other spaces, capitals, and another order of walls.
    CHECK(format_position(parse_position("  9 E4/E6 \t D7H,e3h,c3h 8/9\v2\f9 1\r\n", kStandard)) ==
          "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1");
    CHECK(parse_position_size("7 whatever") == 7);
}

void test_positions_that_cannot_be() {
    const auto refused = [](const std::string& text, const std::string& why) {
        const std::string message =
            message_of<NotationError>([&] { parse_position(text, kStandard); });
        CHECK_IN(contains(message, why), text + ": " + message);
    };
    refused("", "expected a board size from 3 to 9 first, got ''");
    refused("   ", "expected a board size");
    refused("2 a1/b2 - 0/0 1 0 0", "expected a board size from 3 to 9 first, got '2'");
    refused("10 e1/e9 - 10/10 1 0 0", "expected a board size");
    refused("5 c1/c5 - 5/5 1 0 0", "expected a board of size 9, got 5");
    refused("9 e1/e9 - 10/10 1 0", "expected 7 fields");
    refused("9 e1/e9 - 10/10 1 0 0 0", "expected 7 fields");
    refused("9 e1\033e9 - 10/10 1 0 0", "expected two pawns like 'e1/e9', got 'e1?e9'");
    refused("9 e1/e9/e5 - 10/10 1 0 0", "expected two pawns");
    refused("9 e1/j9 - 10/10 1 0 0", "got 'j9'");
    refused("9 e1/e3h - 10/10 1 0 0", "got 'e3h'");
    refused("9 e5/e5 - 10/10 1 0 0", "both pawns stand on e5");
    refused("9 e9/d1 - 10/10 1 0 0", "both pawns stand on their goal rows");
    refused("9 e1/e9 e3 10/10 1 0 0", "expected a wall like 'e3h', got 'e3'");
    refused("9 e1/e9 e3h,,a1h 10/10 1 0 0", "got ''");
    refused("9 e1/e9 i1h 10/10 1 0 0", "got 'i1h'");
    refused("9 e1/e9 e3h,e3h 10/10 1 0 0", "the wall e3h overlaps e3h");
    refused("9 e1/e9 e3h,f3h 10/10 1 0 0", "the wall f3h overlaps e3h");
    refused("9 e1/e9 e3h,d3h 10/10 1 0 0", "the wall d3h overlaps e3h");
    refused("9 e1/e9 e3v,e4v 10/10 1 0 0", "the wall e4v overlaps e3v");
    refused("9 e1/e9 e3v,e2v 10/10 1 0 0", "the wall e2v overlaps e3v");
    refused("9 e1/e9 e3h,e3v 10/10 1 0 0", "the wall e3v crosses e3h");
    refused("9 a1/e9 a1h,b1v 10/10 1 0 0", "player 1 is cut off from the goal");
    refused("9 a1/e9 a2h,b1v 10/10 1 0 0", "player 1 is cut off from the goal");
    refused("9 e1/i9 h7h,g8v 10/10 1 0 0", "player 2 is cut off from the goal");
    refused("9 e1/e9 - 11/10 1 0 0", "expected walls left from 0 to 10, got '11'");
    refused("9 e1/e9 - 10/-1 1 0 0", "expected walls left from 0 to 10, got '-1'");
    refused("9 e1/e9 - 10 1 0 0", "expected walls left like '10/10', got '10'");
    refused("9 e1/e9 - x/10 1 0 0", "expected walls left from 0 to 10, got 'x'");
    refused("9 e1/e9 - 10/10 0 0 0", "expected player 1 or 2 to move, got '0'");
    refused("9 e1/e9 - 10/10 12 0 0", "expected player 1 or 2 to move, got '12'");
    refused("9 e1/e9 - 10/10 1 201 0", "expected a move count from 0 to 200, got '201'");
    refused("9 e1/e9 - 10/10 1 3 4", "expected moves since the last wall from 0 to 3, got '4'");
    refused("9 e1/e9 - 10/10 1 100 51",
            "expected moves since the last wall from 0 to 50, got '51'");
    refused("9 e1/e9 - 10/10 1 99999999999999999999 0", "expected a move count");
    refused("9 e1/e9 - 10/10 1 0x1 0", "expected a move count");
    refused("9 e1/e9 - 10/10 1 1.0 0", "expected a move count");
    refused("9 e1/e9 - 10/10 1 +1 0", "expected a move count");
}

// A position that contains every element of a drawing.
void test_drawing() {
    const Position position = parse_position("5 c2/d4 b3h,c2v,d1h 3/4 2 7 1", kSmall);
    CHECK_IN(draw(position) ==
                 "  +-------------------+\n"
                 "5 | .   .   .   .   . |\n"
                 "  |                   |\n"
                 "4 | .   .   .   2   . |\n"
                 "  |    -------        |\n"
                 "3 | .   .   . | .   . |\n"
                 "  |           |       |\n"
                 "2 | .   .   1 | .   . |\n"
                 "  |            -------|\n"
                 "1 | .   .   .   .   . |\n"
                 "  +-------------------+\n"
                 "    a   b   c   d   e\n"
                 "player 2 to move, walls left 3/4, move 7",
             draw(position));
    const auto last_line = [](const char* text) {
        const std::string drawn = draw(parse_position(text, kTiny));
        return drawn.substr(drawn.rfind('\n') + 1);
    };
    CHECK(last_line("3 a3/b3 - 2/2 2 5 5") == "player 1 won, walls left 2/2, move 5");
    CHECK(last_line("3 a2/b1 - 2/1 1 6 5") == "player 2 won, walls left 2/1, move 6");
    CHECK(last_line("3 a2/b2 - 0/0 1 50 5") == "draw by the move limit, walls left 0/0, move 50");
    CHECK(last_line("3 a2/b2 - 0/0 1 30 20") == "draw by no progress, walls left 0/0, move 30");
}

void test_reasons() {
    const Position position = parse_position("9 e4/e6 c3h,e3h,d7v 8/0 1 9 1", kStandard);
    const auto why = [](const Position& in, const char* move) {
        return message_of<IllegalMoveError>([&] { parse_legal_move(move, in); });
    };
    const std::string where = " in '9 e4/e6 c3h,e3h,d7v 8/0 1 9 1': ";
    CHECK(why(position, "d3h") == "illegal move 'd3h'" + where + "it overlaps the wall at c3h");
    CHECK(why(position, "f3h") == "illegal move 'f3h'" + where + "it overlaps the wall at e3h");
    CHECK(why(position, "d8v") == "illegal move 'd8v'" + where + "it overlaps the wall at d7v");
    CHECK(why(position, "e3v") == "illegal move 'e3v'" + where + "it crosses the wall at e3h");
    CHECK(why(position, "i9h") == "illegal move 'i9h'" + where + "it lies outside the wall grid");
    CHECK(why(position, "e3") == "illegal move 'e3'" + where + "a wall is in the way");
    CHECK(why(position, "e2") == "illegal move 'e2'" + where + "no pawn move leads there");
    CHECK(parse_legal_move("E5", position) == parse_action("e5", 9));
    CHECK(contains(message_of<NotationError>([&] { parse_legal_move("e55", position); }),
                   "got 'e55'"));

    const Position none_left = position.after(parse_action("e5", 9));
    CHECK(contains(why(none_left, "a1h"), "player 2 has no walls left"));
    CHECK(contains(why(none_left, "d3h"), "player 2 has no walls left"));     // before the overlap
    CHECK(contains(why(none_left, "i1h"), "it lies outside the wall grid"));  // before both
    const Position corner = parse_position("9 a1/i9 a2h,h7h 8/8 1 9 1", kStandard);
    CHECK(contains(why(corner, "b1v"), "it cuts player 1 off from the goal"));
    CHECK(contains(why(corner, "g8v"), "it cuts player 2 off from the goal"));
    const Position over = parse_position("9 e9/e6 - 8/0 2 9 1", kStandard);
    for (const char* move : {"e5", "a1h", "i9h", "a1"})
        CHECK(contains(why(over, move), "the game is over"));
    const Position small = parse_position("5 c2/c4 - 5/5 1 4 4", kSmall);
    CHECK(contains(why(small, "e5h"), "it lies outside the wall grid"));
    CHECK(contains(why(small, "i9"), "no pawn move leads there"));
}

// One text with a few characters changed, dropped, doubled or moved.
std::string mutated(std::string text, SplitMix64& rng) {
    constexpr std::string_view kLikely = "0123456789abcdefghivh-/, \t\n+.xX";
    const auto below = [&](size_t bound) { return rng.below(static_cast<uint32_t>(bound)); };
    const auto character = [&]() -> char {
        return below(4) ? kLikely[below(kLikely.size())] : static_cast<char>(below(256));
    };
    for (size_t changes = below(2) ? 1 : 1 + below(4); changes > 0; --changes) {
        const size_t at = below(text.size() + 1);
        switch (below(8)) {
            case 0:
                text.insert(at, 1, character());
                break;
            case 1:
                text = text.substr(0, at);
                break;
            case 2:
                text.insert(at, text.substr(at / 2, below(12)));
                break;
            case 3:
                if (at < text.size()) text.erase(at, 1 + below(3));
                break;
            case 4:
                if (at < text.size()) text[at] = character();
                break;
            default:  // replace digits and letters by others: often the line still parses
                for (char& c : text) {
                    if (below(text.size()) > 0) continue;
                    if (std::isdigit(static_cast<unsigned char>(c))) c = kLikely[below(10)];
                    if (std::islower(static_cast<unsigned char>(c))) c = kLikely[10 + below(11)];
                }
        }
    }
    return text;
}

std::string random_bytes(SplitMix64& rng) {
    std::string text(rng.below(rng.below(10) ? 40 : 2000), ' ');
    for (char& c : text)
        c = static_cast<char>(rng.below(256));
    return text;
}

// Parses the text. The only allowed errors are a NotationError and, for moves, an IllegalMoveError,
// with a message of printable characters on one line.
template <class F>
void check_parser(const std::string& text, int& read, bool knows_rules, F&& reader) {
    std::string printable;
    for (const char c : text)
        printable += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    std::string message = "?";
    try {
        reader();
        ++read;
    } catch (const NotationError& error) {
        message = error.what();
    } catch (const IllegalMoveError& error) {
        message = error.what();
        CHECK_IN(knows_rules && message.starts_with("illegal move '"), printable);
    } catch (...) {
        CHECK_IN(false, "an error of another kind for " + printable);
    }
    CHECK_IN(!message.empty() && message.size() < 500, printable);
    for (const char c : message)
        CHECK_IN(std::isprint(static_cast<unsigned char>(c)), printable);
}

void test_garbage(SplitMix64& rng) {
    const std::vector<std::pair<Rules, std::vector<std::string>>> seeds{
        {kStandard,
         {"9 e1/e9 - 10/10 1 0 0", "9 e4/e6 c3h,e3h,d7h 8/9 2 9 1", "9 a1/i9 h8h,a1v 0/10 2 200 50",
          "9 e5/e4 a1h,c1h,e1h,g1h,a3v,c3v,e3v,g5h,b7h,f7v 5/5 2 60 11"}},
        {kSmall, {"5 c1/c5 - 5/5 1 0 0", "5 c2/c3 b3h,c2v 4/4 2 20 3"}},
        {kTiny, {"3 b1/b3 - 2/2 1 0 0", "3 a2/c2 a1h,b2v 1/1 1 8 5"}},
    };
    const std::vector<std::string> moves{"e2", "e3h", "d4v", "a1", "c2", "b2h"};
    int positions_read = 0;
    int moves_read = 0;
    for (int i = 0; i < 20000; ++i) {
        const auto& [rules, lines] = seeds[rng.below(static_cast<uint32_t>(seeds.size()))];
        const std::string& line = lines[rng.below(static_cast<uint32_t>(lines.size()))];
        const std::string text = i % 8 ? mutated(line, rng) : random_bytes(rng);
        check_parser(text, positions_read, false, [&, &rules = rules] {
            const Position position = parse_position(text, rules);
            const std::string written = format_position(position);
            CHECK_IN(parse_position_size(text) == rules.size, written);
            CHECK_IN(parse_position(written, rules) == position, written);
            CHECK_IN(position.key == position.computed_key(), written);
            CHECK_IN(position.is_over() == (position.legal_moves().count() == 0), written);
            CHECK_IN(distance(position, 0) >= 0 && distance(position, 1) >= 0, written);
            CHECK_IN(!draw(position).empty(), written);
        });
        const Position position = parse_position(line, rules);
        const std::string move = i % 8 ? mutated(moves[i % moves.size()], rng) : random_bytes(rng);
        const int size = rules.size;
        check_parser(move, moves_read, false,
                     [&] { CHECK_IN(is_on_board(parse_action(move, size), size), move); });
        check_parser(move, moves_read, false, [&] {
            CHECK_IN(is_on_board(static_cast<Action>(parse_cell(move, size)), size), move);
        });
        check_parser(move, moves_read, true,
                     [&] { CHECK_IN(position.is_legal(parse_legal_move(move, position)), move); });
    }
    std::printf("of 20000 lines %d could be read, of 60000 moves %d\n", positions_read, moves_read);
    CHECK(positions_read > 500 && positions_read < 19500);
    CHECK(moves_read > 500 && moves_read < 59500);
}

}  // namespace
}  // namespace plyground::quoridor

int main() {
    using namespace plyground;
    using namespace plyground::quoridor;
    SplitMix64 rng{test::seed()};
    test_names();
    test_names_that_cannot_be_read();
    test_positions_read_back();
    test_positions_that_cannot_be();
    test_drawing();
    test_reasons();
    test_garbage(rng);
    return test::report();
}
