#include "ui/widgets/overlay.h"

#include "ui/models/style/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QWindow>

#include <algorithm>

namespace lockscope::ui {

Overlay::Overlay(const Theme* theme, QWidget* window)
    : QDialog(window, Qt::SubWindow | Qt::FramelessWindowHint)
    , m_theme(theme)
    , m_before(window->window()->focusWidget())
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_NoMousePropagation);
    setFocusPolicy(Qt::StrongFocus);
    qApp->installEventFilter(this);
}

bool Overlay::isOpenOver(const QWidget* window)
{
    const auto overlays = window->findChildren<Overlay*>(Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(overlays, [](const Overlay* overlay) { return overlay->isVisible(); });
}

bool Overlay::contains(const QWidget* widget) const
{
    while (widget && widget != this)
        widget = widget->parentWidget();
    return widget != nullptr;
}

bool Overlay::eventFilter(QObject* watched, QEvent* event)
{
    if (!isVisible())
        return QDialog::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride &&
        watched == window()->windowHandle()) { // nothing has the focus
        event->accept();
        return true;
    }
    if (!watched->isWidgetType())
        return QDialog::eventFilter(watched, event);
    auto* widget = static_cast<QWidget*>(watched);
    const bool own = contains(widget);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (own)
            return QDialog::eventFilter(watched, event);
        reject();
        return widget->window() == window(); // the click that closes it does nothing else in this window
    case QEvent::ShortcutOverride:
        if (widget->window() != window())
            return QDialog::eventFilter(watched, event);
        event->accept(); // no shortcut of the window
        return true;
    case QEvent::KeyPress:
        if (own || widget->window() != window())
            return QDialog::eventFilter(watched, event);
        // Something else has taken the focus meanwhile.
        QCoreApplication::sendEvent(contains(focusWidget()) ? focusWidget() : this, event);
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

void Overlay::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    raise();
    QWidget* first = focusWidget();
    (contains(first) ? first : this)->setFocus(Qt::PopupFocusReason);
}

void Overlay::keyPressEvent(QKeyEvent* event)
{
    for (QAbstractButton* button : findChildren<QAbstractButton*>()) {
        if (!button->shortcut().isEmpty() && button->shortcut() == QKeySequence(event->keyCombination()))
            button->animateClick();
    }
    QDialog::keyPressEvent(event);
    event->accept();
}

void Overlay::done(int result)
{
    const bool closes = isVisible();
    if (closes && m_before)
        m_before->setFocus(Qt::PopupFocusReason);
    QDialog::done(result);
}

void Overlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing); // the line lies within, at a scale of 1.25 too
    painter.setPen(m_theme->palette().cardBorder);
    painter.setBrush(m_theme->palette().card);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace lockscope::ui

#include "moc_overlay.cpp"
