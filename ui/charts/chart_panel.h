// One chart of the run: with a text while it is empty, tool tips, and the cursor or bar that a click or a key
// chooses. In a grid it has a heading. GUI thread.
#pragma once

#include <QLabel>
#include <QWidget>

#include "ui/charts/charts.h"
#include "ui/models/run_model.h"
#include "ui/models/selection.h"
#include "ui/models/theme.h"

class QStackedLayout;

namespace lockscope::ui {

class ChartCanvas;

ChartSource chartSource(const RunModel& run);

class ChartPanel : public QWidget
{
    Q_OBJECT
public:
    ChartPanel(ChartKind kind, RunModel* run, Selection* selection, Theme* theme, QWidget* parent);

    ChartKind kind() const { return m_kind; }
    const ChartCanvas& canvas() const { return *m_canvas; }
    bool showsChart() const; // else the text of an empty chart
    std::size_t refreshes() const { return m_refreshes; }
    void setHeading(bool shown);
    void refresh(); // does nothing while hidden
    void retranslate();
    QSize sizeHint() const override { return {360, 150}; }

protected:
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void updateTheme();
    void moveCursor(int steps);
    std::optional<int> chosenBar(const ChartSource& source) const;
    void chooseBar(std::optional<int> bar);
    void describe(const Plot& plot);
    QSize room() const;

    ChartKind m_kind;
    RunModel* m_run;
    Selection* m_selection;
    Theme* m_theme;
    QLabel* m_title;
    QLabel* m_caption;
    QLabel* m_empty;
    ChartCanvas* m_canvas;
    QStackedLayout* m_stack;
    std::optional<int> m_bar; // of the histogram
    std::size_t m_refreshes = 0;
};

} // namespace lockscope::ui
