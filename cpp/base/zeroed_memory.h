// Large zeroed blocks of memory, straight from the system.
//
// The system clears a page when it is first used, so a large block of which little is used costs
// little. Where the system has huge pages, the block is on them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#ifdef _WIN32  // whose own header defines words such as `near` as macros
#include <cstdlib>
#else
#include <sys/mman.h>
#endif

namespace plyground {

// Returns a block to the system; the pointer that is given to programs may lie inside.
struct FreeZeroedMemory {
    void* start = nullptr;
    size_t bytes = 0;

    void operator()(void*) const {
#ifdef _WIN32
        std::free(start);
#else
        munmap(start, bytes);
#endif
    }
};

template <class T>
using ZeroedArray = std::unique_ptr<T[], FreeZeroedMemory>;

// Allocates an array of zeros, for a T that zeros are a value of.
template <class T>
ZeroedArray<T> allocate_zeroed(size_t count) {
    constexpr size_t kPage = size_t{2} << 20;  // a huge page
    const size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage + kPage;
#ifdef _WIN32
    void* const start = std::calloc(bytes, 1);
    if (!start) throw std::bad_alloc();
#else
    void* const start =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
#endif
    void* aligned = start;
    size_t space = bytes;
    std::align(kPage, bytes - kPage, aligned, space);
#ifdef MADV_HUGEPAGE
    madvise(aligned, bytes - kPage, MADV_HUGEPAGE);
#endif
    return ZeroedArray<T>(static_cast<T*>(aligned), FreeZeroedMemory{start, bytes});
}

}  // namespace plyground
