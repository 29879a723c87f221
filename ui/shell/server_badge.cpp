#include "ui/shell/server_badge.h"

#include "ui/models/format.h"
#include "ui/models/look.h"
#include "ui/models/run_model.h"

#include <QPainter>

namespace lockscope::ui {

namespace {

constexpr int kDot = 9;
constexpr int kGap = 7;
constexpr int kHeight = 22;

ServerBadge::Health healthOf(trace::ServerPhase phase)
{
    switch (phase) {
    case trace::ServerPhase::starting:
        return ServerBadge::Health::starting;
    case trace::ServerPhase::ready:
        return ServerBadge::Health::ready;
    case trace::ServerPhase::down:
    case trace::ServerPhase::stopped:
        return ServerBadge::Health::down;
    }
    return ServerBadge::Health::none;
}

// "41233" of "127.0.0.1:41233": the embedded server is always on this machine.
QString portOf(const QString& address) { return address.section(':', -1); }

} // namespace

ServerBadge::ServerBadge(RunModel* model, Look* look, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_look(look)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(model, &RunModel::stateChanged, this, &ServerBadge::refresh);
    connect(model, &RunModel::runChanged, this, &ServerBadge::refresh);
    connect(look, &Look::changed, this, [this] { updateGeometry(), update(); });
    refresh();
}

void ServerBadge::setWidth(Width width)
{
    if (m_width != width) {
        m_width = width;
        updateGeometry();
        update();
    }
}

void ServerBadge::setEmbedded(bool embedded)
{
    m_embedded = embedded;
    refresh();
}

QString ServerBadge::wordsFor(Width width) const
{
    return width == Width::full ? m_full : width == Width::brief ? m_brief : QString();
}

void ServerBadge::refresh()
{
    if (!m_model->hasRun()) {
        m_health = Health::none;
        m_full = m_brief = tr("no server");
        setToolTip(tr("A run starts its own ZooKeeper, unless lockscope was started with --connect."));
    } else {
        const replay::ServerRow& server = m_model->state().server;
        const QString address = format::plain(server.address);
        const QString product = server.version.empty()
                                    ? tr("ZooKeeper")
                                    : tr("ZooKeeper %1").arg(format::plain(server.version, 24));
        const QString place =
            m_embedded && m_model->isLive() ? tr("embedded · %1").arg(portOf(address)) : address;
        m_health = healthOf(server.phase);
        const bool recorded = !m_model->isLive();
        switch (server.phase) {
        case trace::ServerPhase::starting:
            m_full = recorded && address.isEmpty() ? tr("recorded run") : tr("ZooKeeper starts…");
            m_brief = recorded ? tr("recorded") : tr("starts…");
            break;
        case trace::ServerPhase::ready:
            m_full = place.isEmpty() ? product : tr("%1 · %2").arg(product, place);
            m_brief = portOf(address);
            break;
        case trace::ServerPhase::down:
            m_full = tr("%1 · does not answer").arg(product);
            m_brief = tr("no answer");
            break;
        case trace::ServerPhase::stopped:
            m_full = tr("%1 · stopped").arg(product);
            m_brief = tr("stopped");
            m_health = recorded ? Health::none : Health::down;
            break;
        }
        QString tip = m_full;
        if (!address.isEmpty()) {
            tip += '\n' + tr("Address: %1").arg(address);
        }
        if (!server.mode.empty()) {
            tip += '\n' + tr("Mode: %1").arg(format::plain(server.mode, 24));
        }
        if (!server.detail.empty()) {
            tip += '\n' + format::plain(server.detail, 300);
        }
        setToolTip(tip);
    }
    setAccessibleName(m_full);
    updateGeometry();
    update();
}

QSize ServerBadge::sizeHint() const { return {widthFor(m_width), kHeight}; }

int ServerBadge::widthFor(Width width) const
{
    const QString text = wordsFor(width);
    return kDot + 2 +
           (text.isEmpty() ? 0 : kGap + QFontMetrics(m_look->fonts().text).horizontalAdvance(text));
}

// Ready is a full dot, starting a ring, down a cross: the colour only repeats it.
void ServerBadge::paintEvent(QPaintEvent*)
{
    const Palette& palette = m_look->palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF dot(0.5, (height() - kDot) / 2.0, kDot, kDot);
    switch (m_health) {
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
    case Health::down:
        painter.setPen(QPen(palette.stale, 2.2));
        painter.drawLine(dot.topLeft() + QPointF(1, 1), dot.bottomRight() - QPointF(1, 1));
        painter.drawLine(dot.topRight() + QPointF(-1, 1), dot.bottomLeft() + QPointF(1, -1));
        break;
    }
    painter.setFont(m_look->fonts().text);
    painter.setPen(m_health == Health::down ? palette.staleText : palette.textMuted);
    painter.drawText(rect().adjusted(kDot + kGap, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, words());
}

} // namespace lockscope::ui
