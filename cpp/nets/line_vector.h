// Vectors that begin with a cache line, so that no group of numbers lies across two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace plyground::nets {

template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    LineAllocator() = default;
    template <class U>
    explicit LineAllocator(const LineAllocator<U>&) {}
    T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
    void deallocate(T* first, size_t) { ::operator delete(first, kLine); }
    friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};
template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace plyground::nets
