#include "games/reversi_features.h"

#include <array>
#include <bit>
#include <cstring>

namespace plyground::reversi {

static_assert(std::endian::native == std::endian::little);
static_assert(kBitPlanes * sizeof(Squares) + 8 == kFeatureBytes);

Squares odd_regions(Squares set) {
    Squares odd = 0;
    while (set) {
        Squares region = set & -set;
        for (Squares grown = 0; grown != region;) {
            grown = region;
            region |= neighbours(region) & set;
        }
        if (std::popcount(region) % 2 == 1) odd |= region;
        set &= ~region;
    }
    return odd;
}

Squares pack_features(const Position& position, uint8_t* out) {
    const Squares squares = position.moves();
    const std::array<Squares, kBitPlanes> planes{
        position.own,
        position.other,
        position.empty(),
        squares,
        moves(position.other, position.own),
        odd_regions(position.empty()),
    };
    std::memcpy(out, planes.data(), sizeof(planes));
    const std::array<uint8_t, 8> scalars{
        static_cast<uint8_t>(std::popcount(position.empty())),
        static_cast<uint8_t>(squares == 0),
    };
    std::memcpy(out + sizeof(planes), scalars.data(), scalars.size());
    return squares;
}

}  // namespace plyground::reversi
