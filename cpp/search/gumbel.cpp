#include "search/gumbel.h"

namespace plyground::gumbel {

void plan_visits(int candidates, int simulations, std::vector<ScheduledVisit>& plan) {
    plan.clear();
    const int phases = std::max(
        1, static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(candidates, 1) - 1))));
    const auto full = [&] { return static_cast<int>(plan.size()) >= simulations; };
    uint32_t visits = 0;  // of the candidates that are still in it
    uint32_t phase = 0;
    int left = candidates;
    while (!full()) {
        const int rounds = std::max(1, simulations / (phases * left));
        for (int round = 0; round < rounds; ++round, ++visits) {
            for (int i = 0; i < left && !full(); ++i)
                plan.push_back({visits, phase});
        }
        const int before = left;
        left = std::min(left, std::max(2, left / 2));
        phase += left < before;
    }
}

}  // namespace plyground::gumbel
