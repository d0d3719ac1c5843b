// Finding the values of Reversi's patterns from games: positions with what they are worth, and the
// least squares fit of one phase to them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/reversi_board.h"
#include "search/engine.h"
#include "search/reversi_endgame.h"
#include "search/reversi_knowledge.h"
#include "search/reversi_patterns.h"

namespace plyground::reversi {

struct LabelledPosition {
    Squares own, other;  // of the side to move, the other's
    int score;           // discs at the end of the game, for the side to move
};

// A game by its moves from the start position, passes left out, and what is known of its value.
struct RecordedGame {
    std::span<const uint8_t> squares;  // ends early at anything that is no legal move
    int played;                        // final score for black
    int theoretical;                   // score for black with perfect play from some point on
    int theory_empties;                // empty squares at that point
};

// The positions of a game in which there is a move. Those with up to `solve_from` empty squares are
// solved. Those before the theoretical score was computed have that; those in between something
// between the two. From solved positions also one other, random move is followed by
// a position of its own, so that bad moves are seen, too.
std::vector<LabelledPosition> label_game(const RecordedGame& game, int solve_from, uint64_t seed,
                                         EndgameSolver& solver);

// Players of recorded games make few bad moves, and values fitted to them alone know little of what
// bad moves lead to; a search meets nothing else. So: up to `count` positions before the solved
// ones, each after a random move, with the score that a search finds. Scores of odd and even depths
// differ; half-way between two of them is nearer to the truth.
std::vector<LabelledPosition> label_deviations(std::span<const uint8_t> squares, int solve_from,
                                               int count, int depth, uint64_t seed,
                                               Engine<Knowledge>& engine);

// Minimises the squared error over positions plus `ridge` times the squares of the values, by
// conjugate gradients, preconditioned with how often each value is met.
class PatternFit {
  public:
    PatternFit(std::span<const LabelledPosition> positions, double ridge);

    // One more step; returns the root mean square error before it, in discs.
    double step();
    // The same on other positions; NaN if there are none.
    double error(std::span<const LabelledPosition> positions) const;
    // In discs.
    const std::vector<float>& values() const { return values_; }

  private:
    static constexpr int kTerms = kInstances + 1;

    std::vector<double> gather(const std::vector<float>& residual) const;

    std::vector<uint32_t> indices_;  // kTerms for each position
    std::vector<float> residual_;    // of each position
    std::vector<float> values_;
    std::vector<double> gradient_, scale_;
    std::vector<float> direction_;
    double ridge_;
    double slope_ = 0;  // gradient times preconditioned gradient
};

}  // namespace plyground::reversi
