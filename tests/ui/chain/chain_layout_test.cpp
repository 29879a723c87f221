// The watch chain's geometry, without a window: cards, arrows, scales.
#include "tests/ui/chain/chain_query.h"
#include "ui/models/style/format.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui::chain;
namespace format = ui::format;

struct Shape
{
    std::uint32_t clients;
    QSizeF size;
    double unit = 1.0;
};

std::vector<Shape> shapes()
{
    std::vector<Shape> all;
    for (const std::uint32_t clients : {1u, 2u, 4u, 5u, 8u, 12u, 13u, 50u, 51u, 200u, 1000u})
        for (const QSizeF size : {QSizeF(900, 400), QSizeF(500, 260), QSizeF(1600, 900), QSizeF(320, 200)})
            for (const double unit : {1.0, 1.5})
                all.push_back({clients, size, unit});
    return all;
}

std::string described(const Shape& shape)
{
    return std::to_string(shape.clients) + " clients, " +
           std::to_string(static_cast<int>(shape.size.width())) + "x" +
           std::to_string(static_cast<int>(shape.size.height())) + ", unit " + std::to_string(shape.unit);
}

ChainScene sceneOf(const LockStateBuilder& builder, const Shape& shape)
{
    ChainQuery query = queryOf(builder, shape.size);
    query.unit = shape.unit;
    return layOutChain(query);
}

bool onEdge(const QRectF& rect, QPointF point)
{
    const QRectF around = rect.adjusted(-0.5, -0.5, 0.5, 0.5), inside = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    return around.contains(point) && !inside.contains(point);
}

TEST(ChainLayout, CardsNeverOverlapAndStayInReach)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        const LockStateBuilder builder(shape.clients);
        const ChainScene scene = sceneOf(builder, shape);
        ASSERT_EQ(scene.nodes.size(), shape.clients);
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            const QRectF& card = scene.nodes[i].rect;
            EXPECT_GE(card.left(), scene.queueArea.left());
            EXPECT_LE(card.right(), scene.queueArea.right());
            EXPECT_GE(card.top(), 0);
            EXPECT_LE(card.bottom(), scene.contentHeight + 0.01);
            for (std::size_t k = i + 1; k < scene.nodes.size(); ++k)
                ASSERT_FALSE(card.intersects(scene.nodes[k].rect)) << i << " and " << k;
        }
    }
}

TEST(ChainLayout, EveryArrowLeadsFromAWaiterToTheNodeItWatches)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        const LockStateBuilder builder(shape.clients);
        const ChainScene scene = sceneOf(builder, shape);
        if (scene.scale != Scale::cells) {
            EXPECT_EQ(scene.arrows.size(), shape.clients - 1);
        }
        for (const Arrow& arrow : scene.arrows) {
            EXPECT_EQ(arrow.kind, ArrowKind::ahead);
            ASSERT_GE(arrow.to, 0);
            const ChainNode& from = scene.nodes[static_cast<std::size_t>(arrow.from)];
            const ChainNode& to = scene.nodes[static_cast<std::size_t>(arrow.to)];
            EXPECT_EQ(builder.state.locks[0].queue[static_cast<std::size_t>(from.place)].watches, to.node);
            EXPECT_TRUE(onEdge(from.rect, arrow.begin));
            EXPECT_TRUE(onEdge(to.rect, arrow.end));
        }
    }
}

TEST(ChainLayout, TheFixedPartsDoNotOverlap)
{
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(described(shape));
        LockStateBuilder builder(shape.clients, 1);
        builder.client(shape.clients).isStale = true;
        const ChainScene scene = sceneOf(builder, shape);
        std::vector<QRectF> parts{scene.queueArea, scene.stale.at(0).rect};
        if (!scene.outside.isEmpty())
            parts.push_back(scene.outsideRect);
        for (const QRectF& box : {scene.explainBox, scene.serverBox})
            if (!box.isNull())
                parts.push_back(box);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            EXPECT_TRUE(QRectF(QPointF(), shape.size).contains(parts[i])) << i;
            for (std::size_t k = i + 1; k < parts.size(); ++k)
                EXPECT_FALSE(parts[i].intersects(parts[k])) << i << " and " << k;
        }
    }
}

TEST(ChainLayout, AWatchOnAFartherNodeIsDrawnToThatNode)
{
    LockStateBuilder builder(5);
    builder.node(4).watches = builder.node(1).name;
    const ChainScene scene = layOutChain(queryOf(builder));
    const auto arrow =
        std::find_if(scene.arrows.begin(), scene.arrows.end(), [](const Arrow& a) { return a.from == 4; });
    ASSERT_NE(arrow, scene.arrows.end());
    EXPECT_EQ(arrow->kind, ArrowKind::elsewhere);
    EXPECT_EQ(arrow->to, 1);
    EXPECT_TRUE(onEdge(scene.nodes[1].rect, arrow->end));
}

TEST(ChainLayout, AWatchOnANodeThatIsGoneLeadsToNoCard)
{
    LockStateBuilder builder(4);
    builder.node(2).watches = builder.keep(LockStateBuilder::nameOf(77));
    const ChainScene scene = layOutChain(queryOf(builder));
    const auto arrow =
        std::find_if(scene.arrows.begin(), scene.arrows.end(), [](const Arrow& a) { return a.from == 2; });
    ASSERT_NE(arrow, scene.arrows.end());
    EXPECT_EQ(arrow->kind, ArrowKind::outside);
    EXPECT_EQ(arrow->to, -1);
    for (const ChainNode& card : scene.nodes)
        EXPECT_FALSE(card.rect.contains(arrow->end));
}

// As in a transaction log, which contains no watches.
TEST(ChainLayout, AReaderIsSaidToWatchTheWriterThatItsLibraryChooses)
{
    LockStateBuilder builder(4);
    builder.lock().recipe = "watched";
    builder.lock().watched = true;
    builder.node(3).reads = true;
    const auto watchedBy = [&](const char* name) {
        builder.node(3).name = name;
        for (const Arrow& arrow : layOutChain(queryOf(builder)).arrows)
            if (arrow.from == 3 && arrow.mark == WatchMark::prescribed)
                return arrow.to;
        return -1;
    };
    EXPECT_EQ(watchedBy("_c_258cf713-9f3e-4c58-8a12-0123456789ab-__READ__0000000188"), 0);
    EXPECT_EQ(watchedBy("258cf7139f3e4c588a120123456789ab__rlock__0000000188"), 2);
}

} // namespace
} // namespace lockscope::tests
