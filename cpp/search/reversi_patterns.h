// Reversi's pattern evaluation: the board is covered by small groups of squares, and each
// configuration of a group has a value, for each phase of the game.
//
// A configuration is a number in base 3 with the digits -1 (other), 0 (empty) and 1 (own), so
// swapping the sides negates it. A move updates the numbers of all groups by adding vectors: the
// vector of a square holds its power of 3 in every group that contains it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "games/reversi_board.h"
#include "search/limits.h"

namespace plyground::reversi {

inline constexpr int kPatterns = 11;   // kinds of group
inline constexpr int kInstances = 46;  // groups on the board: each kind in all its symmetries
inline constexpr int kPhases = 15;     // of four discs each
inline constexpr int kDiscsPerPhase = 4;

// The configurations of all groups, for the side to move.
struct alignas(64) PatternView {
    static constexpr int kPadded = 48;  // whole vector registers
    std::array<int16_t, kPadded> of{};

    static PatternView from(Squares own, Squares other);
    // After a move of the side to move, for the other side.
    void after(int square, Squares turned, PatternView& next) const;
    void passed(PatternView& next) const {
        for (int i = 0; i < kPadded; ++i)
            next.of[i] = static_cast<int16_t>(-of[i]);
    }
};

constexpr int phase_of(int discs) { return discs <= 5 ? 0 : (discs - 5) / kDiscsPerPhase; }

// Mirror images of a configuration share one value. These functions number the distinct values, as
// they are stored and fitted: one number for each value, pattern after pattern, then one for the
// value of having the move.
int folded_size();
// The folded numbers of a position's groups, then that of having the move.
void folded_indices(Squares own, Squares other, std::span<uint32_t, kInstances + 1> out);

class Patterns {
  public:
    // `folded`: folded_size() values for each phase in turn, in hundredths of a disc.
    explicit Patterns(std::span<const int16_t> folded);

    // In hundredths of a disc, for the side to move.
    Score evaluate(const PatternView& view, int discs) const;
    Score evaluate(Squares own, Squares other) const {
        return evaluate(PatternView::from(own, other), std::popcount(own | other));
    }

  private:
    std::array<std::vector<int16_t>, kPhases> values_;
    std::array<int, kPhases> to_move_{};
};

}  // namespace plyground::reversi
