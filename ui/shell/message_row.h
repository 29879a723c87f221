// One message in the message bar: a mark, the text and its hint, a button, a close button. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shell/message.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class Look;

class MessageRow : public QWidget
{
    Q_OBJECT
public:
    MessageRow(Look* look, QWidget* parent);
    void show(const Message& message, int times);
    QString text() const;

signals:
    void closed();
    void acted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    Look* m_look;
    Message::Kind m_kind = Message::Kind::info;
    QLabel* m_text;
    QLabel* m_hint;
    QProgressBar* m_progress;
    QPushButton* m_action;
    QToolButton* m_close;
};

} // namespace lockscope::ui
