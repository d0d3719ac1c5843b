// Reversi for the alpha-beta search: two evaluations, exact endgames, move ordering, and the error
// of shallow searches for ProbCut. Boards of 6x6 and 4x4 have the classic evaluation and a solver
// of their own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "games/reversi.h"
#include "search/knowledge.h"
#include "search/moves.h"
#include "search/options.h"
#include "search/reversi_classic.h"
#include "search/reversi_endgame.h"
#include "search/reversi_patterns.h"
#include "search/reversi_small_board.h"

namespace plyground::reversi {

// The evaluation: by fitted patterns, or the classic one if there are none.
struct Evaluation {
    std::shared_ptr<const Patterns> patterns;
    ClassicEvaluator classic;
};

class Knowledge {
  public:
    using Action = reversi::Action;
    using Weights = Evaluation;
    using Moves = MoveList<reversi::kActions>;
    static constexpr int kActions = reversi::kActions;
    // In hundredths of a disc; the last two were chosen by matches (docs/results.md).
    static constexpr SearchMargins kMargins{400, 380, 450};
    static constexpr int kTableDepth = 2;

    struct Position : reversi::Position {
        Position() = default;
        explicit Position(const reversi::Position& position)
            : reversi::Position(position), key(board_key(own, other) ^ board_salt(size)) {}

        uint64_t key = 0;

        int discs() const { return std::popcount(own | other); }
        int empty_count() const { return size * size - discs(); }
    };
    struct Node {
        Position position;
        Squares moves = 0;
        PatternView view;
        Score estimate = kNoEstimate;  // by the patterns, computed when it is first asked for
        int ply = 0;
        bool has_children = false;  // whether the children of this ply are those of the node
    };

    Knowledge(const Evaluation& evaluation, const SearchOptions& options)
        : evaluation_(evaluation), options_(options) {}

    void use_table(Table& table) {
        table_ = &table;
        if (!children_) children_ = std::make_unique<Node[]>((kMaxPly + 1) * kMaxChildren);
        endgame_ = std::make_unique<EndgameSolver>(table, evaluation_.patterns.get());
        small_board_ = std::make_unique<SmallBoardSolver>(table);
    }
    void clear() {}

    void enter_root(const Position& position, Node& node);
    void enter(const Node& parent, Action action, Node& child) const;
    void enter_null(const Node& parent, Node& child) const { enter(parent, kPass, child); }

    // The result of a finished game, or of the last few squares: exact inside (alpha, beta).
    struct Known {
        Score score;
        Bound bound;
    };
    std::optional<Known> known_result(const Node& node, int depth, Score alpha, Score beta,
                                      uint64_t& nodes);
    Score evaluate(Node& node) const;
    // The score of a node one ply before the horizon, or a lower bound from beta on; with
    // `first_only` the score of the first move. None if the side to move must pass or the
    // evaluation is the classic one.
    std::optional<Score> search_last_ply(const Node& node, Score beta, bool first_only,
                                         uint64_t& nodes) const;

    // All legal moves. The larger the depth, the more the ordering may cost.
    void generate(Node& node, Moves& moves, int depth) const;
    void add_rest(const Node&, Moves&) const {}
    void generate_tactical(const Node&, Moves& moves) const { moves.size = 0; }
    bool is_legal(const Node& node, Action action) const {
        return action == kPass ? !node.moves : (node.moves >> action & 1) != 0;
    }
    bool is_threatened(const Node&) const { return false; }
    // Passing is often good in Reversi, so a null move proves nothing.
    bool allows_null_move(const Node&) const { return false; }

    int plies_to_end(const Node& node) const { return node.position.empty_count(); }
    static int plies_to_draw(const Position&) { return kNever; }
    static bool is_reversible(Action) { return false; }

    // Whether to solve the root now instead of searching it to `depth`: the expected time must fit.
    bool is_solvable(const Node& node, const Limits& limits, int depth, double elapsed_s) const;
    struct Solved {
        bool exact = false;
        Score score = 0;
        int depth = 0;
        std::vector<int> pv;  // empty if nothing was proven
    };
    Solved solve(const Node& node, Score expected, int first_move, int thread, SearchStats& stats,
                 const std::function<bool(uint64_t)>& keep_going);

    struct ProbCut {
        int depth;
        Score margin;
    };
    std::optional<ProbCut> probcut(const Node& node, int depth) const;

  private:
    static constexpr int kNever = 10000;
    static constexpr Score kNoEstimate = kInfinite;
    // No game is known in which a position has more moves; nodes with more keep no children.
    static constexpr int kMaxChildren = 34;

    Node* children_of(const Node& node) const { return &children_[node.ply * kMaxChildren]; }
    void add_children(Node& node, int depth) const;
    Squares replies_to(const Node& node, int square) const;
    int order_of(int square, Squares replies) const;
    int exact_score(const Position& position, int alpha, int beta, uint64_t& nodes);
    Solved solve_small_board(const Position& position, int thread, SearchStats& stats,
                             const std::function<bool(uint64_t)>& keep_going);

    Evaluation evaluation_;
    SearchOptions options_;
    Table* table_ = nullptr;
    // kMaxChildren for each ply, in the order of their squares.
    std::unique_ptr<Node[]> children_;
    std::unique_ptr<EndgameSolver> endgame_;
    std::unique_ptr<SmallBoardSolver> small_board_;

    // Of the root's board.
    int size_ = kSize;
    Squares board_ = board_squares(kSize);
    Squares corners_ = kCorners;
    uint64_t salt_ = 0;
    const Patterns* patterns_ = nullptr;  // none on small boards
};

}  // namespace plyground::reversi
