// How long holds or waits took: a histogram on a logarithmic scale, three bars per decade,
// with the median, the 99th percentile and the longest above it. GUI thread.
#pragma once

#include "core/history/hold_times.h"
#include "ui/models/style/theme.h"

#include <QStringList>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <vector>

namespace lockscope::ui {

class DurationChart : public QWidget
{
    Q_OBJECT
public:
    // `title` returns the title in the current language.
    DurationChart(Theme* theme, std::function<QString()> title, QWidget* parent = nullptr);
    void show(const history::DurationHistogram& times); // an empty one hides it
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    struct Bars
    {
        int firstDecade = 0; // 0: the decade that begins at 1 ms
        int decades = 1;
        std::vector<std::uint64_t> counts; // three per decade
    };
    static Bars barsOf(const history::DurationHistogram& times);
    // The labels below the decades that do not touch each other at this width.
    struct AxisLabel
    {
        int left = 0, width = 0; // pixels
        QString text;
    };
    std::vector<AxisLabel> axisLabels() const;
    // "p50 41 ms · p99 3.1 s · longest 18 min" and shorter ones, the longest first.
    QStringList captions() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    Theme* m_theme;
    std::function<QString()> m_title;
    history::DurationHistogram m_times;
};

} // namespace lockscope::ui
