// The measure in which two runs differ most, as two bars on one scale. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"

#include "core/replay/compare/comparison.h"

namespace lockscope::ui {

class CompareBars : public Canvas
{
    Q_OBJECT
public:
    CompareBars(const replay::Comparison& comparison, QString a, QString b, Theme* theme,
                QWidget* parent = nullptr);
    replay::Measure measure() const { return m_row.measure; }
    QColor barColour(replay::Better side) const;   // red only for wasted wake-ups, not for a slower run
    QString tipAt(QPointF) override { return {}; } // the values are written beside the bars
    QSize sizeHint() const override { return {320, 150}; }
    QSize minimumSizeHint() const override { return {180, 90}; }

protected:
    void draw(QPainter& painter, const QRegion& region) override;

private:
    void drawBar(QPainter& painter, const QRect& place, const QString& label,
                 const std::optional<double>& value, const QColor& colour) const;
    replay::ComparisonRow m_row;
    QString m_a, m_b;
};

} // namespace lockscope::ui
