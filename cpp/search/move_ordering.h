// Move ordering that a search learns from its own cutoffs: killer moves, counter moves, history.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "search/limits.h"
#include "search/moves.h"
#include "search/options.h"

namespace plyground {

inline constexpr int kNoAction = -1;

template <int Actions>
class MoveOrdering {
  public:
    explicit MoveOrdering(const SearchOptions& options) : options_(options) {}

    // Adds the bonuses to the order of the moves of a node. `previous` is the action that led to
    // the node, or kNoAction.
    template <class Moves>
    void add_bonuses(Moves& moves, int ply, int side, int previous) const {
        const int counter = previous == kNoAction ? kNoAction : counter_moves_[side][previous];
        for (int i = 0; i < moves.size; ++i) {
            ScoredMove& move = moves.moves[i];
            if (options_.history) move.order += history_[side][move.action] / kHistoryDivisor;
            if (options_.killers &&
                (killers_[ply][0] == move.action || killers_[ply][1] == move.action)) {
                move.order += kKillerBonus;
                if (move.kind == MoveKind::kQuiet) move.kind = MoveKind::kOrdinary;
            }
            if (options_.counter_moves && counter == move.action) move.order += kCounterMoveBonus;
        }
    }

    // Records that the move at `index` failed high after the moves before it had not.
    template <class Moves>
    void record_cutoff(const Moves& moves, int index, int ply, int side, int previous, int depth) {
        const int action = moves.moves[index].action;
        if (killers_[ply][0] != action) {
            killers_[ply][1] = killers_[ply][0];
            killers_[ply][0] = action;
        }
        if (previous != kNoAction) counter_moves_[side][previous] = action;
        const int bonus = std::min(depth * depth, kMaxHistoryBonus);
        update_history(side, action, kCutoffWeight * bonus);
        for (int i = 0; i < index; ++i)
            update_history(side, moves.moves[i].action, -kFailureWeight * bonus);
    }

  private:
    // Bonuses are in units of ScoredMove::order, for Quoridor hundredths of a step. The values are
    // guessed; measured is only that bonuses of more than a step cost 10% more nodes
    // (docs/search.md).
    static constexpr int kKillerBonus = 50;
    static constexpr int kCounterMoveBonus = 20;
    static constexpr int kHistoryDivisor = 20;  // the largest history bonus is 1024 / 20 = 51
    // History scores stay within +-kHistoryLimit: an update shrinks with the score it adds to.
    // Guessed, as are the weights of an update.
    static constexpr int kHistoryLimit = 1024;
    static constexpr int kMaxHistoryBonus = 64;  // reached at depth 8
    static constexpr int kCutoffWeight = 4;
    static constexpr int kFailureWeight = 2;

    void update_history(int side, int action, int change) {
        int& value = history_[side][action];
        value += change - value * std::abs(change) / kHistoryLimit;
    }

    const SearchOptions& options_;
    // Unused entries are 0, so action 0 gets the bonus of a killer until a real one is recorded.
    int killers_[kMaxPly + 2][2] = {};    // by ply
    int history_[2][Actions] = {};        // by side and action
    int counter_moves_[2][Actions] = {};  // the reply to each action, by side to reply
};

}  // namespace plyground
