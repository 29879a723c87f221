#include "ui/locks/watch_panel.h"

#include "ui/locks/duration_chart.h"
#include "ui/locks/participants_model.h"
#include "ui/locks/status_badge.h"
#include "ui/locks/verdict_card.h"
#include "ui/locks/watched_locks_model.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/texts/field_text.h"
#include "ui/texts/history_text.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/table_tools.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kPanelMargin = 12;
constexpr int kLockRowHeight = 42;
constexpr int kPersonRowHeight = 28;
constexpr int kProblemListHeight = 76;
constexpr int kShareHeight = 200; // of a fifth, until the parts have their real height
constexpr int kListFrame = 84;    // height of the list without rows: the filter and the header
constexpr int kRoomForHandoffs = 560, kRoomForLongestWait = 500, kRoomForLibrary = 520, kRoomForSilence = 600;
constexpr int kChoiceMs = 150;
constexpr int kRoomForVerdictAndCharts = 860;
constexpr int kMaxProblemLines = 200;

// Draws a participant's name with the words that fit.
class ParticipantDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const QString names = index.data(ParticipantsModel::kVariantsRole).toString();
        const int margins = 2 * ((option->widget ? option->widget->style() : QApplication::style())
                                     ->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) +
                                 1);
        if (!names.isEmpty())
            option->text =
                option->fontMetrics.elidedText(names, Qt::ElideMiddle, option->rect.width() - margins);
    }
};

history::DurationHistogram histogramOf(const std::vector<std::int64_t>& milliseconds)
{
    history::DurationHistogram times;
    for (const std::int64_t ms : milliseconds)
        times.add(ms);
    return times;
}

} // namespace

WatchPanel::WatchPanel(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_locks(new WatchedLocksModel(this))
    , m_participants(new ParticipantsModel(this))
{
    setObjectName("watchPanel");
    m_parts = named(new QSplitter(Qt::Vertical, this), "watchParts");
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(makeList());
    m_parts->addWidget(makeDetails());
    m_parts->setStretchFactor(0, 1);
    m_parts->setStretchFactor(1, 1);
    m_parts->setSizes({2 * kShareHeight, 3 * kShareHeight});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    column->addWidget(makeHead());
    column->addWidget(m_parts, 1);
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_splitByHand = true; });
    m_choice.setSingleShot(true);
    m_choice.setInterval(kChoiceMs);
    connect(&m_choice, &QTimer::timeout, this, [this] {
        if (const std::vector<std::string> locks = selectedLocks(); !locks.empty())
            emit locksChosen(locks);
    });
    connect(theme, &Theme::changed, this, &WatchPanel::restyle);
    restyle();
    onRetranslate(this, [this] { retranslate(); });
}

QWidget* WatchPanel::makeHead()
{
    auto* head = new QWidget(this);
    m_title = named(new QLabel(head), "watchTitle");
    m_state = named(new QLabel(head), "watchState");
    m_counts = named(new QLabel(head), "watchCounts");
    for (QLabel* label : {m_title, m_state, m_counts})
        makePlainText(label);
    m_stuck = named(new StatusBadge(m_theme, head), "watchStuck");
    m_missed = named(new StatusBadge(m_theme, head), "watchMissed");
    m_stop = named(new QPushButton(head), "watchStop");
    connect(m_stop, &QPushButton::clicked, this, &WatchPanel::stopRequested);
    auto* badges = new QHBoxLayout;
    badges->addWidget(m_stuck);
    badges->addWidget(m_missed);
    badges->addStretch(1);
    badges->addWidget(m_stop);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_title);
    column->addLayout(badges);
    column->addWidget(m_state);
    column->addWidget(m_counts);
    return head;
}

QWidget* WatchPanel::makeList()
{
    auto* list = new QWidget(this);
    m_search = named(new QLineEdit(list), "watchFilter");
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_locks->setFilter(text);
        showHead();
    });
    m_count = named(new QLabel(list), "watchCount");
    m_table = named(new QTableView(list), "watchLocks");
    setUpRowTable(m_table, kLockRowHeight);
    m_table->setModel(m_locks);
    m_table->setItemDelegate(new WatchedLockDelegate(m_theme, m_table));
    m_lockTools =
        new TableTools("watchedLocksTable", m_table, WatchedLocksModel::Lock, [this] { fitColumns(); });
    QHeaderView* header = m_table->horizontalHeader();
    header->setSortIndicator(-1, Qt::DescendingOrder);
    header->setSortIndicatorClearable(true);
    m_table->setSortingEnabled(true);
    header->setSectionResizeMode(WatchedLocksModel::Lock, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair(WatchedLocksModel::Holder, 150),
                                         {WatchedLocksModel::Since, 92},
                                         {WatchedLocksModel::Waiting, 62},
                                         {WatchedLocksModel::LongestWait, 88},
                                         {WatchedLocksModel::Handoffs, 62}})
        m_table->setColumnWidth(section, width);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showChosen();
        if (!m_selecting)
            m_choice.start();
    });
    m_empty = named(new QLabel(list), "watchEmpty");
    makePlainText(m_empty);
    m_empty->setAlignment(Qt::AlignCenter);
    auto* searchRow = new QHBoxLayout;
    searchRow->addWidget(m_search, 1);
    searchRow->addWidget(m_count);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(searchRow);
    column->addWidget(m_empty);
    column->addWidget(m_table, 1);
    return list;
}

QWidget* WatchPanel::makeDetails()
{
    auto* details = new QWidget(this);
    m_verdict = new VerdictCard(m_theme, details);
    m_chosenTitle = named(new QLabel(details), "watchChosen");
    m_people = named(new QTableView(details), "watchParticipants");
    setUpRowTable(m_people, kPersonRowHeight);
    m_people->setModel(m_participants);
    m_people->setItemDelegate(new ParticipantDelegate(m_people));
    m_people->setTextElideMode(Qt::ElideMiddle);
    m_people->setMinimumHeight(kPersonRowHeight * 3);
    m_peopleTools =
        new TableTools("participantsTable", m_people, ParticipantsModel::Who, [this] { fitColumns(); });
    m_people->horizontalHeader()->setSectionResizeMode(ParticipantsModel::Who, QHeaderView::Stretch);
    for (const auto& [section, width] : {std::pair(ParticipantsModel::State, 124),
                                         {ParticipantsModel::Address, 112},
                                         {ParticipantsModel::Library, 86},
                                         {ParticipantsModel::Since, 74},
                                         {ParticipantsModel::Silence, 132}})
        m_people->setColumnWidth(section, width);
    connect(m_people->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                showCard();
                if (!m_selecting && now.isValid())
                    emit nodeChosen(QString::fromStdString(m_participants->participant(now.row()).node));
            });
    m_card = named(new QLabel(details), "watchCard");
    m_ends = named(new QLabel(details), "watchEnds");
    m_holds = new DurationChart(
        m_theme, [] { return tr("Last holds"); }, details);
    m_holds->setObjectName("watchHolds");
    m_waits = new DurationChart(
        m_theme, [] { return tr("Last waits"); }, details);
    m_waits->setObjectName("watchWaits");
    m_caution = new QLabel(details);
    for (QLabel* label : {m_chosenTitle, m_card, m_ends, m_caution})
        makePlainText(label);
    m_problems = new ProblemList("watchProblems", kProblemListHeight, details);
    auto* column = new QVBoxLayout(details);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_chosenTitle);
    column->addWidget(m_verdict);
    column->addWidget(m_people, 1);
    column->addWidget(m_card);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(2 * kPanelMargin);
    charts->addWidget(m_holds);
    charts->addWidget(m_waits);
    column->addLayout(charts);
    column->addWidget(m_ends);
    column->addWidget(m_caution);
    column->addWidget(m_problems);
    return details;
}

void WatchPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
    if (m_peopleTools && event->size().height() != event->oldSize().height()) {
        m_fittedRows = 0; // the list has its share of another height
        fitList();
    }
}

// In a narrow panel the path of a lock and the name of a participant come first; the tool tip and the card
// show the rest.
void WatchPanel::fitColumns()
{
    const int room = width() - 2 * kPanelMargin;
    if (!m_peopleTools)
        return; // not built yet
    for (int column = 0; column < WatchedLocksModel::ColumnCount; ++column)
        m_table->setColumnHidden(
            column, !m_lockTools->isShown(column) ||
                        (column == WatchedLocksModel::Handoffs && room < kRoomForHandoffs) ||
                        (column == WatchedLocksModel::LongestWait && room < kRoomForLongestWait));
    for (int column = 0; column < ParticipantsModel::ColumnCount; ++column)
        m_people->setColumnHidden(column,
                                  !m_peopleTools->isShown(column) ||
                                      (column == ParticipantsModel::Library && room < kRoomForLibrary) ||
                                      (column == ParticipantsModel::Silence && room < kRoomForSilence));
}

// Shrinks the list when it has only a few locks.
void WatchPanel::fitList()
{
    constexpr int kMaxFitted = 8;
    const int rows = m_locks->rowCount() > 0 && m_locks->rowCount() <= kMaxFitted ? m_locks->rowCount() : -1;
    if (rows == m_fittedRows || m_splitByHand)
        return;
    m_fittedRows = rows;
    const int height = m_parts->height();
    const int list = rows < 0 ? height * 2 / 5 : std::min(height / 2, kListFrame + rows * kLockRowHeight);
    m_parts->setSizes({list, height - list});
}

void WatchPanel::restyle()
{
    m_title->setFont(m_theme->fonts().heading);
    m_chosenTitle->setFont(m_theme->fonts().title);
    m_card->setFont(m_theme->fonts().small);
    for (QLabel* label : {m_state, m_counts, m_count, m_ends, m_caution, m_empty}) {
        setTextColour(label, m_theme->palette().textMuted);
        label->setFont(m_theme->fonts().small);
    }
}

void WatchPanel::retranslate()
{
    if (m_titleText)
        m_title->setText(m_titleText());
    m_stop->setText(tr("Stop &Watching"));
    m_search->setPlaceholderText(tr("Filter by path, holder or recipe"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_table->setAccessibleName(tr("Watched locks"));
    m_people->setAccessibleName(tr("Participants of the chosen lock"));
    m_problems->setAccessibleName(tr("Gaps and what cannot be known"));
    m_caution->setText(tr("The server's view only: what clients believe is not known."));
    showHead();
    showChosen();
    showProblems();
}

void WatchPanel::begin(TextProvider title, const std::string& root)
{
    m_locks->setRoot(root);
    m_titleText = std::move(title);
    m_title->setText(m_titleText());
    m_snapshot = std::make_shared<field::Snapshot>();
    m_ended = false;
    m_search->clear();
    m_locks->assign(m_snapshot);
    m_participants->assign({}, 0);
    showHead();
    showChosen();
    showProblems();
}

void WatchPanel::show(const field::SnapshotPtr& snapshot)
{
    m_snapshot = snapshot;
    m_locks->assign(snapshot);
    fitList();
    showHead();
    showChosen();
    showProblems();
}

void WatchPanel::showWritten(const trace::SessionNames* names)
{
    if (!names) {
        if (m_original)
            showRenamed(std::exchange(m_original, nullptr));
        return;
    }
    if (m_original || !m_snapshot)
        return;
    m_original = m_snapshot;
    auto written = std::make_shared<field::Snapshot>(*m_snapshot);
    const auto rename = [names](SessionId& session) {
        if (session.valid())
            session = names->of(session);
    };
    const auto renameOf = [&](auto& one,
                              std::string& otherNode) { // ZooKeeper's own recipe names nodes after sessions
        rename(one.session);
        one.node = trace::replaceSessionIds(one.node, *names);
        otherNode = trace::replaceSessionIds(otherNode, *names);
    };
    rename(written->session);
    for (field::LockStatus& lock : written->locks) {
        for (field::Participant& one : lock.participants)
            renameOf(one, one.behind);
        if (lock.holder)
            renameOf(*lock.holder, lock.holder->behind);
        if (lock.diagnosis)
            renameOf(*lock.diagnosis, lock.diagnosis->other);
    }
    for (field::PathStatus& path : written->paths)
        if (path.node)
            renameOf(*path.node, path.node->behind);
    showRenamed(written);
}

// Keeps the current participant by its row: renaming may give its old name to another node.
void WatchPanel::showRenamed(const field::SnapshotPtr& snapshot)
{
    const int row = m_people->currentIndex().row();
    show(snapshot);
    m_selecting = true;
    m_people->setCurrentIndex(m_participants->index(row, 0));
    m_selecting = false;
    showCard();
}

void WatchPanel::showEnded()
{
    m_ended = true;
    showHead();
}

void WatchPanel::showHead()
{
    if (!m_snapshot)
        return;
    const bool read = m_snapshot->watching == field::WatchState::everyChange ||
                      m_snapshot->watching == field::WatchState::byListing;
    m_stop->setVisible(!m_ended);
    m_state->setText(m_ended ? tr("Watching has ended: this is the last known state.")
                             : watchStateText(*m_snapshot));
    m_counts->setText(countsText(*m_snapshot));
    m_counts->setVisible(m_snapshot->watching != field::WatchState::connecting);
    const int stuck = m_locks->stuckCount();
    m_stuck->show(stuck == 0 ? QString() : tr("! %Ln look stuck", nullptr, stuck), StatusBadge::Kind::bad);
    const bool whole = m_snapshot->gaps.empty() && m_snapshot->watching != field::WatchState::byListing;
    m_missed->show(missedText(*m_snapshot), whole ? StatusBadge::Kind::good : StatusBadge::Kind::warning);
    const int all = static_cast<int>(m_locks->locks().size());
    m_count->setText(lockCountText(m_locks->rowCount(), all));
    m_empty->setText(read && all == 0 ? tr("There is no lock here yet. New locks are shown at once.")
                                      : QString());
    m_empty->setVisible(!m_empty->text().isEmpty());
}

std::vector<std::string> WatchPanel::selectedLocks() const
{
    std::vector<std::string> paths;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        paths.push_back(m_locks->lock(index.row()).path);
    return paths;
}

void WatchPanel::selectLock(const std::string& path)
{
    if (const int row = m_locks->rowOf(path); row >= 0) {
        m_table->setCurrentIndex(m_locks->index(row, 0));
        m_table->scrollTo(m_locks->index(row, 0));
    }
}

void WatchPanel::selectNode(const QString& node)
{
    const int row = node.isEmpty() ? -1 : m_participants->rowOf(node.toStdString());
    if (row == m_people->currentIndex().row())
        return;
    m_selecting = true;
    if (row >= 0)
        m_people->setCurrentIndex(m_participants->index(row, 0));
    else
        m_people->selectionModel()->clear();
    m_selecting = false;
    showCard();
}

void WatchPanel::showChosen()
{
    if (!m_snapshot)
        return;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::vector<field::Participant> participants;
    const field::LockStatus* lock = rows.isEmpty() ? nullptr : &m_locks->lock(rows.front().row());
    for (const QModelIndex& row : rows)
        for (const field::Participant& one : m_locks->lock(row.row()).participants)
            participants.push_back(one);
    m_participants->assign(std::move(participants), m_snapshot->knownMs());
    m_verdict->show(lock ? lock->diagnosis : std::nullopt);
    const bool one = rows.size() == 1;
    m_chosenTitle->setText(!lock ? tr("Choose a lock to see its participants.")
                           : one ? tr("%1 · %2").arg(format::plain(lock->path, 120), toText(lock->recipe))
                                 : tr("%Ln locks", nullptr, static_cast<int>(rows.size())));
    m_ends->setText(one ? endsText(*lock) : QString());
    m_ends->setVisible(one);
    const bool charts = one && (!lock->diagnosis || height() >= kRoomForVerdictAndCharts);
    m_holds->show(charts ? histogramOf(lock->holdsMs) : history::DurationHistogram());
    m_waits->show(charts ? histogramOf(lock->waitsMs) : history::DurationHistogram());
    m_people->setVisible(lock != nullptr);
    m_caution->setVisible(lock != nullptr);
    showCard();
}

void WatchPanel::showCard()
{
    const QModelIndex now = m_people->currentIndex();
    QStringList lines;
    if (now.isValid() && now.row() < m_participants->rowCount())
        for (const auto& [label, value] :
             participantFacts(m_participants->participant(now.row()), m_participants->nowMs()))
            lines << tr("%1: %2").arg(label, value);
    m_card->setText(lines.join(u'\n'));
    m_card->setVisible(!lines.isEmpty());
}

void WatchPanel::showProblems()
{
    m_problems->setLines(m_snapshot ? watchProblems(*m_snapshot) : QStringList(), kMaxProblemLines);
}

} // namespace lockscope::ui

#include "moc_watch_panel.cpp"
