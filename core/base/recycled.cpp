#include "core/base/recycled.h"

#include <array>
#include <new>

namespace lockscope {

namespace {

// Under the address sanitizer each piece is memory of its own, so that it sees a use after the end.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif

constexpr std::size_t kStep = 64; // bytes; sizes are rounded up to it
constexpr std::size_t kSizes = 32;
constexpr unsigned kMostOfASize = 64;

struct Free
{
    Free* next;
};
struct Shelf
{
    Free* first = nullptr;
    unsigned count = 0;
};
// No constructor and no destructor of its own, so that reaching it costs nothing.
struct Shelves
{
    std::array<Shelf, kSizes> shelves;
    enum State : unsigned char { untouched, open, closed } state;
};
constinit thread_local Shelves threadShelves{};

// Frees what the thread's shelves hold when it ends; others of its destructors may still give pieces back
// after that.
struct Clearing
{
    ~Clearing()
    {
        threadShelves.state = Shelves::closed;
        for (Shelf& shelf : threadShelves.shelves) {
            while (Free* piece = shelf.first) {
                shelf.first = piece->next;
                ::operator delete(piece);
            }
        }
    }
    void begin() { threadShelves.state = Shelves::open; }
};
thread_local Clearing threadClearing;

std::size_t indexOf(std::size_t size) { return (size + kStep - 1) / kStep - 1; }

} // namespace

void* takeRecycled(std::size_t size)
{
    const std::size_t index = indexOf(size);
    if (!kKeeps || index >= kSizes)
        return ::operator new(size);
    Shelf& shelf = threadShelves.shelves[index];
    if (Free* piece = shelf.first) {
        shelf.first = piece->next;
        --shelf.count;
        return piece;
    }
    return ::operator new((index + 1) * kStep);
}

void giveRecycled(void* piece, std::size_t size) noexcept
{
    const std::size_t index = indexOf(size);
    if (kKeeps && index < kSizes && threadShelves.state != Shelves::closed) {
        if (threadShelves.state == Shelves::untouched)
            threadClearing.begin();
        Shelf& shelf = threadShelves.shelves[index];
        if (shelf.count < kMostOfASize) {
            shelf.first = ::new (piece) Free{shelf.first};
            ++shelf.count;
            return;
        }
    }
    ::operator delete(piece);
}

} // namespace lockscope
