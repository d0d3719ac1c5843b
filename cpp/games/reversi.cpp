#include "games/reversi.h"

#include <cassert>

#include "base/perft.h"
#include "base/rng.h"

namespace plyground::reversi {
namespace {

// Hashes a board with a small number. The number is mixed first: unmixed, it could cancel out with
// a disc near a1.
uint64_t key_of(Squares own, Squares other, int number) {
    return mix64(own ^ mix64(other ^ mix64(static_cast<uint64_t>(number) + 1)));
}

// The paths below a position. The caller passes its moves, so that the last ply is counted without
// playing it.
template <int size>
uint64_t count_paths(Squares own, Squares other, Squares squares, int depth, PerftTable* table,
                     Poller& poll) {
    constexpr Squares kBoard = board_squares(size);
    if (depth == 1) return squares ? std::popcount(squares) : 1;
    if (!squares) {
        const Squares answers = moves(other, own) & kBoard;
        return answers ? count_paths<size>(other, own, answers, depth - 1, table, poll) : 1;
    }
    const bool shared = table && depth > 3;  // shallower subtrees are counted faster than looked up
    const uint64_t key = shared ? key_of(own, other, depth) : 0;
    if (shared) {
        if (const uint64_t* count = table->find(key)) return *count;
    }
    poll();
    uint64_t count = 0;
    for_each_square(squares, [&](int square) {
        const Squares turned = flips(square, own, other);
        const Squares mine = own | turned | bit_of(square);
        const Squares theirs = other & ~turned;
        const Squares answers = moves(theirs, mine) & kBoard;
        add_paths(count, count_paths<size>(theirs, mine, answers, depth - 1, table, poll));
    });
    if (shared) table->store(key, count);
    return count;
}

}  // namespace

Position Position::start(int size) {
    assert(is_board_size(size));
    const int high = size / 2;
    const int low = high - 1;
    Position position;
    position.own = bit_of(square_at(low, high)) | bit_of(square_at(high, low));
    position.other = bit_of(square_at(low, low)) | bit_of(square_at(high, high));
    position.size = static_cast<uint8_t>(size);
    return position;
}

EndReason Position::end_reason() const {
    if (!is_over()) return EndReason::kNone;
    if (!empty()) return EndReason::kFullBoard;
    return own && other ? EndReason::kNoMoves : EndReason::kWipeOut;
}

bool Position::is_legal(int action) const {
    if (action == kPass) return !moves() && other_moves();
    return action >= 0 && action < kSquares && moves() & bit_of(action);
}

void Position::play(Action action) {
    assert(is_legal(action));
    const Squares turned = action == kPass ? 0 : flips(action, own, other);
    const Squares mine = action == kPass ? own : own | turned | bit_of(action);
    own = other & ~turned;
    other = mine;
    to_move ^= 1;
}

uint64_t Position::key() const { return key_of(own, other, to_move); }

uint64_t perft(const Position& position, int depth, int hash_mb,
               const std::function<void()>& poll) {
    if (depth == 0) return 1;
    Poller poller(poll);
    const auto count = [&](PerftTable* table) {
        return with_size(position.size, [&](auto size) {
            return count_paths<size>(position.own, position.other, position.moves(), depth, table,
                                     poller);
        });
    };
    if (hash_mb == 0) return count(nullptr);
    PerftTable table(hash_mb);
    return count(&table);
}

}  // namespace plyground::reversi
