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

namespace {

// One game of the engine against itself, with its labels. All constants are guesses.
class OwnGame {
  public:
    OwnGame(const OwnGameSettings& settings, uint64_t seed, Engine<Knowledge>& engine,
            EndgameSolver& solver)
        : settings_(settings), rng_{seed}, engine_(engine), solver_(solver) {}

    std::vector<LabelledPosition> label(std::span<const uint8_t> opening) {
        Turn turn{kStartBlack, kStartWhite, true};
        bool alive = true;
        for (const int square : opening)
            alive = alive && turn.play(square) && turn.pass_if_needed();
        // Half of the games go on with moves of which some are random.
        const uint32_t more = rng_.below(2) == 0 ? 0 : rng_.below(kMostLooseMoves);
        for (uint32_t i = 0; alive && i < more; ++i) {
            turn.play(rng_.below(kLooseMovesOf) == 0 ? random_move(turn, rng_) : best_reply(turn));
            alive = turn.pass_if_needed();
        }
        if (!alive) return {};
        std::vector<Turn> searched;
        Score score = 0;
        while (alive && turn.empty_count() > settings_.solve_from) {
            const auto [value, move] = search(turn);
            score = value;
            searched.push_back(turn);
            labelled_.push_back({turn.own, turn.other, discs_of(value)});
            if (rng_.below(kWalksOf) > 0) walk(turn);
            turn.play(move);
            alive = turn.pass_if_needed();
        }
        const int result = alive ? play_out(turn, -discs_of(score))
                                 : (turn.black ? 1 : -1) * final_score(turn.own, turn.other);
        add_result(searched, result);
        return std::move(labelled_);
    }

  private:
    static constexpr uint32_t kMostLooseMoves = 24;
    static constexpr uint32_t kLooseMovesOf = 6;  // one of six is random
    static constexpr uint32_t kWalksOf = 4;       // three of four positions start a walk
    static constexpr uint32_t kMostSteps = 6;     // of a walk
    static constexpr double kFar = 12;            // discs off the game's score
    static constexpr double kResultShare = 0.3;   // of a label
    static constexpr int kLeastEmpties = 5;

    static int discs_of(Score score) { return static_cast<int>(std::lround(score / 100.0)); }

    struct Found {
        Score score;
        int move;
    };
    Found search(const Turn& turn) {
        reversi::Position position;
        position.own = turn.own;
        position.other = turn.other;
        Limits limits;
        limits.depth = settings_.depth;
        Score last = 0;
        Score before = 0;
        const auto on_progress = [&](const SearchReport& report) {
            before = last;
            last = report.score;
            return true;
        };
        const SearchReport report =
            engine_.search(Knowledge::Position(position), {}, limits, on_progress);
        return {report.exact ? last : (last + before) / 2, report.best_move};
    }

    EndgameReport solve(const Turn& turn, int guess) {
        return solver_.solve(turn.own, turn.other, -kSquares - 1, kSquares + 1, 2 * (guess / 2));
    }

    // The move with the best evaluation after it.
    int best_reply(const Turn& turn) const {
        int best = 0;
        Score highest = -kInfinite;
        for_each_square(moves(turn.own, turn.other), [&](int square) {
            Turn next = turn;
            next.play(square);
            const Score score = -solver_.patterns()->evaluate(next.own, next.other);
            if (score <= highest) return;
            highest = score;
            best = square;
        });
        return best;
    }

    // Labels a position a few moves off the game: every second move is random, the others are
    // replies to it. Positions far from the game's score are mostly left out, because a search
    // cuts them off.
    void walk(Turn turn) {
        const Score from = solver_.patterns()->evaluate(turn.own, turn.other);
        const bool black = turn.black;
        const uint32_t steps = 1 + rng_.below(kMostSteps);
        bool random = (steps % 2 == 1) == (rng_.below(3) != 0);
        for (uint32_t i = 0; i < steps; ++i, random = !random) {
            turn.play(random ? random_move(turn, rng_) : best_reply(turn));
            if (!turn.pass_if_needed()) return;
        }
        if (turn.empty_count() < kLeastEmpties) return;
        const Score now = solver_.patterns()->evaluate(turn.own, turn.other);
        const double off = std::abs(now - (turn.black == black ? from : -from)) / (100.0 * kFar);
        if (off > 1 && rng_.below(1000) > 1000 / (off * off)) return;
        const int score = turn.empty_count() <= settings_.solve_from
                              ? solve(turn, discs_of(now)).score
                              : discs_of(search(turn).score);
        labelled_.push_back({turn.own, turn.other, score});
    }

    // Solves the rest of the game, and labels its positions; returns the result for black.
    int play_out(Turn turn, int guess) {
        const EndgameReport report = solve(turn, guess);
        const int for_black = (turn.black ? 1 : -1) * report.score;
        for (const int move : report.pv) {
            if (move == kPass) continue;
            if (turn.empty_count() < kLeastEmpties) break;
            labelled_.push_back({turn.own, turn.other, (turn.black ? 1 : -1) * for_black});
            walk(turn);
            if (rng_.below(2) == 0) walk(turn);
            turn.play(move);
            if (!turn.pass_if_needed()) break;
        }
        return for_black;
    }

    void add_result(const std::vector<Turn>& searched, int for_black) {
        size_t next = 0;
        for (LabelledPosition& position : labelled_) {
            if (next == searched.size()) break;
            const Turn& turn = searched[next];
            if (turn.own != position.own || turn.other != position.other) continue;
            const int result = (turn.black ? 1 : -1) * for_black;
            position.score +=
                static_cast<int>(std::lround(kResultShare * (result - position.score)));
            ++next;
        }
    }

    OwnGameSettings settings_;
    SplitMix64 rng_;
    Engine<Knowledge>& engine_;
    EndgameSolver& solver_;
    std::vector<LabelledPosition> labelled_;
};

}  // namespace

std::vector<LabelledPosition> label_own_game(std::span<const uint8_t> opening,
                                             const OwnGameSettings& settings, uint64_t seed,
                                             Engine<Knowledge>& engine, EndgameSolver& solver) {
    return OwnGame(settings, seed, engine, solver).label(opening);
}

namespace {

using TermIndices = std::array<uint32_t, kInstances + 1>;

// Where the values of a position are among those of all phases.
TermIndices term_indices(Squares own, Squares other) {
    TermIndices indices;
    folded_indices(own, other, indices);
    const int phase = phase_of(std::popcount(own | other));
    for (uint32_t& index : indices)
        index += static_cast<uint32_t>(phase * folded_size());
    return indices;
}

}  // namespace

PatternFit::PatternFit(std::span<const LabelledPosition> positions, const Penalties& penalties)
    : residual_(positions.size()),
      weights_(positions.size()),
      values_(static_cast<size_t>(kPhases) * folded_size()),
      scale_(values_.size()),
      direction_(values_.size()),
      penalties_(penalties) {
    indices_.reserve(positions.size() * kTerms);
    for (size_t i = 0; i < positions.size(); ++i) {
        const auto& [own, other, score, weight] = positions[i];
        residual_[i] = static_cast<float>(score);
        weights_[i] = weight;
        for (const uint32_t index : term_indices(own, other)) {
            indices_.push_back(index);
            scale_[index] += weight;
        }
    }
    const auto phase_size = static_cast<size_t>(folded_size());
    for (size_t j = 0; j < scale_.size(); ++j) {
        const int neighbours = (j >= phase_size) + (j + phase_size < scale_.size());
        scale_[j] = 1 / (scale_[j] + penalties_.ridge + neighbours * penalties_.smoothing);
    }
    const std::vector<double> downhill = gradient();
    for (size_t j = 0; j < values_.size(); ++j) {
        direction_[j] = static_cast<float>(scale_[j] * downhill[j]);
        slope_ += scale_[j] * downhill[j] * downhill[j];
    }
}

// For each value, half of the negative derivative of what is minimised.
std::vector<double> PatternFit::gradient() const {
    std::vector<double> sums(values_.size());
    for (size_t i = 0; i < residual_.size(); ++i) {
        const float weighted = weights_[i] * residual_[i];
        for (int k = 0; k < kTerms; ++k)
            sums[indices_[i * kTerms + k]] += weighted;
    }
    for (size_t j = 0; j < values_.size(); ++j)
        sums[j] -= penalties_.ridge * values_[j];
    for (size_t j = 0, next = folded_size(); next < values_.size(); ++j, ++next) {
        const double change = penalties_.smoothing * (values_[next] - values_[j]);
        sums[j] += change;
        sums[next] -= change;
    }
    return sums;
}

double PatternFit::curvature_of_penalties() const {
    double sum = 0;
    for (const float by : direction_)
        sum += penalties_.ridge * by * by;
    for (size_t j = 0, next = folded_size(); next < direction_.size(); ++j, ++next) {
        const double change = direction_[next] - direction_[j];
        sum += penalties_.smoothing * change * change;
    }
    return sum;
}

double PatternFit::step() {
    // The change of each position's score along the search direction.
    std::vector<float> change(residual_.size());
    double error = 0;
    double curvature = curvature_of_penalties();
    for (size_t i = 0; i < residual_.size(); ++i) {
        float sum = 0;
        for (int k = 0; k < kTerms; ++k)
            sum += direction_[indices_[i * kTerms + k]];
        change[i] = sum;
        curvature += static_cast<double>(weights_[i]) * sum * sum;
        error += static_cast<double>(residual_[i]) * residual_[i];
    }
    if (curvature > 0) {
        const auto length = static_cast<float>(slope_ / curvature);
        for (size_t i = 0; i < residual_.size(); ++i)
            residual_[i] -= length * change[i];
        for (size_t j = 0; j < values_.size(); ++j)
            values_[j] += length * direction_[j];
        const std::vector<double> downhill = gradient();
        double slope = 0;
        for (size_t j = 0; j < values_.size(); ++j)
            slope += scale_[j] * downhill[j] * downhill[j];
        const double keep = slope / slope_;
        for (size_t j = 0; j < values_.size(); ++j)
            direction_[j] = static_cast<float>(scale_[j] * downhill[j] + keep * direction_[j]);
        slope_ = slope;
    }
    return residual_.empty() ? 0 : std::sqrt(error / static_cast<double>(residual_.size()));
}

double PatternFit::error(std::span<const LabelledPosition> positions) const {
    double sum = 0;
    for (const auto& [own, other, score, weight] : positions) {
        double off = score;
        for (const uint32_t index : term_indices(own, other))
            off -= values_[index];
        sum += off * off;
    }
    return std::sqrt(sum / static_cast<double>(positions.size()));
}

}  // namespace plyground::reversi
