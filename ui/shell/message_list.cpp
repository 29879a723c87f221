#include "ui/shell/message_list.h"

#include "ui/models/look.h"
#include "ui/models/spoken.h"
#include "ui/shell/icons.h"
#include "ui/shell/message_bar.h"
#include "ui/shell/message_row.h"

#include <QAction>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMessageListWidth = 460;
constexpr int kTallest = 480;
constexpr int kMessageListTop = 60; // below the bar at the top of the window
constexpr int kMessageListMargin = 16;
constexpr int kInside = 10;
constexpr int kAroundBell = 14;

} // namespace

MessageList::MessageList(MessageBar* messages, Look* look, QWidget* window)
    : QDialog(window, Qt::Popup | Qt::FramelessWindowHint)
    , m_messages(messages)
    , m_look(look)
    , m_column(new QVBoxLayout(this))
{
    setObjectName("messageList");
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Messages"));
    m_column->setContentsMargins(kInside, kInside, kInside, kInside);
    messages->markSeen();
    fill();
    // Afterwards: it may be one of the rows that changes them.
    connect(messages, &MessageBar::changed, this, &MessageList::fill, Qt::QueuedConnection);
}

void MessageList::fill()
{
    delete m_rows;
    m_rows = new QWidget(this);
    auto* whole = new QVBoxLayout(m_rows);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(m_rows);
    auto* content = new QWidget(scroll);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    for (const MessageBar::Entry& entry : m_messages->entries()) {
        auto* row = new MessageRow(m_look, content);
        row->show(entry.message, wordsOf(entry));
        column->addWidget(row);
        connect(row, &MessageRow::closed, m_messages,
                [messages = m_messages, key = entry.message.key] { messages->unsay(key); });
        connect(row, &MessageRow::acted, this, [this, key = entry.message.key] {
            accept(); // what it does may open something else
            m_messages->act(key);
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
        auto* clear = new QPushButton(tr("&Remove all"), m_rows);
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
    const int rows = content->hasHeightForWidth() ? content->heightForWidth(inside)
                                                  : content->sizeHint().height();
    const int room = std::min(kTallest, window->height() - kMessageListTop - 2 * kMessageListMargin);
    scroll->setMinimumHeight(std::clamp(rows, 0, room));
    resize(width, 0);
    resize(width, std::max(sizeHint().height(), minimumSizeHint().height()));
    move(window->mapToGlobal(QPoint(window->width() - width - kMessageListMargin, kMessageListTop)));
}

void MessageList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_look->palette().card);
    painter.setPen(m_look->palette().cardBorder);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

MessageBell::MessageBell(MessageBar* messages, QAction* open, Look* look, QWidget* parent)
    : QToolButton(parent)
    , m_messages(messages)
    , m_look(look)
{
    setObjectName("messageBell");
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
    setIconSize({16, 16});
    QSizePolicy kept(QSizePolicy::Fixed, QSizePolicy::Fixed);
    kept.setRetainSizeWhenHidden(true); // in a picture: all else stays where it is
    setSizePolicy(kept);
    connect(this, &QToolButton::clicked, open, &QAction::trigger);
    connect(open, &QAction::changed, this, [this, open] { setToolTip(open->toolTip()); });
    setToolTip(open->toolTip());
    connect(messages, &MessageBar::changed, this, &MessageBell::refresh);
    connect(look, &Look::changed, this, &MessageBell::refresh);
    refresh();
}

void MessageBell::refresh()
{
    const int waiting = m_messages->waiting();
    setFont(m_look->fonts().small);
    setFixedWidth(iconSize().width() + fontMetrics().horizontalAdvance(QStringLiteral("99")) + kAroundBell);
    setIcon(ui::icon("bell", waiting > 0 ? m_look->palette().text : m_look->palette().textMuted));
    setToolButtonStyle(waiting > 0 ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    setText(QString::number(waiting));
    setAccessibleName(tr("Messages: %1 wait").arg(waiting));
}

} // namespace lockscope::ui
