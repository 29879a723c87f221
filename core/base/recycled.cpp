#include "core/base/recycled.h"

#include <array>
#include <new>

namespace lockscope {

namespace {

// Under the address sanitizer nothing is recycled, so that it detects a use after free.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRecycles = false;
#else
constexpr bool kRecycles = true;
#endif

constexpr std::size_t kStep = 64; // bytes; sizes are rounded up to a multiple of it
constexpr std::size_t kSizes = 32;
constexpr unsigned kMaxFreePerSize = 64;

struct Free
{
    Free* next;
};
struct FreeList
{
    Free* first = nullptr;
    unsigned count = 0;
};
// Needs neither construction nor destruction, so that access to the thread-local object costs nothing extra.
struct FreeLists
{
    std::array<FreeList, kSizes> lists;
    enum State : unsigned char { untouched, open, closed } state;
};
constinit thread_local FreeLists threadFreeLists{};

// Frees the pieces in the thread's free lists when the thread ends. Destructors that run on the thread after
// that may still free pieces.
struct FreeListsCleaner
{
    ~FreeListsCleaner()
    {
        threadFreeLists.state = FreeLists::closed;
        for (FreeList& list : threadFreeLists.lists) {
            while (Free* piece = list.first) {
                list.first = piece->next;
                ::operator delete(piece);
            }
        }
    }
    void begin() { threadFreeLists.state = FreeLists::open; }
};
thread_local FreeListsCleaner threadCleaner;

std::size_t indexOf(std::size_t size) { return (size + kStep - 1) / kStep - 1; }

} // namespace

void* allocateRecycled(std::size_t size)
{
    const std::size_t index = indexOf(size);
    if (!kRecycles || index >= kSizes)
        return ::operator new(size);
    FreeList& list = threadFreeLists.lists[index];
    if (Free* piece = list.first) {
        list.first = piece->next;
        --list.count;
        return piece;
    }
    return ::operator new((index + 1) * kStep);
}

void deallocateRecycled(void* piece, std::size_t size) noexcept
{
    const std::size_t index = indexOf(size);
    if (kRecycles && index < kSizes && threadFreeLists.state != FreeLists::closed) {
        if (threadFreeLists.state == FreeLists::untouched)
            threadCleaner.begin();
        FreeList& list = threadFreeLists.lists[index];
        if (list.count < kMaxFreePerSize) {
            list.first = ::new (piece) Free{list.first};
            ++list.count;
            return;
        }
    }
    ::operator delete(piece);
}

} // namespace lockscope
