// The instruction sets of x86 processors: those that the engine was compiled for, and a check that
// a processor has them.
//
// The list is in processor.cpp, which is compiled with the engine's options; it is data, so reading
// it is safe on any processor. The check is compiled where it is included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace plyground {

using CpuidRegisters = std::array<uint32_t, 4>;  // eax, ebx, ecx, edx

struct InstructionSet {
    const char* name;
    bool needed;    // the engine's compiler was allowed to use it
    uint32_t leaf;  // the `cpuid` query that tells whether the processor has it,
    uint32_t subleaf;
    int result;      // the index of its register,
    int bit;         // and its bit
    uint64_t saved;  // register states that the operating system must save, as bits of XCR0
};

inline constexpr int kInstructionSetCount = 32;
extern const std::array<InstructionSet, kInstructionSetCount> kInstructionSets;

// The needed instruction sets that a processor lacks, as "AVX2, BMI2"; empty if it has them all.
//
// `cpuid(leaf, subleaf)` returns the registers, or zeros for an unknown leaf; `saved_states()`
// returns XCR0, or 0 if the processor cannot tell.
template <class Cpuid, class SavedStates>
std::string missing_instruction_sets(const std::array<InstructionSet, kInstructionSetCount>& sets,
                                     Cpuid&& cpuid, SavedStates&& saved_states) {
    std::string missing;
    for (const InstructionSet& set : sets) {
        if (!set.needed) continue;
        const CpuidRegisters registers = cpuid(set.leaf, set.subleaf);
        const bool has = registers[static_cast<size_t>(set.result)] >> set.bit & 1;
        if (has && (saved_states() & set.saved) == set.saved) continue;
        if (!missing.empty()) missing += ", ";
        missing += set.name;
    }
    return missing;
}

}  // namespace plyground
