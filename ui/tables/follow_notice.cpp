#include "ui/tables/follow_notice.h"

#include "ui/models/style/retranslate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace lockscope::ui {

FollowNotice::FollowNotice(Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_words(new QLabel(this))
    , m_follow(new QToolButton(this))
{
    setObjectName("followNotice");
    m_words->setTextFormat(Qt::PlainText);
    m_follow->setObjectName("followNoticeButton");
    m_follow->setProperty("kind", "primary");
    m_follow->setFocusPolicy(Qt::TabFocus);
    onRetranslate(this, [this] {
        //: a button: goes to the end of the run and stays there
        m_follow->setText(tr("Follow"));
        m_follow->setToolTip(tr("Follows the end of the run again."));
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 4, 2);
    row->setSpacing(10);
    row->addWidget(m_words);
    row->addWidget(m_follow);
    connect(m_follow, &QToolButton::clicked, this, &FollowNotice::followRequested);
    connect(theme, &Theme::changed, this, &FollowNotice::applyTheme);
    applyTheme();
    hide();
}

QString FollowNotice::text() const { return m_words->text(); }

bool FollowNotice::hasFocusInside() const { return m_follow->hasFocus(); }

void FollowNotice::showMessage(const QString& text, QPoint corner)
{
    if (text != m_words->text()) {
        m_words->setText(text);
        m_follow->setAccessibleDescription(text);
    }
    if (!text.isEmpty()) {
        const QSize size = sizeHint();
        setGeometry(QRect(corner - QPoint(size.width(), size.height()), size));
        raise();
    }
    setVisible(!text.isEmpty());
}

void FollowNotice::applyTheme()
{
    QPalette colours = m_theme->widgetPalette();
    colours.setColor(QPalette::WindowText, m_theme->palette().text);
    m_words->setPalette(colours);
    m_words->setFont(m_theme->fonts().small);
    m_follow->setFont(m_theme->fonts().small);
    m_follow->setStyleSheet(QStringLiteral("padding: 0 8px;")); // as flat as a line
}

void FollowNotice::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(m_theme->palette().cardBorder);
    painter.setBrush(m_theme->palette().header);
    painter.setRenderHint(QPainter::Antialiasing); // the line lies within, at a scale of 1.25 too
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace lockscope::ui

#include "moc_follow_notice.cpp"
