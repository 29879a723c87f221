// Draws a Plot: its axes, areas and lines, and over them words, dashed lines and the cursor. What lies behind
// it shows through. GUI thread.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/look.h"

#include <QWidget>

namespace lockscope::ui {

class ChartCanvas : public QWidget
{
public:
    ChartCanvas(const Look* look, QWidget* parent); // the look outlives it

    void show(const Plot& plot);
    static QSize roomWithin(QSize size); // about what the axes of a canvas of this size enclose
    std::optional<double> placeAt(const QPoint& point) const; // on the lower axis
    const Plot& shown() const { return m_plot; }
    QRectF plotArea() const;
    int shownLabels() const; // on the lower axis

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look* const m_look;
    Plot m_plot;
};

} // namespace lockscope::ui
