// "Watch chain": the nodes of the lock in order, the watches between them and the latest wake-up; below, an
// explanation and the server's view. Draws a ChainScene and lays it out at most once a paint. The given
// objects outlive the view. GUI thread.
#pragma once

// Qt's headers first: moc cannot read <compare> before them.
#include "ui/canvas/canvas.h"

#include <QBasicTimer>
#include <QElapsedTimer>

#include "ui/chain/chain_items.h"
#include "ui/chain/chain_layout.h"
#include "ui/chain/chain_painter.h"
#include "ui/chain/chain_slide.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

#include <optional>

namespace lockscope::ui {

class ChainView : public Canvas
{
    Q_OBJECT
public:
    ChainView(RunModel* model, Selection* selection, Theme* theme, QWidget* parent = nullptr);

    // The current scene; laid out again when its inputs changed.
    const chain::ChainScene& scene();
    // As painted last: sliding nodes are still on their way to their places in scene().
    const chain::ChainScene& painted() const { return m_sliding ? *m_sliding : m_scene; }
    const chain::BoxTexts& boxTexts();
    // False: shows only the nodes and the watches, while a learner predicts what the clients do.
    void setExplains(bool explains);
    void setBoxes(bool shown); // the explanation and the server's view; boxTexts() has them all the same
    QString tipAt(QPointF point) override;
    // The whole queue in order, its arrows, and the texts around it.
    std::vector<AccessibleItem> accessibleItems() override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void clientMenuRequested(QPoint globalPlace); // of the selected client

protected:
    void draw(QPainter& painter, const QRegion& region) override;
    bool framesFocus() const override { return false; } // the selected node shows where the keys go
    void hover(std::optional<QPointF> at) override;
    bool selectAt(QPointF point) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void selectBox(const chain::ChainNode& box);
    chain::ChainSource source() const;
    void forget();        // for another run: nothing of the old one may be drawn
    void invalidateAll(); // the queue and the boxes
    void updateCaption();
    QRect queuePart() const;
    void drawQueue(chain::ChainPainter& painter, const chain::ChainScene& target,
                   const chain::ChainQuery& query);
    void layOut();
    void fillBoxes();
    TraceTime now() const;
    chain::ChainQuery query();
    double wakeAge(const replay::LockRow& lock);
    bool live() const { return m_model->isLive() && m_model->following(); }
    const replay::ClientRow* explained() const;
    void selectPlace(int place);
    void selectNeighbour(int by);
    void showSelected();
    void runTimer();

    RunModel* const m_model;
    Selection* const m_selection;
    chain::ChainScene m_scene; // as laid out
    chain::ChainSlide m_slide;
    std::optional<chain::ChainScene> m_sliding; // as painted last, while nodes slide
    chain::BoxTexts m_boxes;
    double m_zoom = 0; // of m_fonts
    Fonts m_fonts{};
    int m_pointed = -1; // place of the cell under the mouse
    bool m_boxesDirty = true;
    bool m_explains = true;
    bool m_hasBoxes = true;
    EventIndex m_wakeSeen = EventIndex::none();
    QElapsedTimer m_wakeClock; // since that wake-up was first drawn live
    QBasicTimer m_timer;       // runs while a wake-up fades or nodes slide, and the view is visible
};

} // namespace lockscope::ui
