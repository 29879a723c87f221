#include "ui/shell/messages/message_list.h"

#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/messages/message_bar.h"
#include "ui/shell/window/icons.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMessageListWidth = 460;
constexpr int kMaxListHeight = 480;
constexpr int kMessageListTop = 60; // below the bar at the top of the window
constexpr int kMessageListMargin = 16;
constexpr int kInside = 10;
constexpr int kAroundBell = 14;

} // namespace

MessageList::MessageList(MessageBar* messages, Theme* theme, QWidget* window)
    : Overlay(theme, window)
    , m_messages(messages)
    , m_theme(theme)
    , m_column(new QVBoxLayout(this))
{
    setObjectName("messageList");
    //: title of a window: all messages to the user
    setWindowTitle(tr("Messages"));
    m_column->setContentsMargins(kInside, kInside, kInside, kInside);
    messages->markSeen();
    fill();
    // Queued, because a row that refresh() deletes may be the sender of the change.
    connect(messages, &MessageBar::changed, this, &MessageList::refresh, Qt::QueuedConnection);
}

// Keeps the rows while they show the same messages: progress is posted many times a second, and recreating
// the row would remove its button from under the mouse.
void MessageList::refresh()
{
    QStringList keys;
    for (const MessageBar::Entry& entry : m_messages->entries()) {
        keys << entry.message.key;
    }
    if (keys != m_keys) {
        return fill();
    }
    const QList<MessageRow*> rows = m_rows->findChildren<MessageRow*>();
    for (int i = 0; i < rows.size(); ++i) {
        const MessageBar::Entry& entry = m_messages->entries()[i];
        rows[i]->show(entry.message, entryText(entry));
    }
    place();
}

void MessageList::fill()
{
    m_keys.clear();
    delete m_rows;
    m_rows = new QWidget(this);
    auto* whole = new QVBoxLayout(m_rows);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(m_rows);
    auto* content = new QWidget(scroll);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    for (const MessageBar::Entry& entry : m_messages->entries()) {
        m_keys << entry.message.key;
        auto* row = new MessageRow(m_theme, content);
        row->show(entry.message, entryText(entry));
        column->addWidget(row);
        connect(row, &MessageRow::closed, m_messages,
                [messages = m_messages, key = entry.message.key] { messages->dismiss(key); });
        connect(row, &MessageRow::actionTriggered, this, [this, key = entry.message.key] {
            accept(); // closes the list first: the action may open another window
            m_messages->triggerAction(key);
        });
    }
    if (m_messages->entries().isEmpty()) {
        auto* nothing = new QLabel(tr("There are no messages."), content);
        nothing->setObjectName("noMessages");
        nothing->setProperty("kind", "quiet");
        column->addWidget(nothing);
    }
    column->addStretch(1);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    whole->addWidget(scroll, 1);
    if (m_messages->entries().size() > 1) {
        auto* clear = new QPushButton(tr("&Remove All"), m_rows);
        clear->setObjectName("messagesClear");
        whole->addWidget(clear, 0, Qt::AlignRight);
        connect(clear, &QPushButton::clicked, m_messages, &MessageBar::removeAll);
    }
    m_column->addWidget(m_rows);
    m_rows->show();
    place();
}

void MessageList::place()
{
    const QWidget* window = parentWidget();
    const int width = std::min(kMessageListWidth, window->width() - 2 * kMessageListMargin);
    auto* scroll = m_rows->findChild<QScrollArea*>();
    QWidget* content = scroll->widget();
    const int inside = width - 2 * kInside;
    const int rows =
        content->hasHeightForWidth() ? content->heightForWidth(inside) : content->sizeHint().height();
    const int room = std::min(kMaxListHeight, window->height() - kMessageListTop - 2 * kMessageListMargin);
    scroll->setMinimumHeight(std::clamp(rows, 0, room));
    resize(width, 0);
    resize(width, std::max(sizeHint().height(), minimumSizeHint().height()));
    move(window->width() - width - kMessageListMargin, kMessageListTop);
}

MessageBell::MessageBell(MessageBar* messages, QAction* open, Theme* theme, QWidget* parent)
    : QToolButton(parent)
    , m_messages(messages)
    , m_theme(theme)
{
    setObjectName("messageBell");
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
    setIconSize({16, 16});
    QSizePolicy kept(QSizePolicy::Fixed, QSizePolicy::Fixed);
    kept.setRetainSizeWhenHidden(true); // so that nothing moves when a picture is taken without it
    setSizePolicy(kept);
    connect(this, &QToolButton::clicked, open, &QAction::trigger);
    connect(open, &QAction::changed, this, [this, open] { setToolTip(open->toolTip()); });
    setToolTip(open->toolTip());
    connect(messages, &MessageBar::changed, this, &MessageBell::refresh);
    theme->onChange(this, [this] { refresh(); });
    refresh();
}

void MessageBell::refresh()
{
    const int unreadCount = m_messages->unreadCount();
    setFont(m_theme->fonts().small);
    setFixedWidth(iconSize().width() + fontMetrics().horizontalAdvance(QStringLiteral("99")) + kAroundBell);
    setIcon(ui::icon("bell", unreadCount > 0 ? m_theme->palette().text : m_theme->palette().textMuted));
    setToolButtonStyle(unreadCount > 0 ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    setText(QString::number(unreadCount));
    setAccessibleName(tr("Messages: %1 waiting").arg(unreadCount));
}

} // namespace lockscope::ui

#include "moc_message_list.cpp"
