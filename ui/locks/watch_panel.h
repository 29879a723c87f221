// The watched locks: how they are watched, the table to choose from, and for the chosen lock why it is stuck,
// its participants, and how its holds ended. It only emits signals; the dock acts on them. GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/field/snapshot.h"
#include "core/trace/session_names.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"

#include <string>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace lockscope::ui {

class DurationChart;
class ParticipantsModel;
class ProblemList;
class StatusBadge;
class TableTools;
class VerdictCard;
class WatchedLocksModel;

class WatchPanel : public QWidget
{
    Q_OBJECT
public:
    WatchPanel(Theme* theme, QWidget* parent = nullptr);

    // Clears the panel for another ensemble. `root`: the watched folder, if it is one folder.
    void begin(TextProvider title, const std::string& root = {});
    void show(const field::SnapshotPtr& snapshot);
    void showEnded();
    void showWritten(const trace::SessionNames* names); // session ids as files have them; null: the real ones
    void selectLock(const std::string& path);
    void selectNode(const QString& node);           // of the chosen lock
    std::vector<std::string> selectedLocks() const; // paths

signals:
    void locksChosen(const std::vector<std::string>& locks);
    void nodeChosen(const QString& node);
    void stopRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    void fitColumns();
    void fitList();
    QWidget* makeList();
    QWidget* makeDetails();
    void retranslate();
    void restyle();
    void showRenamed(const field::SnapshotPtr& snapshot);
    void showHead();
    void showChosen();
    void showCard();
    void showProblems();

    Theme* m_theme;
    WatchedLocksModel* m_locks;
    ParticipantsModel* m_participants;
    field::SnapshotPtr m_snapshot; // as shown
    field::SnapshotPtr m_original; // with the real ids, while those of files are shown
    QTimer m_choice;               // delays locksChosen(): moving through rows with keys emits it once
    bool m_ended = false, m_selecting = false;
    QLabel* m_title = nullptr;
    TextProvider m_titleText;
    StatusBadge* m_stuck = nullptr;
    StatusBadge* m_missed = nullptr;
    QPushButton* m_stop = nullptr;
    QSplitter* m_parts = nullptr;
    int m_fittedRows = -1; // the rows for which the list was sized; -1: it has its share of the height
    bool m_splitByHand = false;
    QLabel* m_state = nullptr;
    QLabel* m_counts = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_count = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    VerdictCard* m_verdict = nullptr;
    QLabel* m_chosenTitle = nullptr;
    QTableView* m_people = nullptr;
    TableTools* m_lockTools = nullptr;
    TableTools* m_peopleTools = nullptr;
    QLabel* m_card = nullptr;
    QLabel* m_ends = nullptr;
    DurationChart* m_holds = nullptr;
    DurationChart* m_waits = nullptr;
    QLabel* m_caution = nullptr;
    ProblemList* m_problems = nullptr;
};

} // namespace lockscope::ui
