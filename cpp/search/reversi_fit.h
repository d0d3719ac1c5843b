// Fitting the values of Reversi's patterns to games: labelled positions, and the least squares fit.
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
    Squares own, other;  // discs of the side to move and of the opponent
    int score;           // discs at the end of the game, for the side to move
    float weight = 1;    // of its squared error in the fit
};

// A recorded game: its moves from the start position without passes, and its scores.
struct RecordedGame {
    std::span<const uint8_t> squares;  // the game is cut off at the first illegal move
    int played;                        // final score for black
    int theoretical;                   // score for black with perfect play from some point on
    int theory_empties;                // empty squares at that point
};

// The positions of a game in which the side to move has a move. Positions with up to `solve_from`
// empty squares are labelled with their exact score, those before the theoretical score was
// computed with that score, and those in between by interpolation. For each solved position, the
// position after one random move is added and solved too, so that the fit sees bad moves.
std::vector<LabelledPosition> label_game(const RecordedGame& game, int solve_from, uint64_t seed,
                                         EndgameSolver& solver);

// How the engine plays games against itself for the fit.
struct OwnGameSettings {
    int depth;       // plies of the search that chooses moves and scores positions
    int solve_from;  // empty squares from which positions are solved
};

// Positions of a game of the engine against itself, and positions a few moves off the game; none if
// the opening has an illegal move or ends the game. Half of the games continue the opening with
// moves of which some are random. Recorded games contain few bad moves, but most positions of a
// search come after bad moves, so a fit to games alone misjudges them. The label of a position is
// the mean of the scores at `depth` and `depth` - 1, since scores at odd and even depths differ; a
// position of the game itself takes a part of its label from the result. The solver needs the
// patterns.
std::vector<LabelledPosition> label_own_game(std::span<const uint8_t> opening,
                                             const OwnGameSettings& settings, uint64_t seed,
                                             Engine<Knowledge>& engine, EndgameSolver& solver);

// What keeps rare values near plausible ones, each in positions with an error of one disc.
struct Penalties {
    double ridge;      // times the square of each value
    double smoothing;  // times the square of the difference between a value and the same one in the
                       // next phase
};

// Minimises the weighted squared error over positions of all phases plus the penalties, by
// conjugate gradients, preconditioned with the frequency of each value.
class PatternFit {
  public:
    PatternFit(std::span<const LabelledPosition> positions, const Penalties& penalties);

    // Makes one step; returns the root mean square error before it, in discs.
    double step();
    // The same on other positions; NaN if there are none.
    double error(std::span<const LabelledPosition> positions) const;
    // In discs, one phase after the other.
    const std::vector<float>& values() const { return values_; }

  private:
    static constexpr int kTerms = kInstances + 1;

    std::vector<double> gradient() const;
    double curvature_of_penalties() const;

    std::vector<uint32_t> indices_;  // kTerms for each position
    std::vector<float> residual_;    // of each position
    std::vector<float> weights_;     // of each position
    std::vector<float> values_;
    std::vector<double> scale_;  // the preconditioner
    std::vector<float> direction_;
    Penalties penalties_;
    double slope_ = 0;  // gradient times preconditioned gradient
};

}  // namespace plyground::reversi
