#include "ui/shell/docking/dock_card.h"

#include "ui/canvas/canvas.h"
#include "ui/models/retranslate.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kMinViewHeight = 130;
const QString kAll = QStringLiteral("all");
} // namespace

DockCard::DockCard(const ViewEntry& entry, Theme* theme, QWidget* parent)
    : QDockWidget(entry.title(), parent)
    , m_name(entry.name)
    , m_entry(entry)
    , m_theme(theme)
    , m_view(entry.view)
    , m_header(new CardHeader(entry.title(), theme, this))
    , m_body(new CardBody(entry.header, entry.view, entry.footer, theme, this))
    , m_showAction(new QAction(this))
{
    setObjectName("dock." + entry.name); // saved layouts identify the card by this name
    m_showAction->setObjectName("show." + entry.name);
    m_showAction->setCheckable(true);
    connect(m_showAction, &QAction::triggered, this, &DockCard::showOrHide);
    connect(this, &QDockWidget::visibilityChanged, m_showAction,
            [this] { m_showAction->setChecked(!isHidden()); });
    setTitleBarWidget(m_header);
    // On a low screen, a view is cut off at the bottom instead of being drawn over the card below it.
    entry.view->setMinimumHeight(qBound(0, entry.view->minimumSizeHint().height(), kMinViewHeight));
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
    if (entry.chooser) {
        m_header->setChooser(entry.chooser);
        connect(entry.chooser->menu(), &QMenu::aboutToShow, this,
                [this, menu = entry.chooser->menu()] { emit menuAboutToShow(menu); });
    }
    setWidget(m_body);
    onRetranslate(this, [this, title = entry.title, view = entry.view] {
        setWindowTitle(title());
        m_showAction->setText(title());
        m_header->setTitle(title());
        setAccessibleName(title());
        view->setAccessibleName(title());
        setMaximized(m_maximized);
    });
    connect(theme, &Theme::forPrintChanged, this, &DockCard::adaptToPrint);
    m_header->setCaption(entry.caption());
    entry.onCaptionChanged(this, [this, caption = entry.caption] { m_header->setCaption(caption()); });
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
    for (auto* area : m_view->findChildren<QAbstractScrollArea*>()) {
        if (print)
            area->setProperty(kBars, QVariant::fromValue(area->verticalScrollBarPolicy()));
        area->setVerticalScrollBarPolicy(print ? Qt::ScrollBarAlwaysOff
                                               : area->property(kBars).value<Qt::ScrollBarPolicy>());
    }
}

int DockCard::readableHeight() const
{
    const int around = m_body->minimumSizeHint().height() - m_view->minimumHeight(); // lock tabs, footer
    return CardHeader::kHeight + around + m_entry.readableHeight;
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
    menu->addActions(m_entry.choices);
    if (!m_entry.choices.isEmpty())
        menu->addSeparator();
    menu->addAction(m_maximized ? tr("&Restore All Cards") : tr("&Maximize"), this,
                    &DockCard::maximizeToggled);
    menu->addAction(isFloating() ? tr("&Dock") : tr("&Float"), this, [this] { setFloating(!isFloating()); });
    menu->addAction(tr("&Hide (the View menu shows it again)"), this, &QDockWidget::close);
    if (const QList<QAction*> keys = canvasCommands(*m_entry.view); !keys.isEmpty())
        menu->addMenu(tr("&Keys"))->addActions(keys);
    emit menuAboutToShow(menu);
    menu->popup(event->globalPos());
}

const ViewPart* DockCard::part(const QString& name) const
{
    const auto found = std::ranges::find(m_entry.parts, name, &ViewPart::name);
    return found == m_entry.parts.end() ? nullptr : &*found;
}

const ViewPart* DockCard::shownPart() const
{
    return m_entry.shownPart ? part(m_entry.shownPart()) : nullptr;
}

QString DockCard::choice() const
{
    const ViewPart* shown = shownPart();
    return shown ? shown->name : m_entry.showAll ? kAll : QString();
}

void DockCard::choose(const QString& choice)
{
    if (const ViewPart* chosen = part(choice)) {
        chosen->show();
    } else if (choice == kAll) {
        showAll();
    }
}

void DockCard::showAll()
{
    if (m_entry.showAll) {
        m_entry.showAll();
    }
}

} // namespace lockscope::ui

#include "moc_dock_card.cpp"
