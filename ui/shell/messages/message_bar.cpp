#include "ui/shell/messages/message_bar.h"

#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/window/icons.h"
#include "ui/widgets/panel_parts.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kMarkSize = 18;
constexpr int kLeft = 16;
constexpr qreal kMessageRowRadius = 8;
constexpr int kMaxMessageWidth = 640;
constexpr int kMessageBarMargin = 14;

QColor colourOf(UserMessage::Kind kind, const Palette& palette)
{
    switch (kind) {
    case UserMessage::Kind::info:
    case UserMessage::Kind::progress:
        return palette.frozen;
    case UserMessage::Kind::warning:
        return palette.waits;
    case UserMessage::Kind::error:
        return palette.stale;
    }
    return palette.frozen;
}

} // namespace

MessageRow::MessageRow(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(new QLabel(this))
    , m_hint(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_action(new QPushButton(this))
    , m_others(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    makePlainText(m_text);
    makePlainText(m_hint);
    m_text->setObjectName("messageText");
    m_hint->setObjectName("messageHint");
    m_action->setObjectName("messageAction");
    m_others->setObjectName("messageOthers");
    m_close->setObjectName("messageClose");
    onRetranslate(this, [this] {
        m_close->setToolTip(tr("Close this message"));
        m_close->setAccessibleName(tr("Close this message"));
        m_others->setToolTip(tr("Show the other messages"));
        m_others->setAccessibleName(tr("Show the other messages"));
    });
    m_others->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (QToolButton* button : {m_others, m_close}) {
        button->setFocusPolicy(Qt::TabFocus);
    }
    m_close->setAutoRaise(true);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(160, 6);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(m_text);
    words->addWidget(m_hint);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kLeft + kMarkSize + 10, 7, 10, 7);
    row->setSpacing(12);
    row->addLayout(words, 1);
    row->addWidget(m_progress);
    row->addWidget(m_action);
    row->addWidget(m_others);
    row->addWidget(m_close);
    connect(m_close, &QToolButton::clicked, this, &MessageRow::closed);
    connect(m_action, &QPushButton::clicked, this, &MessageRow::actionTriggered);
    connect(m_others, &QToolButton::clicked, this, &MessageRow::listRequested);
    connect(m_theme, &Theme::changed, this, &MessageRow::restyle);
    restyle();
}

void MessageRow::show(const UserMessage& message, const QString& text, int others)
{
    m_kind = message.kind;
    const auto words = [](const TextProvider& phrase) { return phrase ? phrase() : QString(); };
    const QString hint = words(message.hint), action = words(message.actionText);
    m_text->setText(text);
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_progress->setVisible(message.kind == UserMessage::Kind::progress);
    m_progress->setRange(0, message.percent < 0 ? 0 : 100);
    m_progress->setValue(qMax(0, message.percent));
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    m_others->setText(QStringLiteral("+%1").arg(others));
    m_others->setVisible(others > 0);
    m_close->setVisible(!message.persistent);
    setAccessibleName(text);
    setAccessibleDescription(hint);
    update();
}

void MessageRow::restyle()
{
    const Palette& palette = m_theme->palette();
    m_text->setFont(strongFont(m_theme->fonts().text));
    m_hint->setFont(m_theme->fonts().text);
    m_others->setFont(m_theme->fonts().small);
    m_others->setIcon(icon("bell", palette.textMuted));
    m_close->setIcon(icon("close", palette.textMuted));
    update();
}

// The mark is a shape with a sign in it, so that color is not the only difference.
void MessageRow::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    const QColor colour = colourOf(m_kind, palette);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath card;
    card.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kMessageRowRadius, kMessageRowRadius);
    painter.fillPath(card, palette.card);
    painter.save();
    painter.setClipPath(card);
    QColor wash = colour;
    wash.setAlphaF(0.10f);
    painter.fillRect(rect(), wash);
    painter.fillRect(QRect(0, 0, 4, height()), colour);
    painter.restore();
    painter.strokePath(card, QPen(colour, 1));
    const QRectF mark(kLeft, (height() - kMarkSize) / 2.0, kMarkSize, kMarkSize);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(mark);
    QFont font = m_theme->fonts().small;
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(palette.card);
    const bool quiet = m_kind == UserMessage::Kind::info || m_kind == UserMessage::Kind::progress;
    painter.drawText(mark, Qt::AlignCenter, quiet ? QStringLiteral("i") : QStringLiteral("!"));
}

QString entryText(const MessageBar::Entry& entry)
{
    const QString text = entry.message.text ? entry.message.text() : QString();
    return entry.times > 1 ? MessageRow::tr("%1 (%2 times)").arg(text, QString::number(entry.times)) : text;
}

MessageBar::MessageBar(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_row(new MessageRow(theme, this))
{
    setObjectName("messageBar");
    //: name for screen readers: the bar that shows a message to the user
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

void MessageBar::post(const UserMessage& message)
{
    Entry entry{message, 1, ++m_serial};
    const int at = find(message.key);
    int place = 0;
    if (at >= 0) {
        const Entry before = m_entries.takeAt(at);
        const bool progress = message.kind == UserMessage::Kind::progress;
        if (!progress && !before.expired && before.message.text() == message.text()) {
            entry.times = before.times + 1;
        }
        if (progress && before.message.kind == UserMessage::Kind::progress) {
            place = at; // a repeated progress message keeps its place
            entry.seen = before.seen;
        }
    }
    m_entries.insert(place, entry);
    int kept = 0;
    m_entries.removeIf([&](const Entry& one) { return !one.message.persistent && ++kept > kMaxKept; });
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
        m_row->show({}, {}); // clears the old text, which may be in another language
        setVisible(false);
    } else {
        Entry& entry = m_entries[at];
        entry.seen = true;
        m_shownKey = entry.message.key;
        m_row->show(entry.message, entryText(entry), unreadCount());
        const bool other = std::exchange(m_shownSerial, entry.serial) != entry.serial || isHidden();
        setVisible(true);
        place();
        if (other && entry.message.kind != UserMessage::Kind::progress) {
            QAccessibleEvent alert(m_row, QAccessible::Alert);
            QAccessible::updateAccessibility(&alert);
        }
    }
    emit changed();
}

// Centers the bar at the bottom of the floating area.
void MessageBar::place()
{
    if (!m_room || isHidden()) {
        return;
    }
    const QRect room = m_room();
    const int width = std::min(kMaxMessageWidth, std::max(0, room.width() - 2 * kMessageBarMargin));
    layout()->activate();
    const int height = hasHeightForWidth() ? heightForWidth(width) : sizeHint().height();
    setGeometry(room.left() + (room.width() - width) / 2, room.bottom() + 1 - kMessageBarMargin - height,
                width, height);
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
    const UserMessage& message = entry.message;
    const bool passes = message.kind == UserMessage::Kind::info || message.kind == UserMessage::Kind::warning;
    if (message.persistent || !passes) {
        return;
    }
    const int milliseconds = message.kind == UserMessage::Kind::info ? kInfoTimeoutMs : kWarningTimeoutMs;
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

#include "moc_message_bar.cpp"
