// The locks of a history: what was read, the list to select from, how the holds of the selected locks ended,
// and problems of the files. Reads nothing itself: signals request runs. GUI thread.
#pragma once

#include <QWidget>

#include "ui/locks/history_job.h"
#include "ui/models/style/theme.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QTabBar;
class QTableView;

namespace lockscope::ui {

class ProblemList;
class DurationChart;
class EndsChart;
class LocksModel;

class HistoryPanel : public QWidget
{
    Q_OBJECT
public:
    HistoryPanel(Theme* theme, QWidget* parent = nullptr);

    void begin(const QString& title, bool follow); // clears the panel for another history
    void show(const HistoryStatusPtr& status);
    void showStopped();                              // reading has ended
    void setRunProgress(int percent);                // of the requested run; 100: complete
    void showRunFacts(const HistoryFactsPtr& facts); // of the requested run; null: none is shown
    std::vector<std::string> selectedLocks() const;  // paths
    void selectLocks(const std::string& path);       // that lock and those below it
    int wantedWidth() const;                         // of the whole list, in logical pixels; 0: no list yet

signals:
    void runWanted(const std::vector<std::string>& locks);
    void stopRequested();
    void followChanged(bool follow);
    void namesRequested(); // from a file

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeList();
    QWidget* makeFoot();
    QWidget* makeCharts(QWidget* parent);
    void retranslate();
    void showAll();
    void showFacts();
    void showCount();
    void showProblems();
    void showTimes();
    void showFindings(const HistoryFacts& facts);
    void showEnds();
    void open();
    void openFolder(); // the parent of the first selected lock

    Theme* m_theme;
    LocksModel* m_locks;
    QString m_name;
    HistoryStatusPtr m_status = std::make_shared<const HistoryStatus>();
    bool m_opened = false; // all locks were read once
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
    QTabBar* m_tabs = nullptr;
    QBoxLayout* m_charts = nullptr;
    QLabel* m_endsTitle = nullptr;
    EndsChart* m_ends = nullptr;
    QLabel* m_timesTitle = nullptr;
    DurationChart* m_holds = nullptr;
    DurationChart* m_waits = nullptr;
    QListWidget* m_findings = nullptr;
    HistoryFactsPtr m_runFacts; // null: no run is shown
    ProblemList* m_problems = nullptr;
};

} // namespace lockscope::ui
