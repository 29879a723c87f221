#include "ui/tables/client_delegate.h"

#include "ui/models/rows/clients_model.h"
#include "ui/tables/drawing.h"

#include <QAbstractItemView>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kSide = 14;         // room at both edges
constexpr int kTextLeft = 40;     // where the text begins
constexpr int kMargins = 17;      // above and below the two lines
constexpr int kBetween = 3;       // between the two lines
constexpr int kGives = 12;        // pixels that a row's margins may lose so that all rows fit
constexpr int kGap = 8;           // between name and pill
constexpr int kMinNameWidth = 44; // with less room, the state goes to the second line

QFont nameFont(const Theme& theme)
{
    QFont font = theme.fonts().title;
    font.setPointSizeF(font.pointSizeF() * 1.05);
    return font;
}

struct Places
{
    QRect name, pill, detail;
    QPointF dot;
};

Places placesIn(const QRect& row, const Theme& theme, const QString& pill)
{
    const int nameHeight = std::max(QFontMetrics(nameFont(theme)).height(), 20);
    const int detailHeight = QFontMetrics(theme.fonts().small).height();
    const int margins = row.height() - nameHeight - detailHeight;
    const int between = std::min(kBetween, std::max(0, margins / 4));
    const int top = row.top() + std::max(0, (margins - between) / 2);
    const int left = row.left() + kTextLeft;
    const int right = row.right() + 1 - kSide;
    const int pillWidth = drawing::pillWidth(pill, theme);
    Places places;
    places.name = QRect(left, top, right - left, nameHeight);
    if (right - left >= kMinNameWidth + kGap + pillWidth) {
        places.pill = QRect(right - pillWidth, top, pillWidth, nameHeight);
        places.name.setRight(places.pill.left() - kGap - 1);
    }
    places.detail = QRect(left, places.name.bottom() + 1 + between, right - left, detailHeight);
    places.dot = QPointF(row.left() + 23, places.name.center().y() + 0.5);
    return places;
}

} // namespace

ClientDelegate::ClientDelegate(const ClientsModel* model, Theme* theme, QObject* parent)
    : CellDelegate(theme, parent)
    , m_model(model)
{}

QSize ClientDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    const int name = std::max(QFontMetrics(nameFont(theme())).height(), 20);
    const int usual = name + kBetween + QFontMetrics(theme().fonts().small).height() + kMargins;
    // When nearly all rows fit, each shrinks a little. Otherwise the last would push the first out of sight.
    const auto* view = qobject_cast<const QAbstractItemView*>(parent());
    const int rows = m_model->rowCount();
    const int room = view ? view->viewport()->height() : 0;
    return {1, rows > 0 && rows * (usual - kGives) <= room ? std::min(usual, room / rows) : usual};
}

void ClientDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const Palette& palette = theme().palette();
    const ClientItem& item = m_model->item(index.row());
    const TonedText status = m_model->status(index.row());
    const TonedText detail = m_model->detail(index.row());
    const Places places = placesIn(option.rect, theme(), status.text);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state & QStyle::State_Selected;
    drawing::drawRowBackground(*painter, option.rect, selected, true, palette);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), palette.grid);
    drawing::drawDot(*painter, places.dot, 8.5, palette.client(item.client.colour));
    painter->setFont(nameFont(theme()));
    painter->setPen(palette.text);
    // Names that have much in common differ at the end.
    theme().texts().draw(*painter, places.name, Qt::AlignLeft | Qt::AlignVCenter,
                         m_model->shownName(index.row()), Qt::ElideMiddle);
    const bool pill = !places.pill.isEmpty();
    if (pill)
        drawing::drawPill(*painter, places.pill, status.text, status.tone, selected, theme());
    painter->setFont(theme().fonts().small);
    painter->setPen(textColour(palette, pill ? detail.tone : status.tone));
    const QString words = pill ? detail.text
                               : theme().texts().fitting(theme().fonts().small, m_model->brief(index.row()),
                                                         places.detail.width());
    theme().texts().draw(*painter, places.detail, Qt::AlignLeft | Qt::AlignVCenter, words);
    painter->restore();
}

QString ClientDelegate::wholeText(const QModelIndex& index) const
{
    return index.data(Qt::AccessibleTextRole).toString();
}

bool ClientDelegate::isCut(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QString pill = m_model->status(index.row()).text;
    const Places places = placesIn(option.rect, theme(), pill);
    return QFontMetrics(nameFont(theme())).horizontalAdvance(m_model->name(index.row())) >
               places.name.width() ||
           places.pill.isEmpty() ||
           QFontMetrics(theme().fonts().small).horizontalAdvance(m_model->detail(index.row()).text) >
               places.detail.width();
}

} // namespace lockscope::ui

#include "moc_client_delegate.cpp"
