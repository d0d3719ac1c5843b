#include "nets/precision.h"

namespace plyground::nets {

bool has_avx512() {
#ifdef PLYGROUND_AVX512
    static const bool kHasInstructions =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vnni");
    return kHasInstructions;
#else
    return false;
#endif
}

}  // namespace plyground::nets
