#include "ui/widgets/panel_parts.h"

#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"

#include <QLabel>
#include <QStyleOptionHeader>
#include <QTableView>

#include <utility>

namespace lockscope::ui {

QAction* addCommandTo(QWidget* widget, const char* name, std::function<void()> act)
{
    QAction* action = makeCommand(name, widget);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(action, &QAction::triggered, widget, std::move(act));
    widget->addAction(action);
    return action;
}

void makePlainText(QLabel* label)
{
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void repolish(QWidget* widget)
{
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

void setTextColour(QWidget* widget, const QColor& colour)
{
    QPalette colours = widget->palette();
    colours.setColor(QPalette::WindowText, colour);
    widget->setPalette(colours);
}

SortHeader::SortHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setMinimumSectionSize(40);
}

void SortHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int section) const
{
    QHeaderView::initStyleOptionForIndex(option, section);
    option->sortIndicator = QStyleOptionHeader::None;
    if (!isSortIndicatorShown() || sortIndicatorSection() != section)
        return;
    const QChar arrow = sortIndicatorOrder() == Qt::AscendingOrder ? QChar(0x25b2) : QChar(0x25bc);
    // The arrow is on the side to which the column is not aligned.
    option->text = option->textAlignment & Qt::AlignRight ? arrow + QStringLiteral(" ") + option->text
                                                          : option->text + QStringLiteral(" ") + arrow;
}

QSize SortHeader::sectionSizeFromContents(int section) const
{
    constexpr int kMargins = 14;
    const QString text = model()->headerData(section, orientation()).toString() + u' ' + QChar(0x25b2);
    return {fontMetrics().horizontalAdvance(text) + kMargins,
            QHeaderView::sectionSizeFromContents(section).height()};
}

void setUpRowTable(QTableView* table, int rowHeight)
{
    table->setHorizontalHeader(new SortHeader(table));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

QString lockCountText(int shown, int all)
{
    const auto number = [](int count) { return format::count(static_cast<quint64>(count)); };
    return shown == all ? ProblemList::tr("Locks: %1").arg(number(all))
                        : ProblemList::tr("Locks: %1 of %2").arg(number(shown), number(all));
}

ProblemList::ProblemList(const QString& name, int height, QWidget* parent)
    : QListWidget(parent)
{
    setObjectName(name);
    setMaximumHeight(height);
    setWordWrap(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    hide();
}

void ProblemList::setLines(QStringList lines, int maxCount)
{
    if (lines.size() > maxCount) {
        const auto more = static_cast<quint64>(lines.size() - maxCount);
        lines = lines.mid(0, maxCount);
        lines << tr("%1 more").arg(format::count(more));
    }
    setVisible(!lines.isEmpty());
    setListLines(this, lines);
}

void setListLines(QListWidget* list, const QStringList& lines)
{
    QStringList present;
    for (int i = 0; i < list->count(); ++i)
        present << list->item(i)->text();
    if (present == lines)
        return;
    list->clear();
    list->addItems(lines);
}

} // namespace lockscope::ui

#include "moc_panel_parts.cpp"
