#include "ui/shell/docking/dock_area.h"

#include "ui/models/style/theme.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QLayout>
#include <QPainter>
#include <QResizeEvent>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

DockArea::DockArea(const std::vector<ViewEntry>& views, Theme* theme, QWidget* parent)
    : QMainWindow(parent)
    , m_theme(theme)
{
    setWindowFlags(Qt::Widget);
    setObjectName("dockArea");
    setContentsMargins(kGap, kGap, kGap, kGap);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                   QMainWindow::AllowTabbedDocks);
    for (const ViewEntry& entry : views) {
        m_cards.push_back(new DockCard(entry, theme, this));
        DockCard* card = m_cards.back();
        const auto moved = [this] {
            m_moved = true;
            scheduleTabSync();
        };
        connect(card, &QDockWidget::topLevelChanged, this, moved);
        connect(card, &QDockWidget::dockLocationChanged, this, moved);
        connect(card, &QDockWidget::visibilityChanged, this, &DockArea::scheduleTabSync);
        connect(card, &QDockWidget::visibilityChanged, this, [this, card](bool visible) {
            if (visible && m_maximized && card != m_maximized && !card->isFloating()) {
                QMetaObject::invokeMethod(
                    this, [this, card] { leaveMaximizedFor(card); }, Qt::QueuedConnection);
            }
        });
        connect(card, &DockCard::maximizeToggled, this, [this, card] { maximize(card); });
        connect(card, &QWidget::windowTitleChanged, this, &DockArea::scheduleTabSync);
        connect(card, &DockCard::raiseRequested, this,
                [this, card](DockCard* chosen) { raiseInstead(chosen, card); });
    }
    arrangeByDefault();
    connect(theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

DockCard* DockArea::card(const QString& name) const
{
    const auto found = std::ranges::find(m_cards, name, &DockCard::name);
    return found == m_cards.end() ? nullptr : *found;
}

DockCard* DockArea::cardOf(const QString& viewOrPart) const
{
    const auto found = std::ranges::find_if(m_cards, [&](const DockCard* each) {
        return each->name() == viewOrPart || each->hasPart(viewOrPart);
    });
    return found == m_cards.end() ? nullptr : *found;
}

void DockArea::removeAllDocks()
{
    showAll();
    for (DockCard* each : m_cards) {
        each->setFloating(false);
        removeDockWidget(each);
    }
}

// Left, from the top: clients and chain; the timeline, with the protocol behind it; log and charts. Right:
// the queue, with the watches behind it; the algorithm, with the inspector behind it; findings.
void DockArea::arrangeByDefault()
{
    endDrag();
    if (window()->isVisible() && window()->height() < kLowWindowHeight) {
        arrangeForLowWindow();
        return;
    }
    arrange({});
}

void DockArea::showOnly(const std::vector<DockCard*>& cards)
{
    endDrag();
    m_rearranging = true;
    removeAllDocks();
    DockCard* last = nullptr;
    for (DockCard* card : cards) {
        if (last)
            splitDockWidget(last, card, Qt::Vertical);
        else
            addDockWidget(Qt::LeftDockWidgetArea, card);
        last = card;
        card->show();
    }
    for (DockCard* other : m_cards) {
        if (std::ranges::find(cards, other) == cards.end()) {
            addDockWidget(Qt::RightDockWidgetArea, other);
            other->hide();
        }
    }
    m_rearranging = false;
    setUserProportions({});
}

// Two rows of cards: the cards of the bottom row move behind those above.
void DockArea::arrangeForLowWindow()
{
    using enum DockPlace;
    arrange({{bottomLeft, middle}, {bottom, middle}, {lowerRight, upperRight}});
}

// `instead`: maps each omitted place to the place that takes its cards. The first card of each place lies in
// front.
void DockArea::arrange(const std::map<DockPlace, DockPlace>& instead)
{
    using enum DockPlace;
    static const std::vector<std::pair<Qt::DockWidgetArea, std::vector<std::vector<DockPlace>>>> kColumns{
        {Qt::LeftDockWidgetArea, {{topLeft, top}, {middle}, {bottomLeft, bottom}}},
        {Qt::RightDockWidgetArea, {{upperRight}, {right}, {lowerRight}}}};
    m_rearranging = true;
    removeAllDocks();
    std::map<DockPlace, std::vector<DockCard*>> places;
    std::vector<DockCard*> cards = m_cards;
    std::ranges::stable_sort(cards, {}, &DockCard::place);
    for (DockCard* each : cards) {
        const auto other = instead.find(each->place());
        places[other == instead.end() ? each->place() : other->second].push_back(each);
    }
    for (const auto& [area, rows] : kColumns) {
        std::vector<std::vector<DockCard*>> fronts; // the front cards of each row, from left to right
        for (const std::vector<DockPlace>& row : rows) {
            std::vector<DockCard*> front;
            for (const DockPlace place : row)
                if (places.contains(place))
                    front.push_back(places[place].front());
            if (!front.empty())
                fronts.push_back(front);
        }
        for (std::size_t i = 0; i < fronts.size(); ++i) {
            if (i == 0)
                addDockWidget(area, fronts[i].front());
            else
                splitDockWidget(fronts[i - 1].front(), fronts[i].front(), Qt::Vertical);
        }
        for (const std::vector<DockCard*>& row : fronts)
            for (std::size_t i = 1; i < row.size(); ++i)
                splitDockWidget(row[i - 1], row[i], Qt::Horizontal);
    }
    for (DockCard* each : m_cards)
        each->show();
    for (const auto& [place, together] : places) {
        for (std::size_t i = 1; i < together.size(); ++i)
            tabifyDockWidget(together[i - 1], together[i]);
        together.front()->raise();
    }
    m_rearranging = false;
    setUserProportions({});
}

QStringList DockArea::cardNames() const
{
    QStringList names;
    for (const DockCard* each : m_cards)
        names << each->name();
    return names;
}

// A card that a saved arrangement does not know goes behind a docked card of the same place, or else to the
// right.
void DockArea::placeMissing(const QStringList& known)
{
    for (DockCard* each : m_cards) {
        if (known.contains(each->name()))
            continue;
        const auto neighbour = std::ranges::find_if(m_cards, [&](const DockCard* other) {
            return other != each && other->place() == each->place() && known.contains(other->name()) &&
                   !other->isHidden() && !other->isFloating();
        });
        each->setFloating(false);
        if (neighbour == m_cards.end()) {
            addDockWidget(Qt::RightDockWidgetArea, each);
        } else {
            tabifyDockWidget(*neighbour, each);
            (*neighbour)->raise();
        }
        each->show();
    }
}

void DockArea::maximize(DockCard* card)
{
    if (card->isFloating()) {
        card->setWindowState(card->windowState() ^ Qt::WindowMaximized);
        return;
    }
    const bool back = card == m_maximized;
    showAll();
    if (back) {
        return;
    }
    m_frontCards = currentTabs();
    m_hiddenCards.clear();
    m_maximized = card;
    card->show();
    for (DockCard* each : m_cards) {
        if (each != card && !each->isFloating() && !each->isHidden()) {
            m_hiddenCards.push_back(each);
            each->hide();
        }
    }
    card->setMaximized(true);
}

// The layout keeps the places of hidden cards, so showing them is enough. restoreState() would also restore
// them, but it crashes during a drag.
void DockArea::showAll()
{
    if (DockCard* card = std::exchange(m_maximized, nullptr)) {
        card->setMaximized(false);
        for (DockCard* each : std::exchange(m_hiddenCards, {})) {
            each->show();
        }
        for (DockCard* each : std::exchange(m_frontCards, {})) {
            each->raise();
        }
        card->raise();
        m_moved = false; // the user did not move them
        applyProportions();
    }
}

// QMainWindow stores a tab's dock widget in the tab's data.
std::vector<DockCard*> DockArea::currentTabs() const
{
    std::vector<DockCard*> cards;
    for (const QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        const auto current = bar->tabData(bar->currentIndex()).value<quintptr>();
        const auto found = std::ranges::find_if(m_cards, [current](const DockCard* card) {
            return reinterpret_cast<quintptr>(static_cast<const QDockWidget*>(card)) == current;
        });
        if (found != m_cards.end()) {
            cards.push_back(*found);
        }
    }
    return cards;
}

// Shows a card that was requested while another one is maximized.
void DockArea::leaveMaximizedFor(DockCard* card)
{
    if (m_maximized && m_maximized != card) {
        showAll();
        card->show();
        card->raise();
    }
}

void DockArea::focusCard(DockCard* card)
{
    if (!isVisible()) {
        return; // hidden by the presentation or the welcome page
    }
    if (m_maximized && m_maximized != card) {
        maximize(card);
    }
    card->show();
    card->raise();
    card->view()->setFocus(Qt::ShortcutFocusReason);
}

// Does nothing while cards are removed and added again: showing a card can resize the area while the layout
// lacks others.
void DockArea::applyProportions()
{
    if (!m_maximized && !m_rearranging) {
        (m_userProportions.isEmpty() ? DockProportions::defaults(*this) : m_userProportions).applyTo(*this);
    }
}

void DockArea::setUserProportions(const QVariantMap& shares)
{
    m_userProportions = DockProportions::fromVariant(shares);
    m_moved = false;
    applyProportions();
}

// Aborts the drag of a card: QMainWindow keeps the layout from before the drag, and would use it after its
// parts were deleted. The close event ends the drag without closing the card; a release of the mouse button
// would instead start to move the card to its new place.
void DockArea::endDrag()
{
    for (DockCard* each : m_cards) {
        if (QWidget::mouseGrabber() == each) {
            QCloseEvent abort;
            QCoreApplication::sendEvent(each, &abort);
        }
    }
}

// QMainWindow shows its tab bars in a loop over a set, and showing one can activate the layout, which
// replaces that set: the layout is therefore disabled meanwhile.
void DockArea::restoreArrangement(const QByteArray& state)
{
    endDrag();
    m_rearranging = true;
    layout()->setEnabled(false);
    restoreState(state);
    layout()->setEnabled(true);
    layout()->activate();
    m_rearranging = false;
    m_moved = false; // the user did not move them
    applyProportions();
}

// After cards were moved, shown or hidden, their current sizes become the user's proportions.
void DockArea::rememberProportions()
{
    const DockProportions& shares =
        m_userProportions.isEmpty() ? DockProportions::defaults(*this) : m_userProportions;
    if (isVisible() && !m_maximized && (m_moved || !shares.matches(*this))) {
        m_userProportions = DockProportions::measure(*this);
        m_moved = false;
    }
}

void DockArea::scheduleTabSync()
{
    if (!m_syncing) {
        m_syncing = true;
        QMetaObject::invokeMethod(this, &DockArea::syncTabs, Qt::QueuedConnection);
    }
}

// The headers of the cards show the tabs. QMainWindow's own tab bars have no height (window.qss) and no
// focus.
void DockArea::syncTabs()
{
    m_syncing = false;
    for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setFocusPolicy(Qt::NoFocus);
    }
    for (DockCard* each : m_cards) {
        const QList<QDockWidget*> others = tabifiedDockWidgets(each);
        QList<DockCard*> together;
        for (DockCard* other : m_cards) {
            if (other == each || (others.contains(other) && !other->isHidden())) {
                together << other;
            }
        }
        each->setTabs(together);
    }
    rememberProportions();
}

void DockArea::raiseInstead(DockCard* card, DockCard* instead)
{
    const bool byKey = instead->header()->tabs()->hasFocus();
    card->raise();
    if (byKey && card->header()->tabs()) {
        card->header()->tabs()->setFocus(Qt::TabFocusReason);
    }
}

// A press that reaches the area itself, and none of its cards, is on a separator.
bool DockArea::event(QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        m_proportionsAtPress = DockProportions::measure(*this);
    }
    const bool done = QMainWindow::event(event);
    if (event->type() == QEvent::MouseButtonRelease) {
        const DockProportions now = DockProportions::measure(*this);
        if (now != m_proportionsAtPress && !m_maximized) {
            m_userProportions = now;
        }
    }
    return done;
}

void DockArea::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    applyProportions();
}

void DockArea::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    applyProportions();
}

void DockArea::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), m_theme->palette().window); }

} // namespace lockscope::ui

#include "moc_dock_area.cpp"
