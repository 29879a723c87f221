// Draws a Plot with Qt Charts, which lays out the axes, their titles and the legend; those that have no room
// are left out whole. Labels stand as close as they can be read. The background is transparent. GUI thread.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/style/theme.h"

#include <QtCharts/QChartView>

class QAbstractAxis;
class QAbstractSeries;
class QBarSet;

namespace lockscope::ui {

QColor toneColour(const PlotLayer& layer, const Palette& palette);

class ChartCanvas : public QChartView
{
public:
    ChartCanvas(const Theme* theme, QWidget* parent); // the theme outlives it

    void setPlot(const Plot& plot);
    void updateTheme();
    static QSize plotAreaWithin(QSize size); // the approximate plot area of a canvas of this size
    std::optional<double> placeAt(const QPointF& point) const; // on the lower axis
    double xOf(double place) const;
    const Plot& plot() const { return m_plot; }
    QRectF plotArea() const;
    QStringList lowerLabels() const; // from left to right
    QStringList legendTexts() const; // those that are shown

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    double textWidth(const QString& text) const
    {
        return m_theme->texts().width(m_theme->fonts().small, text);
    }
    void rebuild();
    void setPoints();
    void setAxes();
    void fit(); // leaves out what has no room

    const Theme* m_theme;
    Plot m_plot;
    QAbstractAxis* m_x = nullptr;
    QAbstractAxis* m_y = nullptr;
    std::vector<QAbstractSeries*> m_series; // of each layer; that of all bars is the same
    std::vector<QBarSet*> m_sets;           // of each layer; null: no bars
    QStringList m_fitted;                   // the texts and the size for which fit() has laid out the chart
};

} // namespace lockscope::ui
