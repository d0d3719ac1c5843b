#include "search/reversi_classic.h"

#include "search/reversi_stability.h"

namespace plyground::reversi {
namespace {

int difference(Squares own, Squares other) { return std::popcount(own) - std::popcount(other); }

int near_corner_difference(Squares own, Squares other) {
    int sum = 0;
    // Only over empty corners, of which few are left late in the game.
    for_each_square(kCorners & ~(own | other), [&](int corner) {
        const Squares near = neighbours(bit_of(corner));
        sum += difference(own & near, other & near);
    });
    return sum;
}

int positional_difference(Squares own, Squares other) {
    int sum = 0;
    for (const auto& [value, squares] : kSquareKinds)
        sum += value * difference(own & squares, other & squares);
    return sum;
}

int edge_stability_difference(Squares own, Squares other) {
    if (!((own | other) & kEdges)) return 0;
    return difference(stable_discs(own, other) & kEdges, stable_discs(other, own) & kEdges);
}

}  // namespace

ClassicTerms classic_terms(Squares own, Squares other) {
    return {difference(own, other),
            difference(moves(own, other), moves(other, own)),
            difference(own & kCorners, other & kCorners),
            near_corner_difference(own, other),
            positional_difference(own, other),
            edge_stability_difference(own, other)};
}

double ClassicEvaluator::evaluate(Squares own, Squares other, Squares own_moves) const {
    double value = 0;
    if (material) value += material_weight * difference(own, other);
    if (mobility) value += mobility_weight * difference(own_moves, moves(other, own));
    if (corners) {
        value += corner_weight * difference(own & kCorners, other & kCorners);
        value += near_corner_weight * near_corner_difference(own, other);
    }
    if (positional) value += positional_weight * positional_difference(own, other);
    if (edge_stability_weight != 0)
        value += edge_stability_weight * edge_stability_difference(own, other);
    return value;
}

}  // namespace plyground::reversi
