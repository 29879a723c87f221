// One run's handoff timeline in a comparison: a low lane for each client, where every wait and hold stays
// visible, and a red column behind them where a release woke more than one client. A click or the arrow keys
// select a release. Both runs are drawn to one scale. GUI thread.
#pragma once

#include <QPen>
#include <QPointer>
#include <QWidget>

#include "ui/compare/compare_lanes.h"

namespace lockscope::ui {

class Theme;

class CompareLanesView : public QWidget
{
    Q_OBJECT
public:
    CompareLanesView(ComparedRunPtr run, Theme* theme, QWidget* parent = nullptr);
    void showRange(TraceTime begin, Duration length);
    void setSibling(const CompareLanesView* other)
    {
        m_sibling = other;
    } // aligns the plot with the other run's
    QRect plot() const;
    void choose(std::optional<std::size_t> handoff);
    void setShowsLength(bool on) { m_showsLength = on; } // set for one of the two views
    QString caption() const;                             // "50 lanes · 65.1 ms on both sides"
    Duration length() const { return m_length; }
    TraceTime begin() const { return m_begin; }
    std::vector<TraceTime> ticks() const; // with labels on the axis
    QSize sizeHint() const override { return {560, 190}; }
    QSize minimumSizeHint() const override { return {200, 70}; }

signals:
    void captionChanged();
    void handoffChosen(std::size_t handoff);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    static constexpr int kSide = 18;
    static constexpr int kTop = 24; // the legend
    static constexpr int kAxis = 22;
    static constexpr int kNames = 46; // width of the names, where the lanes are high enough

    qreal xOf(TraceTime at) const;
    void chooseLanes();
    bool hasNames() const; // the rows have room for names
    qreal rowHeight() const;
    Duration tickInterval() const;
    void drawLegend(QPainter& painter) const;
    void drawChosenKey(QPainter& painter, int x) const;
    void drawEnd(QPainter& painter) const;
    void drawName(QPainter& painter, ClientId client, qreal middle) const;
    void drawHerds(QPainter& painter) const;
    void drawLanes(QPainter& painter) const;
    void drawAxis(QPainter& painter) const;
    void drawChosen(QPainter& painter) const;
    QPen chosenPen() const;

    ComparedRunPtr m_run;
    Theme* m_theme;
    CompareLanes m_lanes;
    TraceTime m_begin{};
    Duration m_length{1};
    std::optional<std::size_t> m_chosen;
    QPointer<const CompareLanesView> m_sibling;
    bool m_showsLength = false;
};

} // namespace lockscope::ui
