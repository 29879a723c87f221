// One run's handoff timeline in a comparison: the picture of the timeline with low lanes, and a red column
// behind them where a release woke more than one client. A click or the arrow keys select a release. Both
// runs are drawn to one scale. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"

#include "ui/compare/compared_run.h"
#include "ui/models/run/lane_names.h"
#include "ui/timeline/timeline_items.h"
#include "ui/timeline/timeline_picture.h"

#include <QPointer>

#include <memory>

namespace lockscope::ui {

class CompareTimelineView : public Canvas
{
    Q_OBJECT
public:
    CompareTimelineView(ComparedRunPtr run, Theme* theme, QWidget* parent = nullptr);
    void showRange(TraceTime begin, Duration length);
    void setSibling(CompareTimelineView* other) { m_sibling = other; } // both name columns get the same width
    void choose(std::optional<std::size_t> handoff);
    void setShowsLength(bool on) { m_showsLength = on; } // set for one of the two views
    const TimelinePicture& picture();                    // up to date
    Duration length() const { return m_length; }
    TraceTime begin() const { return m_begin; }
    QString tipAt(QPointF at) override;
    std::vector<AccessibleItem> accessibleItems() override;
    QSize sizeHint() const override
    {
        return {560, minimumSizeHint().height()};
    } // the height in a scrolling page
    QSize minimumSizeHint() const override { return {200, 70}; }

signals:
    void handoffChosen(std::size_t handoff);

protected:
    void draw(QPainter& painter, const QRegion& region) override;
    bool selectAt(QPointF at) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    TimelineInput input() const;
    int namesWidth() const; // the width of the name column, without the sibling
    void updateCaption();
    void step(int by);
    QString chosenText() const;
    TimelineSource source() const;

    ComparedRunPtr m_run;
    LaneNames m_names;
    std::shared_ptr<const LaneRows> m_rows; // in the range shown
    std::vector<TimelineStretch> m_herds;
    TimelinePicture m_picture;
    TraceTime m_begin{};
    Duration m_length{1};
    std::optional<std::size_t> m_chosen;
    QPointer<CompareTimelineView> m_sibling;
    bool m_showsLength = false;
};

} // namespace lockscope::ui
