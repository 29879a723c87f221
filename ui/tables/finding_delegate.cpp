#include "ui/tables/finding_delegate.h"

#include "ui/models/findings_model.h"
#include "ui/tables/drawing.h"

#include <QFontMetrics>
#include <QListView>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kFindingDelegateTextLeft = 42;
constexpr int kFindingDelegateSide = 14;
constexpr int kFindingDelegateTop = 7;
constexpr int kFindingDelegateBetween = 3;
constexpr int kFindingDelegateBottom = 6;

drawing::Mark markOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::kept:
        return drawing::Mark::kept;
    case Verdict::disputed:
        return drawing::Mark::disputed;
    case Verdict::violated:
        return drawing::Mark::violated;
    case Verdict::expected: // neither a tick nor a cross: its words say it
    case Verdict::open:
        break;
    }
    return drawing::Mark::open;
}

} // namespace

FindingDelegate::FindingDelegate(const FindingsModel* model, Look* look, QListView* view)
    : QStyledItemDelegate(view)
    , m_model(model)
    , m_look(look)
    , m_view(view)
{}

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const int width = m_view->viewport()->width();
    const int room = std::max(40, width - kFindingDelegateTextLeft - kFindingDelegateSide);
    const auto wrapped = static_cast<int>(std::ceil(
        m_look->texts().wrappedHeight(m_look->fonts().small, m_model->sentence(index.row()), room)));
    return {width, kFindingDelegateTop + QFontMetrics(m_look->fonts().title).height() + kFindingDelegateBetween + wrapped + kFindingDelegateBottom};
}

void FindingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const Palette& palette = m_look->palette();
    const Verdict verdict = m_model->verdict(index.row());
    const QRect row = option.rect;
    const int titleHeight = QFontMetrics(m_look->fonts().title).height();
    QRect title(row.left() + kFindingDelegateTextLeft, row.top() + kFindingDelegateTop, row.width() - kFindingDelegateTextLeft - kFindingDelegateSide, titleHeight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool focused = (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Selected);
    drawing::rowBackground(*painter, row, focused, true, palette);
    drawing::mark(*painter, QPointF(row.left() + 23, title.center().y() + 0.5), 9, markOf(verdict), palette);
    if (verdict == Verdict::violated || verdict == Verdict::expected) {
        const QString show = FindingsModel::tr("show ›");
        painter->setFont(m_look->fonts().small);
        painter->setPen(palette.frozenText);
        painter->drawText(title, Qt::AlignRight | Qt::AlignVCenter, show);
        title.setWidth(title.width() - painter->fontMetrics().horizontalAdvance(show) - 8);
    }
    painter->setFont(m_look->fonts().title);
    painter->setPen(palette.text);
    m_look->texts().draw(*painter, title, Qt::AlignLeft | Qt::AlignVCenter, m_model->title(index.row()));
    painter->setFont(m_look->fonts().small);
    const bool wrong = verdict == Verdict::violated || verdict == Verdict::disputed;
    painter->setPen(wrong ? palette.staleText : palette.textMuted);
    const int top = title.bottom() + 1 + kFindingDelegateBetween;
    m_look->texts().drawWrapped(
        *painter, QRect(title.left(), top, row.width() - kFindingDelegateTextLeft - kFindingDelegateSide, row.bottom() + 1 - top),
        m_model->sentence(index.row()));
    painter->restore();
}

} // namespace lockscope::ui
