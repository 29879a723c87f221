#include "ui/shell/dock_area.h"

#include "ui/models/look.h"

#include <QPainter>
#include <QResizeEvent>

namespace lockscope::ui {

namespace {

// Shares of the width and the height, as they are at first.
constexpr double kRightColumn = 0.275;
constexpr double kClients = 0.228; // of the left part
constexpr double kLog = 0.675;     // of the left part
constexpr double kTop = 0.435, kMiddle = 0.365, kBottom = 0.20;
constexpr double kQueue = 0.25, kAlgorithm = 0.345, kFindings = 0.405;

constexpr int kLeastShared = 200;

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
        connect(m_cards.back(), &QDockWidget::topLevelChanged, this, &DockArea::keepArrangement);
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
    resizeDocks({card("clients"), card("timeline"), card("log")},
                {part(tall, kTop), part(tall, kMiddle), part(tall, kBottom)}, Qt::Vertical);
    resizeDocks({card("queue"), card("algorithm"), card("findings")},
                {part(tall, kQueue), part(tall, kAlgorithm), part(tall, kFindings)}, Qt::Vertical);
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
