// Operations that compilers name differently.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#include <stdlib.h>
#endif

namespace plyground {

// The bytes of a number in reverse order.
inline uint64_t reverse_bytes(uint64_t number) {
#if defined(_MSC_VER) && !defined(__clang__)
    return _byteswap_uint64(number);
#else
    return __builtin_bswap64(number);
#endif
}

// Starts to load the cache line at an address; a hint without effect on the program's results.
inline void prefetch(const void* address) {
#if !defined(_MSC_VER) || defined(__clang__)
    __builtin_prefetch(address);
#elif defined(_M_X64)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
    (void)address;
#endif
}

}  // namespace plyground
