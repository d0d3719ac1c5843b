// Reversi evaluated by patterns: the board is covered by small groups of squares, and each way to
// fill a group has a value of its own, for each phase of the game.
//
// A group is read as a number in base 3, each square counting -1 (other), 0 (empty) or 1 (own).
// With digits around zero, changing sides negates the number, and a move adds to all numbers at
// once: the vector of a square holds its power of 3 in every group that it belongs to.
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

// Numbers of all groups, from the side to move.
struct alignas(64) PatternView {
    static constexpr int kPadded = 48;  // whole vector registers
    std::array<int16_t, kPadded> of{};

    static PatternView from(Squares own, Squares other);
    // After a move of the side to move, from the other side.
    void after(int square, Squares turned, PatternView& next) const;
    void passed(PatternView& next) const {
        for (int i = 0; i < kPadded; ++i)
            next.of[i] = static_cast<int16_t>(-of[i]);
    }
};

constexpr int phase_of(int discs) { return discs <= 5 ? 0 : (discs - 5) / kDiscsPerPhase; }

// Values of groups that are mirror images of each other are one and the same. These are the numbers
// under which they are kept and fitted: one for each value, pattern after pattern, then the value
// of having the move.
int folded_size();
// The folded numbers of a position's groups; `out` has kInstances + 1 places.
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
