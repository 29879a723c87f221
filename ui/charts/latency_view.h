// The card "Handoff latency": a histogram of how long the lock takes from a release to the next holder, at
// the cursor. Drawn anew a few times a second at most, and not at all while hidden. GUI thread.
#pragma once

#include "ui/models/look.h"
#include "ui/models/run_model.h"

#include <QLabel>
#include <QTimer>
#include <QWidget>

namespace lockscope::ui {

class LatencyChart;

class LatencyView : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kRefreshMilliseconds = 250;

    LatencyView(RunModel* run, Look* look, QWidget* parent = nullptr);

    QString caption() const { return m_caption; } // "p50 0.24 ms · p99 0.90 ms"; empty without a handoff
    const LatencyChart& chart() const { return *m_chart; }
    bool showsChart() const; // else the sentence that says that there is nothing yet
    std::size_t refreshes() const { return m_refreshes; }
    QSize sizeHint() const override { return {360, 150}; }

signals:
    void captionChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshSoon();
    void updateCaption();
    void updateLook();
    void retranslate();

    RunModel* m_run;
    Look* m_look;
    LatencyChart* m_chart;
    QLabel* m_empty;
    QTimer m_timer;
    QString m_caption;
    std::size_t m_refreshes = 0;
};

} // namespace lockscope::ui
