#include "ui/shell/messages/message_row.h"

#include "ui/models/theme.h"
#include "ui/models/retranslate.h"
#include "ui/shell/window/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {

constexpr int kMarkSize = 18;
constexpr int kLeft = 16;
constexpr qreal kMessageRowRadius = 8;

QLabel* plainLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QColor colourOf(Message::Kind kind, const Palette& palette)
{
    switch (kind) {
    case Message::Kind::info:
    case Message::Kind::progress:
        return palette.frozen;
    case Message::Kind::warning:
        return palette.waits;
    case Message::Kind::error:
        return palette.stale;
    }
    return palette.frozen;
}

} // namespace

MessageRow::MessageRow(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(plainLabel(this))
    , m_hint(plainLabel(this))
    , m_progress(new QProgressBar(this))
    , m_action(new QPushButton(this))
    , m_others(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    m_text->setObjectName("messageText");
    m_hint->setObjectName("messageHint");
    m_action->setObjectName("messageAction");
    m_others->setObjectName("messageOthers");
    m_close->setObjectName("messageClose");
    onRetranslate(this, [this] {
        m_close->setToolTip(tr("Close this message"));
        m_close->setAccessibleName(tr("Close this message"));
        m_others->setToolTip(tr("Shows the other messages"));
        m_others->setAccessibleName(tr("Shows the other messages"));
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

void MessageRow::show(const Message& message, const QString& text, int others)
{
    m_kind = message.kind;
    const auto words = [](const TextProvider& phrase) { return phrase ? phrase() : QString(); };
    const QString hint = words(message.hint), action = words(message.actionText);
    m_text->setText(text);
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_progress->setVisible(message.kind == Message::Kind::progress);
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
    QFont bold = m_theme->fonts().text;
    bold.setWeight(QFont::DemiBold);
    m_text->setFont(bold);
    m_hint->setFont(m_theme->fonts().text);
    m_others->setFont(m_theme->fonts().small);
    m_others->setIcon(icon("bell", palette.textMuted));
    m_close->setIcon(icon("close", palette.textMuted));
    update();
}

// The mark is a shape with a sign in it, so that the colour is not the only difference.
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
    const bool quiet = m_kind == Message::Kind::info || m_kind == Message::Kind::progress;
    painter.drawText(mark, Qt::AlignCenter, quiet ? QStringLiteral("i") : QStringLiteral("!"));
}

} // namespace lockscope::ui
