// The locks of a history: what was read, the list to select from, how the holds of the selected locks ended, and
// problems of the files. Reads nothing itself: signals request runs. GUI thread.
#pragma once

#include <QWidget>

#include "ui/history/history_job.h"
#include "ui/models/theme.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableView;

namespace lockscope::ui {

class ProblemList;
class EndsChart;
class LocksFilter;
class LocksModel;

class HistoryPanel : public QWidget
{
    Q_OBJECT
public:
    HistoryPanel(Theme* theme, QWidget* parent = nullptr);

    void begin(const QString& title, bool follow); // clears the panel for another history
    void show(const HistoryStatusPtr& status);
    void showStopped(); // reading has ended
    void setRunProgress(int percent); // of the requested run; 100: complete
    std::vector<std::string> selectedLocks() const; // paths
    std::vector<std::string> fixedNames() const; // paths of all locks that are nodes with a fixed name, sorted

signals:
    void runWanted(const std::vector<std::string>& locks);
    void stopRequested();
    void followChanged(bool follow);
    void namesRequested(); // from a file

private:
    QWidget* makeHead();
    QWidget* makeList();
    QWidget* makeFoot();
    void retranslate();
    void showFacts();
    void showCount();
    void showProblems();
    void showEnds();
    void select(std::vector<std::string> paths);
    void open();
    void openFolder(); // the parent of the first selected lock

    Theme* m_theme;
    LocksModel* m_locks;
    LocksFilter* m_filter;
    QString m_name;
    HistoryStatusPtr m_status;
    bool m_reading = false;
    QLabel* m_title = nullptr;
    QLabel* m_facts = nullptr;
    QLabel* m_caution = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    QCheckBox* m_follow = nullptr;
    QPushButton* m_names = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_count = nullptr;
    QTableView* m_table = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_openFolder = nullptr;
    QLabel* m_endsTitle = nullptr;
    EndsChart* m_ends = nullptr;
    ProblemList* m_problems = nullptr;
};

} // namespace lockscope::ui
