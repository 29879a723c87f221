// The three verdicts of the run bar: one holder, first come first served, one wake per handoff. A summary of
// all findings replaces them where space is short, and stands beside them while another finding is worse. A
// click requests the finding. GUI thread.
#pragma once

#include <QWidget>

#include "core/replay/state/run_state.h"
#include "ui/shell/runbar/pill.h"

#include <array>

namespace lockscope::ui {

class RunModel;

class FindingsPills : public QWidget
{
    Q_OBJECT
public:
    FindingsPills(RunModel* model, Theme* theme, QWidget* parent);
    void setWidth(StatusWidth width); // mark: only the summary
    // The widest in this run: the bar does not change when its texts do.
    int widthFor(StatusWidth width) const;
    QSize sizeHint() const override { return {widthFor(m_width), QWidget::sizeHint().height()}; }

signals:
    void clicked(lockscope::replay::FindingKind kind);

private:
    static constexpr int kGap = 8;
    int widthNow(StatusWidth width) const;
    void refresh();
    void refreshSummary();
    RunModel* m_model;
    std::array<Pill*, 3> m_pills{};
    Pill* m_summary; // of all findings
    StatusWidth m_width = StatusWidth::full;
    mutable std::array<int, 3> m_widest{};
    replay::FindingKind m_worst{};
    bool m_anotherIsWorse = false; // a finding not among the three is the worst
};

} // namespace lockscope::ui
