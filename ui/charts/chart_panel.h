// One chart of the run, with a text while it is empty, tool tips, and a cursor or bar that a click or a key
// chooses. In a grid it has a heading. GUI thread.
#pragma once

#include "ui/canvas/canvas.h"

#include "ui/charts/charts.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

class QLabel;

namespace lockscope::ui {

class ChartCanvas;

ChartSource chartSource(const RunModel& run);

class ChartPanel : public Canvas
{
    Q_OBJECT
public:
    ChartPanel(ChartKind kind, RunModel* run, Selection* selection, Theme* theme, QWidget* parent);

    ChartKind kind() const { return m_kind; }
    const ChartCanvas& canvas() const { return *m_chart; }
    bool showsChart() const; // false: it shows the text of an empty chart
    std::size_t refreshes() const { return m_refreshes; }
    void setHeading(bool shown);
    void refresh(); // does nothing while hidden
    void retranslate();
    QString tipAt(QPointF at) override;
    std::vector<AccessibleItem> accessibleItems() override;
    QSize sizeHint() const override { return {360, 150}; }

protected:
    void draw(QPainter&, const QRegion&) override {} // the child widget draws
    QString emptyText() override;
    bool selectAt(QPointF at) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateTheme();
    QString keyText(bool next) const;
    void step(int by);
    std::optional<int> barAt(double place) const; // nullopt: beside all
    std::optional<int> chosenBar(const Plot& plot) const;
    void chooseBar(std::optional<int> bar);
    std::optional<double> placeAt(QPointF at) const; // on the lower axis
    void describe();

    ChartKind m_kind;
    RunModel* m_run;
    Selection* m_selection;
    QLabel* m_title;
    QLabel* m_captionLabel;
    ChartCanvas* m_chart;
    std::optional<int> m_bar; // chosen in the histogram
    std::size_t m_refreshes = 0;
};

} // namespace lockscope::ui
