// Quoridor's solver: the exact value of every position of a game on a small board.
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

// The winner of each position that can arise from the root, and the plies to the end: the winner
// plays for the shortest game, the loser for the longest, and what neither side can win is drawn.
// Draw counters are left to the caller.
//
// A wall never leaves the board, so the positions form layers, one for each number of walls added
// to the root. One layout of walls with one pair of hands (walls left) is a small game of pawn
// moves. Its exits, the walls that can be placed, lead into the next layer. The layer with the most
// walls is solved first.
//
// Layouts that are images of each other under the mirror or the flip (the board from the other end)
// share their tables. All tables stay in memory.
class Solution {
  public:
    // Tables solved so far and in total; the total is 0 while the layouts are being counted.
    struct Progress {
        uint64_t done = 0;
        uint64_t tables = 0;
    };
    // Called about twenty times a second during the solution; may throw to end it.
    using Watcher = std::function<void(const Progress&)>;

    // Throws ConfigError when the tables would take more bytes than allowed.
    Solution(const Position& root, uint64_t max_bytes, const Watcher& watcher = {});
    Solution(const Solution&) = delete;
    Solution& operator=(const Solution&) = delete;

    // Whether the game is not won yet and its walls can be reached from the root's. The pawns may
    // be anywhere.
    bool covers(const Position& position) const;
    // Plies until the game ends with best play: positive when the side to move wins, negative when
    // it loses, 0 for a draw. Only for positions it covers.
    int plies_to_end(const Position& position) const;

    // The number of positions covered, whether play from the root can reach them or not.
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
    // The layouts with one number of walls added, one of each set of images.
    struct Layer {
        std::vector<Layout> layouts;  // ascending
        std::vector<Hands> hands;
        std::unique_ptr<uint8_t[]> values;  // [layouts, hands, side to move, pawn 1, pawn 2]
    };
    // Where a layout is stored, and the symmetry that maps it to the stored image.
    struct Place {
        size_t index;
        int symmetry;
    };
    class Builder;

    int size() const { return root_.rules.size; }
    Hands capped(Hands hands, int added) const;
    std::array<Layout, 4> images_of(Layout layout) const;
    // The image that is stored, and the symmetry that maps the layout to it.
    std::pair<Layout, int> lowest_image(Layout layout) const;
    // Nullopt for a layout that leaves no cells for the two pawns.
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
