#include "ui/tables/queue_view.h"

#include "ui/models/queue_model.h"
#include "ui/tables/queue_delegate.h"
#include "ui/tables/row_sync.h"

#include <array>

namespace lockscope::ui {

namespace {

constexpr int kRowHeight = 32;
// Shares of the width, in the order of the columns.
constexpr std::array<int, QueueModel::ColumnCount> kShares = {9, 18, 19, 17, 17, 11, 18};

} // namespace

QueueView::QueueView(RunModel* run, Selection* selection, Look* look, QWidget* parent)
    : PlainTable(look, kRowHeight, parent)
    , m_run(run)
    , m_model(new QueueModel(run, selection, this))
{
    setAccessibleName(tr("Lock children, sorted"));
    setItemDelegate(new QueueDelegate(m_model, look, this));
    new RowSync(this, m_model, selection,
                {[this, selection] {
                     const int row = selection->node().isEmpty() ? -1 : m_model->rowOf(selection->node());
                     return row >= 0 ? row : m_model->rowOf(selection->client());
                 },
                 [this, selection](int row) {
                     const replay::NodeRow& node = m_model->item(row).node;
                     selection->selectNode(
                         node.owner,
                         QString::fromUtf8(node.name.data(), static_cast<qsizetype>(node.name.size())));
                 }});
    connect(run, &RunModel::runChanged, this, &QueueView::updateTexts);
    connect(run, &RunModel::stateChanged, this, &QueueView::updateTexts);
    connect(selection, &Selection::changed, this, &QueueView::updateTexts);
    updateTexts();
}

void QueueView::updateTexts()
{
    const QString path = m_model->path();
    const QString caption = path.isEmpty() ? QString() : tr("getChildren %1").arg(path);
    setEmptyText(m_run->hasRun() ? tr("Nobody is in the queue.") : tr("No queue yet: press Run."));
    if (caption == m_caption)
        return;
    m_caption = caption;
    emit captionChanged();
}

void QueueView::layOutColumns(int width)
{
    int total = 0;
    for (const int share : kShares)
        total += share;
    int used = 0;
    for (int column = 0; column < QueueModel::ColumnCount; ++column) {
        const bool last = column == QueueModel::ColumnCount - 1;
        const int size = last ? width - used : width * kShares[static_cast<std::size_t>(column)] / total;
        setColumnWidth(column, size);
        used += size;
    }
}

} // namespace lockscope::ui
