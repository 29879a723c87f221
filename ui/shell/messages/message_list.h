// A panel over the window that lists all messages, the newest first, and that Escape or a click elsewhere
// closes; and the bell that opens it and shows the number of unread messages. GUI thread.
#pragma once

#include "ui/widgets/overlay.h"

#include <QToolButton>

class QVBoxLayout;

namespace lockscope::ui {

class Theme;
class MessageBar;

class MessageList : public Overlay
{
    Q_OBJECT
public:
    MessageList(MessageBar* messages, Theme* theme, QWidget* window);

private:
    void refresh();
    void fill();
    void place();
    MessageBar* m_messages;
    Theme* m_theme;
    QVBoxLayout* m_column;
    QWidget* m_rows = nullptr;
    QStringList m_keys; // of the messages shown in the rows
};

class MessageBell : public QToolButton
{
    Q_OBJECT
public:
    // A click triggers `open`.
    MessageBell(MessageBar* messages, QAction* open, Theme* theme, QWidget* parent);

private:
    void refresh();
    MessageBar* m_messages;
    Theme* m_theme;
};

} // namespace lockscope::ui
