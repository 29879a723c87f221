#include "ui/tables/watches_view.h"

#include "ui/models/rows/watches_model.h"
#include "ui/models/style/retranslate.h"
#include "ui/tables/row_sync.h"
#include "ui/tables/watches_delegate.h"

#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kWatchesViewRowHeight = 32;
constexpr int kWatchesViewLowRowHeight = 26;
} // namespace

WatchesView::WatchesView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : PlainTable(theme, kWatchesViewRowHeight, parent, kWatchesViewLowRowHeight)
    , m_model(new WatchesModel(run, selection, this))
{
    //: name of a card for screen readers, a noun
    onRetranslate(this, [this] { setAccessibleName(tr("Watches")); });
    setItemDelegate(new WatchesDelegate(m_model, theme, this));
    auto* sync = new RowSync(this, m_model, selection,
                             {[this, selection] { return m_model->rowOf(*selection); },
                              [this, selection](int row) {
                                  selection->selectNode(m_model->firstClient(row),
                                                        QString::fromUtf8(m_model->item(row).node));
                              }});
    addTools("watchesTable", WatchesModel::Node);
    letSort();
    setContextMenuPolicy(Qt::DefaultContextMenu); // the menu of the card, which has the copying too
    connect(run, &RunModel::stateChanged, sync,
            &RowSync::show); // the selected client may now watch an older row
    connect(run, &RunModel::runChanged, this, &WatchesView::updateTexts);
    connect(run, &RunModel::stateChanged, this, &WatchesView::updateTexts);
    connect(run, &RunModel::stateChanged, this, &PlainTable::layOutNow);
    connect(selection, &Selection::changed, this, &WatchesView::updateTexts);
    updateTexts();
}

void WatchesView::updateTexts()
{
    setEmptyText(m_model->emptyText());
    if (setCaption(m_model->caption()))
        setAccessibleDescription(caption());
}

// The columns of node and verdict get what their texts need, belief and table share the rest.
void WatchesView::layOutColumns(int width)
{
    const int node =
        kSide + QFontMetrics(theme()->fonts().mono).horizontalAdvance(QStringLiteral("…00000")) + 2 * kCell;
    const int most =
        QFontMetrics(theme()->fonts().title).horizontalAdvance(tr("missing: of %1").arg("mmmm")) + kCell +
        kSide;
    for (int column = 0; column < WatchesModel::ColumnCount; ++column)
        setColumnHidden(column, !wants(column));
    const int sides = int(wants(WatchesModel::Believed)) + int(wants(WatchesModel::Served));
    const int verdict = wants(WatchesModel::Verdict) ? std::min(most, std::max(0, width - node) * 2 / 5) : 0;
    const int side = sides > 0 ? std::max(0, width - node - verdict) / sides : 0;
    setColumnWidth(WatchesModel::Believed, side);
    setColumnWidth(WatchesModel::Served, side);
    const int rest = std::max(0, width - node - sides * side);
    setColumnWidth(WatchesModel::Node, wants(WatchesModel::Verdict) ? node : node + rest);
    setColumnWidth(WatchesModel::Verdict, rest);
}

} // namespace lockscope::ui

#include "moc_watches_view.cpp"
