// A timeline in a window of known size, showing a scripted run, for the tests of drawing and of input.
#pragma once

#include "tests/ui/timeline/timeline_script.h"
#include "ui/timeline/timeline_view.h"

#include <QImage>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui::test {

using namespace std::chrono_literals;

struct TimelineFixture : testing::Test
{
    RunModel run;
    Selection selection;
    TimeWindow window;
    Bookmarks notes;
    Theme theme{Theme::ColourScheme::light};
    TimelineView view{{&run, &selection, &window, &notes, &theme}};
    TimelineCanvas* canvas = view.canvas();

    TimelineFixture()
    {
        view.resize(900, 340);
        view.show();
    }
    void open(const TimelineScript& script) { run.openTrace(script.trace()); }
    void showRange(Duration begin, Duration end) { window.show(begin, end); }

    // The middle of a lane at a time (milliseconds), where the mouse would go.
    QPoint at(int lane, double milliseconds)
    {
        const TimelinePicture& picture = canvas->picture();
        return {picture.scale.pixelAt(TraceTime(static_cast<Duration::rep>(milliseconds * 1e6))),
                picture.layout.laneCentre(lane)};
    }
    TraceTime timeUnder(int x) { return canvas->picture().scale.timeAt(x); }
    double millisecondsPerPixel() { return canvas->picture().scale.nsPerPixel / 1e6; }
    void click(QPoint point) { QTest::mouseClick(canvas, Qt::LeftButton, Qt::NoModifier, point); }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::mousePress(canvas, Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 8; ++step) {
            const QPoint at = from + (to - from) * step / 8;
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             modifiers);
            QApplication::sendEvent(canvas, &move);
        }
        QTest::mouseRelease(canvas, Qt::LeftButton, modifiers, to);
    }
    double inMilliseconds(TraceTime time) { return static_cast<double>(time.count()) / 1e6; }
    void wheel(QPoint at, QPoint angle, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWheelEvent event(at, canvas->mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(canvas, &event);
    }
    QImage drawn() { return canvas->grab().toImage().convertToFormat(QImage::Format_RGB32); }
    // How many pixels of this colour the rectangle has.
    static int count(const QImage& image, const QRect& where, const QColor& colour)
    {
        int found = 0;
        for (int y = where.top(); y <= where.bottom(); ++y)
            for (int x = where.left(); x <= where.right(); ++x)
                found += image.valid(x, y) && image.pixelColor(x, y) == colour ? 1 : 0;
        return found;
    }
};

// ada holds 100 to 200 ms (twice from 130 to 180), bo waits from 120 and gets it 0.31 ms later until 300.
inline TimelineScript twoClients()
{
    TimelineScript script({"ada", "bo"});
    script.waits(0, 99);
    script.acquires(0, 100);
    script.reenters(0, 130);
    script.releasesOneLevel(0, 180);
    script.waits(1, 120);
    script.handsOff(0, 1, 200, {10, 120, 80, 20, 80});
    script.releases(1, 300);
    script.nothing(1000);
    return script;
}

} // namespace lockscope::ui::test
