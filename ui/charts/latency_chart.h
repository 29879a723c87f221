// The drawing half of the latency histogram: the only place that knows Qt Charts. GUI thread.
#pragma once

#include "ui/charts/latency_scale.h"
#include "ui/models/look.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <vector>

namespace lockscope::ui {

class LatencyChart : public QWidget
{
public:
    explicit LatencyChart(QWidget* parent);
    ~LatencyChart() override;

    void show(const LatencyScale& scale, const std::vector<std::uint64_t>& bars);
    void setLook(const Look& look);
    std::vector<double> shownBars() const; // what is drawn, for tests
    int shownLabels() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateLabels();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::ui
