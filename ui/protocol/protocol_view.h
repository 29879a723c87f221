// The view "Protocol". It follows the cursor, with the latest row at the bottom, or stays where
// the user scrolled. Mouse, wheel and keys scroll and select. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"

#include "ui/models/rows/log_filter.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"
#include "ui/protocol/protocol_lanes.h"
#include "ui/protocol/protocol_painter.h"
#include "ui/protocol/protocol_picture.h"

#include <QElapsedTimer>
#include <QTimer>

#include <optional>

namespace lockscope::ui {

class ProtocolView : public Canvas
{
    Q_OBJECT
public:
    ProtocolView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 420}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

    const ProtocolPicture& picture();                     // up to date
    std::size_t visited() const { return m_visited; }     // events read for the last picture
    const ProtocolLanes& lanes();                         // up to date
    bool following() const { return !m_top.has_value(); } // the cursor is at the bottom
    double zoom() const { return m_zoom; }
    QString tipAt(QPointF at) override;
    // The messages and notes in view, from top to bottom.
    std::vector<AccessibleItem> accessibleItems() override;

public slots:
    // The log's filter: events that do not match are drawn faint, in their places. `words`: as typed, for the
    // caption.
    void setFilter(const lockscope::ui::LogFilter& filter, const QString& words);

signals:
    void lanesChanged(); // lanes() changed
    void placeChanged(); // the range shown begins or ends elsewhere

protected:
    void draw(QPainter& painter, const QRegion& region) override;
    QString emptyText() override;
    void hover(std::optional<QPointF> at) override;
    bool selectAt(QPointF at) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void onRunChanged();
    void onSelection();
    void addCommands();
    void updateCaption();
    void build();
    QString tipOf(const ProtocolHit& hit) const;
    void chooseLanes();
    const replay::Handoff* shownHandoff() const;
    ProtocolInput input();
    void fade();
    replay::ProtocolQuery query() const;
    LockId lockShown() const;
    QString nameOf(ClientId client) const;
    // input
    void scrollRows(int rows);
    void scrollPixels(double pixels);
    void follow();
    void selectNeighbour(int step);
    void selectLastInView();
    void select(EventIndex event);
    void bringEventIntoView(EventIndex event);
    void setZoom(double zoom);

    RunModel* m_run;
    Selection* m_selection;
    LogFilter m_filter;
    ProtocolPicture m_picture;
    ProtocolLanes m_lanes;
    std::optional<std::size_t> m_top; // the first event shown; nullopt: follows the cursor
    double m_zoom = 1;
    double m_wheelRest = 0; // pixels not yet scrolled
    int m_sidewaysRest = 0; // of a notch, not yet scrolled
    std::size_t m_visited = 0;
    ProtocolHit m_hover;
    QTimer m_captionTimer;      // the caption changes a few times a second at most
    QElapsedTimer m_captionAge; // since it last did
    QString m_filterWords;
};

} // namespace lockscope::ui
