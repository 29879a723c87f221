// Memory that is kept for the next one of its size.
#include "core/base/recycled.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace lockscope {
namespace {

TEST(Recycled, PiecesInUseAreApart)
{
    std::vector<std::pair<unsigned char*, std::size_t>> pieces;
    for (std::size_t size = 1; size <= 5000; size += 37)
        for (int twice = 0; twice < 2; ++twice)
            pieces.emplace_back(static_cast<unsigned char*>(allocateRecycled(size)), size);
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            std::memset(pieces[i].first, static_cast<int>(i % 251), pieces[i].second);
        for (std::size_t i = 0; i < pieces.size(); ++i)
            for (std::size_t at = 0; at < pieces[i].second; ++at)
                ASSERT_EQ(pieces[i].first[at], i % 251);
        for (auto& [piece, size] : pieces) {
            deallocateRecycled(piece, size);
            piece = static_cast<unsigned char*>(allocateRecycled(size));
        }
    }
    for (const auto& [piece, size] : pieces)
        deallocateRecycled(piece, size);
}

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
#if !defined(__SANITIZE_ADDRESS__) // there nothing is kept
        const std::set<void*> given(here.begin(), here.end());
        late.pieces.push_back(allocateRecycled(100));
        EXPECT_TRUE(given.contains(late.pieces.back())) << "the thread that frees a piece keeps it";
#endif
    }).join();
}

TEST(Recycled, ObjectsAndSharedPointersUseIt)
{
    struct Small : Recycled
    {
        int value = 7;
    };
    const auto object = std::make_unique<Small>();
    const auto shared = makeRecycled<std::vector<int>>(3, 5);
    EXPECT_EQ(object->value, 7);
    EXPECT_EQ(*shared, (std::vector<int>{5, 5, 5}));
}

} // namespace
} // namespace lockscope
