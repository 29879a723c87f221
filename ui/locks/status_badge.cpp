#include "ui/locks/status_badge.h"

#include "ui/canvas/pill.h"

#include <QFontMetrics>
#include <QPainter>

namespace lockscope::ui {

namespace {
constexpr int kBadgeSide = 10;
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
    const QFontMetrics metrics(m_theme->fonts().small);
    return {metrics.horizontalAdvance(m_text) + 2 * kBadgeSide, pillHeight(m_theme->fonts().small) + 2};
}

void StatusBadge::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const bool bad = m_kind == Kind::bad;
    drawPill(painter, rect(), m_text, m_theme->fonts().small, bad ? palette.danger : palette.pill,
             bad                       ? palette.onDanger
             : m_kind == Kind::warning ? palette.waitsText
                                       : palette.holdsText,
             m_theme->texts(), 0);
}

} // namespace lockscope::ui

#include "moc_status_badge.cpp"
