#include "games/quoridor_vector.h"

#include <bit>
#include <cstring>
#include <string>

#include "base/error.h"
#include "games/quoridor_text.h"

namespace plyground::quoridor {
namespace {

// Games per chunk of work: enough to hide the cost of taking one, few enough to balance the
// threads.
constexpr int kChunk = 64;

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

// The eight bits of each byte as values of type T.
template <class T>
constexpr std::array<std::array<T, 8>, 256> kUnpacked = [] {
    std::array<std::array<T, 8>, 256> values{};
    for (int byte = 0; byte < 256; ++byte) {
        for (int bit = 0; bit < 8; ++bit)
            values[byte][bit] = static_cast<T>(byte >> bit & 1);
    }
    return values;
}();

template <class T>
void unpack(const uint8_t* bits, int count, T* out) {
    for (; count >= 8; count -= 8, out += 8)
        std::memcpy(out, kUnpacked<T>[*bits++].data(), sizeof kUnpacked<T>[0]);
    if (count > 0) std::memcpy(out, kUnpacked<T>[*bits].data(), count * sizeof(T));
}

// A set of slots with its rows reversed: row r becomes n - 2 - r. Rows are bytes.
uint64_t flip_slots(uint64_t slots, int size) {
    return __builtin_bswap64(slots) >> 8 * (kMaxSize - size);
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
void put_planes(BitWriter& out, const Position& position, const History& history, int frames) {
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
}

// Writes the legal moves as bits, in the order of the dense numbers of the player's view.
void put_mask(BitWriter& out, const LegalMoves& legal, int size, int me) {
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

QuoridorVector::QuoridorVector(int games, const Settings& settings, uint64_t seed)
    : settings_(settings), games_(games), workers_(settings.threads) {
    const int size = settings.start.rules.size;
    for (int number = 0; number < actions(); ++number) {
        const Action action = from_dense(number, size);
        for (int player = 0; player < 2; ++player) {
            const Action seen = player == 0 ? action : flip(action, size);
            seen_action_[player][number] = seen;
            seen_number_[player][seen] = static_cast<uint8_t>(number);
        }
    }
    first_moves_ = settings.start.legal_moves();
    this->seed(seed);
    reset({});
}

int QuoridorVector::plane_values() const {
    const int size = settings_.start.rules.size;
    return kPlanesPerFrame * settings_.frames * size * size;
}

template <class F>
void QuoridorVector::for_each_game(const F& f) {
    if (size() <= kChunk) {  // too few to wake the other threads
        for (int i = 0; i < size(); ++i)
            f(i);
        return;
    }
    workers_.run(games_.size(), kChunk, [&](int, size_t first, size_t last) {
        for (size_t i = first; i < last; ++i)
            f(static_cast<int>(i));
    });
}

void QuoridorVector::seed(uint64_t seed) {
    SplitMix64 seeds{seed};
    for (Game& game : games_)
        game.rng.state = seeds.next();
}

void QuoridorVector::restart(Game& game) const {
    game.position = settings_.start;
    game.history = settings_.history;
    game.legal = first_moves_;
}

void QuoridorVector::reset(const Observations& seen) {
    for_each_game([&](int i) {
        restart(games_[i]);
        show(i, seen);
    });
}

void QuoridorVector::check(const int32_t* actions) const {
    for (int i = 0; i < size(); ++i) {
        if (actions[i] < 0 || actions[i] >= this->actions()) {
            throw IllegalMoveError("expected actions from 0 to " +
                                   std::to_string(this->actions() - 1) + ", got " +
                                   std::to_string(actions[i]) + " for game " + std::to_string(i));
        }
        if (settings_.illegal != IllegalPolicy::kRaise) continue;
        const Position& position = games_[i].position;
        const Action action = seen_action_[position.to_move][actions[i]];
        if (games_[i].legal.has(action)) continue;
        try {
            require_legal(position, action);
        } catch (const IllegalMoveError& error) {
            throw IllegalMoveError("game " + std::to_string(i) + ": " + error.what());
        }
    }
}

void QuoridorVector::step(const int32_t* actions, const StepResults& results,
                          const Observations& seen) {
    check(actions);
    for_each_game([&](int i) {
        step_game(i, actions[i], results);
        show(i, seen);
    });
}

void QuoridorVector::step_game(int index, int32_t number, const StepResults& results) {
    Game& game = games_[index];
    Position& position = game.position;
    Action action = seen_action_[position.to_move][number];
    float reward = 0.0F;
    uint8_t ending = 0;
    if (!game.legal.has(action) && settings_.illegal == IllegalPolicy::kRandom)
        action = random_move(game.legal, game.rng);
    if (game.legal.has(action)) {
        game.history.push(position, action);
        position.play(action);
        const Outcome outcome = position.outcome();
        ending = static_cast<uint8_t>(outcome);
        // Only the player who moved can have won.
        if (outcome == Outcome::kPlayer1 || outcome == Outcome::kPlayer2) {
            reward = 1.0F;
        } else if (outcome != Outcome::kOngoing) {
            reward = settings_.draw_reward;
        }
    } else {
        reward = -1.0F;
        ending = kIllegalEnding;
    }
    results.rewards[index] = reward;
    results.terminated[index] = ending != 0;
    results.endings[index] = ending;
    results.move_counts[index] = position.move_count;
    if (ending != 0) {
        restart(game);
    } else {
        game.legal = position.legal_moves();
    }
}

void QuoridorVector::show(int index, const Observations& seen) const {
    const Game& game = games_[index];
    const Position& position = game.position;
    const int size = position.rules.size;
    if (seen.players) seen.players[index] = static_cast<uint8_t>(position.to_move + 1);
    if (seen.masks) {
        std::array<uint8_t, 32> bits;  // 209 bits, and room for a whole last word
        BitWriter out(bits.data());
        put_mask(out, game.legal, size, position.to_move);
        out.finish();
        unpack(bits.data(), actions(), seen.masks + static_cast<size_t>(index) * actions());
    }
    if (seen.planes) {
        constexpr int kMostValues = kPlanesPerFrame * (History::kCapacity + 1) * kCells;
        std::array<uint8_t, kMostValues / 8 + 8> bits;
        BitWriter out(bits.data());
        put_planes(out, position, game.history, settings_.frames);
        out.finish();
        const size_t values = plane_values();
        const size_t row = static_cast<size_t>(index);
        if (seen.format == PlaneFormat::kBits) {
            const size_t bytes = (values + 7) / 8;
            std::memcpy(static_cast<uint8_t*>(seen.planes) + row * bytes, bits.data(), bytes);
        } else if (seen.format == PlaneFormat::kBytes) {
            unpack(bits.data(), static_cast<int>(values),
                   static_cast<uint8_t*>(seen.planes) + row * values);
        } else {
            unpack(bits.data(), static_cast<int>(values),
                   static_cast<float*>(seen.planes) + row * values);
        }
    }
    if (seen.scalars) encode_scalars(position, seen.scalars + index * kScalars);
}

void QuoridorVector::random_actions(int32_t* actions) {
    for_each_game([&](int i) {
        Game& game = games_[i];
        actions[i] = seen_number_[game.position.to_move][random_move(game.legal, game.rng)];
    });
}

}  // namespace plyground::quoridor
