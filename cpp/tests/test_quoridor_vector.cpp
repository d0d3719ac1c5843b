// Quoridor's vector environment: the results and observations of a step, compared with positions
// played one by one.
#include <cmath>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "games/quoridor_text.h"
#include "games/quoridor_vector.h"
#include "vector_arrays.h"

using namespace plyground;
using namespace plyground::quoridor;

namespace {

using Arrays = test::StepArrays<QuoridorVector>;

QuoridorVector::Settings settings_for(int size, int frames, int threads, IllegalPolicy illegal) {
    Rules rules;
    rules.size = static_cast<uint8_t>(size);
    rules.walls = static_cast<uint8_t>(size);
    rules.max_moves = 60;
    rules.no_progress_limit = 25;
    QuoridorVector::Settings settings;
    settings.start = Position::start(rules);
    settings.frames = frames;
    settings.threads = threads;
    settings.illegal = illegal;
    return settings;
}

// The same game as one of the vector, played by the rules.
struct ReferenceGame {
    Position position;
    History history;
};

void check_view(const QuoridorVector& games, const Arrays& arrays, int i,
                const ReferenceGame& reference) {
    const int size = reference.position.rules.size;
    const int me = reference.position.to_move;
    const std::string where = format_position(reference.position);
    CHECK_IN(games.game(i).position == reference.position, where);
    CHECK_IN(arrays.players[i] == me + 1, where);
    const LegalMoves legal = reference.position.legal_moves();
    bool same = true;
    for (int number = 0; number < games.actions(); ++number) {
        Action action = from_dense(number, size);
        if (me == 1) action = flip(action, size);
        same &= arrays.masks[static_cast<size_t>(i) * games.actions() + number] ==
                static_cast<int8_t>(legal.has(action));
    }
    CHECK_IN(same, where);
    const int values = games.plane_values();
    std::vector<float> planes(values), scalars(kScalars);
    encode(reference.position, reference.history, games.settings().frames, planes.data(),
           scalars.data());
    for (int value = 0; value < values; ++value)
        same &= arrays.plane_value(i, values, value) == planes[value];
    CHECK_IN(same, where);
    for (int value = 0; value < kScalars; ++value)
        same &= arrays.scalars[static_cast<size_t>(i) * kScalars + value] == scalars[value];
    CHECK_IN(same, where);
}

void test_random_games(int size, int frames, int threads, PlaneFormat format, uint64_t seed) {
    constexpr int kGames = 150;
    const auto settings = settings_for(size, frames, threads, IllegalPolicy::kLose);
    QuoridorVector games(kGames, settings, seed);
    std::vector<ReferenceGame> references(kGames, {settings.start, {}});
    std::vector<int32_t> actions(kGames);
    SplitMix64 rng{seed};
    {
        const Arrays arrays(games, format);
        games.reset(arrays.seen);
        for (int i = 0; i < kGames; ++i)
            check_view(games, arrays, i, references[i]);
    }
    for (int step = 0; step < 70; ++step) {
        games.random_actions(actions.data());
        for (int32_t& action : actions) {
            if (rng.below(40) == 0) action = static_cast<int32_t>(rng.below(games.actions()));
        }
        const Arrays arrays(games, format);
        games.step(actions.data(), arrays.results, arrays.seen);
        for (int i = 0; i < kGames; ++i) {
            ReferenceGame& reference = references[i];
            const int me = reference.position.to_move;
            Action action = from_dense(actions[i], size);
            if (me == 1) action = flip(action, size);
            float reward = -1.0F;
            int ending = static_cast<int>(Ending::kIllegal);
            if (reference.position.is_legal(action)) {
                reference.history.push(reference.position, action);
                reference.position.play(action);
                ending = static_cast<int>(reference.position.outcome());
                const bool won = reference.position.has_won(me);
                reward = won ? 1.0F : ending != 0 ? settings.draw_reward : 0.0F;
            }
            CHECK(arrays.rewards[i] == reward);
            CHECK(arrays.endings[i] == ending);
            CHECK(arrays.terminated[i] == (ending != 0));
            CHECK(arrays.move_counts[i] == reference.position.move_count);
            if (ending != 0) reference = {settings.start, {}};
            check_view(games, arrays, i, reference);
        }
    }
}

void test_threads_agree(uint64_t seed) {
    QuoridorVector one(1000, settings_for(5, 4, 1, IllegalPolicy::kRandom), seed);
    QuoridorVector many(1000, settings_for(5, 4, 3, IllegalPolicy::kRandom), seed);
    CHECK(test::agree(one, many, 50));
}

void test_refusals() {
    QuoridorVector games(3, settings_for(5, 1, 1, IllegalPolicy::kRaise), 1);
    const Arrays arrays(games, PlaneFormat::kFloats);
    const auto refused = [&](std::vector<int32_t> actions) {
        try {
            games.step(actions.data(), arrays.results, {});
        } catch (const IllegalMoveError& error) {
            for (int i = 0; i < games.size(); ++i)
                CHECK(games.game(i).position.move_count == 0);  // nothing was played
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused({7, 7, 57}) == "expected actions from 0 to 56, got 57 for game 2");
    CHECK(refused({-1, 7, 7}) == "expected actions from 0 to 56, got -1 for game 0");
    CHECK(refused({7, 0, 7}) ==
          "game 1: illegal move 'a1' in '5 c1/c5 - 5/5 1 0 0': no pawn move leads there");
    CHECK(refused({7, 7, 7}).empty());
    CHECK(games.game(2).position.move_count == 1);
    // In the mover's view, player 2's step ahead has the same number as player 1's.
    CHECK(refused({7, 7, 7}).empty());
    CHECK(row_of(games.game(0).position.pawn[1]) == 3);
}

// Every legal move is drawn, and no other, about equally often.
void test_random_actions(uint64_t seed) {
    constexpr int kGames = 4000;
    QuoridorVector games(kGames, settings_for(9, 1, 2, IllegalPolicy::kLose), seed);
    std::vector<int32_t> actions(kGames), counts(kActions);
    for (int round = 0; round < 10; ++round) {
        games.random_actions(actions.data());
        for (const int32_t action : actions)
            ++counts[action];
    }
    const LegalMoves legal = games.game(0).position.legal_moves();
    const double expected = 10.0 * kGames / legal.count();  // about 305, give or take 17
    for (int action = 0; action < kActions; ++action) {
        const bool is_legal = legal.has(static_cast<Action>(action));
        CHECK(is_legal ? std::abs(counts[action] - expected) < 120 : counts[action] == 0);
    }
}

}  // namespace

int main() {
    const uint64_t seed = test::seed();
    const PlaneFormat formats[] = {PlaneFormat::kBits, PlaneFormat::kBytes, PlaneFormat::kFloats};
    for (int size = kMinSize; size <= kMaxSize; ++size)
        test_random_games(size, size == 9 ? 4 : size, 1 + size % 2, formats[size % 3], seed + size);
    test_random_games(9, 16, 2, PlaneFormat::kFloats, seed);
    test_random_games(9, 1, 2, PlaneFormat::kBits, seed);
    test_threads_agree(seed);
    test_refusals();
    test_random_actions(seed);
    return test::report();
}
