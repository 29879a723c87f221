// Draws a Plot: the only place that knows Qt Charts. Axes, areas and lines are its; words above and below them,
// the cursor and dashed lines are painted over. GUI thread.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/look.h"

#include <QWidget>

#include <memory>

namespace lockscope::ui {

class ChartCanvas : public QWidget
{
public:
    explicit ChartCanvas(QWidget* parent);
    ~ChartCanvas() override;

    void show(const Plot& plot);
    void setLook(const Look& look);
    static QSize roomWithin(QSize size); // about what the axes of a canvas of this size enclose
    std::optional<double> placeAt(const QPoint& point) const; // on the lower axis
    const Plot& shown() const;
    QRectF plotArea() const;
    int shownLabels() const; // on the lower axis

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::ui
