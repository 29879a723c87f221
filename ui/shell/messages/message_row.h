// One message: a mark, the text and its hint, a button, how many others there are, a close button. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shell/messages/message.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class Theme;

class MessageRow : public QWidget
{
    Q_OBJECT
public:
    MessageRow(Theme* theme, QWidget* parent);
    // `text`: the message's, with how often it was said. `others`: those that wait behind it.
    void show(const Message& message, const QString& text, int others = 0);

signals:
    void closed();
    void actionTriggered();
    void listRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    Theme* m_theme;
    Message::Kind m_kind = Message::Kind::info;
    QLabel* m_text;
    QLabel* m_hint;
    QProgressBar* m_progress;
    QPushButton* m_action;
    QToolButton* m_others;
    QToolButton* m_close;
};

} // namespace lockscope::ui
