#include "ui/shell/messages/message_bar.h"

#include "ui/models/retranslate.h"
#include "ui/shell/messages/message_row.h"

#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kMaxMessageWidth = 640;
constexpr int kMessageBarMargin = 14;

} // namespace

QString entryText(const MessageBar::Entry& entry)
{
    const QString text = entry.message.text ? entry.message.text() : QString();
    return entry.times > 1 ? MessageRow::tr("%1 (%2 times)").arg(text).arg(entry.times) : text;
}

MessageBar::MessageBar(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_row(new MessageRow(theme, this))
{
    setObjectName("messageBar");
    onRetranslate(this, [this] { setAccessibleName(tr("Messages")); });
    onLanguageChange(this, [this] { arrange(); });
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_row);
    connect(m_row, &MessageRow::closed, this, [this] { dismiss(QString(m_shownKey)); });
    connect(m_row, &MessageRow::actionTriggered, this, [this] { triggerAction(QString(m_shownKey)); });
    connect(m_row, &MessageRow::listRequested, this, &MessageBar::listRequested);
    hide();
}

void MessageBar::setFloatingArea(std::function<QRect()> room)
{
    m_room = std::move(room);
    parentWidget()->installEventFilter(this);
    raise();
    place();
}

int MessageBar::frontEntry() const
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [](const Entry& entry) { return !entry.expired; });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

QString MessageBar::shown() const
{
    const int at = m_quiet ? -1 : frontEntry();
    return at < 0 ? QString() : entryText(m_entries[at]);
}

QStringList MessageBar::shownTexts() const
{
    QStringList texts;
    for (const Entry& entry : m_entries) {
        if (!entry.expired) {
            texts << entryText(entry);
        }
    }
    return texts;
}

int MessageBar::unreadCount() const
{
    const int inFront = m_quiet ? -1 : frontEntry();
    int count = 0;
    for (int i = 0; i < m_entries.size(); ++i) {
        count += i != inFront && (!m_entries[i].expired || !m_entries[i].seen) ? 1 : 0;
    }
    return count;
}

void MessageBar::post(const Message& message)
{
    Entry entry{message, 1, ++m_serial};
    const int at = find(message.key);
    int place = 0;
    if (at >= 0) {
        const Entry before = m_entries.takeAt(at);
        const bool progress = message.kind == Message::Kind::progress;
        if (!progress && !before.expired && before.message.text() == message.text()) {
            entry.times = before.times + 1;
        }
        if (progress && before.message.kind == Message::Kind::progress) {
            place = at; // it goes on where it is, however often it says how far it is
            entry.seen = before.seen;
        }
    }
    m_entries.insert(place, entry);
    scheduleTimeOut(entry);
    arrange();
}

void MessageBar::dismiss(const QString& key)
{
    if (const int at = find(key); at >= 0) {
        m_entries.removeAt(at);
        arrange();
    }
}

void MessageBar::clear()
{
    m_entries.clear();
    arrange();
}

void MessageBar::removeAll()
{
    m_entries.removeIf([](const Entry& entry) { return !entry.message.persistent; });
    arrange();
}

void MessageBar::triggerAction(const QString& key)
{
    const int at = find(key);
    if (at < 0) {
        return;
    }
    const auto action = m_entries[at].message.action;
    dismiss(key);
    if (action) {
        action();
    }
}

void MessageBar::markSeen()
{
    for (Entry& entry : m_entries) {
        entry.seen = true;
    }
    arrange();
}

void MessageBar::setQuiet(bool quiet)
{
    if (std::exchange(m_quiet, quiet) != quiet) {
        arrange();
    }
}

int MessageBar::find(const QString& key) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.message.key == key; });
    return found == m_entries.end() ? -1 : static_cast<int>(found - m_entries.begin());
}

void MessageBar::arrange()
{
    const int at = m_quiet ? -1 : frontEntry();
    if (at < 0) {
        m_shownKey.clear();
        m_row->show({}, {}); // nothing is left in another language
        setVisible(false);
    } else {
        Entry& entry = m_entries[at];
        entry.seen = true;
        m_shownKey = entry.message.key;
        m_row->show(entry.message, entryText(entry), unreadCount());
        const bool other = std::exchange(m_shownSerial, entry.serial) != entry.serial || isHidden();
        setVisible(true);
        place();
        if (other && entry.message.kind != Message::Kind::progress) {
            QAccessibleEvent alert(m_row, QAccessible::Alert);
            QAccessible::updateAccessibility(&alert);
        }
    }
    emit changed();
}

// In the middle of the room's foot.
void MessageBar::place()
{
    if (!m_room || isHidden()) {
        return;
    }
    const QRect room = m_room();
    const int width = std::min(kMaxMessageWidth, std::max(0, room.width() - 2 * kMessageBarMargin));
    layout()->activate();
    const int height = hasHeightForWidth() ? heightForWidth(width) : sizeHint().height();
    setGeometry(room.left() + (room.width() - width) / 2, room.bottom() + 1 - kMessageBarMargin - height, width, height);
}

void MessageBar::hideForCapture(bool aside)
{
    if (m_room) {
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

void MessageBar::keyPressEvent(QKeyEvent* event)
{
    const int at = frontEntry();
    if (event->key() == Qt::Key_Escape && at >= 0 && !m_entries[at].message.persistent) {
        dismiss(QString(m_shownKey));
    } else {
        QWidget::keyPressEvent(event);
    }
}

void MessageBar::scheduleTimeOut(const Entry& entry)
{
    const Message& message = entry.message;
    const bool passes = message.kind == Message::Kind::info || message.kind == Message::Kind::warning;
    if (message.persistent || !passes) {
        return;
    }
    const int milliseconds = message.kind == Message::Kind::info ? kInfoTimeoutMs : kWarningTimeoutMs;
    QTimer::singleShot(milliseconds, this,
                       [this, key = message.key, serial = entry.serial] { timeOut(key, serial); });
}

void MessageBar::timeOut(const QString& key, quint64 serial)
{
    const int at = find(key);
    if (at < 0 || m_entries[at].serial != serial) {
        return;
    }
    m_entries[at].expired = true;
    int kept = 0;
    m_entries.removeIf([&](const Entry& entry) { return entry.expired && ++kept > kMaxExpired; });
    arrange();
}

} // namespace lockscope::ui
