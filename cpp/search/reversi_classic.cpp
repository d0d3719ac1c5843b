#include "search/reversi_classic.h"

#include "search/reversi_stability.h"

namespace plyground::reversi {
namespace {

int difference(Squares own, Squares other) { return std::popcount(own) - std::popcount(other); }

template <int size>
int near_corner_difference(Squares own, Squares other) {
    int sum = 0;
    // Only over empty corners, of which few are left late in the game.
    for_each_square(corners_of(size) & ~(own | other), [&](int corner) {
        const Squares near = neighbours(bit_of(corner));
        sum += difference(own & near, other & near);
    });
    return sum;
}

template <int size>
int positional_difference(Squares own, Squares other) {
    int sum = 0;
    for (const auto& [value, squares] : square_kinds(size))
        sum += value * difference(own & squares, other & squares);
    return sum;
}

template <int size>
int edge_stability_difference(Squares own, Squares other) {
    if (size != kSize || !((own | other) & kEdges)) return 0;
    return difference(stable_discs(own, other) & kEdges, stable_discs(other, own) & kEdges);
}

template <int size>
double evaluate_on(const ClassicEvaluator& weights, Squares own, Squares other, Squares own_moves) {
    constexpr Squares kCornersHere = corners_of(size);
    double value = 0;
    if (weights.material) value += weights.material_weight * difference(own, other);
    if (weights.mobility) {
        const Squares other_moves = moves(other, own) & board_squares(size);
        value += weights.mobility_weight * difference(own_moves, other_moves);
    }
    if (weights.corners) {
        value += weights.corner_weight * difference(own & kCornersHere, other & kCornersHere);
        value += weights.near_corner_weight * near_corner_difference<size>(own, other);
    }
    if (weights.positional)
        value += weights.positional_weight * positional_difference<size>(own, other);
    if (weights.edge_stability_weight != 0)
        value += weights.edge_stability_weight * edge_stability_difference<size>(own, other);
    return value;
}

}  // namespace

ClassicTerms classic_terms(const Position& position) {
    return with_size(position.size, [&](auto size) -> ClassicTerms {
        const Squares own = position.own;
        const Squares other = position.other;
        constexpr Squares kCornersHere = corners_of(size);
        return {difference(own, other),
                difference(position.moves(), position.other_moves()),
                difference(own & kCornersHere, other & kCornersHere),
                near_corner_difference<size>(own, other),
                positional_difference<size>(own, other),
                edge_stability_difference<size>(own, other)};
    });
}

double ClassicEvaluator::evaluate(Squares own, Squares other, Squares own_moves, int size) const {
    return with_size(
        size, [&](auto constant) { return evaluate_on<constant>(*this, own, other, own_moves); });
}

}  // namespace plyground::reversi
