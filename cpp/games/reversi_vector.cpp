#include "games/reversi_vector.h"

#include "games/reversi_text.h"

namespace plyground::reversi {
namespace {

// Writes a set of squares as eight bytes, one per row.
void write_squares(Squares set, uint8_t* bytes) {
    for (int row = 0; row < kSize; ++row)
        bytes[row] = static_cast<uint8_t>(set >> kSize * row);
}

}  // namespace

VectorRules::VectorRules(const Settings& settings)
    : settings_(settings), first_moves_(settings.start.moves()) {}

void VectorRules::require_legal(const Game& game, int32_t number) const {
    reversi::require_legal(game.position, static_cast<Action>(number));
}

Played VectorRules::play(Game& game, int32_t number) const {
    const int mover = game.position.to_move;
    game.position.play(static_cast<Action>(number));
    game.moves = game.position.moves();
    ++game.move_count;
    if (game.moves || game.position.other_moves()) return {};
    // The score is the next player's.
    const int score = game.position.score();
    if (score == 0) return {Ending::kDraw, 0.0F};
    const int winner = score < 0 ? mover : 1 - mover;
    return {winner == 0 ? Ending::kPlayer1 : Ending::kPlayer2, winner == mover ? 1.0F : -1.0F};
}

int32_t VectorRules::random_action(const Game& game, SplitMix64& rng) const {
    if (!game.moves) return kPass;
    Squares left = game.moves;
    for (uint32_t skip = rng.below(static_cast<uint32_t>(std::popcount(left))); skip > 0; --skip)
        left &= left - 1;
    return first_square(left);
}

void VectorRules::write_mask(const Game& game, uint8_t* bits) const {
    write_squares(game.moves, bits);
    bits[kSize] = game.moves ? 0 : 1;
}

void VectorRules::write_planes(const Game& game, uint8_t* bits) const {
    write_squares(game.position.own, bits);
    write_squares(game.position.other, bits + kSize);
}

void VectorRules::write_scalars(const Game& game, float* scalars) const {
    const int discs = kSquares - std::popcount(game.position.empty());
    scalars[0] = static_cast<float>(mover(game));
    scalars[1] = static_cast<float>(discs) / kSquares;
}

}  // namespace plyground::reversi

namespace plyground {
template class GameVector<reversi::VectorRules>;
}  // namespace plyground
