#include "ui/shell/dock_area.h"

#include "ui/models/look.h"

#include <QPainter>
#include <QResizeEvent>
#include <QTabBar>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

// Shares of the width and the height, as they are at first.
constexpr double kRightColumn = 0.275;
constexpr double kClients = 0.228; // of the left part
constexpr double kLog = 0.65;      // of the left part
constexpr double kTop = 0.46, kMiddle = 0.345, kBottom = 0.195;
constexpr double kQueue = 0.25, kAlgorithm = 0.37, kFindings = 0.38;

constexpr int kLeastShared = 200;
constexpr int kRounding = 2; // pixels that sharing out may lose

int part(int whole, double share) { return static_cast<int>(whole * share); }

} // namespace

DockArea::DockArea(const std::vector<ViewEntry>& views, Look* look, QWidget* parent)
    : QMainWindow(parent)
    , m_look(look)
{
    setWindowFlags(Qt::Widget);
    setObjectName("dockArea");
    setContentsMargins(kGap, kGap, kGap, kGap);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                   QMainWindow::AllowTabbedDocks);
    for (const ViewEntry& entry : views) {
        m_cards.push_back(new DockCard(entry, look, this));
        DockCard* card = m_cards.back();
        connect(card, &QDockWidget::topLevelChanged, this, &DockArea::keepArrangement);
        for (const auto moved : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged}) {
            connect(card, moved, this, &DockArea::syncTabsSoon);
        }
        connect(card, &QDockWidget::dockLocationChanged, this, &DockArea::syncTabsSoon);
        connect(card, &QWidget::windowTitleChanged, this, &DockArea::syncTabsSoon);
        connect(card, &DockCard::wantsInFront, this,
                [this, card](DockCard* chosen) { bringForward(chosen, card); });
    }
    arrangeByDefault();
    connect(look, &Look::changed, this, qOverload<>(&QWidget::update));
}

DockCard* DockArea::card(const QString& name) const
{
    for (DockCard* each : m_cards) {
        if (each->name() == name) {
            return each;
        }
    }
    return nullptr;
}

DockCard* DockArea::cardOf(const QString& viewOrPart) const
{
    for (DockCard* each : m_cards) {
        if (each->name() == viewOrPart || each->part(viewOrPart)) {
            return each;
        }
    }
    return nullptr;
}

// Left: clients and chain over the timeline, with the ladder behind it, over log and charts. Right: queue,
// with the watches behind it, algorithm, with the inspector behind it, findings.
void DockArea::arrangeByDefault()
{
    for (DockCard* each : m_cards) {
        each->setFloating(false);
        removeDockWidget(each);
    }
    addDockWidget(Qt::LeftDockWidgetArea, card("clients"));
    splitDockWidget(card("clients"), card("timeline"), Qt::Vertical);
    splitDockWidget(card("timeline"), card("log"), Qt::Vertical);
    splitDockWidget(card("clients"), card("chain"), Qt::Horizontal);
    splitDockWidget(card("log"), card("charts"), Qt::Horizontal);
    addDockWidget(Qt::RightDockWidgetArea, card("queue"));
    splitDockWidget(card("queue"), card("algorithm"), Qt::Vertical);
    splitDockWidget(card("algorithm"), card("findings"), Qt::Vertical);
    for (DockCard* each : m_cards) {
        each->show();
    }
    tabifyDockWidget(card("timeline"), card("ladder"));
    card("timeline")->raise();
    tabifyDockWidget(card("queue"), card("watches"));
    card("queue")->raise();
    tabifyDockWidget(card("algorithm"), card("inspector"));
    card("algorithm")->raise();
    m_default = true;
    shareOut();
}

void DockArea::shareOut()
{
    if (width() < kLeastShared || height() < kLeastShared) {
        return; // not laid out yet
    }
    const int width = this->width() - 2 * kGap;
    const int height = this->height() - 2 * kGap;
    const int right = part(width, kRightColumn);
    const int left = width - right - kGap;
    const int tall = height - 2 * kGap;
    resizeDocks({card("timeline"), card("queue")}, {left, right}, Qt::Horizontal);
    resizeDocks({card("clients"), card("chain")}, {part(left, kClients), left - part(left, kClients)},
                Qt::Horizontal);
    resizeDocks({card("log"), card("charts")}, {part(left, kLog), left - part(left, kLog)}, Qt::Horizontal);
    shareHeights({card("chain"), card("timeline"), card("log")}, {kTop, kMiddle, kBottom}, tall);
    shareHeights({card("queue"), card("algorithm"), card("findings")}, {kQueue, kAlgorithm, kFindings}, tall);
}

// By their shares; on a low screen those that could no longer be read get what they need from the others.
void DockArea::shareHeights(const QList<DockCard*>& column, const QList<double>& shares, int height)
{
    QList<int> heights;
    int missing = 0, spare = 0;
    for (int i = 0; i < column.size(); ++i) {
        heights << part(height, shares[i]);
        const int more = heights[i] - column[i]->readableHeight() - kRounding;
        (more < 0 ? missing : spare) += std::abs(more);
    }
    const double given = spare > 0 ? std::min(1.0, double(missing) / spare) : 0;
    const double taken = missing > 0 ? std::min(1.0, double(spare) / missing) : 0;
    for (int i = 0; i < column.size(); ++i) {
        const int more = heights[i] - column[i]->readableHeight() - kRounding;
        heights[i] -= static_cast<int>(std::ceil(more * (more < 0 ? taken : given)));
    }
    resizeDocks({column.begin(), column.end()}, heights, Qt::Vertical);
}

void DockArea::syncTabsSoon()
{
    if (!m_syncing) {
        m_syncing = true;
        QMetaObject::invokeMethod(this, &DockArea::syncTabs, Qt::QueuedConnection);
    }
}

// The tabs stand in the headers of the cards. QMainWindow's own have no height (window.qss), and no focus.
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
}

void DockArea::bringForward(DockCard* card, DockCard* instead)
{
    const bool byKey = instead->header()->tabs()->hasFocus();
    card->raise();
    if (byKey && card->header()->tabs()) {
        card->header()->tabs()->setFocus(Qt::TabFocusReason);
    }
}

// A press that reaches the area itself, and none of its cards, is on a separator between them.
bool DockArea::event(QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        m_default = false;
    }
    return QMainWindow::event(event);
}

void DockArea::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_default) {
        shareOut();
    }
}

void DockArea::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (m_default) {
        shareOut();
    }
}

void DockArea::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), m_look->palette().window); }

} // namespace lockscope::ui
