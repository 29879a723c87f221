// All messages, the newest first, in a panel that lies over the window until somebody clicks elsewhere or presses
// Escape; and the bell that opens it, with the number of those that nobody has seen. GUI thread.
#pragma once

#include <QDialog>
#include <QToolButton>

class QVBoxLayout;

namespace lockscope::ui {

class Look;
class MessageBar;

class MessageList : public QDialog
{
    Q_OBJECT
public:
    MessageList(MessageBar* messages, Look* look, QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();
    void place();
    MessageBar* m_messages;
    Look* m_look;
    QVBoxLayout* m_column;
    QWidget* m_rows = nullptr;
};

class MessageBell : public QToolButton
{
    Q_OBJECT
public:
    // A click triggers `open`.
    MessageBell(MessageBar* messages, QAction* open, Look* look, QWidget* parent);

private:
    void refresh();
    MessageBar* m_messages;
    Look* m_look;
};

} // namespace lockscope::ui
