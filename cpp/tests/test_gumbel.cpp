// The tree search on toy trees with results worked out by hand; its numbers; and self-play with
// random evaluations, for the sanitizers.
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "check.h"
#include "games/quoridor_text.h"
#include "games/reversi_text.h"
#include "search/quoridor_zero.h"
#include "search/reversi_zero.h"
#include "search/selfplay.h"

using namespace plyground;
using namespace plyground::gumbel;

namespace {

bool near(double a, double b, double tolerance = 1e-5) { return std::abs(a - b) <= tolerance; }

// A game of paths: a position is the list of moves played, three at every place, and `ends` says
// which of them are the end.
struct Toy {
    static constexpr int kActions = 3;
    static constexpr int kFeatureBytes = 8;
    using Position = std::vector<int>;
    static size_t feature_bytes(const Position&) { return kFeatureBytes; }

    struct Leaf {
        struct Moves {
            template <class F>
            void for_each(F&& f) const {
                for (int action = 0; action < kActions; ++action)
                    f(action);
            }
        } moves;
        float heuristic = 0;
    };

    struct Exact {
        std::map<Position, Verdict> ends;
        std::optional<Verdict> known(const Position& position) const {
            const auto found = ends.find(position);
            if (found == ends.end()) return std::nullopt;
            return found->second;
        }
    };

    static void play(Position& position, int action) { position.push_back(action); }
    static uint64_t key(const Position& position) {
        uint64_t key = 0;
        for (const int action : position)
            key = mix64(key + static_cast<uint64_t>(action) + 1);
        return key;
    }
    static Leaf pack(const Position& position, uint8_t* features) {
        std::fill_n(features, kFeatureBytes, uint8_t{0xff});
        for (size_t i = 0; i < position.size() && i < kFeatureBytes; ++i)
            features[i] = static_cast<uint8_t>(position[i]);
        return {};
    }
    static float heuristic(const Position&) { return 0.5F; }
};

// The same where the order of moves makes no difference.
struct Sets : Toy {
    static uint64_t key(Position position) {
        std::sort(position.begin(), position.end());
        return Toy::key(position);
    }
};

struct Evaluation {
    std::vector<float> logits;
    float value;
};

// Runs a plan, one leaf at a time, and returns the places evaluated, in order.
template <class Game>
std::vector<std::vector<int>> run(Tree<Game>& tree, Toy::Exact& exact, int simulations,
                                  const std::map<std::vector<int>, Evaluation>& network,
                                  const float* noise = nullptr) {
    std::vector<std::vector<int>> places;
    const Evaluation silent{{0, 0, 0}, 0};
    const auto evaluate = [&] {
        std::array<uint8_t, Toy::kFeatureBytes> features;
        while (tree.select(exact, 1, features.data()) > 0) {
            std::vector<int> place;
            for (const uint8_t action : features) {
                if (action != 0xff) place.push_back(action);
            }
            places.push_back(place);
            const auto found = network.find(place);
            const Evaluation& evaluation = found == network.end() ? silent : found->second;
            tree.expand(0, evaluation.logits.data(), evaluation.value);
            if (places.size() == 1 && tree.simulations_left() == 0) break;
        }
    };
    if (!tree.is_evaluated()) evaluate();
    if (tree.settings().prove) tree.probe(exact);
    tree.begin(simulations, noise);
    evaluate();
    return places;
}

void test_numbers() {
    for (const float logit : {0.0F, 1.0F, -1.0F, 0.333251953125F, -12.75F, 1000.0F, -1000.0F}) {
        for (const int action : {0, 1, 208, 255}) {
            CHECK(child_logit(pack_child(logit, action)) == logit);
            CHECK(child_action(pack_child(logit, action)) == action);
        }
    }
    CHECK(pack_child(1, 5) > pack_child(0.5F, 1));
    CHECK(pack_child(-1, 5) > pack_child(-2, 1));
    CHECK(pack_child(0.5F, 1) > pack_child(-3, 200));
    CHECK(pack_child(2, 3) > pack_child(2, 4));  // ties go to the lower action
    CHECK(near(child_logit(pack_child(-0.1F, 0)), -0.1, 1e-5));
    CHECK(clean_logit(NAN) == -kMaxLogit && clean_logit(INFINITY) == kMaxLogit);
    CHECK(clean_logit(-INFINITY) == -kMaxLogit && clean_logit(3) == 3);

    CHECK(to_float(uint16_t{0x3c00}) == 1 && to_float(uint16_t{0xc000}) == -2);
    CHECK(to_float(uint16_t{0x3555}) == 0.333251953125F && to_float(uint16_t{0x0001}) == 0x1p-24F);
    CHECK(to_float(uint16_t{0x0000}) == 0 && to_float(uint16_t{0x7bff}) == 65504);
    for (uint32_t half = 0; half <= 0x7bff; ++half)
        CHECK(to_half(to_float(static_cast<uint16_t>(half))) == half);
    CHECK(to_half(1 / 3.0F) == 0x3555 && to_half(1.0F + 0x1p-11F) == 0x3c00);  // to nearest even

    for (float x = -86; x < 86; x += 0.037F)
        CHECK(near(quick_exp(x) / std::exp(static_cast<double>(x)), 1, 1e-6));
    CHECK(quick_exp(0) == 1 && quick_exp(-1e9F) < 1e-37F && std::isfinite(quick_exp(1e9F)));

    // A Gumbel variable has mean 0.5772 and variance pi^2 / 6.
    SplitMix64 rng{1};
    double sum = 0;
    double squares = 0;
    constexpr int kDraws = 200000;
    for (int i = 0; i < kDraws; ++i) {
        const double g = gumbel_noise(rng);
        sum += g;
        squares += g * g;
    }
    const double mean = sum / kDraws;
    CHECK(near(mean, 0.5772, 0.02));
    CHECK(near(squares / kDraws - mean * mean, 1.6449, 0.05));
}

void test_schedule() {
    std::vector<ScheduledVisit> plan;
    const auto visits = [&](int candidates, int simulations) {
        plan_visits(candidates, simulations, plan);
        std::vector<uint32_t> out;
        for (const ScheduledVisit& visit : plan)
            out.push_back(visit.visits);
        return out;
    };
    using List = std::vector<uint32_t>;
    // Two phases of 8: four candidates twice, then two of them four times.
    CHECK(visits(4, 16) == (List{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
    CHECK(plan[7].phase == 0 && plan[8].phase == 1 && plan[15].phase == 1);
    CHECK(visits(1, 4) == (List{0, 1, 2, 3}));
    CHECK(visits(2, 5) == (List{0, 0, 1, 1, 2}));
    CHECK(visits(3, 7) == (List{0, 0, 0, 1, 1, 2, 2}));
    CHECK(visits(16, 3) == (List{0, 0, 0}));
    CHECK(visits(5, 0).empty() && visits(0, 0).empty());
    for (int candidates = 1; candidates <= 40; ++candidates) {
        for (int simulations = 0; simulations <= 200; simulations += 7)
            CHECK(static_cast<int>(visits(candidates, simulations).size()) == simulations);
    }
}

// Three moves with priors 1/2, 1/4, 1/4, the network's value 0.1. c_visit = 1, c_scale = 1.
void test_formulas() {
    const float log2 = std::log(2.0F);
    Settings settings;
    settings.c_visit = 1;
    settings.c_scale = 1;
    Toy::Exact exact;
    std::map<std::vector<int>, Evaluation> network{
        {{}, {{log2, 0, 0}, 0.1F}},
        {{0}, {{0, 0, 0}, -0.4F}},  // worth +0.4 to the root
        {{1}, {{0, 0, 0}, 0.2F}},   // worth -0.2
    };
    Tree<Toy> tree(settings);
    tree.reset({});
    settings.max_considered = 2;
    tree.settings() = settings;
    const auto places = run(tree, exact, 2, network);
    CHECK((places == std::vector<std::vector<int>>{{}, {0}, {1}}));
    // The mixed value: visited priors 1/2 and 1/4, weighted q = (0.5 * 0.4 - 0.25 * 0.2) / 0.75
    // = 0.2, and so (0.1 + 2 * 0.2) / 3 = 1/6.
    const double mixed = 1.0 / 6;
    for (const auto& move : tree.moves()) {
        const double expected = move.action == 0 ? 0.4 : move.action == 1 ? -0.2 : mixed;
        CHECK(near(move.q, expected));
        CHECK(move.visits == (move.action == 2 ? 0 : 1));
    }
    // sigma(q) = (1 + 1) * q; the improved policy is prior * exp(sigma), normalised.
    const double a = 2 * std::exp(0.8);
    const double b = std::exp(-0.4);
    const double c = std::exp(2 * mixed);
    std::array<float, 3> policy;
    tree.improved_policy(policy.data());
    CHECK(near(policy[0], a / (a + b + c)));
    CHECK(near(policy[1], b / (a + b + c)));
    CHECK(near(policy[2], c / (a + b + c)));
    CHECK(near(tree.root_value(), (a * 0.4 - b * 0.2 + c * mixed) / (a + b + c)));
    CHECK(tree.best_action() == 0 && near(tree.best_value(), 0.4));
    CHECK(tree.visits() == 2);
}

// Below the root: argmax of the improved policy less the share of visits. One candidate, so that
// all visits go through move 0.
void test_choice_below() {
    Settings settings;
    settings.c_visit = 1;
    settings.c_scale = 1;
    settings.max_considered = 1;
    Toy::Exact exact;
    const float log2 = std::log(2.0F);
    std::map<std::vector<int>, Evaluation> network{
        {{}, {{5, 0, 0}, 0}},
        {{0}, {{0, log2, 0}, 0}},
        {{0, 1}, {{0, 0, 0}, 0.9F}},   // bad for the player at {0}: -0.9
        {{0, 0}, {{0, 0, 0}, -0.5F}},  // good: +0.5
    };
    Tree<Toy> tree(settings);
    tree.reset({});
    const auto places = run(tree, exact, 4, network);
    // 1st visit: {0} itself. 2nd: its highest logit, {0, 1}. Then q(1) = -0.9, mixed value
    // (0 - 0.9) / 2 = -0.45, sigma = 2q: weights 2 e^-1.8 = 0.33, e^-0.9 = 0.41 each for the
    // others; less the visits, the first of these, {0, 0}. Then q(0) = 0.5, q(1) = -0.9, mixed (0 +
    // 2 * (0.25 * 0.5 - 0.5 * 0.9) / 0.75) / 3 = -0.289; weights e^1 = 2.72, 0.33, 0.56, so shares
    // 0.75, 0.09, 0.16, less a third for each visit: 0.42, -0.24, 0.16: {0, 0} again, and below it
    // the first of three equals.
    CHECK((places == std::vector<std::vector<int>>{{}, {0}, {0, 1}, {0, 0}, {0, 0, 0}}));
    CHECK((tree.line() == std::vector<int>{0, 0, 0}));
}

// Without halving the root is chosen from in the same way, and sigma = sqrt(c_visit + max N) * q.
void test_choice_at_the_root_in_play() {
    Settings settings;
    settings.halving = false;
    settings.c_visit = 3;
    settings.c_scale = 1;
    Toy::Exact exact;
    const float log2 = std::log(2.0F);
    std::map<std::vector<int>, Evaluation> network{
        {{}, {{0, log2, 0}, 0}},
        {{1}, {{0, 0, 0}, 0.9F}},   // bad for the player at the root: -0.9
        {{0}, {{0, 0, 0}, -0.5F}},  // good: +0.5
    };
    Tree<Toy> tree(settings);
    tree.reset({});
    // The highest logit first, {1}: q = -0.9, mixed value (0 - 0.9) / 2 = -0.45, sigma = 2q. As
    // below the root in the test before, {0} is next, and then again.
    const auto places = run(tree, exact, 3, network);
    CHECK((places == std::vector<std::vector<int>>{{}, {1}, {0}, {0, 0}}));
    CHECK(tree.best_action() == 0 && tree.visits() == 3 && tree.simulations_left() == 0);
    const double scale = std::sqrt(3.0 + 2);
    const double q = 0.25;  // of 0.5, and of {0, 0}, which is worth nothing
    const double mixed = (0 + 3 * (0.25 * q - 0.5 * 0.9) / 0.75) / 4;
    const double a = std::exp(scale * q);
    const double b = 2 * std::exp(scale * -0.9);
    const double c = std::exp(scale * mixed);
    std::array<float, 3> policy;
    tree.improved_policy(policy.data());
    CHECK(near(policy[0], a / (a + b + c)) && near(policy[1], b / (a + b + c)));
    // It can go on at any time.
    run(tree, exact, 5, network);
    CHECK(tree.visits() == 8);
}

void test_halving_and_noise() {
    Settings settings;
    settings.c_visit = 1;
    settings.c_scale = 0.001F;  // values hardly count
    settings.max_considered = 2;
    Toy::Exact exact;
    std::map<std::vector<int>, Evaluation> network{{{}, {{3, 2, 1}, 0}}};
    Tree<Toy> tree(settings);
    tree.reset({});
    run(tree, exact, 6, network);
    std::map<int, uint32_t> visits;
    for (const auto& move : tree.moves())
        visits[move.action] = move.visits;
    CHECK(visits[0] == 3 && visits[1] == 3 && visits[2] == 0);
    CHECK(tree.best_action() == 0);
    // Noise lifts the last move above the others; it is a candidate now, and the move played.
    const std::array<float, 3> noise{0, 0, 5};
    Tree<Toy> noisy(settings);
    noisy.reset({});
    run(noisy, exact, 6, network, noise.data());
    visits.clear();
    for (const auto& move : noisy.moves())
        visits[move.action] = move.visits;
    CHECK(visits[0] == 3 && visits[1] == 0 && visits[2] == 3);
    CHECK(noisy.best_action() == 2);
    // But it is not part of the improved policy.
    std::array<float, 3> policy;
    noisy.improved_policy(policy.data());
    CHECK(policy[0] > policy[1] && policy[1] > policy[2]);
}

// A reply that was thought about a lot as a reply is not chosen for that, if it turns out badly.
void test_kept_visits_do_not_decide() {
    Settings settings;
    settings.c_visit = 1;
    settings.c_scale = 1;
    settings.max_considered = 1;
    Toy::Exact exact;
    std::map<std::vector<int>, Evaluation> network{{{}, {{5, 0, 0}, 0}}, {{0}, {{3, 0, 0}, 0}}};
    Tree<Toy> tree(settings);
    tree.reset({});
    run(tree, exact, 8, network);
    tree.advance(0, true);
    CHECK(tree.visits() == 7 && tree.best_action() == 0);
    for (const auto& move : tree.moves())
        CHECK(move.visits == (move.action == 0 ? 7 : 0));
    // Now each way on from {0, 0} is bad for the player at {0}, and {0, 1} is good.
    tree.settings().max_considered = 2;
    for (int action = 0; action < 3; ++action) {
        for (int reply = 0; reply < 3; ++reply)
            network[{0, 0, action, reply}] = {{0, 0, 0}, 1};
    }
    network[{0, 1}] = {{0, 0, 0}, -1};
    run(tree, exact, 4, network);
    CHECK(tree.visits() == 7 + 4 && tree.best_action() == 1);
}

void test_draws() {
    Settings settings;
    settings.max_considered = 1;
    settings.draw_value = -0.3F;
    Toy::Exact exact;
    exact.ends[{0, 0}] = {0, 0};
    exact.ends[{0, 1}] = {0, 0};
    exact.ends[{0, 2}] = {0, 0};
    std::map<std::vector<int>, Evaluation> network{{{}, {{5, 0, 0}, 0}}, {{0}, {{1, 0, 0}, 0.8F}}};
    Tree<Toy> tree(settings);
    tree.reset({});
    const auto places = run(tree, exact, 5, network);
    CHECK(places.size() == 2);  // draws need no evaluation
    // One visit for the network's 0.8 seen from the other side, four draws at -0.3 for either side.
    for (const auto& move : tree.moves()) {
        if (move.action == 0) CHECK(near(move.q, (-0.8 - 4 * 0.3) / 5));
    }
    tree.advance(0, true);
    CHECK(tree.visits() == 4);
    for (const auto& move : tree.moves()) {
        if (move.visits > 0) CHECK(near(move.q, -0.3));
    }
    settings.draw_by_path = true;  // by the heuristic: 0.5 for the player to move at the end
    Tree<Toy> by_path(settings);
    by_path.reset({});
    run(by_path, exact, 5, network);
    for (const auto& move : by_path.moves()) {
        if (move.action == 0) CHECK(near(move.q, (-0.8 + 4 * 0.5) / 5));
    }
}

void test_proofs() {
    Settings settings;
    settings.prove = true;
    settings.max_considered = 3;
    Toy::Exact exact;
    // After move 0 all replies win for us in 1; move 1 allows a loss on the spot.
    for (int reply = 0; reply < 3; ++reply)
        exact.ends[{0, reply}] = {1, 1};
    exact.ends[{1}] = {1, 1};
    std::map<std::vector<int>, Evaluation> network{{{}, {{0, 4, 0}, 0}}};
    Tree<Toy> tree(settings);
    tree.reset({});
    const auto places = run(tree, exact, 100, network);
    CHECK(tree.proven() == 3 + 1);  // a win in 3 plies: our move, a reply, the last move
    CHECK(tree.best_action() == 0 && tree.best_value() == 1);
    CHECK(tree.simulations_left() == 0 && tree.visits() < 20);
    for (const auto& move : tree.moves()) {
        if (move.action == 0) CHECK(move.proven == 3 + 1);
        if (move.action == 1) CHECK(move.proven == -(2 + 1) && move.visits == 0);
    }
    CHECK(tree.line().front() == 0);
    CHECK(places.size() <= 10);

    // All moves lose, the last one latest.
    exact.ends.clear();
    exact.ends[{0}] = {1, 1};
    exact.ends[{1}] = {1, 5};
    exact.ends[{2}] = {1, 9};
    tree.reset({});
    run(tree, exact, 100, network);
    CHECK(tree.proven() == -(10 + 1) && tree.best_action() == 2 && tree.best_value() == -1);

    // A proof deep in the tree counts as its value on all later visits.
    exact.ends.clear();
    for (int reply = 0; reply < 3; ++reply) {
        for (int move = 0; move < 3; ++move)
            exact.ends[{2, reply, move}] = {1, 3};  // whatever we do there, we lose
    }
    tree.reset({});
    run(tree, exact, 60, network);
    for (const auto& move : tree.moves()) {
        if (move.action == 2) CHECK(move.proven < 0 && move.q == -1);
    }
    CHECK(tree.best_action() != 2 && tree.proven() == 0);
}

// What was evaluated once is not asked for again, and the search is the same.
void test_transpositions() {
    Settings settings;
    settings.halving = false;
    Toy::Exact exact;
    std::map<std::vector<int>, Evaluation> network;
    SplitMix64 rng{1};
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b) {
            const Evaluation evaluation{{static_cast<float>(a), 0, static_cast<float>(b)},
                                        static_cast<float>(rng.below(100)) / 100};
            network[{a, b}] = network[{b, a}] = evaluation;
        }
    }
    Tree<Toy> plain(settings);
    Tree<Sets> sharing(settings);
    plain.reset({});
    sharing.reset({});
    for (const int simulations : {40, 200}) {
        const auto all = run(plain, exact, simulations, network);
        const auto asked = run(sharing, exact, simulations, network);
        std::set<std::vector<int>> different;
        for (std::vector<int> place : asked) {
            std::sort(place.begin(), place.end());
            CHECK(different.insert(place).second);
        }
        CHECK(asked.size() < all.size());
        const auto expected = plain.moves();
        const auto found = sharing.moves();
        for (size_t i = 0; i < expected.size(); ++i) {
            CHECK(found[i].action == expected[i].action && found[i].visits == expected[i].visits);
            CHECK(found[i].q == expected[i].q);
        }
        const int best = plain.best_action();
        CHECK(best == sharing.best_action());
        plain.advance(best, true);  // the table is made anew for what is kept
        sharing.advance(best, true);
    }
}

// A position has one node, in whatever order it is reached, also after a move.
void test_graph() {
    Settings settings;
    settings.halving = false;
    settings.graph = true;
    Toy::Exact exact;
    Tree<Sets> graph(settings);
    graph.reset({});
    size_t size = 0;
    for (int moves = 0; moves < 3; ++moves) {
        std::set<std::vector<int>> different;
        for (std::vector<int> place : run(graph, exact, 200, {})) {
            std::sort(place.begin(), place.end());
            CHECK(different.insert(place).second);
        }
        CHECK(graph.size() == size + different.size());
        CHECK(graph.visits() >= 200 && different.size() < 100);
        graph.advance(graph.best_action(), true);
        size = graph.size();
    }
    // 0 and 1 lose to the other of the two: one node proves both.
    settings.prove = true;
    Tree<Sets> proving(settings);
    proving.reset({});
    for (std::vector<int> place : {std::vector{0, 0, 1}, {0, 1, 1}, {0, 1, 2}}) {
        do
            exact.ends[place] = {1, 0};
        while (std::next_permutation(place.begin(), place.end()));
    }
    run(proving, exact, 400, {});
    for (const auto& move : proving.moves())
        CHECK(move.action == 2 ? move.proven == 0 : move.proven < 0);
}

// A whole game in batches, the tree kept from move to move.
template <class Zero>
void play_game(typename Zero::Position position, const Settings& settings, Effort effort,
               SplitMix64& rng) {
    Tree<Zero> tree(settings);
    typename Zero::Exact exact(effort);
    tree.reset(position);
    const size_t batch = 1 + rng.below(8);
    std::vector<uint8_t> features(batch * Zero::kFeatureBytes);
    std::array<float, Zero::kActions> logits;
    while (!position.is_over()) {
        const auto search = [&] {
            while (const size_t count = tree.select(exact, batch, features.data())) {
                for (size_t i = 0; i < count; ++i) {
                    for (float& logit : logits)
                        logit = static_cast<float>(rng.below(1000)) / 200;
                    tree.expand(i, logits.data(), static_cast<float>(rng.below(200)) / 100 - 1);
                }
                if (tree.simulations_left() == 0) break;
            }
        };
        if (!tree.is_evaluated()) search();
        const uint64_t before = tree.visits();
        const int simulations = static_cast<int>(rng.below(120));
        if (settings.prove) tree.probe(exact);
        tree.begin(simulations, nullptr);
        search();
        const std::string where = format_position(position);
        CHECK_IN(tree.visits() - before <= static_cast<uint64_t>(simulations), where);
        CHECK_IN(tree.proven() != 0 || tree.simulations_left() == 0, where);
        std::array<float, Zero::kActions> policy;
        tree.improved_policy(policy.data());
        const auto legal = Zero::legal_moves(position);
        double sum = 0;
        for (int action = 0; action < Zero::kActions; ++action) {
            sum += policy[action];
            CHECK_IN(policy[action] == 0 || legal.has(static_cast<uint8_t>(action)), where);
        }
        CHECK_IN(near(sum, 1, 1e-4), where);
        const int best = tree.best_action();
        CHECK_IN(legal.has(static_cast<uint8_t>(best)), where);
        Zero::play(position, best);
        if (!position.is_over()) tree.advance(best, true);
    }
}

// With proofs and without, on all sizes of boards.
void test_play(uint64_t seed) {
    SplitMix64 rng{seed};
    for (int game = 0; game < 24; ++game) {
        Settings settings;
        settings.prove = game % 3 != 0;
        settings.halving = game % 4 < 2;
        settings.max_considered = 1 + static_cast<int>(rng.below(20));
        const Effort effort = game % 2 == 0 ? Effort::kAll : Effort::kRules;
        quoridor::Rules rules;
        rules.size = static_cast<uint8_t>(3 + game % 7);
        rules.walls = static_cast<uint8_t>(rng.below(rules.size));
        rules.max_moves = static_cast<uint16_t>(20 + rng.below(60));
        const quoridor::NetPosition start(quoridor::Position::start(rules), {}, game % 4 * 2);
        play_game<quoridor::Zero>(start, settings, effort, rng);
        if (game % 3 == 0) play_game<reversi::Zero>({}, settings, effort, rng);
    }
}

// Self-play with random evaluations on several threads, in halves; returns the rows drained.
template <class Zero>
size_t play_with_itself(const typename Zero::Position& start, uint64_t seed) {
    SelfPlaySettings settings;
    settings.simulations = 8;
    settings.seed = seed;
    settings.random_openings = 0.5F;
    SelfPlay<Zero> pool({start}, 50, 2, 3, settings);
    SplitMix64 rng{seed};
    std::vector<std::vector<uint8_t>> features(2, std::vector<uint8_t>(25 * Zero::kFeatureBytes));
    std::vector<uint16_t> logits(25 * Zero::kActions);
    std::vector<float> values(25);
    size_t rows = 0;
    constexpr int kSteps = 300;
    for (int step = 0; step < kSteps; ++step) {
        for (uint16_t& logit : logits)
            logit = to_half(static_cast<float>(rng.below(1000)) / 300);
        for (float& value : values)
            value = static_cast<float>(rng.below(200)) / 100 - 1;
        if (step == kSteps / 2) {
            settings.simulations = 20;
            pool.set(settings);
        }
        const int half = step % 2;
        CHECK(pool.step(half, step < 2 ? nullptr : logits.data(), values.data(),
                        features[half].data()) == 25);
        for (const auto& row : pool.drain(20)) {
            ++rows;
            float sum = 0;
            for (const uint16_t share : row.policy)
                sum += to_float(share);
            CHECK(near(sum, 1, 5e-3));
            CHECK(row.outcome >= -1 && row.outcome <= 1);
        }
    }
    CHECK(pool.stats().evaluations == kSteps * 25);
    return rows;
}

void test_selfplay(uint64_t seed) {
    for (const int size : {3, 5, 9}) {
        quoridor::Rules rules;
        rules.size = static_cast<uint8_t>(size);
        rules.walls = static_cast<uint8_t>(size == 9 ? 10 : size - 1);
        rules.max_moves = 60;
        for (const int frames : {0, 4}) {
            const quoridor::NetPosition start(quoridor::Position::start(rules), {}, frames);
            const size_t rows = play_with_itself<quoridor::Zero>(start, seed);
            CHECK(size == 9 || rows > 50);
        }
    }
    // From the middle of a game, so that some of them end.
    SplitMix64 rng{seed};
    reversi::Position late;
    while (std::popcount(late.empty()) > 16 || late.is_over()) {
        if (late.is_over()) late = {};
        late.play(static_cast<reversi::Action>(reversi::Zero::opening_move(late, rng)));
    }
    CHECK(play_with_itself<reversi::Zero>(late, seed) > 50);
}

}  // namespace

int main() {
    const uint64_t seed = plyground::test::seed();
    test_numbers();
    test_schedule();
    test_formulas();
    test_choice_below();
    test_choice_at_the_root_in_play();
    test_halving_and_noise();
    test_kept_visits_do_not_decide();
    test_draws();
    test_proofs();
    test_transpositions();
    test_graph();
    test_play(seed);
    test_selfplay(seed);
    return plyground::test::report();
}
