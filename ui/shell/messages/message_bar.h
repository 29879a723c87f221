// Errors and notices of the window. The newest one floats over the bottom of the views for a while, an error
// until it is closed; the others are listed behind the bell. A message moves nothing in the window and is
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

// One message: a mark, the text and its hint, an action, the number of further messages, a close button.
class MessageRow : public QWidget
{
    Q_OBJECT
public:
    MessageRow(Theme* theme, QWidget* parent);
    // `text`: the message's, with the number of repetitions. `others`: the messages waiting behind it.
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
    static constexpr int kMaxExpired = 30; // of those whose time is over

    struct Entry
    {
        UserMessage message;
        int times = 1;
        quint64 serial = 0;
        bool expired = false; // its time is: it is in the list alone
        bool seen = false;
    };

    explicit MessageBar(Theme* theme, QWidget* parent = nullptr);

    // `room`: the part of the parent at whose foot messages lie. Asked whenever the parent is laid out.
    void setFloatingArea(std::function<QRect()> room);
    const QList<Entry>& entries() const { return m_entries; } // the newest first
    QString shown() const;                                    // what lies over the views; empty: nothing does
    QStringList shownTexts() const;                           // what lies there, and what comes after it
    int unreadCount() const;                                  // not seen yet, or not expired

public slots:
    void post(const lockscope::ui::UserMessage& message);
    void dismiss(const QString& key);
    void clear();
    void removeAll();                       // that can be closed
    void triggerAction(const QString& key); // as its button does
    void markSeen();                        // all of them
    // Nothing lies over the views: in a lecture, in a picture. Messages that come meanwhile wait behind the
    // bell.
    void setQuiet(bool quiet);
    // Out of the picture that is taken of the window, and back; it keeps the keyboard.
    void hideForCapture(bool aside);

signals:
    void changed();
    void listRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the size of what it floats in
    void keyPressEvent(QKeyEvent* event) override;

private:
    void place();
    int find(const QString& key) const;
    int frontEntry() const; // the entry that lies over the views, or would; -1: none
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

// A text with the number of its repetitions.
QString entryText(const MessageBar::Entry& entry);

} // namespace lockscope::ui
