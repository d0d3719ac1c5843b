#include "search/reversi_textbook.h"

namespace plyground::reversi {
namespace {

// The size of the board is a constant, so that small boards cost 8x8 nothing.
template <int size>
class Problem {
  public:
    using Position = reversi::Position;
    class Candidates;

    // A position with its legal squares.
    struct Node {
        Position position;
        Squares moves = 0;
    };

    Problem(const Position& root, const ClassicEvaluator& evaluator)
        : me_(root.to_move), evaluator_(evaluator) {}

    void enter_root(const Position& position, Node& node) const {
        node = {position, reversi::moves(position.own, position.other) & board_squares(size)};
    }
    void enter(const Node& parent, int action, Node& child) const {
        enter_root(parent.position.after(static_cast<Action>(action)), child);
    }

    bool is_my_move(const Node& node) const { return node.position.to_move == me_; }

    Ending ending(const Node& node) const {
        const Position& p = node.position;
        if (node.moves || (moves(p.other, p.own) & board_squares(size))) return Ending::kNone;
        const int score = for_me(node, p.score());
        return score > 0 ? Ending::kWon : score < 0 ? Ending::kLost : Ending::kDrawn;
    }

    double evaluate(const Node& node) const {
        const Position& p = node.position;
        return for_me(node, evaluator_.evaluate(p.own, p.other, node.moves, size));
    }

    double draw_score() const { return 0; }

  private:
    template <class T>
    T for_me(const Node& node, T value) const {
        return is_my_move(node) ? value : -value;
    }

    int me_;
    ClassicEvaluator evaluator_;
};

// The legal squares by kind, or a pass if there are none.
template <int size>
class Problem<size>::Candidates {
  public:
    Candidates(const Problem&, const Node& node) : left_(node.moves), pass_(!node.moves) {}

    int next() {
        if (!left_) {
            const int move = pass_ ? kPass : -1;
            pass_ = false;
            return move;
        }
        while (!(left_ & kKinds[kind_].squares))
            ++kind_;
        const int square = first_square(left_ & kKinds[kind_].squares);
        left_ &= ~bit_of(square);
        return square;
    }

  private:
    static constexpr const SquareKinds& kKinds = square_kinds(size);

    Squares left_;
    bool pass_;
    int kind_ = 0;
};

}  // namespace

TextbookReport minimax(const Position& root, int depth, const ClassicEvaluator& evaluator,
                       std::function<void()> poll) {
    return with_size(root.size, [&](auto size) {
        const Problem<size> problem(root, evaluator);
        return TextbookSearch(problem, std::move(poll)).minimax(root, depth);
    });
}

TextbookReport alphabeta(const Position& root, int depth, const ClassicEvaluator& evaluator,
                         std::function<void()> poll) {
    return with_size(root.size, [&](auto size) {
        const Problem<size> problem(root, evaluator);
        return TextbookSearch(problem, std::move(poll)).alphabeta(root, depth);
    });
}

}  // namespace plyground::reversi
