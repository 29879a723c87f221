#include "ui/commands/command_delegate.h"

#include "ui/commands/command_list.h"
#include "ui/models/style/theme.h"

#include <QPainter>

namespace lockscope::ui {

namespace {

constexpr int kHeight = 32;
constexpr int kSide = 12;
constexpr int kGap = 10;

} // namespace

CommandDelegate::CommandDelegate(const Theme* theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{}

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {300, qMax(kHeight, QFontMetrics(m_theme->fonts().text).height() + 12)};
}

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const auto* list = qobject_cast<const CommandList*>(index.model());
    const CommandEntry* entry = list ? list->entry(index.row()) : nullptr;
    if (!entry) {
        return;
    }
    const Palette& palette = m_theme->palette();
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, palette.selection);
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), palette.accent);
    }
    QRect row = option.rect.adjusted(kSide, 0, -kSide, 0);
    if (!entry->shortcut.isEmpty()) {
        painter->setFont(m_theme->fonts().small);
        const int width = painter->fontMetrics().horizontalAdvance(entry->shortcut) + 12;
        const int height = painter->fontMetrics().height() + 4;
        const QRectF key(row.right() - width + 0.5, row.center().y() - height / 2.0 + 0.5, width, height);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(palette.cardBorder);
        painter->setBrush(palette.panel);
        painter->drawRoundedRect(key, 4, 4);
        painter->setPen(palette.textMuted);
        painter->drawText(key, Qt::AlignCenter, entry->shortcut);
        row.setRight(row.right() - width - kGap);
    }
    const std::vector<int>& matching = list->positions(index.row());
    const int end = paintText(*painter, row, entry->text, {matching.begin(), matching.end()},
                              entry->enabled ? palette.text : palette.textFaint);
    row.setLeft(end + kGap);
    painter->setFont(m_theme->fonts().small);
    painter->setPen(palette.textFaint);
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(entry->category, Qt::ElideRight, row.width()));
    painter->restore();
}

// Paints the text in runs of bold and of other letters. Returns the x coordinate of its end.
int CommandDelegate::paintText(QPainter& painter, const QRect& row, const QString& text,
                               const std::set<int>& bold, const QColor& colour) const
{
    QFont strong = m_theme->fonts().text;
    strong.setWeight(QFont::Bold);
    int x = row.left();
    painter.setPen(colour);
    for (int at = 0; at < text.size() && x < row.right();) {
        const bool marked = bold.contains(at);
        int end = at + 1;
        while (end < text.size() && bold.contains(end) == marked) {
            ++end;
        }
        painter.setFont(marked ? strong : m_theme->fonts().text);
        const QFontMetrics metrics(painter.font());
        const QString part = metrics.elidedText(text.mid(at, end - at), Qt::ElideRight, row.right() - x);
        painter.drawText(QRect(x, row.top(), row.right() - x, row.height()), Qt::AlignVCenter, part);
        x += metrics.horizontalAdvance(part);
        at = end;
    }
    return x;
}

} // namespace lockscope::ui

#include "moc_command_delegate.cpp"
