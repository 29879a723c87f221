#include "ui/history/history_panel.h"

#include "ui/history/ends_chart.h"
#include "ui/history/history_words.h"
#include "ui/history/locks_model.h"
#include "ui/models/format.h"
#include "ui/models/spoken.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMargin = 12;
constexpr int kRowHeight = 28;
constexpr int kTroubleHeight = 84;
constexpr int kNarrowestPath = 150;
constexpr int kMostTrouble = 500; // lines
constexpr int kWidestPath = 240;

void plain(QLabel* label)
{
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

history::Ends& operator+=(history::Ends& a, const history::Ends& b)
{
    a.released += b.released;
    a.gaveUp += b.gaveUp;
    a.sessionClosed += b.sessionClosed;
    a.sessionExpired += b.sessionExpired;
    a.deletedByOther += b.deletedByOther;
    a.open += b.open;
    return a;
}

} // namespace

HistoryPanel::HistoryPanel(Look* look, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
    , m_locks(new LocksModel(this))
    , m_filter(new LocksFilter(m_locks, this))
{
    setObjectName("historyPanel");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->addWidget(makeHead());
    column->addWidget(makeList(), 1);
    column->addWidget(makeFoot());
    spoken(this, [this] { sayWords(); });
    const auto applyLook = [this] {
        m_title->setFont(m_look->fonts().heading);
        m_endsTitle->setFont(m_look->fonts().title);
        for (QLabel* label : {m_caution, m_count, m_facts}) {
            QPalette colours = label->palette();
            colours.setColor(QPalette::WindowText, m_look->palette().textMuted);
            label->setPalette(colours);
            label->setFont(m_look->fonts().small);
        }
    };
    connect(look, &Look::changed, this, applyLook);
    applyLook();
}

QWidget* HistoryPanel::makeHead()
{
    auto* head = new QWidget(this);
    m_title = new QLabel(head);
    m_title->setObjectName("historyTitle");
    m_facts = new QLabel(head);
    m_facts->setObjectName("historyFacts");
    m_caution = new QLabel(head);
    m_caution->setObjectName("historyCaution");
    for (QLabel* label : {m_title, m_facts, m_caution})
        plain(label);
    m_follow = new QCheckBox(head);
    m_follow->setObjectName("historyFollow");
    connect(m_follow, &QCheckBox::clicked, this, &HistoryPanel::followChanged);
    m_names = new QPushButton(head);
    m_names->setObjectName("historyNames");
    connect(m_names, &QPushButton::clicked, this, &HistoryPanel::namesWanted);
    m_stop = new QPushButton(head);
    m_stop->setObjectName("historyStop");
    connect(m_stop, &QPushButton::clicked, this, &HistoryPanel::stopWanted);
    m_progress = new QProgressBar(head);
    m_progress->setObjectName("historyProgress");
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
    m_search = new QLineEdit(list);
    m_search->setObjectName("historyFilter");
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setText(text);
        sayCount();
    });
    m_count = new QLabel(list);
    m_count->setObjectName("historyCount");
    m_table = new QTableView(list);
    m_table->setObjectName("historyLocks");
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LocksModel::LongestWait, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(40);
    connect(m_table, &QAbstractItemView::activated, this, &HistoryPanel::open);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPanel::showEnds);
    m_open = new QPushButton(list);
    m_open->setObjectName("historyOpen");
    m_open->setProperty("kind", "primary");
    connect(m_open, &QPushButton::clicked, this, &HistoryPanel::open);
    m_openFolder = new QPushButton(list);
    m_openFolder->setObjectName("historyOpenFolder");
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
    m_endsTitle = new QLabel(foot);
    m_ends = new EndsChart(m_look, foot);
    m_trouble = new QListWidget(foot);
    m_trouble->setObjectName("historyTrouble");
    m_trouble->setMaximumHeight(kTroubleHeight);
    m_trouble->setWordWrap(true);
    m_trouble->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_trouble->hide();
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_endsTitle);
    column->addWidget(m_ends);
    column->addWidget(m_trouble);
    return foot;
}

void HistoryPanel::sayWords()
{
    m_follow->setText(tr("&Follow"));
    m_follow->setToolTip(tr("Goes on with what the server writes. Its files are only read."));
    m_names->setText(tr("&Names…"));
    m_names->setToolTip(tr("Reads a text file that gives names to the participants: a session (0x…) or a host on each line, then its name."));
    m_stop->setText(tr("Cancel"));
    m_search->setPlaceholderText(tr("Filter by path or recipe"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_table->setAccessibleName(tr("Locks of the history"));
    m_open->setText(tr("&Show"));
    m_open->setToolTip(tr("Shows what happened on the selected locks, in all views."));
    m_openFolder->setText(tr("Show &all in its folder"));
    m_openFolder->setToolTip(tr("Shows what happened on all locks below the folder that the selected one is in."));
    m_endsTitle->setText(tr("Why holds ended"));
    m_trouble->setAccessibleName(tr("Gaps and damage"));
    m_caution->setText(serversWordAlone());
    sayFacts();
    sayCount();
    sayTrouble();
}

void HistoryPanel::begin(const QString& title, bool follow)
{
    m_name = title;
    m_news = std::make_shared<HistoryNews>();
    m_reading = true;
    m_follow->setChecked(follow);
    m_locks->clear();
    m_search->clear();
    m_title->setText(title);
    m_progress->setValue(0);
    m_progress->show();
    m_stop->show();
    showEnds();
    sayFacts();
    sayCount();
    sayTrouble();
}

void HistoryPanel::show(const HistoryNewsPtr& news)
{
    const bool first = m_locks->rowCount() == 0;
    m_news = news;
    m_reading = news->goesOn;
    m_progress->setValue(news->percent());
    m_progress->setVisible(m_reading);
    m_stop->setVisible(m_reading || m_follow->isChecked());
    const std::vector<std::string> selected = chosen();
    m_locks->assign(news->locks);
    if (chosen().size() != selected.size())
        select(selected);
    if (first && m_locks->rowCount() > 0) {
        m_table->resizeColumnsToContents();
        m_table->setColumnWidth(LocksModel::Path, std::clamp(m_table->columnWidth(LocksModel::Path), kNarrowestPath, kWidestPath));
    }
    showEnds();
    sayFacts();
    sayCount();
    sayTrouble();
}

void HistoryPanel::stopped()
{
    m_reading = false;
    m_follow->setChecked(false);
    m_progress->hide();
    m_stop->hide();
    sayFacts();
}

void HistoryPanel::setRunProgress(int percent)
{
    if (m_reading)
        return; // its own is shown
    m_progress->setValue(percent);
    m_progress->setVisible(percent < 100);
    m_stop->setVisible(percent < 100 || m_follow->isChecked());
}

void HistoryPanel::sayFacts()
{
    if (!m_news)
        return m_facts->clear();
    QStringList lines;
    if (m_news->transactions == 0) {
        lines << (m_reading ? tr("Reading…") : tr("No transaction was read."));
    } else {
        lines << tr("%1 transactions, %2 to %3")
                     .arg(format::count(m_news->transactions), format::zxid(m_news->first), format::zxid(m_news->last));
        lines << tr("%1 to %2 UTC, by the leader's clock").arg(utc(m_news->firstMs), utc(m_news->lastMs));
        lines << tr("here: %1").arg(localTime(m_news->lastMs));
    }
    m_facts->setText(lines.join(u'\n'));
}

void HistoryPanel::sayCount()
{
    const int shown = m_filter->rowCount(), all = m_locks->rowCount();
    const auto number = [](int count) { return format::count(static_cast<quint64>(count)); };
    m_count->setText(shown == all ? tr("Locks: %1").arg(number(all)) : tr("Locks: %1 of %2").arg(number(shown), number(all)));
}

void HistoryPanel::sayTrouble()
{
    QStringList lines;
    if (m_news) {
        for (const history::Gap& gap : m_news->gaps)
            lines << words(gap);
        for (const auto& jump : m_news->clockJumps)
            lines << words(jump);
        for (const history::Damage& damage : m_news->damage)
            lines << words(damage);
    }
    if (lines.size() > kMostTrouble) {
        const auto more = static_cast<quint64>(lines.size() - kMostTrouble);
        lines = lines.mid(0, kMostTrouble);
        lines << tr("More of these: %1").arg(format::count(more));
    }
    m_trouble->setVisible(!lines.isEmpty());
    QStringList present;
    for (int i = 0; i < m_trouble->count(); ++i)
        present << m_trouble->item(i)->text();
    if (present == lines)
        return;
    m_trouble->clear();
    m_trouble->addItems(lines);
}

void HistoryPanel::select(std::vector<std::string> paths)
{
    std::sort(paths.begin(), paths.end());
    QItemSelection rows;
    for (int row = 0; row < m_filter->rowCount(); ++row)
        if (std::binary_search(paths.begin(), paths.end(), m_filter->lock(m_filter->index(row, 0)).path))
            rows.select(m_filter->index(row, 0), m_filter->index(row, LocksModel::ColumnCount - 1));
    m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
}

std::vector<std::string> HistoryPanel::chosen() const
{
    std::vector<std::string> paths;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        paths.push_back(m_filter->lock(index).path);
    return paths;
}

std::vector<std::string> HistoryPanel::fixedNames() const
{
    std::vector<std::string> names;
    for (int row = 0; row < m_locks->rowCount(); ++row)
        if (m_locks->lock(row).recipe == history::Recipe::fixedName)
            names.push_back(m_locks->lock(row).path);
    return names;
}

void HistoryPanel::showEnds()
{
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    m_open->setEnabled(!selected.isEmpty());
    m_openFolder->setEnabled(!selected.isEmpty());
    history::Ends ends;
    for (const QModelIndex& index : selected)
        ends += m_filter->lock(index).ends;
    if (selected.isEmpty())
        for (int row = 0; row < m_locks->rowCount(); ++row)
            ends += m_locks->lock(row).ends;
    m_ends->show(ends);
}

void HistoryPanel::open()
{
    if (const std::vector<std::string> locks = chosen(); !locks.empty())
        emit runWanted(locks);
}

void HistoryPanel::openFolder()
{
    const std::vector<std::string> locks = chosen();
    if (locks.empty())
        return;
    const std::string folder = locks.front().substr(0, locks.front().rfind('/'));
    emit runWanted({folder.empty() ? std::string("/") : folder});
}

} // namespace lockscope::ui
