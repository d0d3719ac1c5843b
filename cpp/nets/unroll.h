// Before a loop over an array that is to stay in registers: GCC gives up on it unless such loops
// are unrolled early.
#pragma once

#if defined(__clang__)
#define PLYGROUND_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define PLYGROUND_UNROLL _Pragma("GCC unroll 32")
#else
#define PLYGROUND_UNROLL
#endif
