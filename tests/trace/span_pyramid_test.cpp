#include "core/replay/timeline/span_pyramid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lockscope::replay {
namespace {

// Shorthand: spans as (gap before, length, kind), times in nanoseconds.
struct Piece
{
    std::int64_t gap = 0;
    std::int64_t length = 0;
    SpanKind kind = SpanKind::waiting;
};

SpanPyramid rowOf(const std::vector<Piece>& pieces, bool leaveOpen = false)
{
    SpanPyramid row;
    TraceTime at{};
    std::uint32_t event = 0;
    for (const Piece& piece : pieces) {
        at += Duration(piece.gap);
        row.open({at, kForever, EventIndex{event++}, EventIndex::none(), LockId{0},
                  static_cast<std::uint16_t>(event % 3), piece.kind});
        at += Duration(piece.length);
        row.close(at, EventIndex{event++});
    }
    if (leaveOpen)
        row.open({at, kForever, EventIndex{event}, EventIndex::none(), LockId{0}, 1, SpanKind::holding});
    return row;
}

std::vector<Span> condensed(const SpanPyramid& row, std::int64_t begin, std::int64_t end,
                            std::int64_t resolution)
{
    std::vector<Span> spans;
    row.condense(TraceTime(begin), TraceTime(end), Duration(resolution), spans);
    return spans;
}

std::string text(const std::vector<Span>& spans)
{
    constexpr std::string_view letters = ".wrHsfX";
    std::ostringstream out;
    for (const Span& span : spans) {
        out << (&span == spans.data() ? "" : " ") << letters[static_cast<std::size_t>(span.kind)]
            << span.begin.count() << '-';
        if (span.end != kForever)
            out << span.end.count();
        if (span.merged > 1)
            out << '(' << span.merged << ')';
    }
    return out.str();
}

constexpr auto W = SpanKind::waiting;
constexpr auto H = SpanKind::holding;

TEST(SpanPyramid, AnOpenSpanLastsForever)
{
    const SpanPyramid row = rowOf({{0, 50, W}}, true);
    EXPECT_EQ(text(condensed(row, 0, 100, 10)), "w0-50 H50-");
    EXPECT_EQ(text(condensed(row, 1'000'000, 2'000'000, 10)), "H50-");
    EXPECT_EQ(text(condensed(rowOf({{0, 51, W}, {0, 1, H}}, true), 0, 100, 10)), "w0-50 H50-60(3) H60-");
    ASSERT_NE(row.at(TraceTime(1'000'000)), nullptr);
    EXPECT_EQ(row.at(TraceTime(50))->kind, H);
    EXPECT_EQ(row.at(TraceTime(49))->kind, W);
}

TEST(SpanPyramid, ExtremeQueriesEnd)
{
    const SpanPyramid row = rowOf({{100, 50, W}, {0, 1, H}}, true);
    const std::int64_t last = kForever.count();
    EXPECT_EQ(text(condensed(row, 0, last, last)), "H0-(3)");
    EXPECT_EQ(text(condensed(row, 0, last, 1)), "w100-150 H150-151 H151-");
    EXPECT_EQ(text(condensed(row, 0, last, 0)), "w100-150 H150-151 H151-");
    EXPECT_EQ(text(condensed(row, 0, last, -7)), "w100-150 H150-151 H151-");
    EXPECT_EQ(text(condensed(row, -last, last, 1000)), "H0-1000(3) H1000-");
}

TEST(SpanPyramid, TheDeepestCounts)
{
    SpanPyramid row = rowOf({{0, 5, H}, {0, 5, H}}, true);
    row.raiseDepth(9);
    row.close(TraceTime(12), EventIndex{9});
    const auto spans = condensed(row, 0, 100, 50);
    ASSERT_EQ(spans.size(), 1U);
    EXPECT_EQ(spans[0].depth, 9);
    EXPECT_EQ(spans[0].merged, 3U);
    EXPECT_EQ(spans[0].beginEvent, EventIndex{0});
    EXPECT_EQ(spans[0].endEvent, EventIndex{9});
}

// ---- against a pixel-by-pixel fold
// -------------------------------------------------------------------------------

std::int64_t shownEnd(std::int64_t begin, std::int64_t end) { return std::max(end, begin + 1); }

template <class Spans>
std::vector<SpanKind> pixels(const Spans& spans, std::int64_t begin, std::size_t count, std::int64_t step)
{
    std::vector<SpanKind> worst(count, SpanKind::none);
    for (const auto& span : spans)
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t from = begin + std::int64_t(i) * step;
            const std::int64_t end =
                span.end == kForever ? kForever.count() : shownEnd(span.begin.count(), span.end.count());
            if (span.begin.count() < from + step && end > from)
                worst[i] = std::max(worst[i], span.kind);
        }
    return worst;
}

std::vector<Piece> anyPieces()
{
    const auto count = *rc::gen::inRange(0, 400);
    std::vector<Piece> pieces;
    for (int i = 0; i < count; ++i) {
        // Lengths of all magnitudes, and many that touch.
        const auto length =
            std::int64_t(std::pow(2.0, *rc::gen::inRange(0, 11))) - 1 + *rc::gen::inRange(0, 3);
        const auto gap = *rc::gen::inRange(0, 3) == 0 ? *rc::gen::inRange(0, 40) : 0;
        pieces.push_back({gap, length, static_cast<SpanKind>(*rc::gen::inRange(1, 6))});
    }
    return pieces;
}

RC_GTEST_PROP(SpanPyramid, PaintsWhatAPixelByPixelFoldPaints, ())
{
    const std::vector<Piece> pieces = anyPieces();
    const SpanPyramid row = rowOf(pieces, *rc::gen::arbitrary<bool>());
    std::vector<StoredSpan> all;
    TraceTime at{};
    for (const Piece& piece : pieces) {
        at += Duration(piece.gap);
        all.push_back({at, at + Duration(piece.length), EventIndex::none(), EventIndex::none(), LockId{0}, 0,
                       piece.kind});
        at += Duration(piece.length);
    }
    if (row.isOpen())
        all.push_back(row.last());

    const std::int64_t step = *rc::gen::inRange(1, 300);
    const std::int64_t begin = *rc::gen::inRange(0, 60) * step;
    const std::size_t count = static_cast<std::size_t>(*rc::gen::inRange(1, 200));
    const std::int64_t end = begin + std::int64_t(count) * step;
    const std::vector<Span> spans = condensed(row, begin, end, step);

    RC_ASSERT(pixels(spans, begin, count, step) == pixels(all, begin, count, step));

    std::vector<int> perStep(count, 0);
    TraceTime before = TraceTime::min();
    for (const Span& span : spans) {
        RC_ASSERT(span.begin >= before); // in order, none over another
        before = span.end;
        RC_ASSERT(span.end - span.begin >= Duration(step));
        const auto merged = std::count_if(all.begin(), all.end(), [&](const StoredSpan& one) {
            const std::int64_t oneEnd =
                one.end == kForever ? kForever.count() : shownEnd(one.begin.count(), one.end.count());
            return one.begin < span.end && oneEnd > span.begin.count();
        });
        if (span.merged > 1)
            RC_ASSERT(merged == std::ptrdiff_t(span.merged));
        for (std::size_t i = 0; i < count; ++i) {
            const TraceTime from(begin + std::int64_t(i) * step);
            perStep[i] += span.begin < from + Duration(step) && span.end > from;
        }
    }
    RC_ASSERT(std::all_of(perStep.begin(), perStep.end(), [](int n) { return n <= 2; }));
}

RC_GTEST_PROP(SpanPyramid, PanningDoesNotChangeWhatIsSeen, ())
{
    const SpanPyramid row = rowOf(anyPieces());
    const std::int64_t step = *rc::gen::inRange(1, 100);
    const std::int64_t begin = *rc::gen::inRange(0, 5000);
    const auto whole = pixels(condensed(row, 0, 20'000, step), begin / step * step, 20, step);
    const auto part = pixels(condensed(row, begin, begin + 20 * step, step), begin / step * step, 20, step);
    RC_ASSERT(whole == part);
}

// ---- cost
// ------------------------------------------------------------------------------------------------------

} // namespace
} // namespace lockscope::replay
