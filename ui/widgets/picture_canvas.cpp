#include "ui/widgets/picture_canvas.h"

#include "ui/models/format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

namespace lockscope::ui {

namespace {

// A sign may need Shift, a letter with Shift is another key.
bool isPlain(const QKeyEvent& event)
{
    const bool letter = event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z;
    const Qt::KeyboardModifiers besides =
        letter ? Qt::KeypadModifier : Qt::ShiftModifier | Qt::KeypadModifier;
    return (event.modifiers() & ~besides) == Qt::NoModifier;
}

} // namespace

PictureCanvas::PictureCanvas(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(theme, &Theme::changed, this, &PictureCanvas::invalidate);
}

void PictureCanvas::invalidate()
{
    m_stale = true;
    update();
}

void PictureCanvas::countBuild()
{
    m_stale = false;
    ++m_builds;
}

// Plus and minus zoom; elsewhere in the window they add and remove clients.
bool PictureCanvas::claimsShortcut(int key) const
{
    return key == Qt::Key_Plus || key == Qt::Key_Minus || key == Qt::Key_Equal;
}

void PictureCanvas::drawEmpty(QPainter& painter, const QString& text) const
{
    painter.setFont(m_theme->fonts().text);
    painter.setPen(m_theme->palette().textMuted);
    painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void PictureCanvas::drawFocus(QPainter& painter) const
{
    if (!hasFocus())
        return;
    painter.setPen(m_theme->palette().accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PictureCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    invalidate();
}

void PictureCanvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::LanguageChange || type == QEvent::FontChange || type == QEvent::LayoutDirectionChange)
        invalidate();
}

void PictureCanvas::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void PictureCanvas::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PictureCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!isPlain(*event) || !handleKey(event->key()))
        QWidget::keyPressEvent(event);
}

bool PictureCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (isPlain(*key) && claimsShortcut(key->key())) {
            event->accept();
            return true;
        }
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = tipAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), format::toolTip(text), this);
    return true;
}

} // namespace lockscope::ui
