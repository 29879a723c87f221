#include "ui/shell/runbar/pill.h"

#include "ui/canvas/pill.h"
#include "ui/models/style/theme.h"

#include <QPainter>

namespace lockscope::ui {

namespace {
constexpr int kPillSide = 10;
} // namespace

Pill::Pill(Theme* theme, QWidget* parent)
    : QAbstractButton(parent)
    , m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover); // painted differently under the mouse
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(theme, &Theme::changed, this, [this] { updateGeometry(), update(); });
}

void Pill::show(Verdict verdict, const QString& text, const QString& briefText, const QString& explanation)
{
    setToolTip(explanation);
    if (m_verdict == verdict && m_full == text && m_brief == briefText) {
        return;
    }
    m_verdict = verdict;
    m_full = text;
    m_brief = briefText;
    setAccessibleName(words());
    updateGeometry();
    update();
}

void Pill::setWidth(Width width)
{
    if (m_width != width) {
        m_width = width;
        updateGeometry();
        update();
    }
}

QString Pill::textFor(Width width) const
{
    const QString mark = m_verdict == Verdict::good       ? QStringLiteral("\u2713")
                         : m_verdict == Verdict::none     ? QStringLiteral("\u00b7")
                         : m_verdict == Verdict::expected ? QStringLiteral("\u2248")
                                                          : QStringLiteral("!");
    return mark + QChar(' ') + (width == Width::full ? m_full : m_brief);
}

QSize Pill::sizeHint() const { return {widthFor(m_width), pillHeight(wordsFont()) + 2}; }

int Pill::widthFor(Width width) const
{
    return QFontMetrics(wordsFont()).horizontalAdvance(textFor(width)) + 2 * kPillSide;
}

QFont Pill::wordsFont() const { return pillFont(m_theme->fonts()); }

void Pill::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QColor words = palette.textMuted;
    QColor ground = palette.pill;
    if (m_verdict == Verdict::good) {
        words = palette.holdsText;
    } else if (m_verdict == Verdict::expected) { // violated, too
        words = palette.staleText;
    } else if (m_verdict == Verdict::doubtful) {
        words = palette.waitsText;
    } else if (m_verdict == Verdict::bad) {
        words = palette.onDanger;
        ground = palette.danger;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus()                       ? QPen(palette.frozen, 1.5)
                   : m_verdict == Verdict::doubtful ? QPen(palette.waits, 1)
                                                    : QPen(Qt::NoPen));
    drawPill(painter, box, this->words(), wordsFont(),
             underMouse() ? ground.darker(palette.dark ? 85 : 106) : ground, words, m_theme->texts(), 0);
}

} // namespace lockscope::ui

#include "moc_pill.cpp"
