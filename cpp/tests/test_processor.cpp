// The check for the instruction sets that the engine was compiled for, on made-up processors.

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/processor.h"
#include "check.h"

namespace plyground {
namespace {

CpuidRegisters nothing(uint32_t, uint32_t) { return {}; }
CpuidRegisters everything(uint32_t, uint32_t) { return {~0U, ~0U, ~0U, ~0U}; }

auto needed_only(std::initializer_list<std::string> names) {
    auto sets = kInstructionSets;
    for (auto& set : sets)
        set.needed = std::find(names.begin(), names.end(), set.name) != names.end();
    return sets;
}

void test_a_processor_with_everything_lacks_nothing() {
    CHECK(missing_instruction_sets(kInstructionSets, everything, [] { return ~0ULL; }).empty());
}

void test_missing_sets_are_named() {
    const auto sets = needed_only({"AVX2", "BMI2", "LZCNT"});
    CHECK(missing_instruction_sets(sets, nothing, [] { return ~0ULL; }) == "AVX2, BMI2, LZCNT");
    const auto with_bmi2 = [](uint32_t leaf, uint32_t) {
        return leaf == 7 ? CpuidRegisters{0, 1U << 8, 0, 0} : CpuidRegisters{};
    };
    CHECK(missing_instruction_sets(sets, with_bmi2, [] { return ~0ULL; }) == "AVX2, LZCNT");
}

void test_wide_registers_that_the_system_does_not_save_are_missing() {
    const auto sets = needed_only({"AVX2", "BMI2", "AVX512F"});
    CHECK(missing_instruction_sets(sets, everything, [] { return 0ULL; }) == "AVX2, AVX512F");
    CHECK(missing_instruction_sets(sets, everything, [] { return 6ULL; }) == "AVX512F");
}

// Also a check of the macros' names: the compiler's own list must be in the table.
void test_the_table_follows_the_compiler() {
    for (const auto& set : kInstructionSets) {
        const std::string name = set.name;
#ifdef __AVX2__
        if (name == "AVX2" || name == "SSE4.2") CHECK(set.needed);
#else
        if (name == "AVX2") CHECK(!set.needed);
#endif
#ifdef __AVX512F__
        if (name == "AVX512F") CHECK(set.needed);
#else
        if (name == "AVX512F") CHECK(!set.needed);
#endif
    }
}

}  // namespace
}  // namespace plyground

int main() {
    using namespace plyground;
    test_a_processor_with_everything_lacks_nothing();
    test_missing_sets_are_named();
    test_wide_registers_that_the_system_does_not_save_are_missing();
    test_the_table_follows_the_compiler();
    return test::report();
}
