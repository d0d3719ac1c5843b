#include "search/reversi_fit.h"

#include <cmath>
#include <utility>

#include "base/rng.h"
#include "search/reversi_last.h"

namespace plyground::reversi {
namespace {

struct Turn {
    Squares own, other;
    bool black;

    int empty_count() const { return kSquares - std::popcount(own | other); }
    // Returns false for an illegal move. Does not pass.
    bool play(int square) {
        if (square >= kSquares || (own | other) >> square & 1) return false;
        const Squares turned = flips(square, own, other);
        if (!turned) return false;
        own |= turned | bit_of(square);
        other &= ~turned;
        pass();
        return true;
    }
    void pass() {
        std::swap(own, other);
        black = !black;
    }
    // Passes if the side to move has no move; false at the end of the game.
    bool pass_if_needed() {
        if (moves(own, other)) return true;
        pass();
        return moves(own, other) != 0;
    }
};

constexpr Squares kStartBlack = bit_of(square_at(3, 4)) | bit_of(square_at(4, 3));
constexpr Squares kStartWhite = bit_of(square_at(3, 3)) | bit_of(square_at(4, 4));

std::vector<Turn> replay(std::span<const uint8_t> squares) {
    std::vector<Turn> turns;
    Turn turn{kStartBlack, kStartWhite, true};
    for (const int square : squares) {
        if (!turn.pass_if_needed()) break;
        turns.push_back(turn);
        if (!turn.play(square)) break;
    }
    return turns;
}

int random_move(const Turn& turn, SplitMix64& rng) {
    Squares legal = moves(turn.own, turn.other);
    for (uint32_t skip = rng.below(std::popcount(legal)); skip > 0; --skip)
        legal &= legal - 1;
    return first_square(legal);
}

// The expected value of a position between an early and a late one with known values: the error is
// taken to be spread evenly over the moves between them.
int interpolate(int late, int late_empties, int early, int early_empties, int empties) {
    if (empties >= early_empties) return early;
    if (empties <= late_empties || early_empties <= late_empties) return late;
    const double share =
        static_cast<double>(empties - late_empties) / (early_empties - late_empties);
    return static_cast<int>(std::lround(late + share * (early - late)));
}

}  // namespace

std::vector<LabelledPosition> label_game(const RecordedGame& game, int solve_from, uint64_t seed,
                                         EndgameSolver& solver) {
    std::vector<LabelledPosition> labelled;
    SplitMix64 rng{seed};
    const std::vector<Turn> turns = replay(game.squares);
    const auto solve = [&](const Turn& turn, int guess) {
        return solver.solve(turn.own, turn.other, -kSquares, kSquares, guess).score;
    };
    int for_black = game.played;
    int late_empties = turns.empty() ? 0 : turns.back().empty_count();  // where for_black is exact
    // Backwards, since the value of the next position is a good guess for the solver.
    for (size_t i = turns.size(); i-- > 0;) {
        const Turn& turn = turns[i];
        const int sign = turn.black ? 1 : -1;
        const int empty_count = turn.empty_count();
        if (empty_count <= solve_from) {
            for_black = sign * solve(turn, sign * for_black);
            late_empties = empty_count;
            Turn other = turn;
            other.play(random_move(turn, rng));
            if (other.pass_if_needed()) {
                const int guess = (other.black ? 1 : -1) * for_black;
                labelled.push_back({other.own, other.other, solve(other, guess)});
            }
        }
        labelled.push_back({turn.own, turn.other,
                            sign * interpolate(for_black, late_empties, game.theoretical,
                                               game.theory_empties, empty_count)});
    }
    return labelled;
}

std::vector<LabelledPosition> label_deviations(std::span<const uint8_t> squares, int solve_from,
                                               int count, int depth, uint64_t seed,
                                               Engine<Knowledge>& engine) {
    std::vector<LabelledPosition> labelled;
    SplitMix64 rng{seed};
    const std::vector<Turn> turns = replay(squares);
    Limits limits;
    limits.depth = depth;
    for (int i = 0; i < count && !turns.empty(); ++i) {
        Turn turn = turns[rng.below(static_cast<uint32_t>(turns.size()))];
        turn.play(random_move(turn, rng));
        if (!turn.pass_if_needed() || turn.empty_count() <= solve_from) continue;
        reversi::Position position;
        position.own = turn.own;
        position.other = turn.other;
        Score last = 0;
        Score before = 0;
        const auto on_progress = [&](const SearchReport& report) {
            if (report.depth == depth - 1) before = report.score;
            if (report.depth == depth) last = report.score;
            return true;
        };
        engine.search(Knowledge::Position(position), {}, limits, on_progress);
        labelled.push_back(
            {turn.own, turn.other, static_cast<int>(std::lround((last + before) / 200.0))});
    }
    return labelled;
}

PatternFit::PatternFit(std::span<const LabelledPosition> positions, double ridge)
    : indices_(positions.size() * kTerms),
      residual_(positions.size()),
      values_(folded_size()),
      gradient_(folded_size()),
      scale_(folded_size()),
      direction_(folded_size()),
      ridge_(ridge) {
    for (size_t i = 0; i < positions.size(); ++i) {
        const auto& [own, other, score] = positions[i];
        folded_indices(own, other, std::span<uint32_t, kTerms>(&indices_[i * kTerms], kTerms));
        residual_[i] = static_cast<float>(score);
    }
    for (const uint32_t index : indices_)
        scale_[index] += 1;
    for (double& scale : scale_)
        scale = 1 / (scale + ridge_);
    gradient_ = gather(residual_);
    for (size_t j = 0; j < values_.size(); ++j) {
        direction_[j] = static_cast<float>(scale_[j] * gradient_[j]);
        slope_ += scale_[j] * gradient_[j] * gradient_[j];
    }
}

// For each value, the sum of the residuals of the positions that contain it.
std::vector<double> PatternFit::gather(const std::vector<float>& residual) const {
    std::vector<double> sums(values_.size());
    for (size_t i = 0; i < residual.size(); ++i) {
        for (int k = 0; k < kTerms; ++k)
            sums[indices_[i * kTerms + k]] += residual[i];
    }
    return sums;
}

double PatternFit::step() {
    // The change of each position's score along the search direction.
    std::vector<float> change(residual_.size());
    double error = 0;
    double curvature = 0;
    for (size_t i = 0; i < residual_.size(); ++i) {
        float sum = 0;
        for (int k = 0; k < kTerms; ++k)
            sum += direction_[indices_[i * kTerms + k]];
        change[i] = sum;
        curvature += static_cast<double>(sum) * sum;
        error += static_cast<double>(residual_[i]) * residual_[i];
    }
    for (const float by : direction_)
        curvature += ridge_ * by * by;
    if (curvature > 0) {
        const auto length = static_cast<float>(slope_ / curvature);
        for (size_t i = 0; i < residual_.size(); ++i)
            residual_[i] -= length * change[i];
        for (size_t j = 0; j < values_.size(); ++j)
            values_[j] += length * direction_[j];
        gradient_ = gather(residual_);
        double slope = 0;
        for (size_t j = 0; j < values_.size(); ++j) {
            gradient_[j] -= ridge_ * values_[j];
            slope += scale_[j] * gradient_[j] * gradient_[j];
        }
        const double keep = slope / slope_;
        for (size_t j = 0; j < values_.size(); ++j)
            direction_[j] = static_cast<float>(scale_[j] * gradient_[j] + keep * direction_[j]);
        slope_ = slope;
    }
    return residual_.empty() ? 0 : std::sqrt(error / static_cast<double>(residual_.size()));
}

double PatternFit::error(std::span<const LabelledPosition> positions) const {
    double sum = 0;
    for (const auto& [own, other, score] : positions) {
        std::array<uint32_t, kTerms> indices;
        folded_indices(own, other, indices);
        double off = score;
        for (const uint32_t index : indices)
            off -= values_[index];
        sum += off * off;
    }
    return std::sqrt(sum / static_cast<double>(positions.size()));
}

}  // namespace plyground::reversi
