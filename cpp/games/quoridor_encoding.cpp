#include "games/quoridor_encoding.h"

#include <algorithm>

namespace plyground::quoridor {

Action flip(Action action, int size) {
    if (!is_wall(action))
        return static_cast<Action>(cell_at(size - 1 - row_of(action), col_of(action)));
    const int slot = slot_of(action);
    return static_cast<Action>(action - slot + slot_at(size - 2 - slot / 8, slot % 8));
}

Action mirror(Action action, int size) {
    if (!is_wall(action))
        return static_cast<Action>(cell_at(row_of(action), size - 1 - col_of(action)));
    const int slot = slot_of(action);
    return static_cast<Action>(action - slot + slot_at(slot / 8, size - 2 - slot % 8));
}

void encode(const Position& position, const History& history, int frames, float* planes,
            float* scalars) {
    const int size = position.rules.size;
    const int area = size * size;
    const int me = position.to_move;
    const auto seen = [&](Action action) { return me == 0 ? action : flip(action, size); };
    // Marks a cell in the player's view; walls mark both cells whose edges they close.
    const auto mark = [&](float* plane, int row, int col) { plane[row * size + col] = 1.0F; };

    std::fill_n(planes, kPlanesPerFrame * frames * area, 0.0F);
    std::array<uint8_t, 2> pawn = position.pawn;
    uint64_t h = position.walls.h;
    uint64_t v = position.walls.v;
    for (int frame = 0; frame < frames && frame <= history.length; ++frame) {
        if (frame > 0) {
            // Undo the move between this frame and the last one.
            const Action undo = history.undo[frame - 1];
            const int mover = frame % 2 == 1 ? 1 - me : me;
            if (is_vertical(undo)) {
                v &= ~(1ULL << slot_of(undo));
            } else if (is_wall(undo)) {
                h &= ~(1ULL << slot_of(undo));
            } else {
                pawn[mover] = undo;
            }
        }
        float* plane = planes + kPlanesPerFrame * frame * area;
        for (int side = 0; side < 2; ++side) {
            const int cell = seen(pawn[side == 0 ? me : 1 - me]);
            mark(plane + side * area, row_of(cell), col_of(cell));
        }
        LegalMoves{{}, h, v}.for_each([&](Action wall) {
            const int slot = slot_of(seen(wall));
            const int row = slot / 8;
            const int col = slot % 8;
            const bool vertical = is_vertical(wall);
            float* of_kind = plane + (vertical ? 3 : 2) * area;
            mark(of_kind, row, col);
            mark(of_kind, row + vertical, col + !vertical);
        });
    }
    encode_scalars(position, scalars);
}

void encode_scalars(const Position& position, float* scalars) {
    const int me = position.to_move;
    const float most = std::max<float>(1.0F, position.rules.walls);
    scalars[0] = position.hand[me] / most;
    scalars[1] = position.hand[1 - me] / most;
    scalars[2] = static_cast<float>(me);
    scalars[3] =
        static_cast<float>(position.move_count) / static_cast<float>(position.rules.max_moves);
    scalars[4] = static_cast<float>(position.moves_since_wall) /
                 static_cast<float>(position.rules.no_progress_limit);
}

}  // namespace plyground::quoridor
