// The solver: the exact value of every position of a game on a small board.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "games/quoridor.h"

namespace plyground::quoridor {

// Who wins each position that can come of the root, and in how many plies: the winner hurries, the
// loser lingers, and what neither side can win is drawn. Draw counters are left to the caller.
//
// A wall never leaves the board, so the game goes down through layers, one for each number of walls
// added. A layout of walls and a pair of hands make a small game of pawn moves alone, whose exits,
// the walls that can be placed, lead into the layer below. The lowest layer is solved first.
//
// Layouts that are mirror images of each other, or the same seen from the other end of the board,
// share their tables. All tables are kept.
class Solution {
  public:
    // Tables solved so far and in all; 0 in all while the layouts are still being counted.
    struct Progress {
        uint64_t done = 0;
        uint64_t tables = 0;
    };
    // Called about twenty times a second while it works; may throw, which ends the work.
    using Watcher = std::function<void(const Progress&)>;

    // Throws ConfigError when the tables would take more bytes than allowed.
    Solution(const Position& root, uint64_t max_bytes, const Watcher& watcher = {});
    Solution(const Solution&) = delete;
    Solution& operator=(const Solution&) = delete;

    // Whether the walls of the position can come of the root's, and nobody has won yet. The pawns
    // may be anywhere.
    bool covers(const Position& position) const;
    // Plies until the game ends with best play: positive when the side to move wins, negative when
    // it loses, 0 for a draw. Only for positions it covers.
    int plies_to_end(const Position& position) const;

    // How many positions it covers, whether play from the root can reach them or not.
    uint64_t positions() const { return positions_; }
    // Size of the tables.
    uint64_t bytes() const { return bytes_; }

  private:
    using Hands = std::array<uint8_t, 2>;
    struct Layout {
        uint64_t h = 0;
        uint64_t v = 0;

        bool contains(Layout other) const {
            return (h & other.h) == other.h && (v & other.v) == other.v;
        }
        friend auto operator<=>(const Layout&, const Layout&) = default;
    };
    // The layouts with one number of walls added, one out of each set of images.
    struct Layer {
        std::vector<Layout> layouts;  // ascending
        std::vector<Hands> hands;
        std::unique_ptr<uint8_t[]> values;  // [layouts, hands, side to move, pawn 1, pawn 2]
    };
    // Where a layout is stored, and the symmetry that turns it into what is stored.
    struct Place {
        size_t index;
        int symmetry;
    };
    class Builder;

    int size() const { return root_.rules.size; }
    Hands capped(Hands hands, int added) const;
    std::array<Layout, 4> images_of(Layout layout) const;
    // The image that is stored, and the symmetry that leads to it.
    std::pair<Layout, int> lowest_image(Layout layout) const;
    // There is no place for a layout over which no two pawns could stand.
    std::optional<Place> find(int added, Layout layout) const;
    // The table for these hands and this side to move; its entries are those of the stored image.
    uint8_t* table(int added, Place place, Hands hands, int side) const;

    Position root_;
    size_t table_size_;
    // entries_[s][i]: where entry i of a layout's table is in that of its image under s.
    std::array<std::vector<uint16_t>, 4> entries_;
    std::vector<Layer> layers_;  // by walls added
    uint64_t positions_ = 0;
    uint64_t bytes_ = 0;
};

}  // namespace plyground::quoridor
