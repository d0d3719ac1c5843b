// Thousands of games that a network plays against itself, side by side.
//
// Games are split into halves, so that the network can evaluate the leaves of one while the trees
// of the other grow. Each call of `step` takes the evaluations of the leaves that half handed out
// before, and runs every game of it until it needs the next one:
//
//     1. expand the leaf, back up
//     2. more simulations, until one needs an evaluation: hand that leaf out
//     3. when all simulations of a move are done: keep the position with its improved policy, play
//        the move, and go on from the child's evaluation, which is there already
//     4. when the game is over, or its result is known for certain: give the kept positions their
//        outcome, put them up for `drain`, start the next game
//
// A game depends on the seed, its number and the evaluations alone, not on threads.
//
// Beside what the tree search asks of a game (gumbel.h), it is asked for these:
//
//     Exact(Effort), kUsualMoves               moves that nearly all positions have at most
//     static auto legal_moves(const Position&)                  as Leaf::moves
//     static int opening_move(const Position&, SplitMix64&)     a move as openings have them
//     Exact::final_margin(const Position&, const Verdict&)      by how much the mover wins
//     static bool is_solvable(const Position&)                  Exact with kAll knows the result
//     static void randomize_start(Position&, SplitMix64&)       another start of the same board
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/workers.h"
#include "search/gumbel.h"

namespace plyground {

struct SelfPlaySettings {
    gumbel::Settings tree;
    int simulations = 64;  // a move
    // Playout cap randomisation (Wu 2019, section 3.1): this share of the moves is played after a
    // quick search without noise and not kept for learning.
    float quick_moves = 0;
    int quick_simulations = 16;
    float random_starts = 0;       // share of the games that begin from a randomised start
    float heuristic_weight = 0;    // share of the heuristic in the value of a leaf
    float random_openings = 0.3F;  // share of the games that start with a random opening
    int opening_plies = 8;         // the most plies of such an opening
    float close_openings = 0;      // share of these that are drawn again unless they look close
    float quick_decided = 0;       // as quick_moves, while the last search called the game decided
    // TD(lambda): a row's value is that of its own search with weight 1 - lambda, and the same of
    // the next row, turned, with weight lambda. The last row looks ahead to the outcome.
    float value_lambda = 0;
    uint64_t seed = 0;
};

// One position of a finished game.
template <class Game>
struct SelfPlayRow {
    std::array<uint8_t, Game::kFeatureBytes> features;
    std::array<uint16_t, Game::kActions> policy;  // half floats, in the mover's view
    float outcome;                                // of the game, for the mover
    float root_value;                             // by the search, see value_lambda
    float margin;                                 // at the end of the game, for the mover
    float surprise;                               // divergence of that policy from the network's
    int32_t game;
    int32_t ply;
    int32_t action;  // played, in the mover's view
};

struct SelfPlayStats {
    uint64_t games = 0, draws = 0, first_player_wins = 0, plies = 0;
    uint64_t evaluations = 0, simulations = 0;
    uint64_t waiting = 0;  // rows not drained yet
};

template <class Game>
class SelfPlay {
  public:
    using Position = typename Game::Position;
    using Row = SelfPlayRow<Game>;

    // The games of each half are shared out among the starts evenly and in their order.
    SelfPlay(std::vector<Position> starts, int games, int halves, int threads,
             const SelfPlaySettings& settings);

    int halves() const { return static_cast<int>(first_.size()) - 1; }
    int size(int half) const { return first_[half + 1] - first_[half]; }
    // Of each position, in `step` and at the front of `Row::features`.
    size_t feature_bytes() const { return Game::feature_bytes(starts_.front()); }
    // `logits` [size(half), actions] and `values` [size(half)] belong to the features written last
    // time; null the first time. Writes `features` [size(half), bytes] and returns the number of
    // leaves, which is size(half).
    template <class Logit>
    int step(int half, const Logit* logits, const float* values, uint8_t* features);
    bool has_started(int half) const { return started_[half]; }

    // Positions of finished games, at most that many; the oldest first.
    std::vector<Row> drain(size_t most);
    SelfPlayStats stats();
    // Change a setting from the next step on.
    SelfPlaySettings settings();
    void set(const SelfPlaySettings& settings);

  private:
    struct Slot {
        gumbel::Tree<Game> tree;
        SplitMix64 rng;
        std::vector<Row> rows;
        size_t start = 0;  // index into `starts_`
        int32_t game = 0;
        int32_t ply = 0;           // plies played, the opening's included
        bool is_quick = false;     // the move under way
        bool is_decided = false;   // says the search of the last move
        int redraws_left = 0;      // how often the opening may still be drawn again
        Position opening_start{};  // where the opening begins
        uint64_t evaluations = 0;
        uint64_t simulations = 0;
    };
    using Exact = typename Game::Exact;

    // What a thread needs for itself. Leaves ask `simple`; only positions that are on the board ask
    // `solver`, and what it has solved must not help leaves, or results would depend on threads.
    struct Thread {
        Exact simple{gumbel::Effort::kQuick};
        Exact solver{gumbel::Effort::kAll};
    };

    // Values beyond which an opening is not close, and a game is decided.
    static constexpr float kClose = 0.5F;
    static constexpr float kDecided = 0.95F;

    void start_game(Slot& slot, Thread& thread);
    Position random_opening(Slot& slot, Thread& thread) const;
    void start_or_redraw(Slot& slot, Thread& thread);
    void start_move(Slot& slot);
    static bool happens(Slot& slot, float share);
    void run_to_leaf(Slot& slot, Thread& thread, uint8_t* features);
    void finish_move(Slot& slot, Thread& thread);
    void finish_game(Slot& slot, Exact& solver, const gumbel::Verdict& known);
    void add_solved_row(Slot& slot, Exact& solver, const gumbel::Verdict& known);
    float value_of(const Position& end, const gumbel::Verdict& known, float* shared) const;
    void add_row(Slot& slot, const float* policy, float root_value, int action);
    void look_ahead(Slot& slot, float value, float shared) const;

    std::vector<Position> starts_;
    SelfPlaySettings settings_;
    std::vector<Slot> slots_;
    std::vector<int> first_;  // first slot of each half, and the end
    std::vector<char> started_;
    std::vector<std::unique_ptr<Thread>> threads_;

    std::mutex step_mutex_;  // one step at a time, and no changes meanwhile
    std::mutex done_mutex_;  // guards the results below
    std::vector<std::vector<Row>> done_;
    size_t drained_ = 0;  // of the first game in `done_`
    SelfPlayStats totals_;

    Workers workers_;  // last, so that its threads end before the rest
};

}  // namespace plyground
