#include "ui/charts/chart_chooser.h"

#include "ui/models/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace lockscope::ui {

namespace {
constexpr int kTextSide = 6;
constexpr int kArrow = 8;
constexpr int kBeforeArrow = 7;
} // namespace

ChartChooser::ChartChooser(Theme* theme, QWidget* parent)
    : QToolButton(parent)
    , m_theme(theme)
{
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    setMenu(new QMenu(this));
    menu()->setToolTipsVisible(true);
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ChartChooser::sizeHint() const
{
    const QFontMetrics metrics(m_theme->fonts().title);
    const int words = metrics.horizontalAdvance(text()) + 2; // the advance is rounded, eliding is exact
    return {2 * kTextSide + words + kBeforeArrow + kArrow, metrics.height() + 8};
}

QSize ChartChooser::minimumSizeHint() const { return {40, sizeHint().height()}; }

void ChartChooser::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || isDown() || hasFocus()) {
        painter.setPen(hasFocus() ? palette.accent : palette.panel);
        painter.setBrush(palette.panel);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
    const QFontMetrics metrics(m_theme->fonts().title);
    const int room = width() - 2 * kTextSide - kBeforeArrow - kArrow;
    const QString words = metrics.elidedText(text(), Qt::ElideRight, room);
    painter.setFont(m_theme->fonts().title);
    painter.setPen(palette.text);
    painter.drawText(rect().adjusted(kTextSide, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
    const qreal left = kTextSide + metrics.horizontalAdvance(words) + kBeforeArrow;
    const qreal middle = height() / 2.0 + 1;
    QPainterPath arrow(QPointF(left, middle - 2.5));
    arrow.lineTo(left + kArrow / 2.0, middle + 2);
    arrow.lineTo(left + kArrow, middle - 2.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.textMuted, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(arrow);
}

} // namespace lockscope::ui

#include "moc_chart_chooser.cpp"
