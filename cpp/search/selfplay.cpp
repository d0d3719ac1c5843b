#include "search/selfplay.h"

#include <algorithm>
#include <cmath>

#include "search/quoridor_zero.h"
#include "search/reversi_zero.h"

namespace plyground {

template <class Game>
SelfPlay<Game>::SelfPlay(std::vector<Position> starts, int games, int halves, int threads,
                         const SelfPlaySettings& settings)
    : starts_(std::move(starts)),
      settings_(settings),
      slots_(games),
      started_(halves),
      workers_(threads) {
    for (int half = 0; half <= halves; ++half)
        first_.push_back(static_cast<int>(static_cast<int64_t>(games) * half / halves));
    for (int i = 0; i < threads; ++i)
        threads_.push_back(std::make_unique<Thread>());
    for (int i = 0; i < games; ++i) {
        Slot& slot = slots_[i];
        slot.tree.settings() = settings_.tree;
        slot.rng.state = mix64(settings_.seed ^ mix64(static_cast<uint64_t>(i) + 1));
        slot.game = i - games;  // `start_game` adds the number of games
    }
    for (int half = 0; half < halves; ++half) {
        for (int i = 0; i < size(half); ++i)
            slots_[first_[half] + i].start = starts_.size() * i / size(half);
    }
}

template <class Game>
bool SelfPlay<Game>::happens(Slot& slot, float share) {
    return static_cast<float>(slot.rng.next() >> 40) * 0x1p-24F < share;
}

template <class Game>
template <class Logit>
int SelfPlay<Game>::step(int half, const Logit* logits, const float* values, uint8_t* features) {
    const std::lock_guard lock(step_mutex_);
    const int first_slot = first_[half];
    const bool starts = !started_[half];
    started_[half] = true;
    constexpr size_t kPiece = 16;  // games at a time for a thread
    workers_.run(size(half), kPiece, [&](int id, size_t first, size_t last) {
        Thread& thread = *threads_[id];
        for (size_t i = first; i < last; ++i) {
            Slot& slot = slots_[first_slot + i];
            if (starts) {
                start_game(slot, thread);
            } else {
                const float w = settings_.heuristic_weight;
                const float guess = slot.tree.pending_leaf(0).heuristic;
                const bool was_root = !slot.tree.is_evaluated();
                slot.tree.expand(0, logits + i * Game::kActions,
                                 w == 0 ? values[i] : (1 - w) * values[i] + w * guess);
                if (was_root) start_or_redraw(slot, thread);
            }
            run_to_leaf(slot, thread, features + i * feature_bytes());
            ++slot.evaluations;
        }
    });
    return size(half);
}

template <class Game>
void SelfPlay<Game>::run_to_leaf(Slot& slot, Thread& thread, uint8_t* features) {
    using Step = typename gumbel::Tree<Game>::Step;
    while (true) {
        if (slot.tree.is_evaluated() && slot.tree.simulations_left() == 0) {
            finish_move(slot, thread);
            continue;
        }
        slot.simulations += slot.tree.is_evaluated();
        if (slot.tree.simulate(thread.simple, features) == Step::kLeaf) return;
    }
}

template <class Game>
void SelfPlay<Game>::start_game(Slot& slot, Thread& thread) {
    slot.game += static_cast<int32_t>(slots_.size());
    slot.rows.clear();
    slot.tree.reserve(settings_.simulations + 1, Game::kUsualMoves);
    slot.opening_start = starts_[slot.start];
    if (settings_.random_starts > 0 && happens(slot, settings_.random_starts))
        Game::randomize_start(slot.opening_start, slot.rng);
    slot.ply = 0;
    slot.is_decided = false;
    slot.redraws_left = 0;
    if (!happens(slot, settings_.random_openings) || settings_.opening_plies == 0) {
        slot.tree.reset(slot.opening_start);
        return;
    }
    constexpr int kRedraws = 32;
    if (settings_.close_openings > 0 && happens(slot, settings_.close_openings))
        slot.redraws_left = kRedraws;
    slot.tree.reset(random_opening(slot, thread));
}

// What looks decided to the network teaches it little.
template <class Game>
void SelfPlay<Game>::start_or_redraw(Slot& slot, Thread& thread) {
    if (slot.redraws_left > 0 && std::abs(slot.tree.root_value()) > kClose) {
        --slot.redraws_left;
        slot.tree.reset(random_opening(slot, thread));
        return;
    }
    slot.redraws_left = 0;
    start_move(slot);
}

template <class Game>
typename Game::Position SelfPlay<Game>::random_opening(Slot& slot, Thread& thread) const {
    const int plies = 1 + static_cast<int>(slot.rng.below(settings_.opening_plies));
    constexpr int kTries = 8;  // random moves may end the game on small boards
    for (int tries = 0; tries < kTries; ++tries) {
        Position position = slot.opening_start;
        for (slot.ply = 0; slot.ply < plies && !thread.simple.known(position); ++slot.ply)
            Game::play(position, Game::opening_move(position, slot.rng));
        if (!thread.simple.known(position)) return position;
    }
    slot.ply = 0;
    return slot.opening_start;
}

template <class Game>
void SelfPlay<Game>::start_move(Slot& slot) {
    slot.tree.settings() = settings_.tree;
    const float quick = slot.is_decided ? std::max(settings_.quick_moves, settings_.quick_decided)
                                        : settings_.quick_moves;
    slot.is_quick = quick > 0 && happens(slot, quick);
    if (slot.is_quick) {
        slot.tree.begin(settings_.quick_simulations, nullptr);
        return;
    }
    std::array<float, Game::kActions> noise;
    for (float& g : noise)
        g = gumbel::gumbel_noise(slot.rng);
    slot.tree.begin(settings_.simulations, noise.data());
}

template <class Game>
void SelfPlay<Game>::add_row(Slot& slot, const float* policy, float root_value, int action) {
    Row& row = slot.rows.emplace_back();
    Game::pack(slot.tree.root(), row.features.data());
    std::transform(policy, policy + Game::kActions, row.policy.begin(), gumbel::to_half);
    row.root_value = root_value;
    row.surprise = slot.tree.divergence(policy);
    row.game = slot.game;
    row.ply = slot.ply;
    row.action = action;
}

template <class Game>
void SelfPlay<Game>::finish_move(Slot& slot, Thread& thread) {
    const int action = slot.tree.best_action();
    const float value = slot.tree.root_value();
    slot.is_decided = std::abs(value) > kDecided;
    if (!slot.is_quick) {
        std::array<float, Game::kActions> policy;
        slot.tree.improved_policy(policy.data());
        add_row(slot, policy.data(), value, action);
    }
    slot.tree.advance(action, false);
    ++slot.ply;
    const Position& position = slot.tree.root();
    std::optional<gumbel::Verdict> known;
    if (!slot.tree.is_evaluated()) {
        known = thread.simple.known(position);  // which is why the child has no evaluation
    } else if (Game::is_solvable(position)) {
        known = thread.solver.known(position);
        add_solved_row(slot, thread.solver, *known);
    }
    if (known) {
        finish_game(slot, thread.solver, *known);
        start_game(slot, thread);
    } else {
        start_move(slot);
    }
}

// A position that the network was asked about, though it could be solved: worth learning from. Its
// policy is shared among the moves that win soonest, or lose latest.
template <class Game>
void SelfPlay<Game>::add_solved_row(Slot& slot, Exact& solver, const gumbel::Verdict& known) {
    const Position& position = slot.tree.root();
    std::array<float, Game::kActions> policy{};
    int best_rank = std::numeric_limits<int>::min();
    int best = 0;
    int count = 0;
    Game::legal_moves(position).for_each([&](int action) {
        Position next = position;
        Game::play(next, action);
        const auto result = solver.known(next);
        assert(result);
        constexpr int kLong = 1 << 20;
        const int rank = result->sign > 0   ? result->plies - kLong
                         : result->sign < 0 ? kLong - result->plies
                                            : 0;
        if (rank > best_rank) {
            policy.fill(0);
            best_rank = rank;
            best = action;
            count = 0;
        }
        if (rank == best_rank) {
            policy[action] = 1;
            ++count;
        }
    });
    for (float& share : policy)
        share /= static_cast<float>(count);
    float shared = 0;
    const float value = value_of(position, known, &shared);
    add_row(slot, policy.data(), value + shared, best);
}

// What a known result is worth to the player to move, in two parts: see gumbel.h on draws.
template <class Game>
float SelfPlay<Game>::value_of(const Position& end, const gumbel::Verdict& known,
                               float* shared) const {
    if (known.sign != 0) return static_cast<float>(known.sign);
    if (settings_.tree.draw_by_path) return Game::heuristic(end);
    *shared = settings_.tree.draw_value;
    return 0;
}

// Every row gets the result for its own mover: the sign turns from ply to ply.
template <class Game>
void SelfPlay<Game>::finish_game(Slot& slot, Exact& solver, const gumbel::Verdict& known) {
    const Position& end = slot.tree.root();
    float shared = 0;
    const float value = value_of(end, known, &shared);
    const auto margin = static_cast<float>(solver.final_margin(end, known));
    for (Row& row : slot.rows) {
        const float sign = (slot.ply - row.ply) % 2 == 0 ? 1.0F : -1.0F;
        row.outcome = sign * value + shared;
        row.margin = sign * margin;
    }
    if (settings_.value_lambda > 0) look_ahead(slot, value, shared);
    const std::lock_guard lock(done_mutex_);
    ++totals_.games;
    totals_.draws += known.sign == 0;
    const bool first_player_ends = slot.ply % 2 == 0;
    totals_.first_player_wins += known.sign == (first_player_ends ? 1 : -1);
    totals_.plies += slot.ply;
    totals_.waiting += slot.rows.size();
    done_.push_back(std::move(slot.rows));
    slot.rows.clear();
}

// From the end backwards: `ahead` is the value of the next row, of which `shared` keeps its sign.
template <class Game>
void SelfPlay<Game>::look_ahead(Slot& slot, float value, float shared) const {
    float ahead = value + shared;
    int32_t ply = slot.ply;
    for (size_t i = slot.rows.size(); i-- > 0;) {
        Row& row = slot.rows[i];
        const int plies = ply - row.ply;  // 0 for a solved last row, more than 1 after quick moves
        const float weight = std::pow(settings_.value_lambda, static_cast<float>(plies));
        const float turned = (plies % 2 == 0 ? ahead - shared : shared - ahead) + shared;
        row.root_value += weight * (turned - row.root_value);
        ahead = row.root_value;
        shared *= weight;
        ply = row.ply;
    }
}

template <class Game>
std::vector<typename SelfPlay<Game>::Row> SelfPlay<Game>::drain(size_t most) {
    std::vector<Row> rows;
    const std::lock_guard lock(done_mutex_);
    size_t games = 0;
    while (games < done_.size() && rows.size() < most) {
        const std::vector<Row>& game = done_[games];
        const size_t count = std::min(most - rows.size(), game.size() - drained_);
        rows.insert(rows.end(), game.begin() + drained_, game.begin() + drained_ + count);
        drained_ += count;
        if (drained_ == game.size()) {
            drained_ = 0;
            ++games;
        }
    }
    done_.erase(done_.begin(), done_.begin() + games);
    totals_.waiting -= rows.size();
    return rows;
}

template <class Game>
SelfPlayStats SelfPlay<Game>::stats() {
    const std::lock_guard step_lock(step_mutex_);
    const std::lock_guard done_lock(done_mutex_);
    SelfPlayStats stats = totals_;
    for (const Slot& slot : slots_) {
        stats.evaluations += slot.evaluations;
        stats.simulations += slot.simulations;
    }
    return stats;
}

template <class Game>
SelfPlaySettings SelfPlay<Game>::settings() {
    const std::lock_guard lock(step_mutex_);
    return settings_;
}

template <class Game>
void SelfPlay<Game>::set(const SelfPlaySettings& settings) {
    const std::lock_guard lock(step_mutex_);
    settings_ = settings;
}

template class SelfPlay<quoridor::Zero>;
template int SelfPlay<quoridor::Zero>::step(int, const float*, const float*, uint8_t*);
template int SelfPlay<quoridor::Zero>::step(int, const uint16_t*, const float*, uint8_t*);
template class SelfPlay<reversi::Zero>;
template int SelfPlay<reversi::Zero>::step(int, const float*, const float*, uint8_t*);
template int SelfPlay<reversi::Zero>::step(int, const uint16_t*, const float*, uint8_t*);

}  // namespace plyground
