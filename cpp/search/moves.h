// Lists of moves with the order in which the search tries them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace plyground {

// How much a move may be reduced or pruned.
enum class MoveKind : uint8_t {
    kForcing,   // searched to full depth
    kOrdinary,  // reduced late in the list
    kQuiet,     // reduced from the start, and pruned close to the leaves
};

struct ScoredMove {
    uint8_t action;
    MoveKind kind;
    int32_t order;  // higher is tried first
    int32_t gain;   // estimated change of the evaluation for the mover
};

template <int Capacity>
struct MoveList {
    std::array<ScoredMove, Capacity> moves;
    int size = 0;

    void add(int action, MoveKind kind, int order, int gain) {
        moves[size++] = {static_cast<uint8_t>(action), kind, order, gain};
    }
    // Moves this action to the front; adds it if the list does not contain it.
    void put_first(int action) {
        int at = 0;
        while (at < size && moves[at].action != action)
            ++at;
        if (at == size) add(action, MoveKind::kForcing, 0, 0);
        std::swap(moves[0], moves[at]);
    }
    // Swaps the best of the moves from index `from` on to that index and returns it.
    ScoredMove& pick(int from) {
        int best = from;
        for (int i = from + 1; i < size; ++i) {
            if (moves[i].order > moves[best].order) best = i;
        }
        std::swap(moves[from], moves[best]);
        return moves[from];
    }
};

}  // namespace plyground
