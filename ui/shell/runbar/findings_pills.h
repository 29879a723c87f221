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
    enum class Width { full, brief, one };
    void setWidth(Width width);
    int widthFor(
        Width width) const; // the widest in this run: the parts before it do not move when its texts change

signals:
    void clicked(lockscope::replay::FindingKind kind);

private:
    static constexpr int kGap = 8;
    int widthNow(Width width) const;
    void refresh();
    void refreshSummary();
    RunModel* m_model;
    std::array<Pill*, 3> m_pills{};
    Pill* m_summary; // of all findings
    Width m_width = Width::full;
    mutable std::array<int, 3> m_widest{};
    replay::FindingKind m_worst{};
    bool m_anotherIsWorse = false; // a finding not among the three is the worst
};

} // namespace lockscope::ui
