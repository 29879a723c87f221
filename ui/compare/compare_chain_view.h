// One run's queue in a comparison: the scene of the watch chain just before the selected release, with the
// wake-ups that it causes. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"

#include "ui/chain/chain_items.h"
#include "ui/compare/chain_moment.h"

namespace lockscope::ui {

class CompareChainView : public Canvas
{
    Q_OBJECT
public:
    explicit CompareChainView(Theme* theme, QWidget* parent = nullptr);
    void show(const ChainMoment& moment);
    using QWidget::show;
    const ChainMoment& moment() const { return m_moment; }
    // "this release wakes exactly one waiter of 49: bo gets the lock"; the caption: "ada releases · 4 watches
    // on one node".
    QString sentence() const;
    QColor sentenceColour() const;
    const chain::ChainScene& scene(); // up to date
    QString tipAt(QPointF at) override;
    std::vector<AccessibleItem> accessibleItems() override;
    QSize sizeHint() const override
    {
        return {560, minimumSizeHint().height()};
    } // the height in a scrolling page
    QSize minimumSizeHint() const override { return {200, 90}; }

protected:
    void draw(QPainter& painter, const QRegion& region) override;

private:
    QString captionText() const;
    QString watchesText() const;
    chain::ChainSource source() const { return {&m_moment.state, m_moment.lock, m_moment.state.now}; }

    ChainMoment m_moment;
    chain::ChainScene m_scene;
    Fonts m_fonts{};   // scaled to the scene
    double m_unit = 1; // of the scene
};

} // namespace lockscope::ui
