// The locks of a history: what was read, the list to choose from, why the holds of the chosen ones ended, and what is wrong
// with the files. Asks for runs by a signal and reads nothing itself. GUI thread.
#pragma once

#include <QWidget>

#include "ui/history/history_job.h"
#include "ui/models/theme.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTableView;

namespace lockscope::ui {

class EndsChart;
class LocksFilter;
class LocksModel;

class HistoryPanel : public QWidget
{
    Q_OBJECT
public:
    HistoryPanel(Theme* theme, QWidget* parent = nullptr);

    void begin(const QString& title, bool follow); // of another history: nothing is known yet
    void show(const HistoryStatusPtr& status);
    void showStopped(); // nobody reads any more
    void setRunProgress(int percent); // of the run that was asked for; 100: it is there
    std::vector<std::string> selectedLocks() const; // the selected locks' paths
    std::vector<std::string> fixedNames() const; // of all that are nodes of a fixed name, sorted

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
    void openFolder(); // the one that the first selected lock is in

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
    QListWidget* m_problems = nullptr;
};

} // namespace lockscope::ui
