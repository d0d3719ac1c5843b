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
uint64_t count_paths(Squares own, Squares other, Squares squares, int depth, PerftTable* table,
                     Poller& poll) {
    if (depth == 1) return squares ? std::popcount(squares) : 1;
    if (!squares) {
        const Squares answers = moves(other, own);
        return answers ? count_paths(other, own, answers, depth - 1, table, poll) : 1;
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
        add_paths(count, count_paths(theirs, mine, moves(theirs, mine), depth - 1, table, poll));
    });
    if (shared) table->store(key, count);
    return count;
}

}  // namespace

EndReason Position::end_reason() const {
    if (!is_over()) return EndReason::kNone;
    if (!empty()) return EndReason::kFullBoard;
    return own && other ? EndReason::kNoMoves : EndReason::kWipeOut;
}

bool Position::is_legal(int action) const {
    if (action == kPass) return !moves() && reversi::moves(other, own);
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
        return count_paths(position.own, position.other, position.moves(), depth, table, poller);
    };
    if (hash_mb == 0) return count(nullptr);
    PerftTable table(hash_mb);
    return count(&table);
}

}  // namespace plyground::reversi
