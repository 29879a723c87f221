#include "ui/tables/follow_notice.h"

#include "ui/models/spoken.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace lockscope::ui {

FollowNotice::FollowNotice(Look* look, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
    , m_words(new QLabel(this))
    , m_follow(new QToolButton(this))
{
    setObjectName("followNotice");
    m_words->setTextFormat(Qt::PlainText);
    m_follow->setObjectName("followNoticeButton");
    m_follow->setProperty("kind", "primary");
    m_follow->setFocusPolicy(Qt::TabFocus);
    spoken(this, [this] {
        m_follow->setText(tr("Follow"));
        m_follow->setToolTip(tr("Goes to the end of the run, and on with it."));
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 4, 2);
    row->setSpacing(10);
    row->addWidget(m_words);
    row->addWidget(m_follow);
    connect(m_follow, &QToolButton::clicked, this, &FollowNotice::followWanted);
    connect(look, &Look::changed, this, &FollowNotice::applyLook);
    applyLook();
    hide();
}

QString FollowNotice::words() const { return m_words->text(); }

bool FollowNotice::hasFocusInside() const { return m_follow->hasFocus(); }

void FollowNotice::say(const QString& words, QPoint corner)
{
    if (words != m_words->text()) {
        m_words->setText(words);
        m_follow->setAccessibleDescription(words);
    }
    if (!words.isEmpty()) {
        const QSize size = sizeHint();
        setGeometry(QRect(corner - QPoint(size.width(), size.height()), size));
        raise();
    }
    setVisible(!words.isEmpty());
}

void FollowNotice::applyLook()
{
    QPalette colours = m_look->widgetPalette();
    colours.setColor(QPalette::WindowText, m_look->palette().text);
    m_words->setPalette(colours);
    m_words->setFont(m_look->fonts().small);
    m_follow->setFont(m_look->fonts().small);
    m_follow->setStyleSheet(QStringLiteral("padding: 0 8px;")); // as flat as a line
}

void FollowNotice::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(m_look->palette().cardBorder);
    painter.setBrush(m_look->palette().header);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace lockscope::ui
