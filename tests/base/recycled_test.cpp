// Memory that is kept for the next one of its size.
#include "core/base/recycled.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace lockscope {
namespace {

// Its destructor runs when the thread ends, maybe after the thread's kept pieces are gone.
struct GivesLate
{
    ~GivesLate()
    {
        for (void* piece : pieces)
            deallocateRecycled(piece, 100);
    }
    std::vector<void*> pieces;
};

// The address sanitizer finds what is wrong with these pieces.
TEST(Recycled, APieceMayGoBackOnAnotherThreadAndAtItsEnd)
{
    std::vector<void*> here;
    for (int i = 0; i < 300; ++i)
        here.push_back(allocateRecycled(100));
    std::thread([&here] {
        thread_local GivesLate late;
        late.pieces.push_back(allocateRecycled(100));
        late.pieces.push_back(allocateRecycled(100));
        for (void* piece : here)
            deallocateRecycled(piece, 100);
    }).join();
}

#if !defined(__SANITIZE_ADDRESS__) // it would not see a use after free of what is used again
TEST(Recycled, TheNextPieceOfThatSizeIsTheOneThatWasFreed)
{
    void* piece = allocateRecycled(100);
    deallocateRecycled(piece, 100);
    void* other = allocateRecycled(1000);
    EXPECT_NE(other, piece);
    void* again = allocateRecycled(90); // sizes are rounded up
    EXPECT_EQ(again, piece);
    deallocateRecycled(again, 90);
    deallocateRecycled(other, 1000);
}
#endif

} // namespace
} // namespace lockscope
