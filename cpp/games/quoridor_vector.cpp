#include "games/quoridor_vector.h"

#include <bit>

#include "base/compiler.h"
#include "games/quoridor_text.h"

namespace plyground::quoridor {

static_assert(static_cast<int>(Outcome::kPlayer1) == static_cast<int>(Ending::kPlayer1) &&
              static_cast<int>(Outcome::kPlayer2) == static_cast<int>(Ending::kPlayer2) &&
              static_cast<int>(Outcome::kMoveLimit) == static_cast<int>(Ending::kMoveLimit) &&
              static_cast<int>(Outcome::kNoProgress) == static_cast<int>(Ending::kNoProgress));

namespace {

// Packs bits, lowest first, and writes them eight bytes at a time. The buffer needs room for whole
// words.
class BitWriter {
  public:
    explicit BitWriter(uint8_t* out) : out_(out) {}

    // Appends the lowest `count` bits, 1 to 64; the others must be zero.
    void put(uint64_t bits, int count) {
        word_ |= bits << used_;
        used_ += count;
        if (used_ < 64) return;
        write();
        used_ -= 64;
        word_ = used_ == 0 ? 0 : bits >> (count - used_);
    }
    // Writes the last, partial word.
    void finish() {
        if (used_ > 0) write();
    }

  private:
    void write() {
        for (int i = 0; i < 8; ++i)
            out_[i] = static_cast<uint8_t>(word_ >> 8 * i);
        out_ += 8;
    }

    uint8_t* out_;
    uint64_t word_ = 0;
    int used_ = 0;
};

// A set of slots with its rows reversed: row r becomes n - 2 - r. Rows are bytes.
uint64_t flip_slots(uint64_t slots, int size) {
    return reverse_bytes(slots) >> 8 * (kMaxSize - size);
}

// Writes the four planes of one frame; cells and walls are in the player's view.
void put_frame(BitWriter& out, int size, int my_cell, int other_cell, uint64_t h, uint64_t v) {
    const int area = size * size;
    for (const int cell : {my_cell, other_cell}) {
        const int bit = row_of(cell) * size + col_of(cell);
        if (area > 64) {
            out.put(bit < 64 ? 1ULL << bit : 0, 64);
            out.put(bit < 64 ? 0 : 1ULL << (bit - 64), area - 64);
        } else {
            out.put(1ULL << bit, area);
        }
    }
    // A horizontal wall marks two cells of its row, a vertical one the same cell of two rows.
    for (int row = 0; row < size - 1; ++row) {
        const uint64_t walls = h >> 8 * row & 0xff;
        out.put(walls | walls << 1, size);
    }
    out.put(0, size);
    uint64_t below = 0;
    for (int row = 0; row < size - 1; ++row) {
        const uint64_t walls = v >> 8 * row & 0xff;
        out.put(walls | below, size);
        below = walls;
    }
    out.put(below, size);
}

// The planes of `encode` as bits.
void put_planes(uint8_t* bits, const Position& position, const History& history, int frames) {
    BitWriter out(bits);
    const int size = position.rules.size;
    const int me = position.to_move;
    const auto cell = [&](int at) { return me == 0 ? at : flip(static_cast<Action>(at), size); };
    std::array<uint8_t, 2> pawn = position.pawn;
    uint64_t h = position.walls.h;
    uint64_t v = position.walls.v;
    for (int frame = 0; frame < frames; ++frame) {
        if (frame > history.length) {  // before the first move
            for (int row = 0; row < kPlanesPerFrame * size; ++row)
                out.put(0, size);
            continue;
        }
        if (frame > 0) {
            const Action undo = history.undo[frame - 1];
            if (is_vertical(undo)) {
                v &= ~(1ULL << slot_of(undo));
            } else if (is_wall(undo)) {
                h &= ~(1ULL << slot_of(undo));
            } else {
                pawn[frame % 2 == 1 ? 1 - me : me] = undo;
            }
        }
        put_frame(out, size, cell(pawn[me]), cell(pawn[1 - me]), me == 0 ? h : flip_slots(h, size),
                  me == 0 ? v : flip_slots(v, size));
    }
    out.finish();
}

// Writes the legal moves as bits, in the order of the dense numbers of the player's view.
void put_mask(uint8_t* bits, const LegalMoves& legal, int size, int me) {
    BitWriter out(bits);
    // A row of cells is nine bits, and no row straddles the two words.
    const auto row_of_cells = [&](int row) {
        return (row < 7 ? legal.pawn.lo >> (9 * row + 1) : legal.pawn.hi >> 9 * (row - 7)) & 0x1ff;
    };
    for (int row = 0; row < size; ++row)
        out.put(row_of_cells(me == 0 ? row : size - 1 - row), size);
    for (const uint64_t slots : {legal.h, legal.v}) {
        const uint64_t seen = me == 0 ? slots : flip_slots(slots, size);
        if (size == kMaxSize) {
            out.put(seen, 64);
            continue;
        }
        for (int row = 0; row < size - 1; ++row)
            out.put(seen >> 8 * row & 0xff, size - 1);
    }
    out.finish();
}

Action random_move(const LegalMoves& legal, SplitMix64& rng) {
    int skip = static_cast<int>(rng.below(static_cast<uint32_t>(legal.count())));
    const auto bit = [&](uint64_t word) {
        for (; skip > 0; --skip)
            word &= word - 1;
        return std::countr_zero(word);
    };
    const std::array<uint64_t, 4> words{legal.pawn.lo, legal.pawn.hi, legal.h, legal.v};
    constexpr std::array<int, 4> kFirst{-1, Bitboard::kLowCells, kHWall, kVWall};
    int i = 0;
    for (int count; (count = std::popcount(words[i])) <= skip; ++i)
        skip -= count;
    return static_cast<Action>(kFirst[i] + bit(words[i]));
}

}  // namespace

VectorRules::VectorRules(const Settings& settings)
    : settings_(settings), first_moves_(settings.start.legal_moves()) {
    const int size = settings.start.rules.size;
    for (int number = 0; number < actions(); ++number) {
        const Action action = from_dense(number, size);
        for (int player = 0; player < 2; ++player) {
            const Action seen = player == 0 ? action : flip(action, size);
            seen_action_[player][number] = seen;
            seen_number_[player][seen] = static_cast<uint8_t>(number);
        }
    }
}

int VectorRules::plane_values() const {
    const int size = settings_.start.rules.size;
    return kPlanesPerFrame * settings_.frames * size * size;
}

void VectorRules::restart(Game& game) const {
    game.position = settings_.start;
    game.history = settings_.history;
    game.legal = first_moves_;
}

void VectorRules::require_legal(const Game& game, int32_t number) const {
    quoridor::require_legal(game.position, seen_action_[mover(game)][number]);
}

Played VectorRules::play(Game& game, int32_t number) const {
    Position& position = game.position;
    const Action action = seen_action_[position.to_move][number];
    game.history.push(position, action);
    position.play(action);
    const Outcome outcome = position.outcome();
    if (outcome == Outcome::kOngoing) {
        game.legal = position.legal_moves();
        return {};
    }
    // Only the player who moved can have won.
    const bool won = outcome == Outcome::kPlayer1 || outcome == Outcome::kPlayer2;
    return {static_cast<Ending>(outcome), won ? 1.0F : settings_.draw_reward};
}

int32_t VectorRules::random_action(const Game& game, SplitMix64& rng) const {
    return seen_number_[mover(game)][random_move(game.legal, rng)];
}

void VectorRules::write_mask(const Game& game, uint8_t* bits) const {
    put_mask(bits, game.legal, game.position.rules.size, mover(game));
}

void VectorRules::write_planes(const Game& game, uint8_t* bits) const {
    put_planes(bits, game.position, game.history, settings_.frames);
}

}  // namespace plyground::quoridor

namespace plyground {
template class GameVector<quoridor::VectorRules>;
}  // namespace plyground
