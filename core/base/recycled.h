// Memory of small things that come and go in the same sizes with every request: pieces that are given back
// are kept, by thread, for the next ones of their size. Any thread; a piece may go back on another one.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace lockscope {

// `size` in bytes, the same for both. Throws std::bad_alloc.
void* allocateRecycled(std::size_t size);
void deallocateRecycled(void* piece, std::size_t size) noexcept;

// As a base: objects made with new, and the frames of a coroutine whose promise it is a base of. It may have
// no placement form: a coroutine with a pointer for its parameter would take that for its frame.
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
