// Draws a Plot; the only user of Qt Charts. Qt Charts draws the areas and lines; the axes below them and the
// text, dashed lines and cursor over them are painted here. The background is transparent. GUI thread.
#pragma once

#include "ui/charts/plot_frame.h"

#include <QWidget>

#include <memory>

namespace lockscope::ui {

class ChartCanvas : public QWidget
{
public:
    ChartCanvas(const Theme* theme, QWidget* parent); // the theme outlives it
    ~ChartCanvas() override;

    void show(const Plot& plot);
    void updateTheme();
    static QSize plotAreaWithin(QSize size); // the approximate plot area of a canvas of this size
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
