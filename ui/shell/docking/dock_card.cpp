#include "ui/shell/docking/dock_card.h"

#include "ui/canvas/canvas.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/retranslate.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kMinViewHeight = 130;
} // namespace

DockCard::DockCard(const ViewEntry& entry, Theme* theme, QWidget* parent)
    : QDockWidget(entry.row.title(), parent)
    , m_entry(entry)
    , m_theme(theme)
    , m_header(new CardHeader(entry.row.title(), theme, this))
    , m_body(new CardBody(entry.header, entry.widget, entry.footer, theme, this))
    , m_showAction(new QAction(this))
{
    setProperty(kManualPage, name());
    setObjectName("dock." + name()); // saved layouts identify the card by this name
    m_showAction->setObjectName("show." + name());
    m_showAction->setCheckable(true);
    connect(m_showAction, &QAction::triggered, this, &DockCard::showOrHide);
    connect(this, &QDockWidget::visibilityChanged, m_showAction,
            [this] { m_showAction->setChecked(!isHidden()); });
    setTitleBarWidget(m_header);
    // On a low screen, a view is cut off at the bottom instead of being drawn over the card below it.
    entry.widget->setMinimumHeight(qBound(0, entry.widget->minimumSizeHint().height(), kMinViewHeight));
    connect(m_header, &CardHeader::tabChosen, this,
            [this](int tab) { emit raiseRequested(m_tabbedCards.at(tab)); });
    // After the click has put the card in front, the keys are for it.
    connect(m_header, &CardHeader::tabClicked, this, [this](int tab) {
        QWidget* view = m_tabbedCards.at(tab)->view();
        QMetaObject::invokeMethod(
            view, [view] { view->setFocus(Qt::MouseFocusReason); }, Qt::QueuedConnection);
    });
    const auto alone = [this] {
        if (!m_contentsTaken) {
            emit maximizeToggled();
        }
    };
    connect(m_header, &CardHeader::doubleClicked, this, alone);
    connect(m_header, &CardHeader::restoreRequested, this, alone);
    if (QToolButton* chooser = content().chooser()) {
        m_header->setChooser(chooser);
        connect(chooser->menu(), &QMenu::aboutToShow, this,
                [this, menu = chooser->menu()] { emit menuAboutToShow(menu); });
    }
    setWidget(m_body);
    onRetranslate(this, [this] {
        const QString title = m_entry.row.title();
        setWindowTitle(title);
        m_showAction->setText(title);
        m_header->setTitle(title);
        setAccessibleName(title);
        view()->setAccessibleName(title);
        setMaximized(m_maximized);
    });
    connect(theme, &Theme::forPrintChanged, this, &DockCard::adaptToPrint);
    m_header->setCaption(content().caption());
    content().onCaptionChange([this] { m_header->setCaption(content().caption()); });
}

void DockCard::showOrHide()
{
    if (!isHidden() && !visibleRegion().isEmpty()) {
        close();
    } else {
        show();
        raise();
    }
    m_showAction->setChecked(!isHidden());
}

// The canvases hide their own scroll bars.
void DockCard::adaptToPrint()
{
    static const char* const kBars = "scrollBarsOnScreen";
    const bool print = m_theme->forPrint();
    setTabs(m_tabbedCards);
    if (m_entry.footer)
        m_entry.footer->setVisible(!print);
    for (auto* area : view()->findChildren<QAbstractScrollArea*>()) {
        if (print)
            area->setProperty(kBars, QVariant::fromValue(area->verticalScrollBarPolicy()));
        area->setVerticalScrollBarPolicy(print ? Qt::ScrollBarAlwaysOff
                                               : area->property(kBars).value<Qt::ScrollBarPolicy>());
    }
}

int DockCard::readableHeight() const
{
    const int around = m_body->minimumSizeHint().height() - view()->minimumHeight(); // lock tabs, footer
    return CardHeader::kHeight + around + m_entry.row.readableHeight;
}

void DockCard::setTabs(const QList<DockCard*>& cards)
{
    m_tabbedCards = cards;
    QStringList titles;
    for (DockCard* each : cards) {
        titles << each->windowTitle();
    }
    m_header->setTabs(m_contentsTaken || m_theme->forPrint() ? QStringList() : titles,
                      static_cast<int>(cards.indexOf(this)));
}

DockCard::Contents DockCard::takeContents()
{
    m_contentsTaken = true;
    setTabs(m_tabbedCards);
    setTitleBarWidget(nullptr);
    setWidget(nullptr);
    return {m_header, m_body};
}

void DockCard::restoreContents()
{
    m_contentsTaken = false;
    setTabs(m_tabbedCards);
    setTitleBarWidget(m_header);
    setWidget(m_body);
    m_header->show();
    m_body->show();
}

QWidget* DockCard::frame() { return m_contentsTaken ? m_header->parentWidget() : this; }

void DockCard::setMaximized(bool alone)
{
    m_maximized = alone;
    m_header->setMaximized(alone, tr("All Cards"),
                           tr("Restores all cards (Shift+F11, or double-click here)."));
}

// The menu of the header, and of a view without its own menu.
void DockCard::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(content().options());
    if (!content().options().isEmpty())
        menu->addSeparator();
    menu->addAction(m_maximized ? tr("&Restore All Cards") : tr("&Maximize"), this,
                    &DockCard::maximizeToggled);
    menu->addAction(isFloating() ? tr("&Dock") : tr("&Float"), this, [this] { setFloating(!isFloating()); });
    menu->addAction(tr("&Hide (the View menu shows it again)"), this, &QDockWidget::close);
    if (const QList<QAction*> keys = canvasCommands(*view()); !keys.isEmpty())
        menu->addMenu(tr("&Keys"))->addActions(keys);
    emit menuAboutToShow(menu);
    menu->popup(event->globalPos());
}

bool DockCard::hasPart(const QString& name) const { return m_entry.row.parts.contains(name); }

} // namespace lockscope::ui

#include "moc_dock_card.cpp"
