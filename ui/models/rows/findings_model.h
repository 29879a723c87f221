// The findings at the cursor, one row each. GUI thread.
#pragma once

#include <QString>

#include "ui/models/rows/rows_model.h"
#include "ui/models/run/run_model.h"

#include <vector>

namespace lockscope::ui {

using replay::LockSharing;

struct FindingItem
{
    replay::FindingKind kind{};
    quint64 checked = 0;
    quint64 violated = 0;
    std::uint32_t maxWoken = 0; // clients woken by one cause
    bool expected = false;      // its violation is expected
    Message lastViolation;
    std::vector<ClientId>
        actOnLost;            // oneHolder: clients that still act on a lock that the server took from them
    LockSharing sharing{};    // of the run's locks
    bool onlyWatched = false; // no client of the run takes part
    int key() const { return static_cast<int>(kind); }
    bool operator==(const FindingItem&) const = default;
};

// The status of a rule at the cursor. Open: not checked yet. Disputed: the server keeps it, but a client acts
// as if it did not. Expected: violated, which the scenario is meant to show.
enum class FindingStatus { open, kept, disputed, expected, violated };
// `expected`: RunModel::expectsViolation().
FindingStatus findingStatus(const replay::RunState& state, replay::FindingKind kind, bool expected = false);

// The rule, and the clients that ignore it at the cursor: "one holder, but ada acts on a lock it lost".
QString disputed(const QString& rule, const replay::RunState& state);

// The text of a finding: what was checked, or the last violation.
QString findingText(const replay::RunState& state, replay::FindingKind kind, bool expected = false);

class FindingsModel : public RowsModel<QAbstractListModel, FindingItem>
{
    Q_OBJECT
public:
    explicit FindingsModel(RunModel* run, QObject* parent = nullptr);

    QVariant data(const QModelIndex& index, int role) const override;
    FindingStatus verdict(int row) const;
    QString title(int row) const;
    QString sentence(int row) const;
    // The violations kept for this row at the cursor, oldest first.
    const std::vector<replay::Violation>& violations(int row) const;
    int violatedCount() const;
    int checkedCount() const; // rules checked at least once

private:
    void refresh() override;
    RunModel* m_run;
};

} // namespace lockscope::ui
