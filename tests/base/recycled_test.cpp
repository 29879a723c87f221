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

} // namespace
} // namespace lockscope
