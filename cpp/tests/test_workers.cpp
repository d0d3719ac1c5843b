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
    }
    return test::report();
}
