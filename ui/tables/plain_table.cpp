#include "ui/tables/plain_table.h"

#include "ui/tables/drawing.h"
#include "ui/widgets/table_tools.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
constexpr int kHeaderHeight = 30;
}

PlainHeader::PlainHeader(Theme* theme, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_theme(theme)
{
    setSectionResizeMode(QHeaderView::Fixed);
    setSectionsClickable(false);
    setHighlightSections(false);
    setMinimumSectionSize(8);
}

// A table asks only for the height; measuring all sections for it would cost time in every frame.
QSize PlainHeader::sizeHint() const { return {length(), kHeaderHeight}; }

void PlainHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    const Palette& palette = m_theme->palette();
    painter->save();
    painter->fillRect(rect, palette.card);
    painter->fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), palette.grid);
    painter->setFont(m_theme->fonts().small);
    painter->setPen(palette.textMuted);
    const auto alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    const auto* table = qobject_cast<PlainTable*>(parentWidget());
    const QRect box = table ? table->contents(rect, section) : rect;
    QRect words = box;
    if (isSortIndicatorShown() && sortIndicatorSection() == section) {
        const QString title = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString arrow(QChar(sortIndicatorOrder() == Qt::AscendingOrder ? 0x25b2 : 0x25bc));
        const QFontMetrics metrics(painter->font());
        const int room = metrics.horizontalAdvance(arrow) + 3;
        // Behind the title, or before one that is aligned to the right.
        const int width = std::min(box.width(), metrics.horizontalAdvance(title) + room);
        words = alignment & Qt::AlignRight ? box.adjusted(box.width() - width, 0, 0, 0)
                                           : box.adjusted(0, 0, width - box.width(), 0);
        painter->setPen(palette.text);
        m_theme->texts().draw(
            *painter, words, Qt::AlignVCenter | (alignment & Qt::AlignRight ? Qt::AlignLeft : Qt::AlignRight),
            arrow);
        words = alignment & Qt::AlignRight ? words.adjusted(room, 0, 0, 0) : words.adjusted(0, 0, -room, 0);
    }
    m_theme->texts().draw(*painter, words, Qt::Alignment(alignment),
                          model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString());
    painter->restore();
}

PlainTable::PlainTable(Theme* theme, int rowHeight, QWidget* parent, int lowRowHeight)
    : QTableView(parent)
    , m_theme(theme)
    , m_rowHeight(rowHeight)
    , m_lowRowHeight(lowRowHeight > 0 ? lowRowHeight : rowHeight)
{
    setHorizontalHeader(new PlainHeader(theme, this));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setFrameShape(QFrame::NoFrame);
    drawing::makeOpaque(*this);
    setShowGrid(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerItem); // no row is cut at the top
    setHorizontalScrollMode(ScrollPerPixel);
    theme->onChange(this, [this] { applyTheme(); });
    applyTheme();
}

void PlainTable::setEmptyText(const QString& text)
{
    if (std::exchange(m_emptyText, text) != text)
        viewport()->update();
}

void PlainTable::applyTheme()
{
    verticalHeader()->setMinimumSectionSize(m_lowRowHeight);
    applyRowHeight();
    setPalette(m_theme->widgetPalette());
    viewport()->update();
    horizontalHeader()->viewport()->update();
}

// Depends on the viewport only: rows whose height changed with the number of nodes would jump.
void PlainTable::applyRowHeight()
{
    const int height = viewport()->height() < kFewRows * m_rowHeight ? m_lowRowHeight : m_rowHeight;
    if (verticalHeader()->defaultSectionSize() != height)
        verticalHeader()->setDefaultSectionSize(height);
}

TableTools* PlainTable::addTools(const char* name, int always)
{
    m_tools = new TableTools(name, this, always, [this] { layOutColumns(viewport()->width()); });
    m_tools->letResize();
    return m_tools;
}

void PlainTable::letSort()
{
    QHeaderView* titles = horizontalHeader();
    titles->setSectionsClickable(true);
    titles->setSortIndicator(-1, Qt::AscendingOrder);
    titles->setSortIndicatorClearable(true);
    setSortingEnabled(true);
}

void PlainTable::layOut() { m_tools ? m_tools->layOut() : layOutColumns(viewport()->width()); }

QList<QAction*> PlainTable::copying() const { return m_tools ? m_tools->copying() : QList<QAction*>(); }

bool PlainTable::wants(int column) const { return !m_tools || m_tools->isShown(column); }

int PlainTable::firstColumn() const
{
    const QHeaderView* header = horizontalHeader();
    for (int place = 0; place < header->count(); ++place)
        if (!header->isSectionHidden(header->logicalIndex(place)))
            return header->logicalIndex(place);
    return 0;
}

QRect PlainTable::contents(const QRect& cell, int column) const
{
    const int left = column == firstColumn() ? kSide : kCell;
    const QHeaderView* header = horizontalHeader();
    const int right =
        header->count() > 0 && column == header->logicalIndex(header->count() - 1) ? kSide : kCell;
    return cell.adjusted(left, 0, -right, 0);
}

void PlainTable::paintEvent(QPaintEvent* event)
{
    drawing::drawBackground(*this, event->region(), *m_theme);
    QTableView::paintEvent(event);
    drawing::fadeCutRows(*this, *m_theme);
    if (model() && model()->rowCount() == 0)
        drawing::drawEmptyText(*this, m_emptyText, *m_theme);
}

void PlainTable::resizeEvent(QResizeEvent* event)
{
    if (model())
        layOut();
    applyRowHeight();
    QTableView::resizeEvent(event);
}

} // namespace lockscope::ui

#include "moc_plain_table.cpp"
