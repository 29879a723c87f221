// Draws a Plot: the only place that knows Qt Charts. Areas and lines are its; axes below them, words, dashed
// lines and the cursor over them are painted. What lies behind it shows through. GUI thread.
#pragma once

#include "ui/charts/plot_frame.h"

#include <QWidget>

#include <memory>

namespace lockscope::ui {

class ChartCanvas : public QWidget
{
public:
    ChartCanvas(const Theme* theme, QWidget* parent); // the look outlives it
    ~ChartCanvas() override;

    void show(const Plot& plot);
    void updateTheme();
    static QSize plotAreaWithin(QSize size); // about what the axes of a canvas of this size enclose
    std::optional<double> placeAt(const QPoint& point) const; // on the lower axis
    const Plot& shown() const;
    const QRectF& plotArea() const;
    int shownLabels() const; // on the lower axis

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::ui
