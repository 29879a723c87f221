#include "ui/lesson/option_button.h"

#include "ui/models/style/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kPadding = 10;
constexpr int kNarrowPadding = 6;
constexpr int kMark = 14;
constexpr int kUsualWidth = 260;
constexpr int kOneLine = 10'000; // a width in which any text has one line
constexpr int kTextFlags = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;

} // namespace

OptionButton::OptionButton(const Theme* theme, int digit, const QString& text, Mark mark, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
    , m_digit(digit)
    , m_mark(mark)
{
    setText(text);
    setAccessibleName(text);
    setCheckable(mark != Mark::none);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QString OptionButton::shown() const
{
    return m_digit > 0 ? QStringLiteral("%1  %2").arg(m_digit).arg(text()) : text();
}

int OptionButton::padding() const { return m_mark == Mark::none ? kNarrowPadding : kPadding; }
int OptionButton::left() const { return m_mark == Mark::none ? kPadding : kPadding + kMark + 10; }

void OptionButton::setHands(int hands)
{
    m_hands = hands;
    setAccessibleDescription(handsText());
    updateGeometry();
    update();
}

QString OptionButton::handsText() const { return m_hands < 0 ? QString() : tr("%n hands", nullptr, m_hands); }

int OptionButton::right() const
{
    return m_hands < 0 ? kPadding : 2 * kPadding + fontMetrics().horizontalAdvance(handsText());
}

void OptionButton::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::RightButton && m_hands >= 0)
        emit handLowered();
    QAbstractButton::mousePressEvent(event);
}

int OptionButton::heightForWidth(int width) const
{
    const QRect room(0, 0, std::max(40, width - left() - right()), 10'000);
    return fontMetrics().boundingRect(room, kTextFlags, shown()).height() + 2 * padding();
}

QSize OptionButton::sizeHint() const { return {kUsualWidth, heightForWidth(kUsualWidth)}; }
// A layout adds these heights up before it knows the width: more than one line here would leave a gap below.
QSize OptionButton::minimumSizeHint() const { return {120, heightForWidth(kOneLine)}; }

void OptionButton::paintMark(QPainter& painter, bool marked) const
{
    const Palette& palette = m_theme->palette();
    const bool several = m_mark == Mark::several;
    const QRectF mark(kPadding + 1, (height() - kMark) / 2.0, kMark, kMark);
    painter.setPen(QPen(marked ? palette.accent : palette.textMuted, 1.5));
    painter.setBrush(Qt::NoBrush);
    const double round = several ? 3 : kMark / 2.0;
    painter.drawRoundedRect(mark, round, round);
    if (marked && several) { // a tick: others may be marked, too
        painter.setPen(QPen(palette.accent, 2));
        painter.drawPolyline(QPolygonF({mark.topLeft() + QPointF(3, kMark / 2.0),
                                        mark.topLeft() + QPointF(kMark / 2.0 - 1, kMark - 4),
                                        mark.topRight() + QPointF(-3, 4)}));
    } else if (marked) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.accent);
        painter.drawEllipse(mark.adjusted(3.5, 3.5, -3.5, -3.5));
    }
}

void OptionButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& palette = m_theme->palette();
    const bool marked = isChecked();
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(marked || hasFocus() ? palette.accent : palette.cardBorder, marked ? 1.6 : 1));
    painter.setBrush(marked ? palette.selection : underMouse() ? palette.panel : palette.card);
    painter.drawRoundedRect(frame, 5, 5);
    if (m_mark != Mark::none)
        paintMark(painter, marked);
    painter.setPen(!isEnabled() ? palette.textMuted : marked ? palette.selectionText : palette.text);
    painter.setFont(font());
    painter.drawText(rect().adjusted(left(), 0, -right(), 0), kTextFlags, shown());
    painter.drawText(rect().adjusted(left(), 0, -kPadding, 0), Qt::AlignRight | Qt::AlignVCenter,
                     handsText());
}

} // namespace lockscope::ui

#include "moc_option_button.cpp"
