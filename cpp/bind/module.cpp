// The extension module plyground._core: checks the processor, then binds each game.
//
// CMakeLists.txt defines the PLYGROUND_* macros.

#ifndef _WIN32
#include <pthread.h>
#endif

#include "base/error.h"
#include "base/processor.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"

#if defined(_M_X64) && !defined(__clang__)
#define PLYGROUND_MSVC_X86
#include <intrin.h>
#elif defined(__x86_64__)
#define PLYGROUND_X86
#include <cpuid.h>
#endif

namespace nb = nanobind;

namespace plyground {
namespace {

#if defined(PLYGROUND_X86) || defined(PLYGROUND_MSVC_X86)
CpuidRegisters cpuid(uint32_t leaf, uint32_t subleaf) {
#ifdef PLYGROUND_X86
    CpuidRegisters registers{};
    __get_cpuid_count(leaf, subleaf, &registers[0], &registers[1], &registers[2], &registers[3]);
    return registers;
#else
    int highest[4], registers[4];
    __cpuid(highest, static_cast<int>(leaf & 0x80000000U));
    if (leaf > static_cast<uint32_t>(highest[0])) return {};
    __cpuidex(registers, static_cast<int>(leaf), static_cast<int>(subleaf));
    return std::bit_cast<CpuidRegisters>(registers);
#endif
}

// The register XCR0: which register states the operating system saves.
uint64_t saved_states() {
    constexpr uint32_t kOsxsave = 1U << 27;
    if (!(cpuid(1, 0)[2] & kOsxsave)) return 0;
#ifdef PLYGROUND_X86
    uint32_t low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return static_cast<uint64_t>(high) << 32 | low;
#else
    return _xgetbv(0);
#endif
}
#endif

// On a lesser processor than the engine was compiled for, the first engine call would crash the
// interpreter with an illegal instruction; this check makes the import fail instead. It must run
// first, and in a file compiled for the baseline. (__builtin_cpu_supports would be shorter, but not
// every compiler can link it.)
void check_processor() {
#if defined(PLYGROUND_X86) || defined(PLYGROUND_MSVC_X86)
    const std::string missing = missing_instruction_sets(kInstructionSets, cpuid, saved_states);
    if (missing.empty()) return;
    const std::string message =
        "this build of plyground is for processors with " + missing +
        ", which this one lacks; on this machine, build it from source with "
        "PLYGROUND_NATIVE=1";
    throw nb::import_error(message.c_str());
#endif
}

nb::dict build_info() {
    nb::dict info;
    info["compiler"] = PLYGROUND_COMPILER;
    info["processor"] = PLYGROUND_ARCH;
    info["build_type"] = PLYGROUND_BUILD_TYPE;
    return info;
}

}  // namespace
}  // namespace plyground

NB_MODULE(_core, m) {
    plyground::check_processor();
#ifdef NDEBUG
    // A thread that still searches when Python exits holds states. That is not a leak, so do not
    // warn about it.
    nb::set_leak_warnings(false);
#endif
    m.def("build_info", &plyground::build_info, nb::sig("def build_info() -> dict[str, str]"),
          "How the native core was built: compiler, processor it is meant for, build type.");
    nb::exception<plyground::NotationError>(m, "NotationError", PyExc_ValueError).doc() =
        "Text that cannot be read: a move, a position or a record.";
    nb::exception<plyground::IllegalMoveError>(m, "IllegalMoveError", PyExc_ValueError).doc() =
        "A move that the rules forbid.";
    nb::exception<plyground::ConfigError>(m, "ConfigError", PyExc_ValueError).doc() =
        "A setting that cannot work.";
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&plyground::end_searches));
#ifndef _WIN32
    pthread_atfork(nullptr, nullptr, [] { plyground::InterpreterEnd::running = 0; });
#endif
    plyground::bind_quoridor(m);
    plyground::bind_reversi(m);
    plyground::bind_quoridor_engine(m);
    plyground::bind_reversi_engine(m);
    plyground::bind_reversi_tune(m);
    plyground::bind_quoridor_textbook(m);
    plyground::bind_reversi_textbook(m);
    plyground::bind_quoridor_solver(m);
    plyground::bind_quoridor_vector(m);
    plyground::bind_reversi_vector(m);
    plyground::bind_zero(m);
    plyground::bind_selfplay(m);
    plyground::bind_path_net(m);
}
