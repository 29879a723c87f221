// The view of the charts: one of them, chosen in its title, or all side by side. Redrawn at most a few times
// a second, and never while hidden. GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/canvas/view.h"
#include "ui/charts/chart_panel.h"

#include <functional>
#include <optional>
#include <vector>

class QActionGroup;
class QGridLayout;
class QScrollArea;
class QToolButton;

namespace lockscope::ui {

class ChartsView : public QWidget, public View
{
    Q_OBJECT
public:
    static constexpr int kRefreshMilliseconds = 250;
    static constexpr int kNextMilliseconds = 40; // between two charts: one in each frame of a live run

    ChartsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent = nullptr);

    // Makes the run's name for the caption, so that a picture of a single chart is self-explanatory.
    void setRunNamer(std::function<QString(const trace::Header&)> naming);
    std::optional<ChartKind> shown() const { return m_shown; } // nullopt: all of them
    void showChart(std::optional<ChartKind> kind);
    // Each row contains the chart, the scenario and the time, so that its file is self-contained.
    ChartTable table(ChartKind kind) const;
    std::vector<ViewPart> parts() const override;
    QString shownPart() const override { return m_shown ? chartName(*m_shown) : QString(); }
    void showPart(const QString& name) override;
    QByteArray numbers(const QString& part) const override;
    QToolButton* chooser() const override { return m_chooser; }
    void restore(const Settings& settings) override;
    void save(Settings settings) const override;
    const ChartPanel& panel(ChartKind kind) const { return *m_panels[static_cast<std::size_t>(kind)]; }
    QSize sizeHint() const override { return {360, 150}; }
    QSize minimumSizeHint() const override { return {120, 90}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void addChoice(int choice);
    void change(std::optional<ChartKind> kind);
    void suitRun(); // until the user chooses a chart
    void refresh(); // all charts at once
    void refreshNext();
    void refreshSoon();
    void updateCaption();
    void updateRunName();
    void arrange();
    void retranslate();

    RunModel* m_run;
    const Theme* m_theme;
    QToolButton* m_chooser;
    QActionGroup* m_choices;
    QScrollArea* m_scroll;
    QGridLayout* m_grid;
    std::vector<ChartPanel*> m_panels; // in the order of kCharts
    std::optional<ChartKind> m_shown = ChartKind::latency;
    bool m_chosen = false;
    int m_columns = 0;
    std::size_t m_next = 0; // the panel to redraw in the next frame
    bool m_changed = false; // the run, since redrawing of the panels began
    QTimer m_timer;
    std::function<QString(const trace::Header&)> m_runNamer;
    QString m_runName;
};

} // namespace lockscope::ui
