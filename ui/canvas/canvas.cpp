#include "ui/canvas/canvas.h"

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

bool showToolTip(QEvent* event, QWidget* owner, const std::function<QString(QPoint)>& tipAt)
{
    if (event->type() != QEvent::ToolTip)
        return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    // An empty text hides the tip.
    QToolTip::showText(help->globalPos(), format::toolTip(tipAt(help->pos())), owner);
    return true;
}

Canvas::Canvas(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(theme, &Theme::changed, this, &Canvas::invalidate);
}

void Canvas::invalidate()
{
    m_stale = true;
    itemsChanged();
    update();
}

void Canvas::countBuild()
{
    m_stale = false;
    ++m_builds;
}

// Plus and minus zoom; elsewhere in the window they add and remove clients.
bool Canvas::claimsShortcut(int key) const
{
    return key == Qt::Key_Plus || key == Qt::Key_Minus || key == Qt::Key_Equal;
}

void Canvas::drawEmpty(QPainter& painter, const QString& text) const
{
    painter.setFont(m_theme->fonts().text);
    painter.setPen(m_theme->palette().textMuted);
    painter.drawText(rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void Canvas::drawFocus(QPainter& painter) const
{
    if (!hasFocus())
        return;
    painter.setPen(m_theme->palette().accent);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void Canvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    invalidate();
}

void Canvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::LanguageChange || type == QEvent::FontChange || type == QEvent::LayoutDirectionChange)
        invalidate();
}

void Canvas::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void Canvas::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void Canvas::keyPressEvent(QKeyEvent* event)
{
    if (!isPlain(*event) || !handleKey(event->key()))
        QWidget::keyPressEvent(event);
}

bool Canvas::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (isPlain(*key) && claimsShortcut(key->key())) {
            event->accept();
            return true;
        }
    }
    return showToolTip(event, this, [this](QPoint at) { return tipAt(at); }) || QWidget::event(event);
}

} // namespace lockscope::ui
