#include "search/quoridor_solver.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.h"
#include "games/quoridor_text.h"

namespace plyground::quoridor {
namespace {

// The value of a position is a byte, from the worst to the best for the side to move:
//     p / 2              lost in p plies
//     128                drawn
//     255 - (p - 1) / 2  won in p plies
// The side to move picks the move that leaves the opponent the lowest value. kNoMove marks a move
// that does not exist: it reads as a win for the opponent on the next ply, the highest value. A
// position always has a move, so this never changes the minimum.
constexpr uint8_t kDrawn = 128;
constexpr uint8_t kNoMove = 255;
// The longest games that a byte can hold; one ply more would read as a draw.
constexpr uint8_t kLongestLoss = kDrawn - 1;
constexpr uint8_t kLongestWin = kDrawn + 1;

// The value of a position whose best move leaves this one to the opponent.
constexpr uint8_t value_before(uint8_t left) {
    return static_cast<uint8_t>(255 - left + (left >= kDrawn ? 1 : 0));
}

constexpr int plies_of(uint8_t value) {
    if (value == kDrawn) return 0;
    return value < kDrawn ? -2 * value : 2 * (255 - value) + 1;
}

// Symmetries are numbered by two bits. The flip reverses the board's rows and swaps the players,
// including their hands and the turn.
constexpr int kFlip = 1;
constexpr int kMirror = 2;

uint64_t flip_slots(uint64_t slots, int size) {
    uint64_t flipped = 0;
    for (int row = 0; row < size - 1; ++row)
        flipped |= ((slots >> 8 * row) & 0xff) << 8 * (size - 2 - row);
    return flipped;
}

uint64_t mirror_slots(uint64_t slots, int size) {
    slots = (slots & 0x0f0f0f0f0f0f0f0fULL) << 4 | ((slots >> 4) & 0x0f0f0f0f0f0f0f0fULL);
    slots = (slots & 0x3333333333333333ULL) << 2 | ((slots >> 2) & 0x3333333333333333ULL);
    slots = (slots & 0x5555555555555555ULL) << 1 | ((slots >> 1) & 0x5555555555555555ULL);
    return slots >> (kMaxSize - size);
}

// Cells from which the goal can be reached, the goal included.
Bitboard reaching(const Walls& walls, Bitboard goal) {
    for (Bitboard reached = goal;;) {
        const Bitboard grown = reached | walls.neighbours(reached);
        if (grown == reached) return reached;
        reached = grown;
    }
}

int count_walls(const Walls& walls) { return std::popcount(walls.h) + std::popcount(walls.v); }

// The number of pairs of pawn cells over this layout in a game that is not won.
uint64_t count_pawn_pairs(const Walls& walls, const Geometry& geometry) {
    const Bitboard pawn1 = reaching(walls, geometry.goal[0]).without(geometry.goal[0]);
    const Bitboard pawn2 = reaching(walls, geometry.goal[1]).without(geometry.goal[1]);
    return static_cast<uint64_t>(pawn1.count()) * pawn2.count() - (pawn1 & pawn2).count();
}

// The game of pawn moves over one layout with one pair of hands. A table is flat: the entry for
// pawn 1 on cell a and pawn 2 on cell b is cells * a + b. A step of either pawn is a constant
// offset, so one loop makes that step in all positions.
//
// It is solved by searching one ply further until nothing changes. After k rounds the values are
// those of a game that is drawn after k pawn moves in a row. A win or loss found there is real, and
// every real one is found, with its true length, once k is large enough. So the values are right as
// soon as another round changes nothing.
class PawnGame {
  public:
    explicit PawnGame(int size);

    void set_layout(const Walls& walls);
    void solve();
    const uint8_t* values(int side) const { return tables_[side].data() + size_ * cells_; }
    // Calls f(entry, length) for each run of entries in which no player has won, ascending.
    template <class F>
    void for_each_run(F&& f) const {
        for (int first = 0; first < open_entries_; first += cells_)
            f(first + size_, cells_ - size_);
    }

    // The value that the best wall leaves the opponent; to be filled before `solve`.
    uint8_t* exits(int side) { return exits_[side].data(); }

  private:
    struct Jump {
        uint16_t before;
        uint16_t after;
    };

    uint8_t* values(int side) { return tables_[side].data() + size_ * cells_; }
    int entry(int mover, int other, int side) const {
        return side == 0 ? cells_ * mover + other : cells_ * other + mover;
    }
    int cell_number(int cell) const { return size_ * row_of(cell) + col_of(cell); }
    void find_jumps(const Walls& walls);
    bool search_one_ply_further(int side);

    int size_, cells_, entries_;
    int open_entries_;  // entries in which player 1 has not won; they come first in a table
    std::array<std::vector<uint8_t>, 2> tables_;  // by side to move
    std::array<std::vector<uint8_t>, 2> exits_;
    std::vector<uint8_t> illegal_;               // 255 where the pawns cannot be, else 0
    std::array<std::vector<uint8_t>, 2> alive_;  // 0 where the side to move has lost, else 255
    std::array<std::array<std::vector<uint8_t>, 4>, 2> closed_;  // 255 where a step is closed
    std::array<std::vector<Jump>, 2> jumps_;
    std::vector<uint8_t> best_;
};

PawnGame::PawnGame(int size)
    : size_(size),
      cells_(size * size),
      entries_(cells_ * cells_),
      open_entries_(entries_ - size * cells_),
      illegal_(entries_),
      best_(open_entries_) {
    for (int side = 0; side < 2; ++side) {
        // Padded by a row of cells at both ends: the loops read there for steps over the rim.
        tables_[side].assign(entries_ + 2 * size_ * cells_, kNoMove);
        exits_[side].assign(open_entries_, kNoMove);
        alive_[side].assign(entries_, 255);
        for (auto& closed : closed_[side])
            closed.resize(open_entries_);
    }
    for (int pawn1 = 0; pawn1 < cells_; ++pawn1) {
        for (int pawn2 = 0; pawn2 < cells_; ++pawn2) {
            if (pawn1 == pawn2) continue;  // illegal, even on a goal row
            const int i = cells_ * pawn1 + pawn2;
            if (pawn2 < size) alive_[0][i] = 0;
            if (i >= open_entries_) alive_[1][i] = 0;
        }
    }
}

void PawnGame::set_layout(const Walls& walls) {
    const Geometry& geometry = Geometry::of(size_);
    const std::array<Bitboard, 4> open{walls.open_north, walls.open_north.north(), walls.open_east,
                                       walls.open_east.east()};
    // For each cell, 255 if a step from it is closed, and 255 if a pawn there cannot reach its
    // goal.
    std::array<std::array<uint8_t, kCells>, 4> closed;
    std::array<std::array<uint8_t, kCells>, 2> shut_in;
    const auto mark_others = [&](std::array<uint8_t, kCells>& cells, Bitboard set) {
        geometry.cells.for_each([&](int c) { cells[cell_number(c)] = set.has(c) ? 0 : 255; });
    };
    for (int step = 0; step < 4; ++step)
        mark_others(closed[step], open[step]);
    for (int player = 0; player < 2; ++player)
        mark_others(shut_in[player], reaching(walls, geometry.goal[player]));

    for (int pawn1 = 0; pawn1 < cells_; ++pawn1) {
        const int first = cells_ * pawn1;
        for (int pawn2 = 0; pawn2 < cells_; ++pawn2)
            illegal_[first + pawn2] = shut_in[0][pawn1] | shut_in[1][pawn2];
        illegal_[first + pawn1] = 255;  // both on one cell
        if (first >= open_entries_) continue;
        for (int step = 0; step < 4; ++step) {
            std::fill_n(&closed_[0][step][first], cells_, closed[step][pawn1]);
            std::copy_n(&closed[step][0], cells_, &closed_[1][step][first]);
        }
    }
    find_jumps(walls);
}

void PawnGame::find_jumps(const Walls& walls) {
    const Geometry& geometry = Geometry::of(size_);
    Position position;
    position.walls = walls;
    position.rules.size = static_cast<uint8_t>(size_);
    for (auto& jumps : jumps_)
        jumps.clear();
    geometry.cells.for_each([&](int mover) {
        const Bitboard steps = walls.neighbours(Bitboard::of(mover));
        steps.for_each([&](int other) {
            position.pawn = {static_cast<uint8_t>(mover), static_cast<uint8_t>(other)};
            position.pawn_moves(0).without(steps).for_each([&](int to) {
                for (int side = 0; side < 2; ++side) {
                    const int before = entry(cell_number(mover), cell_number(other), side);
                    const int after = entry(cell_number(to), cell_number(other), side);
                    if (before >= open_entries_) continue;
                    jumps_[side].push_back(
                        {static_cast<uint16_t>(before), static_cast<uint16_t>(after)});
                }
            });
        });
    });
}

void PawnGame::solve() {
    for (int side = 0; side < 2; ++side) {
        uint8_t* value = values(side);
        for (int i = 0; i < entries_; ++i)
            value[i] = (kDrawn | illegal_[i]) & alive_[side][i];
    }
    do {
        search_one_ply_further(0);
    } while (search_one_ply_further(1));
}

// Computes the values of the positions with this side to move from those one ply later. Returns
// whether any changed.
bool PawnGame::search_one_ply_further(int side) {
    // The loops read only local pointers marked __restrict, else the compiler does not vectorize.
    const int length = open_entries_;
    const int east = side == 0 ? cells_ : 1;  // from an entry to that of the cell in the east
    const int north = size_ * east;
    const uint8_t* __restrict reply = values(1 - side);
    const uint8_t* __restrict exit = exits_[side].data();
    const uint8_t* __restrict closed_north = closed_[side][0].data();
    const uint8_t* __restrict closed_south = closed_[side][1].data();
    const uint8_t* __restrict closed_east = closed_[side][2].data();
    const uint8_t* __restrict closed_west = closed_[side][3].data();
    uint8_t* __restrict best = best_.data();
    for (int i = 0; i < length; ++i) {
        const uint8_t up = reply[i + north] | closed_north[i];
        const uint8_t down = reply[i - north] | closed_south[i];
        const uint8_t right = reply[i + east] | closed_east[i];
        const uint8_t left = reply[i - east] | closed_west[i];
        best[i] = std::min(exit[i], std::min(std::min(up, down), std::min(left, right)));
    }
    for (const Jump jump : jumps_[side])
        best[jump.before] = std::min(best[jump.before], reply[jump.after]);

    const uint8_t* __restrict illegal = illegal_.data();
    const uint8_t* __restrict alive = alive_[side].data();
    uint8_t* __restrict value = values(side);
    uint8_t changed = 0;
    for (int i = 0; i < length; ++i) {
        const uint8_t now = (value_before(best[i]) | illegal[i]) & alive[i];
        changed |= now ^ value[i];
        value[i] = now;
    }
    return changed != 0;
}

}  // namespace

// Finds the layouts and solves the tables, with the data that is needed only meanwhile.
class Solution::Builder {
  public:
    Builder(Solution& solution, const Watcher& watcher)
        : solution_(solution),
          watcher_(watcher),
          geometry_(solution.root_.geometry()),
          game_(solution.size()) {
        best_.fill(std::vector<uint8_t>(solution.table_size_));
    }

    void find_layouts(uint64_t max_bytes);
    void solve_layers();

  private:
    // Calls f(layout) for every layout with one more wall.
    template <class F>
    void for_each_below(Layout layout, const Walls& walls, F&& f) const {
        LegalMoves{{}, walls.free_h(geometry_), walls.free_v(geometry_)}.for_each([&](Action wall) {
            Layout below = layout;
            (is_vertical(wall) ? below.v : below.h) |= 1ULL << slot_of(wall);
            f(below);
        });
    }
    Walls walls_of(Layout layout) const;
    std::vector<Layout> layouts_below(const std::vector<Layout>& layouts, size_t limit);
    std::vector<Hands> hands_at(int added) const;
    void count_positions(int added);
    void solve_layout(int added, size_t index);
    void gather_exits(int added, Hands hands, int side);
    void store(uint8_t* table, int side) const;
    void watch();

    Solution& solution_;
    const Watcher& watcher_;
    std::chrono::steady_clock::time_point watched_ = std::chrono::steady_clock::now();
    Progress progress_;
    const Geometry& geometry_;
    PawnGame game_;
    std::vector<Place> below_;  // the layouts with one more wall than the one being solved
    // The value that the best wall leaves, separately for each symmetry under which layouts are
    // stored: tables are compared in their stored order, and mapped only once at the end.
    std::array<std::vector<uint8_t>, 4> best_;
};

void Solution::Builder::watch() {
    if (!watcher_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - watched_ < std::chrono::milliseconds(50)) return;
    watched_ = now;
    watcher_(progress_);
}

Walls Solution::Builder::walls_of(Layout layout) const {
    Walls walls;
    walls.open_north = geometry_.open_north;
    walls.open_east = geometry_.open_east;
    LegalMoves{{}, layout.h, layout.v}.for_each([&](Action wall) { walls.place(wall); });
    return walls;
}

void Solution::Builder::find_layouts(uint64_t max_bytes) {
    const Position& root = solution_.root_;
    const int slots_left = std::popcount(geometry_.slots) - count_walls(root.walls);
    const int most = std::min(root.hand[0] + root.hand[1], slots_left);
    const uint64_t max_tables = max_bytes / (2 * solution_.table_size_);
    std::vector<Layout> layouts{solution_.lowest_image({root.walls.h, root.walls.v}).first};
    uint64_t tables = 0;
    for (int added = 0; added <= most && !layouts.empty(); ++added) {
        const std::vector<Hands> hands = hands_at(added);
        tables += layouts.size() * hands.size();
        if (tables > max_tables) {
            throw ConfigError("solving '" + format_position(root) + "' takes more than " +
                              std::to_string(max_bytes >> 20) + " MB");
        }
        solution_.layers_.push_back({std::move(layouts), hands, nullptr});
        count_positions(added);
        if (added < most) layouts = layouts_below(solution_.layers_.back().layouts, max_tables);
    }
    solution_.bytes_ = tables * 2 * solution_.table_size_;
    progress_.tables = tables;
}

// The layouts with one more wall, without those that leave no cells for the two pawns. Stops when
// there are more than `limit`.
std::vector<Solution::Layout> Solution::Builder::layouts_below(const std::vector<Layout>& layouts,
                                                               size_t limit) {
    std::vector<Layout> below;
    size_t capacity = 1 << 20;
    const auto remove_duplicates = [&] {
        std::sort(below.begin(), below.end());
        below.erase(std::unique(below.begin(), below.end()), below.end());
        std::erase_if(below,
                      [&](Layout l) { return count_pawn_pairs(walls_of(l), geometry_) == 0; });
    };
    for (const Layout layout : layouts) {
        for_each_below(layout, walls_of(layout), [&](Layout walled) {
            below.push_back(solution_.lowest_image(walled).first);
        });
        if (below.size() > capacity) {
            remove_duplicates();
            if (below.size() > limit) break;
            capacity = std::max(capacity, 2 * below.size());
        }
        watch();
    }
    remove_duplicates();
    return below;
}

// The possible hands with this number of walls added, and the same swapped, for flipped images.
std::vector<Solution::Hands> Solution::Builder::hands_at(int added) const {
    const auto [first, second] = solution_.root_.hand;
    std::vector<Hands> hands;
    for (int used = std::max(0, added - second); used <= std::min<int>(added, first); ++used) {
        const Hands both{static_cast<uint8_t>(first - used),
                         static_cast<uint8_t>(second - (added - used))};
        hands.push_back(solution_.capped(both, added));
        hands.push_back(solution_.capped({both[1], both[0]}, added));
    }
    std::sort(hands.begin(), hands.end());
    hands.erase(std::unique(hands.begin(), hands.end()), hands.end());
    return hands;
}

// Adds the layer's positions, counting every layout and pair of hands that share a table.
void Solution::Builder::count_positions(int added) {
    const Walls& walls = solution_.root_.walls;
    const std::array<uint8_t, 2> hand = solution_.root_.hand;
    const uint64_t hands = std::min<int>(added, hand[0]) - std::max(0, added - hand[1]) + 1;
    for (const Layout layout : solution_.layers_[added].layouts) {
        std::array<Layout, 4> images = solution_.images_of(layout);
        std::sort(images.begin(), images.end());
        const auto end = std::unique(images.begin(), images.end());
        const uint64_t layouts = std::count_if(
            images.begin(), end, [&](Layout image) { return image.contains({walls.h, walls.v}); });
        solution_.positions_ += 2 * hands * layouts * count_pawn_pairs(walls_of(layout), geometry_);
        watch();
    }
}

void Solution::Builder::solve_layers() {
    for (int added = static_cast<int>(solution_.layers_.size()) - 1; added >= 0; --added) {
        Layer& layer = solution_.layers_[added];
        const size_t tables = layer.layouts.size() * layer.hands.size() * 2;
        layer.values = std::make_unique_for_overwrite<uint8_t[]>(tables * solution_.table_size_);
        for (size_t index = 0; index < layer.layouts.size(); ++index)
            solve_layout(added, index);
    }
}

void Solution::Builder::solve_layout(int added, size_t index) {
    const Layer& layer = solution_.layers_[added];
    const Layout layout = layer.layouts[index];
    const Walls walls = walls_of(layout);
    below_.clear();
    for_each_below(layout, walls, [&](Layout walled) {
        if (const auto place = solution_.find(added + 1, walled)) below_.push_back(*place);
    });
    game_.set_layout(walls);
    for (const Hands hands : layer.hands) {
        for (int side = 0; side < 2; ++side)
            gather_exits(added, hands, side);
        game_.solve();
        for (int side = 0; side < 2; ++side)
            store(solution_.table(added, {index, 0}, hands, side), side);
        ++progress_.done;
        watch();
    }
}

void Solution::Builder::gather_exits(int added, Hands hands, int side) {
    game_.for_each_run([exits = game_.exits(side)](int first, int length) {
        std::fill_n(exits + first, length, kNoMove);
    });
    if (hands[side] == 0) return;
    --hands[side];
    const size_t entries = solution_.table_size_;
    std::array<bool, 4> used{};
    for (const Place place : below_) {
        const uint8_t* __restrict left = solution_.table(added + 1, place, hands, 1 - side);
        uint8_t* __restrict best = best_[place.symmetry].data();
        if (used[place.symmetry]) {
            for (size_t i = 0; i < entries; ++i)
                best[i] = std::min(best[i], left[i]);
        } else {
            std::copy_n(left, entries, best);
        }
        used[place.symmetry] = true;
    }
    for (int symmetry = 0; symmetry < 4; ++symmetry) {
        if (!used[symmetry]) continue;
        const uint8_t* best = best_[symmetry].data();
        const uint16_t* image = solution_.entries_[symmetry].data();
        game_.for_each_run([&, exits = game_.exits(side)](int first, int length) {
            for (int i = first; i < first + length; ++i)
                exits[i] = std::min(exits[i], best[*image++]);
        });
    }
}

void Solution::Builder::store(uint8_t* table, int side) const {
    bool too_long = false;
    game_.for_each_run([&, values = game_.values(side)](int first, int length) {
        for (int i = first; i < first + length; ++i) {
            too_long |= values[i] == kLongestLoss || values[i] == kLongestWin;
            *table++ = values[i];
        }
    });
    if (too_long) throw std::runtime_error("a game of 250 plies is too long for the solver");
}

Solution::Solution(const Position& root, uint64_t max_bytes, const Watcher& watcher) : root_(root) {
    const int size = root.rules.size;
    const int open = size * (size - 1);  // cells on which a pawn has not won
    const auto mirrored = [&](int cell) { return cell + size - 1 - 2 * (cell % size); };
    const auto flipped = [&](int cell) { return cell + size * (size - 1 - 2 * (cell / size)); };
    table_size_ = static_cast<size_t>(open) * open;
    for (int symmetry = 0; symmetry < 4; ++symmetry) {
        for (int entry = 0; entry < open * open; ++entry) {
            std::array<int, 2> pawns{entry / open, entry % open + size};
            if (symmetry & kMirror) pawns = {mirrored(pawns[0]), mirrored(pawns[1])};
            if (symmetry & kFlip) pawns = {flipped(pawns[1]), flipped(pawns[0])};
            entries_[symmetry].push_back(static_cast<uint16_t>(open * pawns[0] + pawns[1] - size));
        }
    }
    Builder builder(*this, watcher);
    builder.find_layouts(max_bytes);
    builder.solve_layers();
}

// A hand with more walls than free slots is equivalent to one with as many walls as slots.
Solution::Hands Solution::capped(Hands hands, int added) const {
    const int slots = std::popcount(root_.geometry().slots) - count_walls(root_.walls) - added;
    for (uint8_t& hand : hands)
        hand = static_cast<uint8_t>(std::min<int>(hand, slots));
    return hands;
}

std::array<Solution::Layout, 4> Solution::images_of(Layout layout) const {
    const auto flipped = [&](Layout l) {
        return Layout{flip_slots(l.h, size()), flip_slots(l.v, size())};
    };
    const Layout mirrored{mirror_slots(layout.h, size()), mirror_slots(layout.v, size())};
    return {layout, flipped(layout), mirrored, flipped(mirrored)};
}

std::pair<Solution::Layout, int> Solution::lowest_image(Layout layout) const {
    const std::array<Layout, 4> images = images_of(layout);
    const auto lowest = std::min_element(images.begin(), images.end());
    return {*lowest, static_cast<int>(lowest - images.begin())};
}

std::optional<Solution::Place> Solution::find(int added, Layout layout) const {
    if (added >= static_cast<int>(layers_.size())) return {};
    const auto [image, symmetry] = lowest_image(layout);
    const std::vector<Layout>& layouts = layers_[added].layouts;
    const auto found = std::lower_bound(layouts.begin(), layouts.end(), image);
    if (found == layouts.end() || *found != image) return {};
    return Place{static_cast<size_t>(found - layouts.begin()), symmetry};
}

uint8_t* Solution::table(int added, Place place, Hands hands, int side) const {
    if (place.symmetry & kFlip) {
        std::swap(hands[0], hands[1]);
        side = 1 - side;
    }
    const Layer& layer = layers_[added];
    const auto found = std::find(layer.hands.begin(), layer.hands.end(), capped(hands, added));
    assert(found != layer.hands.end());
    const size_t pair = place.index * layer.hands.size() + (found - layer.hands.begin());
    return layer.values.get() + (2 * pair + side) * table_size_;
}

bool Solution::covers(const Position& position) const {
    const Walls& walls = position.walls;
    const int used1 = root_.hand[0] - position.hand[0];
    const int used2 = root_.hand[1] - position.hand[1];
    return position.rules.size == size() && used1 >= 0 && used2 >= 0 &&
           used1 + used2 == count_walls(walls) - count_walls(root_.walls) &&
           Layout{walls.h, walls.v}.contains({root_.walls.h, root_.walls.v}) &&
           !position.has_won(0) && !position.has_won(1);
}

int Solution::plies_to_end(const Position& position) const {
    assert(covers(position));
    const int added = count_walls(position.walls) - count_walls(root_.walls);
    const auto place = find(added, {position.walls.h, position.walls.v});
    assert(place);  // the layout of a legal position leaves cells for the pawns
    const auto number = [&](int cell) { return size() * row_of(cell) + col_of(cell); };
    const int open = size() * (size() - 1);
    const int entry = open * number(position.pawn[0]) + number(position.pawn[1]) - size();
    const uint8_t* values = table(added, *place, position.hand, position.to_move);
    return plies_of(values[entries_[place->symmetry][entry]]);
}

}  // namespace plyground::quoridor
