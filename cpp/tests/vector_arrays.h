// The arrays of a step of a vector environment, for its tests.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "games/game_vector.h"

namespace plyground::test {

// Allocated anew for each step, so that the sanitizer detects a write past their end.
template <class Vector>
struct StepArrays {
    StepArrays(const Vector& games, PlaneFormat format)
        : rewards(games.size(), 7.0F),
          terminated(std::make_unique<bool[]>(games.size())),
          endings(games.size()),
          move_counts(games.size()),
          players(games.size()),
          masks(static_cast<size_t>(games.size()) * games.actions(), 7),
          scalars(static_cast<size_t>(games.size()) * Vector::kScalars, 7.0F) {
        const size_t values = games.plane_values();
        const size_t row = format == PlaneFormat::kBits    ? (values + 7) / 8
                           : format == PlaneFormat::kBytes ? values
                                                           : values * sizeof(float);
        planes.assign(row * games.size(), 7);
        seen = {players.data(), masks.data(), planes.data(), format, scalars.data()};
        results = {rewards.data(), terminated.get(), endings.data(), move_counts.data()};
    }

    float plane_value(int game, int values, int i) const {
        if (seen.format == PlaneFormat::kBits) {
            const size_t row = static_cast<size_t>(game) * ((values + 7) / 8);
            return static_cast<float>(planes[row + i / 8] >> i % 8 & 1);
        }
        const size_t at = static_cast<size_t>(game) * values + i;
        if (seen.format == PlaneFormat::kBytes) return planes[at];
        float value;
        std::memcpy(&value, planes.data() + at * sizeof value, sizeof value);
        return value;
    }

    std::vector<float> rewards;
    std::unique_ptr<bool[]> terminated;
    std::vector<uint8_t> endings;
    std::vector<int32_t> move_counts;
    std::vector<uint8_t> players;
    std::vector<int8_t> masks;
    std::vector<float> scalars;
    std::vector<uint8_t> planes;
    Observations seen;
    StepResults results;
};

// Whether both vectors give the same results for mostly illegal actions, which they replace at
// random.
template <class Vector>
bool agree(Vector& a, Vector& b, int steps) {
    const std::vector<int32_t> actions(a.size(), 0);
    bool same = a.size() == b.size();
    for (int step = 0; step < steps && same; ++step) {
        const StepArrays<Vector> seen_a(a, PlaneFormat::kBits), seen_b(b, PlaneFormat::kBits);
        a.step(actions.data(), seen_a.results, seen_a.seen);
        b.step(actions.data(), seen_b.results, seen_b.seen);
        same = seen_a.planes == seen_b.planes && seen_a.masks == seen_b.masks &&
               seen_a.rewards == seen_b.rewards && seen_a.endings == seen_b.endings;
    }
    return same;
}

}  // namespace plyground::test
