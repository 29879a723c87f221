#include "ui/tables/finding_delegate.h"

#include "ui/models/rows/findings_model.h"
#include "ui/tables/drawing.h"

#include <QFontMetrics>
#include <QListView>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr int kFindingTextLeft = 42;
constexpr int kFindingSide = 14;
constexpr int kFindingTop = 7;
constexpr int kFindingGap = 3;
constexpr int kFindingBottom = 6;

drawing::StatusIcon markOf(FindingStatus verdict)
{
    switch (verdict) {
    case FindingStatus::kept:
        return drawing::StatusIcon::kept;
    case FindingStatus::disputed:
        return drawing::StatusIcon::disputed;
    case FindingStatus::violated:
    case FindingStatus::expected: // violated, too: the count says so, and the text that the scenario shows it
        return drawing::StatusIcon::violated;
    case FindingStatus::open:
        break;
    }
    return drawing::StatusIcon::open;
}

} // namespace

FindingDelegate::FindingDelegate(const FindingsModel* model, Theme* theme, QListView* view)
    : QStyledItemDelegate(view)
    , m_model(model)
    , m_theme(theme)
    , m_view(view)
{}

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const int width = m_view->viewport()->width();
    const int room = std::max(40, width - kFindingTextLeft - kFindingSide);
    const auto wrapped = static_cast<int>(std::ceil(
        m_theme->texts().wrappedHeight(m_theme->fonts().small, m_model->sentence(index.row()), room)));
    return {width, kFindingTop + QFontMetrics(m_theme->fonts().title).height() + kFindingGap + wrapped +
                       kFindingBottom};
}

void FindingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const Palette& palette = m_theme->palette();
    const FindingStatus verdict = m_model->verdict(index.row());
    const QRect row = option.rect;
    const int titleHeight = QFontMetrics(m_theme->fonts().title).height();
    QRect title(row.left() + kFindingTextLeft, row.top() + kFindingTop,
                row.width() - kFindingTextLeft - kFindingSide, titleHeight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool focused = (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Selected);
    drawing::drawRowBackground(*painter, row, focused, true, palette);
    drawing::drawStatusIcon(*painter, QPointF(row.left() + 23, title.center().y() + 0.5), 9, markOf(verdict),
                            palette);
    if (verdict == FindingStatus::violated || verdict == FindingStatus::expected) {
        const QString show = FindingsModel::tr("show ›");
        painter->setFont(m_theme->fonts().small);
        painter->setPen(palette.frozenText);
        painter->drawText(title, Qt::AlignRight | Qt::AlignVCenter, show);
        title.setWidth(title.width() - painter->fontMetrics().horizontalAdvance(show) - 8);
    }
    painter->setFont(m_theme->fonts().title);
    painter->setPen(palette.text);
    m_theme->texts().draw(*painter, title, Qt::AlignLeft | Qt::AlignVCenter, m_model->title(index.row()));
    painter->setFont(m_theme->fonts().small);
    painter->setPen(verdict == FindingStatus::violated || verdict == FindingStatus::expected
                        ? palette.staleText
                    : verdict == FindingStatus::disputed ? palette.waitsText
                                                         : palette.textMuted);
    const int top = title.bottom() + 1 + kFindingGap;
    m_theme->texts().drawWrapped(
        *painter,
        QRect(title.left(), top, row.width() - kFindingTextLeft - kFindingSide, row.bottom() + 1 - top),
        m_model->sentence(index.row()));
    painter->restore();
}

} // namespace lockscope::ui

#include "moc_finding_delegate.cpp"
