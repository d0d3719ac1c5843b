#include "games/quoridor_features.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/compiler.h"
#include "games/quoridor_encoding.h"

namespace plyground::quoridor {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr uint64_t kRowBits = (1ULL << Bitboard::kStride) - 1;

uint64_t row_bits(Bitboard set, int row) {
    return (row < 7 ? set.lo >> (9 * row + 1) : set.hi >> (9 * (row - 7))) & kRowBits;
}

// Rows 0 .. last in reverse order; rows above are dropped.
Bitboard flip_rows(Bitboard set, int last) {
    Bitboard flipped{};
    for (int row = 0; row <= last; ++row) {
        const uint64_t bits = row_bits(set, last - row);
        if (row < 7) {
            flipped.lo |= bits << (9 * row + 1);
        } else {
            flipped.hi |= bits << (9 * (row - 7));
        }
    }
    return flipped;
}

// Slots have rows of eight bits, so reversing the rows is reversing the bytes.
uint64_t flip_slots(uint64_t slots, int size) {
    return reverse_bytes(slots) >> (8 * (kMaxSize - size));
}

// Slot (r, c) as cell (r, c).
Bitboard cells_of_slots(uint64_t slots) {
    Bitboard cells{};
    for (int row = 0; row < 7; ++row)
        cells.lo |= (slots >> (8 * row) & 0xff) << (9 * row + 1);
    cells.hi = slots >> 56;
    return cells;
}

// The eight bits of a byte as eight bytes of 0 or 1.
constexpr std::array<uint64_t, 256> kSpread = [] {
    std::array<uint64_t, 256> spread{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        for (int bit = 0; bit < 8; ++bit)
            spread[byte] |= static_cast<uint64_t>(byte >> bit & 1) << (8 * bit);
    }
    return spread;
}();

// Four flood fills at once, one per lane: to my goal, to the opponent's, from my pawn, from the
// opponent's. They are independent, so the compiler vectorizes them.
struct Floods {
    static constexpr int kLanes = 4;
    static constexpr int kDigits = 7;  // 81 cells are at most 80 steps apart
    struct Layer {
        std::array<uint64_t, kLanes> lo, hi;
    };
    int layers = 0;
    std::array<Layer, kCells + 1> layer;  // layer[d]: cells exactly d steps away; the last is empty
    Layer reached;
    std::array<Layer, kDigits> digit{};  // digit[j]: cells whose distance has bit j set

    Floods(const Walls& walls, const std::array<Bitboard, kLanes>& from) {
        for (int i = 0; i < kLanes; ++i) {
            reached.lo[i] = layer[0].lo[i] = from[i].lo;
            reached.hi[i] = layer[0].hi[i] = from[i].hi;
        }
        const Bitboard north = walls.open_north;
        const Bitboard east = walls.open_east;
        for (int d = 1;; ++d) {
            Layer& next = layer[d];
            const Layer& last = layer[d - 1];
            uint64_t any = 0;
            for (int i = 0; i < kLanes; ++i) {
                const uint64_t lo = last.lo[i];
                const uint64_t hi = last.hi[i];
                const uint64_t up = lo & north.lo;
                uint64_t new_lo = up << 9 | ((lo >> 9 | hi << 55) & north.lo);
                uint64_t new_hi = (hi & north.hi) << 9 | up >> 55 | (hi >> 9 & north.hi);
                new_lo |= (lo & east.lo) << 1 | (lo >> 1 & east.lo);
                new_hi |= (hi & east.hi) << 1 | (hi >> 1 & east.hi);
                next.lo[i] = new_lo & ~reached.lo[i];
                next.hi[i] = new_hi & ~reached.hi[i];
                reached.lo[i] |= new_lo;
                reached.hi[i] |= new_hi;
                any |= next.lo[i] | next.hi[i];
            }
            if (!any) {
                layers = d;
                return;
            }
            for (int j = 0; d >> j; ++j) {
                if (!(d >> j & 1)) continue;
                for (int i = 0; i < kLanes; ++i) {
                    digit[j].lo[i] |= next.lo[i];
                    digit[j].hi[i] |= next.hi[i];
                }
            }
        }
    }

    Bitboard at(int lane, int steps) const {
        return {layer[steps].lo[lane], layer[steps].hi[lane]};
    }
};

// The cells of a set as two words, cell i at bit i % 64.
struct CellBits {
    uint64_t low = 0;
    uint64_t high = 0;

    CellBits() = default;
    explicit CellBits(Bitboard set) : low(set.lo >> 1 | set.hi << 63), high(set.hi >> 1) {}
    uint8_t byte(int i) const {
        return static_cast<uint8_t>(i < 8 ? low >> (8 * i) : high >> (8 * (i - 8)));
    }
};

void write_plane(Bitboard set, uint8_t* out) {
    const CellBits bits(set);
    std::memcpy(out, &bits.low, 8);
    std::memcpy(out + 8, &bits.high, kBitPlaneBytes - 8);
}

// The distances as bytes, eight cells at a time from the binary digits.
void write_distances(const Floods& floods, int lane, uint8_t* out) {
    const auto digits = static_cast<int>(std::bit_width(static_cast<unsigned>(floods.layers - 1)));
    assert(digits <= Floods::kDigits);
    std::array<CellBits, Floods::kDigits> digit;
    for (int j = 0; j < digits; ++j)
        digit[j] = CellBits({floods.digit[j].lo[lane], floods.digit[j].hi[lane]});
    const CellBits unreached({~floods.reached.lo[lane], ~floods.reached.hi[lane]});
    for (int i = 0; i < kBitPlaneBytes; ++i) {
        uint64_t eight = kSpread[unreached.byte(i)] * 0xff;
        for (int j = 0; j < digits; ++j)
            eight |= kSpread[digit[j].byte(i)] << j;
        std::memcpy(out + 8 * i, &eight, i < kBitPlaneBytes - 1 ? 8 : 1);
    }
}

}  // namespace

Position seen_by_mover(const Position& position) {
    if (position.to_move == 0) return position;
    const int size = position.rules.size;
    Position seen = position;
    seen.to_move = 0;
    // The north edge of a cell is the south edge of its image, which belongs to the cell below.
    seen.walls.open_north = flip_rows(position.walls.open_north, size - 2);
    seen.walls.open_east = flip_rows(position.walls.open_east, size - 1);
    seen.walls.h = flip_slots(position.walls.h, size);
    seen.walls.v = flip_slots(position.walls.v, size);
    for (int player = 0; player < 2; ++player) {
        const int cell = position.pawn[1 - player];
        seen.pawn[player] = static_cast<uint8_t>(cell_at(size - 1 - row_of(cell), col_of(cell)));
        seen.hand[player] = position.hand[1 - player];
    }
    return seen;
}

SeenMoves pack_features(const Position& seen, uint8_t* out) {
    assert(seen.to_move == 0);
    const Geometry& geometry = seen.geometry();
    const Walls& walls = seen.walls;
    const Bitboard me = Bitboard::of(seen.pawn[0]);
    const Bitboard opponent = Bitboard::of(seen.pawn[1]);
    const Floods floods(walls, {geometry.goal[0], geometry.goal[1], me, opponent});

    SeenMoves moves;
    moves.legal = seen.legal_moves();
    std::array<Bitboard, 2> on_path;
    for (int player = 0; player < 2; ++player) {
        const Bitboard pawn = player == 0 ? me : opponent;
        int length = 0;
        while (!(floods.at(player, length) & pawn).any())
            ++length;
        on_path[player] = {};
        for (int d = 0; d <= length; ++d)
            on_path[player] |= floods.at(player, d) & floods.at(2 + player, length - d);
        moves.path[player] = static_cast<uint8_t>(length);
    }

    const std::array<Bitboard, kBitPlanes> planes{
        geometry.cells,
        me,
        opponent,
        geometry.cells.without(walls.open_north),
        geometry.cells.without(walls.open_north.north()),
        geometry.cells.without(walls.open_east),
        geometry.cells.without(walls.open_east.east()),
        cells_of_slots(walls.h),
        cells_of_slots(walls.v),
        cells_of_slots(moves.legal.h),
        cells_of_slots(moves.legal.v),
        moves.legal.pawn,
        on_path[0],
        on_path[1],
    };
    for (const Bitboard& plane : planes) {
        write_plane(plane, out);
        out += kBitPlaneBytes;
    }
    for (int lane = 0; lane < Floods::kLanes; ++lane) {
        write_distances(floods, lane, out);
        out += kCells;
    }
    const Rules& rules = seen.rules;
    const auto clipped = [](int plies) { return static_cast<uint8_t>(std::clamp(plies, 0, 255)); };
    const std::array<uint8_t, kFeatureScalars + 2> scalars{
        seen.hand[0],
        seen.hand[1],
        moves.path[0],
        moves.path[1],
        clipped(rules.max_moves - seen.move_count),
        clipped(rules.no_progress_limit - seen.moves_since_wall),
        rules.size,
        rules.walls,
        0,
        0,
    };
    std::memcpy(out, scalars.data(), scalars.size());
    return moves;
}

LegalMoves pack_history_features(const Position& position, const History& history, int frames,
                                 uint8_t* out) {
    assert(frames >= 1 && frames <= kMostFrames);
    uint8_t* const end = out + history_feature_bytes(frames);
    const auto write = [&](Bitboard set) {
        write_plane(set, out);
        out += kBitPlaneBytes;
    };
    const Position seen = seen_by_mover(position);
    const Rules& rules = seen.rules;
    std::array<uint8_t, 2> pawn = seen.pawn;
    uint64_t h = seen.walls.h;
    uint64_t v = seen.walls.v;
    for (int frame = 0; frame < frames; ++frame) {
        if (frame > history.length) {
            std::memset(out, 0, kPlanesOfFrame * kBitPlaneBytes);
            out += kPlanesOfFrame * kBitPlaneBytes;
            continue;
        }
        if (frame > 0) {
            // Undo the move between this frame and the last one; the opponent made the latest.
            const Action made = history.undo[frame - 1];
            const Action undo = position.to_move == 0 ? made : flip(made, rules.size);
            if (is_vertical(undo)) {
                v &= ~(1ULL << slot_of(undo));
            } else if (is_wall(undo)) {
                h &= ~(1ULL << slot_of(undo));
            } else {
                pawn[frame % 2] = undo;
            }
        }
        write(Bitboard::of(pawn[0]));
        write(Bitboard::of(pawn[1]));
        const Bitboard horizontal = cells_of_slots(h);
        const Bitboard vertical = cells_of_slots(v);
        write(horizontal | horizontal.east());
        write(vertical | vertical.north());
    }
    const LegalMoves legal = seen.legal_moves();
    write(cells_of_slots(legal.h));
    write(cells_of_slots(legal.v));
    write(legal.pawn);
    const auto most = static_cast<uint16_t>(std::max<int>(1, rules.walls));
    const std::array<uint16_t, 2 * kFractions> fractions{
        seen.hand[0],          most,
        seen.hand[1],          most,
        position.to_move,      1,
        seen.move_count,       rules.max_moves,
        seen.moves_since_wall, rules.no_progress_limit,
    };
    std::memcpy(out, fractions.data(), sizeof fractions);
    out += sizeof fractions;
    *out++ = rules.size;
    std::fill(out, end, uint8_t{0});
    return legal;
}

}  // namespace plyground::quoridor
