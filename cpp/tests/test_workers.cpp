// The thread pool: every index is handled exactly once. Also built with the thread sanitizer.
#include <vector>

#include "base/workers.h"
#include "check.h"

using namespace plyground;

int main() {
    for (const int threads : {1, 2, 5}) {
        Workers workers(threads);
        for (const int items : {0, 1, 7, 8, 1000}) {
            std::vector<int> done(items);
            workers.run(items, 8, [&](int, size_t first, size_t last) {
                for (size_t i = first; i < last; ++i)
                    ++done[i];
            });
            CHECK(done == std::vector<int>(items, 1));
        }
        // Many short calls: most threads wake up when the work is done already.
        std::vector<int> counts(4);
        for (int call = 0; call < 5000; ++call) {
            workers.run(counts.size(), 1, [&](int, size_t first, size_t) { ++counts[first]; });
        }
        CHECK(counts == std::vector<int>(4, 5000));
    }
    return test::report();
}
