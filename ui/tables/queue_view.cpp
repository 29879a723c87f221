#include "ui/tables/queue_view.h"

#include "ui/models/rows/queue_model.h"
#include "ui/models/style/retranslate.h"
#include "ui/tables/drawing.h"
#include "ui/tables/queue_delegate.h"
#include "ui/tables/row_sync.h"

#include <QFontMetrics>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kRowHeight = 32;
constexpr int kLowRowHeight = 26;
} // namespace

QueueView::QueueView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : PlainTable(theme, kRowHeight, parent, kLowRowHeight)
    , m_run(run)
    , m_model(new QueueModel(run, selection, this))
{
    onRetranslate(this, [this] { setAccessibleName(tr("Lock children, sorted")); });
    setItemDelegate(new QueueDelegate(m_model, theme, this));
    new RowSync(this, m_model, selection,
                {[this, selection] {
                     const int row = selection->node().isEmpty() ? -1 : m_model->rowOf(selection->node());
                     return row >= 0 ? row : m_model->rowOf(selection->client());
                 },
                 [this, selection](int row) {
                     const replay::NodeRow& node = m_model->item(row).node;
                     selection->selectNode(node.owner, QString::fromUtf8(node.name));
                 }});
    addTools("queueTable", QueueModel::Owner);
    letSort();
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &QueueView::updateTexts);
    setContextMenuPolicy(Qt::DefaultContextMenu); // the menu of the card, which has the copying too
    connect(run, &RunModel::runChanged, this, &QueueView::updateTexts);
    connect(run, &RunModel::stateChanged, this, &QueueView::updateTexts);
    connect(run, &RunModel::stateChanged, this, &PlainTable::layOutNow);
    connect(selection, &Selection::changed, this, &QueueView::updateTexts);
    updateTexts();
}

void QueueView::updateTexts()
{
    const QString path = m_model->path();
    QString caption = path.isEmpty() ? QString() : tr("getChildren %1").arg(path) + kVariantSeparator + path;
    if (const int by = horizontalHeader()->sortIndicatorSection(); by > QueueModel::Place) {
        //: of a table; %1: the title of a column
        caption = tr("sorted by %1").arg(m_model->headerData(by, Qt::Horizontal, Qt::DisplayRole).toString());
        if (wants(QueueModel::Place))
            caption = tr("%1; a click on # gives the order of the queue").arg(caption) + kVariantSeparator +
                      caption;
    }
    const QString why = m_model->emptyReason();
    const bool over = m_run->following() && !m_run->canGrow();
    setEmptyText(!why.isEmpty() ? why
                 : over         ? tr("The queue is empty.")
                        : tr("The queue is empty. A node appears here when a client requests the lock."));
    setCaption(caption);
}

// Gives each column what its usual texts need and a share of the rest. When not all fit, the room for the
// rare long states is given up first, then the columns of depth, watch and time. Place, sequence, owner and
// state remain.
void QueueView::layOutColumns(int width)
{
    const QFontMetrics text(theme()->fonts().text);
    const QFontMetrics mono(theme()->fonts().mono);
    const QFontMetrics bold(theme()->fonts().title);
    const QFontMetrics small(theme()->fonts().small);
    std::array<int, QueueModel::ColumnCount> needs{};
    needs[QueueModel::Place] = kSide + text.horizontalAdvance(QStringLiteral("000")) + kCell;
    needs[QueueModel::Sequence] = mono.horizontalAdvance(QStringLiteral("…00000")) + 2 * kCell;
    needs[QueueModel::Owner] =
        text.horizontalAdvance(QStringLiteral("mmm")) + QueueDelegate::kDotRoom + 2 * kCell;
    int& state = needs[QueueModel::State];
    state = bold.horizontalAdvance(tr("holds · frozen")) + 2 * kCell;
    //: a client's state: it deletes its node
    const int leastState = bold.horizontalAdvance(tr("releases")) + 2 * kCell;
    needs[QueueModel::Watches] = needs[QueueModel::Sequence];
    int& waited = needs[QueueModel::Waited];
    for (const char* wait : {"00 min 00 s", "0.000 000 s"})
        waited = std::max(waited, drawing::tabularWidth(QFontMetricsF(text), QString::fromLatin1(wait)) +
                                      kCell + kSide);
    for (const int column : {QueueModel::Sequence, QueueModel::Watches, QueueModel::Depth}) {
        const QString header = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int& need = needs[static_cast<std::size_t>(column)];
        need = std::max(need, small.horizontalAdvance(header) + 2 * kCell + 2);
    }
    int shown = 0;
    for (int column = 0; column < QueueModel::ColumnCount; ++column) {
        setColumnHidden(column, !wants(column));
        if (wants(column))
            ++shown;
        else
            needs[static_cast<std::size_t>(column)] = 0;
    }
    int spare = width - std::accumulate(needs.begin(), needs.end(), 0);
    for (const int column : {QueueModel::Depth, QueueModel::Watches, QueueModel::Waited}) {
        const bool hide = spare + std::max(0, state - leastState) < 0;
        if (!wants(column))
            continue;
        setColumnHidden(column, hide);
        if (hide) {
            spare += needs[static_cast<std::size_t>(column)];
            --shown;
        }
    }
    if (spare < 0 && leastState < state) {
        const int given = std::min(-spare, state - leastState);
        state -= given;
        spare += given;
    }
    const int share = std::max(0, spare) / shown;
    for (int column = 0; column < QueueModel::ColumnCount; ++column)
        setColumnWidth(column, needs[static_cast<std::size_t>(column)] + share);
    // The owner's column takes what is still missing or left over, because names can be elided.
    const int owner = columnWidth(QueueModel::Owner) + (spare < 0 ? spare : spare - share * shown);
    setColumnWidth(QueueModel::Owner, std::max(owner, QueueDelegate::kDotRoom + 2 * kCell + 12));
}

} // namespace lockscope::ui

#include "moc_queue_view.cpp"
