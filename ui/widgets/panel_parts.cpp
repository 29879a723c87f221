#include "ui/widgets/panel_parts.h"

#include "ui/models/format.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>

namespace lockscope::ui {

void makePlainText(QLabel* label)
{
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void setTextColour(QWidget* widget, const QColor& colour)
{
    QPalette colours = widget->palette();
    colours.setColor(QPalette::WindowText, colour);
    widget->setPalette(colours);
}

void setUpRowTable(QTableView* table, int rowHeight)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(40);
    table->horizontalHeader()->setStretchLastSection(false);
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
