// Recycles the memory of small objects that every request allocates in the same sizes: each thread keeps
// freed pieces for later allocations of that size. Any thread; a piece may be freed on a thread that did not
// allocate it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace lockscope {

// `size` in bytes; free a piece with the size of its allocation. Throws std::bad_alloc.
void* allocateRecycled(std::size_t size);
void deallocateRecycled(void* piece, std::size_t size) noexcept;

// A base class that recycles the memory of objects made with new, and of coroutine frames when it is a base
// of the promise. It must not have a placement new: a coroutine with a pointer parameter would use that
// pointer as its frame.
struct Recycled
{
    static void* operator new(std::size_t size) { return allocateRecycled(size); }
    static void operator delete(void* piece, std::size_t size) noexcept { deallocateRecycled(piece, size); }
};

template <class T>
struct RecyclingAllocator
{
    using value_type = T;
    RecyclingAllocator() = default;
    template <class U>
    RecyclingAllocator(const RecyclingAllocator<U>&)
    {}
    T* allocate(std::size_t count) { return static_cast<T*>(allocateRecycled(count * sizeof(T))); }
    void deallocate(T* piece, std::size_t count) noexcept { deallocateRecycled(piece, count * sizeof(T)); }
    friend bool operator==(const RecyclingAllocator&, const RecyclingAllocator&) { return true; }
};

template <class T, class... Args>
std::shared_ptr<T> makeRecycled(Args&&... args)
{
    return std::allocate_shared<T>(RecyclingAllocator<T>{}, std::forward<Args>(args)...);
}

} // namespace lockscope
