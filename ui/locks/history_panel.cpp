#include "ui/locks/history_panel.h"

#include "ui/locks/duration_chart.h"
#include "ui/locks/ends_chart.h"
#include "ui/locks/locks_model.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/history_text.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/table_tools.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kHistoryMargin = 12;
constexpr int kRowHeight = 28;
constexpr int kWidePanel = 680;
constexpr int kMinRows = 5; // of the list
constexpr int kMinFootHeight = 90;
constexpr int kProblemsHeight = 84;
constexpr int kMinPathWidth = 150;
constexpr int kMaxProblems = 500; // lines
constexpr int kMaxPathWidth = 240;
constexpr int kMaxTitlePath = 60;

history::EndCounts& operator+=(history::EndCounts& a, const history::EndCounts& b)
{
    a.released += b.released;
    a.gaveUp += b.gaveUp;
    a.sessionClosed += b.sessionClosed;
    a.sessionExpired += b.sessionExpired;
    a.deletedByOther += b.deletedByOther;
    a.open += b.open;
    a.endUnknown += b.endUnknown;
    a.unknown += b.unknown;
    return a;
}

} // namespace

HistoryPanel::HistoryPanel(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_locks(new LocksModel(this))
{
    setObjectName("historyPanel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kHistoryMargin, kHistoryMargin, kHistoryMargin, kHistoryMargin);
    column->addWidget(makeHead());
    column->addWidget(makeList(), 1);
    column->addWidget(makeFoot());
    onRetranslate(this, [this] { retranslate(); });
    const auto applyTheme = [this] {
        m_title->setFont(m_theme->fonts().heading);
        for (QLabel* label : {m_endsTitle, m_timesTitle})
            label->setFont(m_theme->fonts().title);
        for (QLabel* label : {m_caution, m_count, m_facts}) {
            setTextColour(label, m_theme->palette().textMuted);
            label->setFont(m_theme->fonts().small);
        }
    };
    connect(theme, &Theme::changed, this, applyTheme);
    applyTheme();
}

QWidget* HistoryPanel::makeHead()
{
    auto* head = new QWidget(this);
    m_title = named(new QLabel(head), "historyTitle");
    m_facts = named(new QLabel(head), "historyFacts");
    m_caution = named(new QLabel(head), "historyCaution");
    for (QLabel* label : {m_title, m_facts, m_caution})
        makePlainText(label);
    m_follow = named(new QCheckBox(head), "historyFollow");
    connect(m_follow, &QCheckBox::clicked, this, &HistoryPanel::followChanged);
    m_names = named(new QPushButton(head), "historyNames");
    connect(m_names, &QPushButton::clicked, this, &HistoryPanel::namesRequested);
    m_stop = named(new QPushButton(head), "historyStop");
    connect(m_stop, &QPushButton::clicked, this, &HistoryPanel::stopRequested);
    m_progress = named(new QProgressBar(head), "historyProgress");
    m_progress->setRange(0, 100);
    auto* titleRow = new QHBoxLayout;
    titleRow->addWidget(m_title, 1);
    titleRow->addWidget(m_names);
    titleRow->addWidget(m_follow);
    auto* progressRow = new QHBoxLayout;
    progressRow->addWidget(m_progress, 1);
    progressRow->addWidget(m_stop);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(titleRow);
    column->addWidget(m_facts);
    column->addWidget(m_caution);
    column->addLayout(progressRow);
    return head;
}

QWidget* HistoryPanel::makeList()
{
    auto* list = new QWidget(this);
    m_search = named(new QLineEdit(list), "historyFilter");
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_locks->setFilter(text);
        showCount();
    });
    m_count = named(new QLabel(list), "historyCount");
    m_table = named(new QTableView(list), "historyLocks");
    m_table->setModel(m_locks);
    setUpRowTable(m_table, kRowHeight);
    m_table->setMinimumHeight((kMinRows + 1) * kRowHeight);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LocksModel::LongestWait, Qt::DescendingOrder);
    new TableTools("historyTable", m_table, LocksModel::Path);
    m_table->setTextElideMode(Qt::ElideMiddle);
    connect(m_table, &QAbstractItemView::activated, this, &HistoryPanel::open);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPanel::showEnds);
    m_open = named(new QPushButton(list), "historyOpen");
    m_open->setProperty("kind", "primary");
    connect(m_open, &QPushButton::clicked, this, &HistoryPanel::open);
    m_openFolder = named(new QPushButton(list), "historyOpenFolder");
    connect(m_openFolder, &QPushButton::clicked, this, &HistoryPanel::openFolder);
    auto* searchRow = new QHBoxLayout;
    searchRow->addWidget(m_search, 1);
    searchRow->addWidget(m_count);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_openFolder);
    buttons->addWidget(m_open);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(searchRow);
    column->addWidget(m_table, 1);
    column->addLayout(buttons);
    return list;
}

QWidget* HistoryPanel::makeFoot()
{
    auto* foot = new QWidget(this);
    m_tabs = named(new QTabBar(foot), "historyTabs");
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    auto* pages = new QStackedWidget(foot);
    pages->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // the list gets the remaining height
    m_findings = named(new QListWidget(pages), "historyFindings");
    m_findings->setWordWrap(true);
    m_findings->setFrameShape(QFrame::NoFrame);
    m_findings->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (QWidget* page : {makeCharts(pages), static_cast<QWidget*>(m_findings)}) {
        m_tabs->addTab({});
        pages->addWidget(page);
    }
    connect(m_tabs, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    m_problems = new ProblemList("historyProblems", kProblemsHeight, foot);
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_tabs);
    column->addWidget(pages);
    column->addWidget(m_problems);
    return foot;
}

QWidget* HistoryPanel::makeCharts(QWidget* parent)
{
    auto* charts = new QWidget(parent);
    m_endsTitle = new QLabel(charts);
    m_timesTitle = new QLabel(charts);
    for (QLabel* label : {m_endsTitle, m_timesTitle}) {
        makePlainText(label);
        label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    }
    m_ends = new EndsChart(m_theme, charts);
    m_holds = new DurationChart(
        //: heading of a chart: how long the lock was held
        m_theme, [] { return tr("Hold"); }, charts);
    m_holds->setObjectName("historyHolds");
    m_waits = new DurationChart(
        //: heading of a chart: how long clients waited
        m_theme, [] { return tr("Wait"); }, charts);
    m_waits->setObjectName("historyWaits");
    auto* times = new QHBoxLayout;
    times->setSpacing(2 * kHistoryMargin);
    times->addWidget(m_holds);
    times->addWidget(m_waits);
    auto* endsColumn = new QVBoxLayout;
    endsColumn->addWidget(m_endsTitle);
    endsColumn->addWidget(m_ends);
    endsColumn->addStretch(1);
    auto* timesColumn = new QVBoxLayout;
    timesColumn->addWidget(m_timesTitle);
    timesColumn->addLayout(times);
    timesColumn->addStretch(1);
    m_charts = new QBoxLayout(QBoxLayout::TopToBottom, charts);
    m_charts->setContentsMargins(0, 0, 0, 0);
    m_charts->addLayout(endsColumn, 1);
    m_charts->addLayout(timesColumn, 1);
    auto* scroller = new QScrollArea(parent); // in a low window the list needs the height more
    scroller->setObjectName("historyCharts");
    scroller->setFrameShape(QFrame::NoFrame);
    scroller->setWidgetResizable(true);
    scroller->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroller->setMinimumHeight(kMinFootHeight);
    scroller->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    scroller->setWidget(charts);
    scroller->viewport()->setAutoFillBackground(false);
    charts->setAutoFillBackground(false);
    return scroller;
}

// A wide panel has its charts side by side, which leaves more room for the list.
void HistoryPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool wide = width() >= kWidePanel;
    m_charts->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_charts->setSpacing(wide ? 2 * kHistoryMargin : kHistoryMargin / 2);
}

int HistoryPanel::wantedWidth() const
{
    const int frame =
        2 * (kHistoryMargin + m_table->frameWidth()) + m_table->verticalScrollBar()->sizeHint().width();
    return m_locks->rowCount() > 0 ? m_table->horizontalHeader()->length() + frame : 0;
}

void HistoryPanel::selectLocks(const std::string& path)
{
    QItemSelection wanted;
    for (int row = 0; row < m_locks->rowCount(); ++row)
        if (history::isAtOrBelow(m_locks->lock(row).path, path))
            wanted.select(m_locks->index(row, 0), m_locks->index(row, 0));
    m_table->selectionModel()->select(wanted,
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!wanted.isEmpty())
        m_table->scrollTo(wanted.indexes().front());
}

void HistoryPanel::retranslate()
{
    m_follow->setText(tr("&Follow"));
    m_follow->setToolTip(tr("Keeps reading as the server writes. The files are not changed."));
    m_names->setText(tr("&Names…"));
    m_names->setToolTip(tr("Opens a text file with names for the participants: a session (0x…) or a host on "
                           "each line, then the name."));
    //: a button: stops the reading of the history
    m_stop->setText(tr("Cancel"));
    m_search->setPlaceholderText(tr("Filter by path or recipe"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_table->setAccessibleName(tr("Locks of the history"));
    m_open->setText(tr("&Show"));
    m_open->setToolTip(tr("Shows the events of the selected locks in all views."));
    m_openFolder->setText(tr("Show &All in Folder"));
    m_openFolder->setToolTip(tr("Shows the events of all locks in the folder of the selected lock."));
    //: a tab
    m_tabs->setTabText(0, tr("Charts"));
    m_tabs->setAccessibleName(tr("Charts and findings of the history"));
    //: a tab, and its list for screen readers: the rules that were checked
    m_findings->setAccessibleName(tr("Findings"));
    m_problems->setAccessibleName(tr("Gaps and damage"));
    m_caution->setText(serverViewOnlyText());
    m_locks->refresh(); // the names of recipes are translated
    showAll();
}

void HistoryPanel::showAll()
{
    showFacts();
    showCount();
    showProblems();
    showEnds();
    showTimes();
}

void HistoryPanel::begin(const QString& title, bool follow)
{
    m_name = title;
    m_status = std::make_shared<HistoryStatus>();
    m_reading = true;
    m_opened = false;
    m_follow->setChecked(follow);
    m_locks->assign({});
    m_search->clear();
    m_runFacts = nullptr;
    m_title->setText(title);
    m_progress->setValue(0);
    m_progress->show();
    m_stop->show();
    showAll();
}

void HistoryPanel::show(const HistoryStatusPtr& status)
{
    const bool first = m_locks->locks().empty();
    m_status = status;
    m_reading = status->hasMore;
    m_progress->setValue(status->percent());
    m_progress->setVisible(m_reading);
    m_stop->setVisible(m_reading || m_follow->isChecked());
    m_locks->assign(status->locks);
    if (first && m_locks->rowCount() > 0) {
        m_table->resizeColumnsToContents();
        m_table->setColumnWidth(LocksModel::Path, std::clamp(m_table->columnWidth(LocksModel::Path),
                                                             kMinPathWidth, kMaxPathWidth));
    }
    // It opens on the lock with the longest wait; from then on the choice is the user's.
    if (!m_reading && !std::exchange(m_opened, true) && m_locks->rowCount() > 0 && selectedLocks().empty())
        m_table->selectRow(0);
    showAll();
}

void HistoryPanel::showStopped()
{
    m_reading = false;
    m_follow->setChecked(false);
    m_progress->hide();
    m_stop->hide();
    showFacts();
}

void HistoryPanel::setRunProgress(int percent)
{
    if (m_reading)
        return; // the progress of the list is shown
    m_progress->setValue(percent);
    m_progress->setVisible(percent < 100);
    m_stop->setVisible(percent < 100 || m_follow->isChecked());
}

void HistoryPanel::showRunFacts(const HistoryFactsPtr& facts)
{
    m_runFacts = facts;
    showTimes();
}

void HistoryPanel::showTimes()
{
    const HistoryFacts& facts = m_runFacts ? *m_runFacts : m_status->facts;
    m_holds->show(facts.times.holds);
    m_waits->show(facts.times.waits);
    m_timesTitle->setText(
        tr("Hold and wait times · %1").arg(m_runFacts ? tr("shown locks") : tr("all locks")));
    m_timesTitle->setVisible(facts.times.holds.count() + facts.times.waits.count() > 0);
    showFindings(facts);
}

void HistoryPanel::showFindings(const HistoryFacts& facts)
{
    QStringList lines;
    int violated = 0;
    for (const history::RuleFinding& finding : facts.findings) {
        lines << toText(finding);
        violated += finding.violated > 0 ? 1 : 0;
    }
    m_tabs->setTabText(1, violated == 0
                              ? tr("Findings")
                              : tr("Findings · ✗ %1").arg(format::count(static_cast<quint64>(violated))));
    setListLines(m_findings, lines);
}

void HistoryPanel::showFacts()
{
    QStringList lines;
    if (m_status->transactions == 0 && m_status->snapshot.valid()) {
        lines << tr("No transactions: this is what the snapshot of %1 has, as of %2 UTC or later.")
                     .arg(format::zxid(m_status->snapshot), utcText(m_status->lastMs));
    } else if (m_status->transactions == 0) {
        lines << (m_reading ? tr("Reading…") : tr("No transactions were read."));
    } else {
        lines << tr("%1 transactions, %2 to %3")
                     .arg(format::count(m_status->transactions), format::zxid(m_status->first),
                          format::zxid(m_status->last));
        lines << tr("%1 to %2 UTC, by the leader's clock")
                     .arg(utcText(m_status->firstMs), utcText(m_status->lastMs));
        lines << tr("local time: %1").arg(localTimeText(m_status->lastMs));
    }
    m_facts->setText(lines.join(u'\n'));
}

void HistoryPanel::showCount()
{
    m_count->setText(lockCountText(m_locks->rowCount(), static_cast<int>(m_locks->locks().size())));
}

void HistoryPanel::showProblems()
{
    QStringList lines;
    for (const history::Gap& gap : m_status->gaps)
        lines << toText(gap);
    for (const history::NeverConfirmed& one : m_status->neverConfirmed)
        lines << toText(one);
    for (const history::LockSummary& lock : m_status->locks)
        if (lock.knownSince.valid())
            lines << tr("%1: the history begins inside its queue. It is known since %2 UTC.")
                         .arg(format::plain(lock.path, kMaxTitlePath), utcText(lock.knownSinceMs));
    for (const auto& jump : m_status->clockJumps)
        lines << toText(jump);
    for (const history::Damage& damage : m_status->damage)
        lines << translateMessage(damage.text());
    m_problems->setLines(lines, kMaxProblems);
}

std::vector<std::string> HistoryPanel::selectedLocks() const
{
    std::vector<std::string> paths;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        paths.push_back(m_locks->lock(index.row()).path);
    return paths;
}

void HistoryPanel::showEnds()
{
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    m_open->setEnabled(!selected.isEmpty());
    m_openFolder->setEnabled(!selected.isEmpty());
    history::EndCounts ends;
    for (const QModelIndex& index : selected)
        ends += m_locks->lock(index.row()).ends;
    if (selected.isEmpty())
        for (const history::LockSummary& lock : m_locks->locks())
            ends += lock.ends;
    m_ends->show(ends);
    m_endsTitle->setText(
        tr("Why holds ended · %1")
            .arg(selected.isEmpty() ? tr("all locks")
                 : selected.size() > 1
                     ? tr("selected locks")
                     : format::plain(m_locks->lock(selected.front().row()).path, kMaxTitlePath)));
}

void HistoryPanel::open()
{
    if (const std::vector<std::string> locks = selectedLocks(); !locks.empty())
        emit runWanted(locks);
}

void HistoryPanel::openFolder()
{
    const std::vector<std::string> locks = selectedLocks();
    if (locks.empty())
        return;
    const std::string folder = locks.front().substr(0, locks.front().rfind('/'));
    emit runWanted({folder.empty() ? std::string("/") : folder});
}

} // namespace lockscope::ui

#include "moc_history_panel.cpp"
