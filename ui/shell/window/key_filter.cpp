#include "ui/shell/window/key_filter.h"

#include "ui/widgets/overlay.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QWindow>

#include <array>
#include <string_view>
#include <utility>

namespace lockscope::ui {

namespace {

bool isPartOf(const QWidget* part, const QWidget* window)
{
    while (part && part != window)
        part = part->parentWidget();
    return part != nullptr;
}

// The letter of an English keyboard at this place; 0: none. X11 and Wayland have the same codes.
char latinAt(quint32 scanCode)
{
    struct KeyRow
    {
        quint32 first;
        std::string_view letters;
    };
    constexpr std::array kRows{KeyRow{24, "QWERTYUIOP"}, KeyRow{38, "ASDFGHJKL"}, KeyRow{52, "ZXCVBNM"}};
    for (const KeyRow& row : kRows)
        if (scanCode >= row.first && scanCode < row.first + row.letters.size())
            return row.letters[scanCode - row.first];
    return 0;
}

bool isTypedInto(const QWidget* widget)
{
    const auto* box = qobject_cast<const QComboBox*>(widget);
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QTextEdit*>(widget) ||
           qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QKeySequenceEdit*>(widget) || (box && box->isEditable());
}

// The enabled action with this shortcut for a key that `widget` gets; null: none.
QAction* actionWithKeys(const QKeySequence& keys, const QWidget* widget)
{
    const auto fits = [&](const QAction* action) {
        return action->isEnabled() && action->shortcuts().contains(keys);
    };
    for (const QWidget* one = widget; one; one = one->isWindow() ? nullptr : one->parentWidget())
        for (QAction* action : one->actions())
            if (fits(action) && (action->shortcutContext() == Qt::WidgetWithChildrenShortcut ||
                                 (action->shortcutContext() == Qt::WidgetShortcut && one == widget)))
                return action;
    for (QAction* action : widget->window()->findChildren<QAction*>())
        if (fits(action) && (action->shortcutContext() == Qt::WindowShortcut ||
                             action->shortcutContext() == Qt::ApplicationShortcut))
            return action;
    return nullptr;
}

} // namespace

KeyFilter::KeyFilter(QWidget* window)
    : QObject(window)
    , m_window(window)
{
    qApp->installEventFilter(this);
}

bool KeyFilter::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn && watched->isWidgetType()) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        const bool returns = reason == Qt::PopupFocusReason || reason == Qt::ActiveWindowFocusReason;
        if (!returns || watched != m_clicked) // a menu gives the focus back to the button that opened it
            m_clicked = reason == Qt::MouseFocusReason ? qobject_cast<QAbstractButton*>(watched) : nullptr;
    } else if (isMeantForClosedMenu(watched, event)) {
        event->accept();
        return true;
    } else if (isSpaceOfControl(watched, event)) {
        event->accept();
        return true;
    } else if (isFindKey(watched, event)) {
        emit findPressed();
        return true;
    } else if (triggersByPlace(watched, event)) {
        return true;
    }
    return QObject::eventFilter(watched, event);
}

// Until the event loop goes on.
void KeyFilter::noteInput()
{
    if (!std::exchange(m_inInput, true))
        QMetaObject::invokeMethod(
            this, [this] { m_inInput = false; }, Qt::QueuedConnection);
}

// A menu that a key or a click closes gets the same close event as one that the display server closes, but
// while Qt handles that key or click.
bool KeyFilter::isMeantForClosedMenu(const QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Close:
        m_menuWasClosed |= event->spontaneous() && !m_inInput && watched->isWindowType() &&
                           static_cast<const QWindow*>(watched)->type() == Qt::Popup;
        return false;
    case QEvent::MouseButtonPress:
        m_menuWasClosed = false;
        noteInput();
        return false;
    case QEvent::MouseButtonRelease:
        noteInput();
        return false;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
        noteInput();
        const auto* key = static_cast<const QKeyEvent*>(event);
        const bool types = !(key->modifiers() & ~Qt::ShiftModifier) && key->key() < Qt::Key_Escape;
        const bool isAnother = key->modifiers() & ~Qt::ShiftModifier || key->key() == Qt::Key_Escape ||
                               QApplication::activePopupWidget();
        m_menuWasClosed &= !isAnother;
        return m_menuWasClosed && types;
    }
    default:
        return false;
    }
}

bool KeyFilter::isSpaceOfControl(const QObject* watched, const QEvent* event) const
{
    if (event->type() != QEvent::ShortcutOverride || watched == m_clicked)
        return false;
    const auto* key = static_cast<const QKeyEvent*>(event);
    return key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier &&
           (qobject_cast<const QAbstractButton*>(watched) || qobject_cast<const QComboBox*>(watched));
}

// A letter of another script that arrives as a key press is no shortcut: Qt has looked for a Latin letter at
// its place in all layouts.
bool KeyFilter::triggersByPlace(const QObject* watched, const QEvent* event) const
{
    if (event->type() != QEvent::KeyPress || !watched->isWidgetType())
        return false;
    const auto* key = static_cast<const QKeyEvent*>(event);
    const char latin = latinAt(key->nativeScanCode());
    const bool isOther = key->key() > 0xff && key->key() < Qt::Key_Escape && latin != 0;
    const auto* widget = static_cast<const QWidget*>(watched);
    if (!isOther || isTypedInto(widget) || QApplication::activePopupWidget() || !isPartOf(widget, m_window))
        return false;
    QAction* action = actionWithKeys(QKeyCombination(key->modifiers(), static_cast<Qt::Key>(latin)), widget);
    if (action)
        action->trigger();
    return action != nullptr;
}

// If Ctrl+F is a shortcut of the focused widget, it never arrives as a key press.
bool KeyFilter::isFindKey(const QObject* watched, const QEvent* event) const
{
    return event->type() == QEvent::KeyPress &&
           static_cast<const QKeyEvent*>(event)->matches(QKeySequence::Find) && watched->isWidgetType() &&
           !QApplication::activeModalWidget() && !QApplication::activePopupWidget() &&
           !Overlay::isOpenOver(m_window) && isPartOf(static_cast<const QWidget*>(watched), m_window);
}

} // namespace lockscope::ui

#include "moc_key_filter.cpp"
