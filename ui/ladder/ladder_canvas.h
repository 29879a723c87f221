// The widget that shows the ladder. Either follows the cursor, the latest row at the foot, or stays at a
// place that was scrolled to. Turns mouse, wheel and keys into scrolling and selecting. GUI thread.
#pragma once

#include "ui/widgets/picture_canvas.h"

#include "ui/ladder/ladder_lanes.h"
#include "ui/ladder/ladder_painter.h"
#include "ui/ladder/ladder_picture.h"
#include "ui/models/log_filter.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"

#include <optional>

namespace lockscope::ui {

class LadderCanvas : public PictureCanvas
{
    Q_OBJECT
public:
    LadderCanvas(RunModel* run, Selection* selection, Theme* theme, QWidget* parent);

    QSize sizeHint() const override { return {900, 420}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

    const LadderPicture& picture();                   // up to date
    std::size_t visited() const { return m_visited; } // events that the last picture looked at
    const LadderLanes& lanes();                       // up to date
    // As they were when the picture was last made.
    const LadderPicture& drawn() const { return m_picture; }
    const LadderLanes& drawnLanes() const { return m_lanes; }
    bool following() const { return !m_top.has_value(); } // the cursor is at the foot
    double zoom() const { return m_zoom; }
    void setSkip(int lanes); // lanes scrolled past, sideways
    // What does not pass is faint: it stays in its place, so that the story can be told around the rest.
    void setFilter(const LogFilter& filter);
    QString tipAt(QPointF at) override;

signals:
    void lanesChanged(); // lanes() changed
    void placeChanged(); // what is shown begins or ends elsewhere

protected:
    void paintEvent(QPaintEvent* event) override;
    bool pressed(int key) override;
    void leaveEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void onRunChanged();
    void onSelection();
    void build();
    void chooseLanes();
    const replay::Handoff* shownHandoff() const;
    LadderInput input();
    void fade();
    replay::LadderQuery query() const;
    LockId lockShown() const;
    QString nameOf(ClientId client) const;
    // input (ladder_input.cpp)
    void scrollRows(int rows);
    void scrollPixels(double pixels);
    void follow();
    void selectNeighbour(int step);
    void selectLastInView();
    void select(EventIndex event);
    void bringIntoView(EventIndex event);
    void setZoom(double zoom);
    bool scrollKey(int key);

    RunModel* m_run;
    Selection* m_selection;
    LogFilter m_filter;
    LadderPicture m_picture;
    LadderLanes m_lanes;
    std::optional<std::size_t> m_top; // the first event shown; none: follows the cursor
    std::size_t m_skip = 0;
    double m_zoom = 1;
    double m_wheelRest = 0; // pixels not yet scrolled
    std::size_t m_visited = 0;
    LadderHit m_hover;
};

} // namespace lockscope::ui
