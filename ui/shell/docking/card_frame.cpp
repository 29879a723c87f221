#include "ui/shell/docking/card_frame.h"

#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"

#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtMath>

namespace lockscope::ui {

namespace {

constexpr int kRound = 8; // pixels that a rounded corner covers
constexpr qreal kRadius = kRound - 0.5;
constexpr int kSide = 14;
constexpr int kBetween = 16;
constexpr int kChooserSide = 8; // with the chooser's own margin, it is aligned like a title
// The view keeps clear of the rounded corners: two pixels are enough for this radius.
constexpr int kInset = 2;

// Half of the card's frame: rounded at one end, open at the other. Draws nothing outside `half`, so that it
// looks the same on devices that ignore a painter's clip.
void drawHalf(QPainter& painter, const QRect& half, bool roundTop, const Palette& palette)
{
    const QRect beside = half.adjusted(1, roundTop ? kRound : 0, -1, roundTop ? 0 : -kRound);
    const int closed = roundTop ? half.top() : half.bottom();
    painter.fillRect(beside, palette.card);
    painter.fillRect(QRect(half.left(), beside.top(), 1, beside.height()), palette.cardBorder);
    painter.fillRect(QRect(half.right(), beside.top(), 1, beside.height()), palette.cardBorder);
    const int width = half.width() - 2 * kRound;
    painter.fillRect(QRect(half.left() + kRound, roundTop ? closed : closed - kRound + 1, width, kRound),
                     palette.card);
    painter.fillRect(QRect(half.left() + kRound, closed, width, 1), palette.cardBorder);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool left : {true, false}) {
        // From the side to the closed end, through the middle of the frame's pixels.
        const QPointF corner(left ? half.left() + 0.5 : half.right() + 0.5, closed + 0.5);
        const qreal right = left ? kRadius : -kRadius, down = roundTop ? kRadius : -kRadius;
        QPainterPath path(corner + QPointF(0, down));
        path.quadTo(corner, corner + QPointF(right, 0));
        QPainterPath inside = path;
        inside.lineTo(corner + QPointF(right, down));
        painter.fillPath(inside, palette.card);
        painter.strokePath(path, QPen(palette.cardBorder, 1, Qt::SolidLine, Qt::FlatCap));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

CardHeader::CardHeader(const QString& title, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(theme, &Theme::changed, this, [this] {
        fitTabs();
        update();
    });
}

void CardHeader::setTitle(const QString& title)
{
    m_title = title;
    updateToolTip();
    update();
}

void CardHeader::setCaption(const QString& variants)
{
    if (variants != m_caption) {
        const auto whole = [this] { return m_theme->texts().width(m_theme->fonts().small, caption()); };
        const double before = whole();
        m_caption = variants;
        const int room = qMin(width() - kSide - rightSide(), qCeil(qMax(before, whole())) + 1);
        updateToolTip();
        update(width() - rightSide() - room, 1, room, height() - 2); // without the rounded corners
    }
}

void CardHeader::setChooser(QToolButton* chooser)
{
    m_chooser = chooser;
    row()->addWidget(chooser);
    updateToolTip();
}

QHBoxLayout* CardHeader::row()
{
    if (!layout()) {
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(kChooserSide, 1, kChooserSide, 1);
        row->setSpacing(0);
        row->setAlignment(Qt::AlignLeft);
    }
    return static_cast<QHBoxLayout*>(layout());
}

void CardHeader::makeTabs()
{
    m_tabs = new QTabBar(this);
    m_tabs->setProperty("kind", "titles");
    m_tabs->setFont(m_theme->fonts().title);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);  // those without room are in the menu
    m_tabs->setElideMode(Qt::ElideRight); // of a title that is wider than the card
    m_tabs->setFocusPolicy(Qt::TabFocus);
    m_more = new QToolButton(this);
    m_more->setObjectName("moreTabs");
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setMenu(new QMenu(m_more));
    connect(m_more->menu(), &QMenu::aboutToShow, this, &CardHeader::fillMore);
    row()->insertWidget(0, m_tabs);
    row()->insertWidget(1, m_more);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab == m_own) {
            return;
        }
        const QSignalBlocker silent(m_tabs);
        m_tabs->setCurrentIndex(m_own); // when this header is visible again, its card is in front
        emit tabChosen(tab);
    });
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int tab) {
        if (tab >= 0) {
            emit tabClicked(tab);
        }
    });
    connect(m_tabs, &QTabBar::tabBarDoubleClicked, this, [this](int tab) {
        if (tab == m_own) {
            emit doubleClicked();
        }
    });
}

void CardHeader::setMaximized(bool alone, const QString& words, const QString& explanation)
{
    if (!m_restoreButton && !alone) {
        return;
    }
    if (!m_restoreButton) {
        m_restoreButton = new QToolButton(this);
        m_restoreButton->setObjectName("cardBack");
        m_restoreButton->setProperty("kind", "button");
        m_restoreButton->setFocusPolicy(Qt::TabFocus);
        connect(m_restoreButton, &QToolButton::clicked, this, &CardHeader::restoreRequested);
    }
    m_restoreButton->setFont(m_theme->fonts().small);
    m_restoreButton->setText(words);
    m_restoreButton->setToolTip(explanation);
    m_restoreButton->setVisible(alone);
    placeRestoreButton();
    updateToolTip();
    update();
}

int CardHeader::rightSide() const
{
    return kSide +
           (m_restoreButton && !m_restoreButton->isHidden() ? m_restoreButton->width() + kChooserSide : 0);
}

void CardHeader::placeRestoreButton()
{
    if (m_restoreButton) {
        const QSize size(m_restoreButton->sizeHint().width(), height() - 10);
        m_restoreButton->setGeometry(QRect(QPoint(width() - kSide - size.width(), 5), size));
    }
}

// Accepts the event, because the dock widget would float the card.
void CardHeader::mouseDoubleClickEvent(QMouseEvent* event)
{
    event->accept();
    if (event->button() == Qt::LeftButton) {
        emit doubleClicked();
    }
}

void CardHeader::setTabs(const QStringList& titles, int own)
{
    const bool some = titles.size() > 1;
    if (!m_tabs && !some) {
        return;
    }
    if (!m_tabs) {
        makeTabs();
    }
    const QSignalBlocker silent(m_tabs);
    while (m_tabs->count() > titles.size()) {
        m_tabs->removeTab(m_tabs->count() - 1);
    }
    for (int i = 0; i < titles.size(); ++i) {
        i < m_tabs->count() ? m_tabs->setTabText(i, titles[i]) : void(m_tabs->addTab(titles[i]));
        m_tabs->setTabToolTip(i, titles[i]);
    }
    m_own = own;
    m_tabs->setCurrentIndex(own);
    m_tabs->setAccessibleName(m_title);
    m_tabs->setVisible(some);
    fitTabs();
    updateToolTip();
    update();
}

// Shows whole titles only: the own one, and as many of the others as fit. The menu has the others.
void CardHeader::fitTabs()
{
    if (!m_tabs)
        return;
    m_tabs->setFont(m_theme->fonts().title);
    m_more->setFont(m_theme->fonts().small);
    const auto show = [this](int tab, bool visible) {
        if (m_tabs->isTabVisible(tab) != visible) // otherwise Qt forgets that the bar has to be laid out
            m_tabs->setTabVisible(tab, visible);
    };
    for (int i = 0; i < m_tabs->count(); ++i)
        show(i, true);
    const int side = rightSide() - kSide + 2 * kChooserSide;
    const int chooser = m_chooser && !m_chooser->isHidden() ? m_chooser->sizeHint().width() : 0;
    const int room = width() - side - chooser;
    QStringList hidden;
    for (int i = m_tabs->count() - 1; i >= 0; --i) {
        const int more = hidden.isEmpty() ? 0 : m_more->sizeHint().width();
        if (m_tabs->sizeHint().width() + more <= room)
            break;
        if (i == m_own)
            continue;
        show(i, false);
        hidden.prepend(m_tabs->tabToolTip(i));
        //: how many further cards a menu has
        m_more->setText(tr("%1 more").arg(hidden.size()));
    }
    const QString names = QLocale().createSeparatedList(hidden);
    m_more->setToolTip(format::toolTip(names));
    m_more->setAccessibleDescription(names);
    m_more->setVisible(!m_tabs->isHidden() && !hidden.isEmpty());
    m_tabs->updateGeometry();
}

void CardHeader::fillMore()
{
    m_more->menu()->clear();
    for (int i = 0; i < m_tabs->count(); ++i)
        if (!m_tabs->isTabVisible(i))
            m_more->menu()->addAction(m_tabs->tabToolTip(i), this, [this, i] {
                emit tabChosen(i);
                emit tabClicked(i);
            });
}

bool CardHeader::showsTitle() const
{
    return (!m_chooser || m_chooser->isHidden()) && (!m_tabs || m_tabs->isHidden());
}

void CardHeader::setPictureMode()
{
    if (m_chooser) {
        m_chooser->hide();
        setTitle(m_chooser->text());
    }
}

QString CardHeader::caption() const { return m_caption.section(kVariantSeparator, 0, 0); }

QString CardHeader::shownCaption() const
{
    return m_theme->texts().fitting(m_theme->fonts().small, m_caption, captionWidth());
}

int CardHeader::captionWidth() const
{
    int title = showsTitle() ? qCeil(m_theme->texts().width(m_theme->fonts().title, m_title)) : 0;
    for (const QWidget* part : std::initializer_list<QWidget*>{m_chooser, m_tabs, m_more}) {
        title += part && !part->isHidden() ? part->sizeHint().width() : 0;
    }
    return width() - kSide - rightSide() - kBetween - title;
}

void CardHeader::updateToolTip()
{
    const bool whole = m_theme->texts().width(m_theme->fonts().small, caption()) <= captionWidth();
    setToolTip(whole ? QString() : caption());
}

void CardHeader::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeRestoreButton();
    fitTabs();
    updateToolTip();
}

void CardHeader::paintEvent(QPaintEvent* event)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    if (rect().adjusted(kSide, 1, -kSide, -1).contains(event->rect()))
        painter.fillRect(event->rect(), palette.card);
    else
        drawHalf(painter, rect(), true, palette);
    painter.fillRect(QRect(1, height() - 1, width() - 2, 1), palette.cardBorder);
    const QRect words = rect().adjusted(kSide, 1, -kSide, -1);
    painter.setFont(m_theme->fonts().title);
    painter.setPen(palette.text);
    TextCache& texts = m_theme->texts();
    if (showsTitle()) {
        texts.draw(painter, words, Qt::AlignVCenter | Qt::AlignLeft, m_title);
    }
    painter.setFont(m_theme->fonts().small);
    painter.setPen(palette.textMuted);
    const int room = qMax(0, captionWidth());
    const int right = width() - rightSide();
    texts.draw(painter, QRect(right - room, words.top(), room, words.height()),
               Qt::AlignVCenter | Qt::AlignRight, shownCaption());
}

CardBody::CardBody(QWidget* header, QWidget* view, QWidget* footer, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kInset, 0, kInset, kInset);
    column->setSpacing(0);
    if (header) {
        column->addWidget(header);
    }
    column->addWidget(view, 1);
    if (footer) {
        column->addWidget(footer);
    }
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CardBody::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    const QRect inside = rect().adjusted(1, 0, -1, -kRound);
    if (inside.contains(event->rect()))
        painter.fillRect(event->rect(), m_theme->palette().card);
    else
        drawHalf(painter, rect(), false, m_theme->palette());
}

} // namespace lockscope::ui

#include "moc_card_frame.cpp"
