#include "ui/shell/message_bar.h"

#include "ui/models/look.h"
#include "ui/models/spoken.h"
#include "ui/shell/message_row.h"

#include <QEvent>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::ui {

MessageBar::MessageBar(Look* look, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
    , m_rows(new QVBoxLayout(this))
    , m_more(new QLabel(this))
{
    setObjectName("messageBar");
    spoken(this, [this] { setAccessibleName(tr("Messages")); });
    whenLanguageChanges(this, [this] { arrange(); });
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(0);
    m_more->setTextFormat(Qt::PlainText);
    m_more->setObjectName("messageMore");
    m_more->setContentsMargins(44, 3, 10, 3);
    m_rows->addWidget(m_more);
    arrange();
}

QStringList MessageBar::shownTexts() const
{
    QStringList texts;
    for (const Entry& entry : m_entries) {
        if (entry.row) {
            texts << entry.row->text();
        }
    }
    return texts;
}

int MessageBar::waiting() const { return qMax(0, static_cast<int>(m_entries.size()) - kMostShown); }

void MessageBar::say(const Message& message)
{
    const int at = find(message.key);
    if (at >= 0) {
        Entry& entry = m_entries[at];
        const bool again = message.kind != Message::Kind::progress && entry.message.text() == message.text();
        entry.times = again ? entry.times + 1 : 1;
        entry.message = message;
        entry.serial = ++m_serial;
        scheduleTimeOut(entry);
    } else {
        m_entries.append({message, 1, ++m_serial, nullptr});
        scheduleTimeOut(m_entries.back());
    }
    arrange();
}

void MessageBar::unsay(const QString& key)
{
    const int at = find(key);
    if (at < 0) {
        return;
    }
    if (m_entries[at].row) {
        m_entries[at].row->hide();
        m_entries[at].row->deleteLater();
    }
    m_entries.removeAt(at);
    arrange();
}

void MessageBar::clear()
{
    while (!m_entries.isEmpty()) {
        unsay(m_entries.front().message.key);
    }
}

int MessageBar::find(const QString& key) const
{
    for (int i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].message.key == key) {
            return i;
        }
    }
    return -1;
}

void MessageBar::arrange()
{
    for (int i = 0; i < m_entries.size() && i < kMostShown; ++i) {
        Entry& entry = m_entries[i];
        if (!entry.row) {
            entry.row = new MessageRow(m_look, this);
            m_rows->insertWidget(i, entry.row);
            const QString key = entry.message.key;
            connect(entry.row, &MessageRow::closed, this, [this, key] { unsay(key); });
            connect(entry.row, &MessageRow::acted, this, [this, key] {
                const int at = find(key);
                const auto action = at < 0 ? std::function<void()>() : m_entries[at].message.action;
                unsay(key);
                if (action) {
                    action();
                }
            });
        }
        entry.row->show(entry.message, entry.times);
        entry.row->setVisible(true);
    }
    m_more->setText(tr("More messages behind these: %1").arg(waiting()));
    m_more->setVisible(waiting() > 0);
    setVisible(!m_entries.isEmpty());
    place();
}

void MessageBar::setFloating(bool floating)
{
    auto* column = parentWidget() ? qobject_cast<QVBoxLayout*>(parentWidget()->layout()) : nullptr;
    if (!column || floating == (m_slot >= 0)) {
        return;
    }
    if (floating) {
        m_slot = column->indexOf(this);
        column->removeWidget(this);
        parentWidget()->installEventFilter(this);
        raise();
        place();
    } else {
        parentWidget()->removeEventFilter(this);
        column->insertWidget(std::exchange(m_slot, -1), this);
    }
}

// Below the last one that stays above it.
void MessageBar::place()
{
    if (m_slot < 0) {
        return;
    }
    const QLayout* column = parentWidget()->layout();
    int top = 0;
    for (int i = 0; i < m_slot; ++i) {
        QLayoutItem* above = column->itemAt(i);
        top = above->isEmpty() ? top : above->geometry().bottom() + 1;
    }
    m_rows->activate();
    const int width = parentWidget()->width();
    setGeometry(0, top, width, hasHeightForWidth() ? heightForWidth(width) : sizeHint().height());
}

void MessageBar::stepAside(bool aside)
{
    if (m_slot >= 0) {
        aside ? move(0, -height()) : place();
    }
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

void MessageBar::scheduleTimeOut(const Entry& entry)
{
    const Message& message = entry.message;
    const bool passes = message.kind == Message::Kind::info || message.kind == Message::Kind::warning;
    if (message.stays || !passes) {
        return;
    }
    const int milliseconds = message.kind == Message::Kind::info ? kInfoStaysMs : kWarningStaysMs;
    QTimer::singleShot(milliseconds, this,
                       [this, key = message.key, serial = entry.serial] { timeOut(key, serial); });
}

void MessageBar::timeOut(const QString& key, quint64 serial)
{
    const int at = find(key);
    if (at >= 0 && m_entries[at].serial == serial) {
        unsay(key);
    }
}

} // namespace lockscope::ui
