// Lecture mode on a real X server: the two cards are drawn anew while a run goes on, and after whatever is
// done to them. (The offscreen platform draws everything each time it is asked, so a picture that is never
// drawn again does not show there.)
#include "tests/ui/x11/x11_test_fixture.h"
#include "ui/chain/chain_view.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/timeline/timeline_view.h"

#include <QGraphicsProxyWidget>
#include <QGraphicsView>

namespace lockscope::ui {
namespace {

struct X11PresentationTest : X11Test
{
    void enter()
    {
        ASSERT_NO_FATAL_FAILURE(run());
        key(Qt::Key_F11);
        ASSERT_TRUE(waitFor([this] { return window->presentation().isOpen() && stage()->height() > 200; }));
        ASSERT_EQ(window->presentation().chosen(0), "chain");
        ASSERT_EQ(window->presentation().chosen(1), "timeline");
        ASSERT_TRUE(waitForHandoffs(10));
    }
    QGraphicsView* stage() { return window->presentation().findChild<QGraphicsView*>(); }
    // Where the screen shows a part of a card that the stage borrowed.
    QRect enlarged(QWidget& borrowed, const QRect& part)
    {
        auto* proxy = qgraphicsitem_cast<QGraphicsProxyWidget*>(stage()->items().constLast());
        const QRect inside(borrowed.mapTo(proxy->widget(), part.topLeft()), part.size());
        return onScreen(*stage()->viewport(),
                        stage()->mapFromScene(proxy->mapRectToScene(QRectF(inside))).boundingRect());
    }
    QRect enlarged(QWidget& borrowed) { return enlarged(borrowed, borrowed.rect()); }
    // In the stage they are not found below the window.
    ChainView& chain() { return *m_chain; }
    TimelineView& timeline() { return *m_timeline; }
    bool isRepainted(QWidget& borrowed, const QImage& before)
    {
        return waitFor([&] { return differingPixels(before, screenShot(), enlarged(borrowed)) > 0; });
    }

    ChainView* const m_chain = window->findChild<ChainView*>();
    TimelineView* const m_timeline = window->findChild<TimelineView*>();
};

TEST_F(X11PresentationTest, BothCardsAreDrawnAnewWhileARunGoesOn)
{
    ASSERT_NO_FATAL_FAILURE(enter());
    for (int again = 0; again < 3; ++again) {
        const QImage before = screenShot();
        ASSERT_TRUE(waitForHandoffs(5));
        EXPECT_TRUE(isRepainted(chain(), before)) << again;
        EXPECT_TRUE(isRepainted(timeline(), before)) << again;
    }
}

TEST_F(X11PresentationTest, AClickAndATravelAreDrawn)
{
    ASSERT_NO_FATAL_FAILURE(enter());
    ASSERT_NO_FATAL_FAILURE(pause());
    QImage before = screenShot();
    key(Qt::Key_Home, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return window->model().cursorTime() == window->model().beginTime(); }));
    EXPECT_TRUE(isRepainted(chain(), before)) << "the beginning";
    before = screenShot();
    key(Qt::Key_F);
    ASSERT_TRUE(waitFor([this] { return window->model().following(); }));
    EXPECT_TRUE(isRepainted(chain(), before)) << "the end again";

    ASSERT_FALSE(chain().scene().nodes.empty());
    const QRect card = enlarged(chain(), chain().scene().nodes.back().rect.toAlignedRect());
    const QPoint middle = QPointF(QPointF(card.center()) / window->screen()->devicePixelRatio()).toPoint();
    before = screenShot();
    QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {}, window->mapFromGlobal(middle));
    EXPECT_TRUE(waitFor([&] { return differingPixels(before, screenShot(), card) > 0; })) << "a click";
}

} // namespace
} // namespace lockscope::ui
