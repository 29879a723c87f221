// The number that tells two runs apart most, as two bars of one scale. GUI thread.
#pragma once

#include <QWidget>

#include "core/replay/comparison.h"

namespace lockscope::ui {

class Look;

class CompareBars : public QWidget
{
    Q_OBJECT
public:
    CompareBars(const replay::Comparison& comparison, QString a, QString b, Look* look,
                QWidget* parent = nullptr);
    replay::Measure measure() const { return m_row.measure; }
    QSize sizeHint() const override { return {320, 150}; }
    QSize minimumSizeHint() const override { return {180, 90}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawBar(QPainter& painter, const QRect& place, const QString& label,
                 const std::optional<double>& value, bool worse) const;
    replay::ComparisonRow m_row;
    QString m_a, m_b;
    Look* m_look;
};

} // namespace lockscope::ui
