#include "ui/shell/runbar/server_badge.h"

#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/models/style/theme.h"
#include "ui/texts/core_messages.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kDot = 9;
constexpr int kServerBadgeGap = 7;
constexpr int kMemberGap = 8;
constexpr int kRing = 3; // around the dot of the leader
constexpr int kServerBadgeHeight = 22;

// "41233" of "127.0.0.1:41233": the embedded server is always on this machine.
QString portOf(const QString& address) { return address.section(':', -1); }

} // namespace

ServerBadge::ServerBadge(RunModel* model, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(model, &RunModel::stateChanged, this, &ServerBadge::refresh);
    connect(model, &RunModel::runChanged, this, &ServerBadge::refresh);
    connect(model, &RunModel::phaseChanged, this, &ServerBadge::refresh);
    connect(theme, &Theme::changed, this, [this] { updateGeometry(), update(); });
    refresh();
}

void ServerBadge::setWidth(StatusWidth width)
{
    if (m_width != width) {
        m_width = width;
        updateGeometry();
        update();
    }
}

QString ServerBadge::textFor(StatusWidth width) const
{
    return width == StatusWidth::full    ? m_display.full
           : width == StatusWidth::brief ? m_display.brief
                                         : QString();
}

// The server of the current run, as the badge shows it.
ServerBadge::Display ServerBadge::display() const
{
    if (!m_model->hasRun()) {
        return {Health::none, tr("no server"), tr("no server")};
    }
    const bool recorded = !m_model->engine() && !m_model->isLive();
    const replay::ServerRow& server = m_model->state().server;
    const QString address = format::plain(server.address);
    const QString product =
        server.version.empty() ? tr("ZooKeeper") : tr("ZooKeeper %1").arg(format::plain(server.version, 24));
    const bool embedded = server.mode.find("embedded") != std::string_view::npos;
    const QString place = embedded ? tr("embedded · %1").arg(portOf(address)) : address;
    if (recorded && server.phase == trace::ServerPhase::ready) {
        const QString words = tr("recorded · %1").arg(product);
        //: of a server: it is seen in a recorded run
        return {Health::recorded, words, tr("recorded")};
    }
    switch (server.phase) {
    case trace::ServerPhase::starting:
        return m_model->isLive() ? Display{Health::starting, tr("ZooKeeper starts…"), tr("starts…")}
               : recorded        ? Display{Health::none, tr("recorded run"), tr("recorded")}
                                 : Display{Health::down, tr("no ZooKeeper"), tr("no server")};
    case trace::ServerPhase::ready:
        return {Health::ready, address.isEmpty() ? product : tr("%1 · %2").arg(product, place), product};
    case trace::ServerPhase::down:
        return {Health::down, tr("%1 · no answer").arg(product), tr("no answer")};
    case trace::ServerPhase::stopped:
        return {Health::none, tr("%1 · stopped").arg(product),
                //: of a server: short for "ZooKeeper 3.9 · stopped"
                tr("stopped")};
    }
    return {};
}

QString ServerBadge::explanation() const
{
    if (!m_model->hasRun()) {
        return tr("Each run starts its own ZooKeeper, unless lockscope was started with --connect.");
    }
    const replay::ServerRow& server = m_model->state().server;
    QString text = m_display.full;
    if (!server.address.empty()) {
        text += '\n' + tr("Address: %1").arg(format::plain(server.address));
    }
    for (const replay::MemberRow& row : server.members) {
        //: a server's state: it answers requests
        const QString state = row.phase == trace::ServerPhase::ready
                                  ? (row.mode.empty() ? tr("answers") : translateCoreText(row.mode, 20))
                              //: a server's state: it is starting
                              : row.phase == trace::ServerPhase::starting ? tr("starts")
                                                                          : /*: of a server */ tr("down");
        text += '\n' + tr("Server %1: %2").arg(format::plain(row.member, 8), state);
    }
    if (!server.mode.empty() && server.members.empty()) {
        text += '\n' + tr("Mode: %1").arg(translateCoreText(server.mode, 24));
    }
    if (!server.detail.empty()) {
        text += '\n' + translateMessage(server.detail, 300);
    }
    return text;
}

namespace {

ServerBadge::Health healthOf(trace::ServerPhase phase)
{
    switch (phase) {
    case trace::ServerPhase::starting:
        return ServerBadge::Health::starting;
    case trace::ServerPhase::ready:
        return ServerBadge::Health::ready;
    case trace::ServerPhase::down:
        return ServerBadge::Health::down;
    case trace::ServerPhase::stopped:
        break;
    }
    return ServerBadge::Health::none;
}

} // namespace

// Shows "3 servers · 2 leads" and the servers that are down instead of addresses: three addresses would fill
// the bar.
void ServerBadge::addMembers(Display& display) const
{
    const auto& rows = m_model->state().server.members;
    if (rows.empty()) {
        return;
    }
    QString leader;
    QStringList down;
    for (const replay::MemberRow& row : rows) {
        const bool leads = row.mode == "leader" && row.phase == trace::ServerPhase::ready;
        const Health health = healthOf(row.phase);
        const bool past = health == Health::ready && !m_model->engine();
        display.members.push_back({past ? Health::recorded : health, leads});
        if (leads) {
            leader = format::plain(row.member, 8);
        }
        if (row.phase == trace::ServerPhase::down) {
            down << format::plain(row.member, 8);
        }
    }
    display.brief = leader.isEmpty() ? tr("no leader") : tr("%1 leads").arg(leader);
    const QString all = tr("%Ln servers", nullptr, static_cast<int>(rows.size()));
    display.full = down.isEmpty()
                       ? tr("%1 · %2").arg(all, display.brief)
                       : tr("%1 · %2 · %3 down").arg(all, display.brief, down.join(QStringLiteral(", ")));
    if (!m_model->engine()) {
        display.full = tr("recorded · %1").arg(display.full);
    }
}

int ServerBadge::dotsWidth() const
{
    const auto count = static_cast<int>(std::max<std::size_t>(1, m_display.members.size()));
    return count * kDot + (count - 1) * kMemberGap;
}

// Called once per frame: requests a new layout only if the display has changed. The tool tip has more
// details.
void ServerBadge::refresh()
{
    Display now = display();
    addMembers(now);
    const bool same = now == m_display;
    m_display = std::move(now);
    if (const QString text = explanation(); text != toolTip()) {
        setToolTip(text);
    }
    if (same) {
        return;
    }
    setAccessibleName(m_display.full);
    updateGeometry();
    update();
}

QSize ServerBadge::sizeHint() const { return {widthFor(m_width), kServerBadgeHeight}; }

int ServerBadge::widthFor(StatusWidth width) const
{
    const QString text = textFor(width);
    return dotsWidth() + 2 + (m_display.members.empty() ? 0 : 2 * kRing) +
           (text.isEmpty() ? 0
                           : kServerBadgeGap + QFontMetrics(m_theme->fonts().text).horizontalAdvance(text));
}

// Ready: a filled dot, gray in a recorded run; down: a cross; otherwise a ring. The shape alone shows if it
// answers.
void ServerBadge::drawDot(QPainter& painter, const QRectF& dot, Health health) const
{
    const Palette& palette = m_theme->palette();
    painter.setBrush(Qt::NoBrush);
    switch (health) {
    case Health::none:
        painter.setPen(QPen(palette.textFaint, 1.5));
        painter.drawEllipse(dot.adjusted(1, 1, -1, -1));
        break;
    case Health::starting:
        painter.setPen(QPen(palette.waits, 2));
        painter.drawEllipse(dot.adjusted(1, 1, -1, -1));
        break;
    case Health::ready:
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.holds);
        painter.drawEllipse(dot);
        break;
    case Health::recorded:
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.textFaint);
        painter.drawEllipse(dot);
        break;
    case Health::down:
        painter.setPen(QPen(palette.stale, 2.2));
        painter.drawLine(dot.topLeft() + QPointF(1, 1), dot.bottomRight() - QPointF(1, 1));
        painter.drawLine(dot.topRight() + QPointF(-1, 1), dot.bottomLeft() + QPointF(1, -1));
        break;
    }
}

// An ensemble has a dot for each server; a ring marks the leader.
void ServerBadge::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_theme->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool several = !m_display.members.empty();
    const double left = several ? kRing + 0.5 : 0.5;
    QRectF dot(left, (height() - kDot) / 2.0, kDot, kDot);
    if (!several) {
        drawDot(painter, dot, m_display.health);
    }
    for (const Member& member : m_display.members) {
        drawDot(painter, dot, member.health);
        if (member.leads) {
            painter.setPen(QPen(member.health == Health::recorded ? palette.textFaint : palette.holds, 1.4));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(dot.adjusted(-kRing, -kRing, kRing, kRing));
        }
        dot.translate(kDot + kMemberGap, 0);
    }
    painter.setFont(m_theme->fonts().text);
    painter.setPen(m_display.health == Health::down ? palette.staleText : palette.textMuted);
    painter.drawText(rect().adjusted(dotsWidth() + (several ? 2 * kRing : 0) + kServerBadgeGap, 0, 0, 0),
                     Qt::AlignVCenter | Qt::AlignLeft, words());
}

} // namespace lockscope::ui

#include "moc_server_badge.cpp"
