#include "ui/field/status_badge.h"

#include <QFontMetrics>
#include <QPainter>

namespace lockscope::ui {

namespace {
constexpr int kBadgeSide = 10;
constexpr int kBadgeHeight = 22;
} // namespace

StatusBadge::StatusBadge(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(theme, &Theme::changed, this, [this] { updateGeometry(), update(); });
    hide();
}

void StatusBadge::show(const QString& text, Kind kind)
{
    if (text == m_text && kind == m_kind)
        return;
    m_text = text;
    m_kind = kind;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    updateGeometry();
    update();
}

QSize StatusBadge::sizeHint() const
{
    return {QFontMetrics(m_theme->fonts().small).horizontalAdvance(m_text) + 2 * kBadgeSide, kBadgeHeight};
}

void StatusBadge::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_kind == Kind::bad ? palette.danger : palette.pill);
    painter.drawRoundedRect(rect(), kBadgeHeight / 2.0, kBadgeHeight / 2.0);
    painter.setFont(m_theme->fonts().small);
    painter.setPen(m_kind == Kind::bad       ? palette.onDanger
                   : m_kind == Kind::warning ? palette.waitsText
                                             : palette.holdsText);
    painter.drawText(rect(), Qt::AlignCenter, m_text);
}

} // namespace lockscope::ui
