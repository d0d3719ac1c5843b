// The extension module plyground._core: checks the processor, then binds each game.
//
// CMakeLists.txt defines the PLYGROUND_* macros.

#include <pthread.h>

#include "base/error.h"
#include "bind/bind.h"
#include "bind/interpreter_lock.h"

#if PLYGROUND_NEEDS_X86_64_V3
#include <cpuid.h>
#endif

namespace nb = nanobind;

namespace plyground {
namespace {

// A portable build compiles the engine for x86-64-v3, the x86 processors since about 2013. On an
// older one the first engine call would crash the interpreter with an illegal instruction; this
// check makes the import fail instead. It must run first, and in a file compiled for the baseline.
// (__builtin_cpu_supports would be shorter, but not every compiler can link it.)
void check_processor() {
#if PLYGROUND_NEEDS_X86_64_V3
    constexpr unsigned LEAF_1 = bit_FMA | bit_MOVBE | bit_POPCNT | bit_OSXSAVE | bit_AVX | bit_F16C;
    constexpr unsigned LEAF_7 = bit_BMI | bit_AVX2 | bit_BMI2;
    unsigned a, b, c, d;
    bool supported = __get_cpuid(1, &a, &b, &c, &d) && (c & LEAF_1) == LEAF_1 &&
                     __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & LEAF_7) == LEAF_7 &&
                     __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
    if (supported) {  // the operating system must save the wide registers
        asm volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        supported = (a & 6) == 6;
    }
    if (!supported) {
        throw nb::import_error(
            "this build of plyground needs an x86-64-v3 processor (AVX2, BMI2, FMA); "
            "on this machine, install it from source");
    }
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
    pthread_atfork(nullptr, nullptr, [] { plyground::InterpreterEnd::running = 0; });
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
}
