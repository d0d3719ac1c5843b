// The test harness: CHECK counts passes and prints failures, `report` prints the totals and returns
// the exit status for main.
//
// Random tests take their seed from PLYGROUND_SEED, or draw a new one, and print it before they
// start, so that a run that a sanitizer aborts can be repeated:
//
//     PLYGROUND_SEED=12345 build/cpp-memory/cpp/tests/test_quoridor_stress
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace plyground::test {

inline int64_t passed = 0;
inline int64_t failed = 0;

inline void fail(const char* file, int line, const char* what, const std::string& where = "") {
    constexpr int kShown = 20;  // one wrong rule can fail thousands of checks
    if (++failed > kShown) return;
    std::printf("%s:%d: failed: %s%s%s\n", file, line, what, where.empty() ? "" : "\n    in ",
                where.c_str());
}

inline int report() {
    std::printf("%lld passed, %lld failed\n", static_cast<long long>(passed),
                static_cast<long long>(failed));
    return failed == 0 ? 0 : 1;
}

inline uint64_t seed() {
    const char* given = std::getenv("PLYGROUND_SEED");
    const uint64_t value = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("PLYGROUND_SEED=%llu\n", static_cast<unsigned long long>(value));
    std::fflush(stdout);
    return value;
}

}  // namespace plyground::test

// CHECK_IN also prints where it failed; `where` is only evaluated on failure.
#define CHECK_IN(condition, where)                                        \
    do {                                                                  \
        if (condition) {                                                  \
            ++plyground::test::passed;                                    \
        } else {                                                          \
            plyground::test::fail(__FILE__, __LINE__, #condition, where); \
        }                                                                 \
    } while (false)

#define CHECK(condition) CHECK_IN(condition, "")
