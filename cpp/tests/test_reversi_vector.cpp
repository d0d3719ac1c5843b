// Reversi's vector environment: the results and observations of a step, compared with positions
// played one by one.
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "games/reversi_text.h"
#include "games/reversi_vector.h"
#include "vector_arrays.h"

using namespace plyground;
using namespace plyground::reversi;

namespace {

using Arrays = test::StepArrays<ReversiVector>;

ReversiVector::Settings settings_for(int threads, IllegalPolicy illegal) {
    ReversiVector::Settings settings;
    settings.threads = threads;
    settings.illegal = illegal;
    return settings;
}

struct ReferenceGame {
    Position position;
    int moves = 0;
};

// The reward of the player who has just moved, by the discs that each player has.
float reward_of(const Position& position) {
    if (!position.is_over()) return 0.0F;
    const int difference = std::popcount(position.other) - std::popcount(position.own);
    return static_cast<float>((difference > 0) - (difference < 0));
}

Ending ending_of(const Position& position) {
    if (!position.is_over()) return Ending::kOngoing;
    const int black = std::popcount(position.discs(0));
    const int white = std::popcount(position.discs(1));
    return black > white ? Ending::kPlayer1 : black < white ? Ending::kPlayer2 : Ending::kDraw;
}

void check_view(const ReversiVector& games, const Arrays& arrays, int i, const Position& position) {
    const std::string where = format_position(position);
    CHECK_IN(games.game(i).position == position, where);
    CHECK_IN(arrays.players[i] == position.to_move + 1, where);
    bool same = true;
    for (int action = 0; action < kActions; ++action) {
        same &= arrays.masks[static_cast<size_t>(i) * kActions + action] ==
                static_cast<int8_t>(position.is_legal(action));
    }
    for (int square = 0; square < kSquares; ++square) {
        const int values = games.plane_values();
        same &=
            arrays.plane_value(i, values, square) == static_cast<float>(position.own >> square & 1);
        same &= arrays.plane_value(i, values, kSquares + square) ==
                static_cast<float>(position.other >> square & 1);
    }
    const int discs = std::popcount(position.own | position.other);
    same &= arrays.scalars[2 * i] == static_cast<float>(position.to_move);
    same &= arrays.scalars[2 * i + 1] == static_cast<float>(discs) / 64.0F;
    CHECK_IN(same, where);
}

void test_random_games(int threads, PlaneFormat format, uint64_t seed) {
    constexpr int kGames = 150;
    const auto settings = settings_for(threads, IllegalPolicy::kLose);
    ReversiVector games(kGames, settings, seed);
    std::vector<ReferenceGame> references(kGames, {settings.start});
    std::vector<int32_t> actions(kGames);
    SplitMix64 rng{seed};
    int passes = 0;
    {
        const Arrays arrays(games, format);
        games.reset(arrays.seen);
        for (int i = 0; i < kGames; ++i)
            check_view(games, arrays, i, references[i].position);
    }
    for (int step = 0; step < 130; ++step) {
        games.random_actions(actions.data());
        for (int32_t& action : actions) {
            if (rng.below(200) == 0) action = static_cast<int32_t>(rng.below(kActions));
        }
        const Arrays arrays(games, format);
        games.step(actions.data(), arrays.results, arrays.seen);
        for (int i = 0; i < kGames; ++i) {
            ReferenceGame& reference = references[i];
            float reward = -1.0F;
            Ending ending = Ending::kIllegal;
            if (reference.position.is_legal(actions[i])) {
                passes += actions[i] == kPass;
                reference.position.play(static_cast<Action>(actions[i]));
                ++reference.moves;
                reward = reward_of(reference.position);
                ending = ending_of(reference.position);
            }
            CHECK(arrays.rewards[i] == reward);
            CHECK(arrays.endings[i] == static_cast<int>(ending));
            CHECK(arrays.terminated[i] == (ending != Ending::kOngoing));
            CHECK(arrays.move_counts[i] == reference.moves);
            if (ending != Ending::kOngoing) reference = {settings.start};
            check_view(games, arrays, i, reference.position);
        }
    }
    CHECK(passes > 0);
}

void test_threads_agree(uint64_t seed) {
    ReversiVector one(1000, settings_for(1, IllegalPolicy::kRandom), seed);
    ReversiVector many(1000, settings_for(3, IllegalPolicy::kRandom), seed);
    CHECK(test::agree(one, many, 70));
}

void test_refusals() {
    ReversiVector games(3, settings_for(1, IllegalPolicy::kRaise), 1);
    const Arrays arrays(games, PlaneFormat::kFloats);
    const auto refused = [&](std::vector<int32_t> actions) {
        try {
            games.step(actions.data(), arrays.results, {});
        } catch (const IllegalMoveError& error) {
            for (int i = 0; i < games.size(); ++i)
                CHECK(games.game(i).move_count == 0);  // nothing was played
            return std::string(error.what());
        }
        return std::string();
    };
    constexpr int kF5 = 37;
    CHECK(refused({kF5, kF5, 65}) == "expected actions from 0 to 64, got 65 for game 2");
    CHECK(refused({-1, kF5, kF5}) == "expected actions from 0 to 64, got -1 for game 0");
    CHECK(refused({kF5, 0, kF5}).starts_with("game 1: illegal move 'a1' in '"));
    CHECK(refused({kF5, kF5, kPass}).starts_with("game 2: illegal move 'pass' in '"));
    CHECK(refused({kF5, kF5, kF5}).empty());
    CHECK(games.game(2).move_count == 1);
}

// A player who must pass, then a wipe-out.
void test_passes() {
    auto settings = settings_for(1, IllegalPolicy::kLose);
    settings.start = parse_position("OX" + std::string(62, '-') + " X");
    ReversiVector games(1, settings, 1);
    const auto play = [&](int32_t action) {
        const Arrays arrays(games, PlaneFormat::kBits);
        games.step(&action, arrays.results, arrays.seen);
        return Played{static_cast<Ending>(arrays.endings[0]), arrays.rewards[0]};
    };
    int32_t drawn = 0;
    games.random_actions(&drawn);
    CHECK(drawn == kPass);
    CHECK(play(kPass).ending == Ending::kOngoing);
    const Played last = play(2);
    CHECK(last.ending == Ending::kPlayer2);
    CHECK(last.reward == 1.0F);
    CHECK(games.game(0).position == settings.start);
    CHECK(play(2).ending == Ending::kIllegal);
}

// Every legal move is drawn, and no other, about equally often.
void test_random_actions(uint64_t seed) {
    constexpr int kGames = 4000;
    ReversiVector games(kGames, settings_for(2, IllegalPolicy::kLose), seed);
    std::vector<int32_t> actions(kGames), counts(kActions);
    games.random_actions(actions.data());
    for (const int32_t action : actions)
        ++counts[action];
    const Position start;
    for (int action = 0; action < kActions; ++action) {  // 1000 each, give or take 27
        const bool is_legal = start.is_legal(action);
        CHECK(is_legal ? std::abs(counts[action] - 1000) < 200 : counts[action] == 0);
    }
}

}  // namespace

int main() {
    const uint64_t seed = test::seed();
    test_random_games(1, PlaneFormat::kBits, seed);
    test_random_games(2, PlaneFormat::kBytes, seed + 1);
    test_random_games(2, PlaneFormat::kFloats, seed + 2);
    test_threads_agree(seed);
    test_refusals();
    test_passes();
    test_random_actions(seed);
    return test::report();
}
