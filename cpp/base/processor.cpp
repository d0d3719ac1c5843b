#include "base/processor.h"

// Whether the compiler defines a macro of that name as 1: an undefined name stays as it is.
#define PLYGROUND_TEXT(...) #__VA_ARGS__
#define PLYGROUND_IS_SET(macro) (PLYGROUND_TEXT(macro)[0] == '1')

namespace plyground {
namespace {

enum Register { kEax, kEbx, kEcx, kEdx };
constexpr uint32_t kAmd = 0x80000001;
constexpr uint64_t kYmm = 0x6;   // SSE and AVX registers
constexpr uint64_t kZmm = 0xe6;  // and those of AVX-512
constexpr uint64_t kApx = 1 << 19;

}  // namespace

// What compilers use of their own accord, by the Intel and AMD manuals' tables of `cpuid`.
extern constexpr std::array<InstructionSet, kInstructionSetCount> kInstructionSets{{
    {"SSE3", PLYGROUND_IS_SET(__SSE3__), 1, 0, kEcx, 0, 0},
    {"SSSE3", PLYGROUND_IS_SET(__SSSE3__), 1, 0, kEcx, 9, 0},
    {"SSE4.1", PLYGROUND_IS_SET(__SSE4_1__), 1, 0, kEcx, 19, 0},
    {"SSE4.2", PLYGROUND_IS_SET(__SSE4_2__), 1, 0, kEcx, 20, 0},
    {"MOVBE", PLYGROUND_IS_SET(__MOVBE__), 1, 0, kEcx, 22, 0},
    {"POPCNT", PLYGROUND_IS_SET(__POPCNT__), 1, 0, kEcx, 23, 0},
    {"AVX", PLYGROUND_IS_SET(__AVX__), 1, 0, kEcx, 28, kYmm},
    {"FMA", PLYGROUND_IS_SET(__FMA__), 1, 0, kEcx, 12, kYmm},
    {"F16C", PLYGROUND_IS_SET(__F16C__), 1, 0, kEcx, 29, kYmm},
    {"BMI", PLYGROUND_IS_SET(__BMI__), 7, 0, kEbx, 3, 0},
    {"AVX2", PLYGROUND_IS_SET(__AVX2__), 7, 0, kEbx, 5, kYmm},
    {"BMI2", PLYGROUND_IS_SET(__BMI2__), 7, 0, kEbx, 8, 0},
    {"AVX512F", PLYGROUND_IS_SET(__AVX512F__), 7, 0, kEbx, 16, kZmm},
    {"AVX512DQ", PLYGROUND_IS_SET(__AVX512DQ__), 7, 0, kEbx, 17, kZmm},
    {"AVX512IFMA", PLYGROUND_IS_SET(__AVX512IFMA__), 7, 0, kEbx, 21, kZmm},
    {"AVX512CD", PLYGROUND_IS_SET(__AVX512CD__), 7, 0, kEbx, 28, kZmm},
    {"AVX512BW", PLYGROUND_IS_SET(__AVX512BW__), 7, 0, kEbx, 30, kZmm},
    {"AVX512VL", PLYGROUND_IS_SET(__AVX512VL__), 7, 0, kEbx, 31, kZmm},
    {"AVX512VBMI", PLYGROUND_IS_SET(__AVX512VBMI__), 7, 0, kEcx, 1, kZmm},
    {"AVX512VBMI2", PLYGROUND_IS_SET(__AVX512VBMI2__), 7, 0, kEcx, 6, kZmm},
    {"GFNI", PLYGROUND_IS_SET(__GFNI__), 7, 0, kEcx, 8, 0},
    {"AVX512VNNI", PLYGROUND_IS_SET(__AVX512VNNI__), 7, 0, kEcx, 11, kZmm},
    {"AVX512BITALG", PLYGROUND_IS_SET(__AVX512BITALG__), 7, 0, kEcx, 12, kZmm},
    {"AVX512VPOPCNTDQ", PLYGROUND_IS_SET(__AVX512VPOPCNTDQ__), 7, 0, kEcx, 14, kZmm},
    {"AVX512FP16", PLYGROUND_IS_SET(__AVX512FP16__), 7, 0, kEdx, 23, kZmm},
    {"AVXVNNI", PLYGROUND_IS_SET(__AVXVNNI__), 7, 1, kEax, 4, kYmm},
    {"AVX512BF16", PLYGROUND_IS_SET(__AVX512BF16__), 7, 1, kEax, 5, kZmm},
    {"APX", PLYGROUND_IS_SET(__APX_F__), 7, 1, kEdx, 21, kApx},
    {"LZCNT", PLYGROUND_IS_SET(__LZCNT__), kAmd, 0, kEcx, 5, 0},
    {"SSE4a", PLYGROUND_IS_SET(__SSE4A__), kAmd, 0, kEcx, 6, 0},
    {"XOP", PLYGROUND_IS_SET(__XOP__), kAmd, 0, kEcx, 11, kYmm},
    {"FMA4", PLYGROUND_IS_SET(__FMA4__), kAmd, 0, kEcx, 16, kYmm},
}};

}  // namespace plyground
