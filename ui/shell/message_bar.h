// Errors and notices inside the window, stacked under the run bar: never a dialog, never in the way of the
// run. At most kMostShown are shown, the others queue behind them. A repeated message is counted, not
// repeated. GUI thread.
#pragma once

#include <QLabel>
#include <QList>
#include <QWidget>

#include "ui/shell/message.h"

class QVBoxLayout;

namespace lockscope::ui {

class Look;
class MessageRow;

class MessageBar : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kMostShown = 3;
    static constexpr int kInfoStaysMs = 10'000;
    static constexpr int kWarningStaysMs = 30'000;

    explicit MessageBar(Look* look, QWidget* parent = nullptr);

    QStringList shownTexts() const; // of the visible rows, from the top
    int waiting() const;            // how many are queued behind

public slots:
    void say(const lockscope::ui::Message& message);
    void unsay(const QString& key);
    void clear();
    // Over what lies below in the column that it is in, instead of pushing it down.
    void setFloating(bool floating);
    // While it floats: out of the picture that is taken of the window, and back; it keeps the keyboard.
    void stepAside(bool aside);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // the size of what it floats in

private:
    struct Entry
    {
        Message message;
        int times = 1;
        quint64 serial = 0;
        MessageRow* row = nullptr;
    };
    void place(); // where it floats
    int find(const QString& key) const;
    void arrange();
    void scheduleTimeOut(const Entry& entry);
    void timeOut(const QString& key, quint64 serial);

    Look* m_look;
    QVBoxLayout* m_rows;
    QLabel* m_more;
    QList<Entry> m_entries;
    quint64 m_serial = 0;
    int m_slot = -1; // in the column, while it floats
};

} // namespace lockscope::ui
