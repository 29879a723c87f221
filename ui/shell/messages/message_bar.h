// Errors and notices of the window. The newest one floats over the bottom of the views for some time, an
// error until it is closed; the bell lists all messages. A message never moves anything in the window and is
// never a dialog. Repeated messages are counted. GUI thread.
#pragma once

#include <QList>
#include <QRect>
#include <QWidget>

#include "ui/shell/messages/message.h"

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockscope::ui {

class Theme;

// One message: a mark, the text and its hint, an action, the number of other messages, a close button.
class MessageRow : public QWidget
{
    Q_OBJECT
public:
    MessageRow(Theme* theme, QWidget* parent);
    // `text`: the message's text with the number of repetitions. `others`: the number of other unread
    // messages.
    void show(const UserMessage& message, const QString& text, int others = 0);

signals:
    void closed();
    void actionTriggered();
    void listRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    Theme* m_theme;
    UserMessage::Kind m_kind = UserMessage::Kind::info;
    QLabel* m_text;
    QLabel* m_hint;
    QProgressBar* m_progress;
    QPushButton* m_action;
    QToolButton* m_others;
    QToolButton* m_close;
};

class MessageBar : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kInfoTimeoutMs = 10'000;
    static constexpr int kWarningTimeoutMs = 30'000;
    static constexpr int kMaxExpired = 30; // expired messages that are kept
    static constexpr int kMaxKept = 100;   // messages, except persistent ones

    struct Entry
    {
        UserMessage message;
        int times = 1;
        quint64 serial = 0;
        bool expired = false; // timed out: only the list still shows it
        bool seen = false;
    };

    explicit MessageBar(Theme* theme, QWidget* parent = nullptr);

    // `room`: the part of the parent at whose bottom messages float. Called whenever the parent is laid out.
    void setFloatingArea(std::function<QRect()> room);
    const QList<Entry>& entries() const { return m_entries; } // the newest first
    QString shown() const;          // the text of the floating message; empty: there is none
    QStringList shownTexts() const; // the texts of all messages that have not expired
    int unreadCount() const;        // not floating, and either not expired or not seen

public slots:
    void post(const lockscope::ui::UserMessage& message);
    void dismiss(const QString& key);
    void clear();
    void removeAll();                       // except persistent messages
    void triggerAction(const QString& key); // dismisses the message and runs its action
    void markSeen();                        // marks all messages
    // true: no message floats over the views, as in a presentation or a picture. New messages appear only in
    // the list.
    void setQuiet(bool quiet);
    // Moves the bar out of a picture of the window, and back; it keeps the keyboard focus.
    void hideForCapture(bool aside);

signals:
    void changed();
    void listRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // follows the parent's size
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();
    int find(const QString& key) const;
    int frontEntry() const; // the newest entry that has not expired; -1: none
    void arrange();
    void scheduleTimeOut(const Entry& entry);
    void timeOut(const QString& key, quint64 serial);

    MessageRow* m_row;
    std::function<QRect()> m_room;
    QList<Entry> m_entries;
    QString m_shownKey;
    quint64 m_shownSerial = 0;
    quint64 m_serial = 0;
    bool m_quiet = false;
};

// The message's text with the number of its repetitions.
QString entryText(const MessageBar::Entry& entry);

} // namespace lockscope::ui
