// The three verdicts of the run bar: one holder, first come first served, one wake per handoff. A click asks
// to see the finding. GUI thread.
#pragma once

#include <QWidget>

#include "core/replay/run_state.h"
#include "ui/shell/pill.h"

#include <array>

namespace lockscope::ui {

class RunModel;

class FindingsPills : public QWidget
{
    Q_OBJECT
public:
    FindingsPills(RunModel* model, Look* look, QWidget* parent);
    void setWidth(Pill::Width width);
    int widthFor(Pill::Width width) const;

signals:
    void clicked(lockscope::replay::FindingKind kind);

private:
    static constexpr int kGap = 8;
    void refresh();
    RunModel* m_model;
    std::array<Pill*, 3> m_pills{};
};

} // namespace lockscope::ui
