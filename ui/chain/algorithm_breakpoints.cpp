// Breakpoints beside the lines of the algorithm, by mouse and keys.
#include "ui/chain/algorithm_view.h"

#include "ui/chain/chain_text.h"
#include "ui/models/breakpoints.h"
#include "ui/models/client_status.h"

#include <QHash>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::ui {

std::vector<ClientId> AlgorithmView::breakpointClients() const
{
    if (m_selection->client().valid())
        return {m_selection->client()};
    std::vector<ClientId> all;
    for (const replay::ClientRow& client : m_model->state().clients)
        if (client.id.valid() && client.phase != replay::ClientPhase::removed)
            all.push_back(client.id);
    return all;
}

void AlgorithmView::markStops()
{
    if (!m_breakpoints->any())
        return;
    const ClientId selected = m_selection->client();
    for (Row& row : m_rows)
        for (const trace::GateStep gate : chain::gatesOf(*row.line)) {
            const std::set<ClientId> clients = m_breakpoints->at(gate);
            if (!clients.empty() && (!selected.valid() || clients.contains(selected)))
                row.stop = Stop::here;
            else if (!clients.empty() && row.stop == Stop::none)
                row.stop = Stop::others;
        }
}

int AlgorithmView::gutterAt(QPointF point)
{
    if (point.x() >= kCodeLeft * m_unit)
        return -1;
    const auto found = std::find_if(rows().begin(), rows().end(),
                                    [point](const Row& row) { return row.rect.contains(point); });
    return found == m_rows.end() || chain::gatesOf(*found->line).empty()
               ? -1
               : static_cast<int>(found - m_rows.begin());
}

void AlgorithmView::point(int row)
{
    if (!m_breakpoints->possible())
        row = -1;
    if (std::exchange(m_pointed, row) == row)
        return;
    setCursor(row < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void AlgorithmView::mouseMoveEvent(QMouseEvent* event)
{
    point(gutterAt(event->position()));
    QWidget::mouseMoveEvent(event);
}

void AlgorithmView::leaveEvent(QEvent* event)
{
    point(-1);
    QWidget::leaveEvent(event);
}

// The next line in that direction at which a client can be stopped.
void AlgorithmView::moveLine(int by)
{
    const int count = static_cast<int>(rows().size());
    const auto marked = std::find_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.marked; });
    if (m_line < 0 || m_line >= count)
        m_line = marked == m_rows.end() ? -by : static_cast<int>(marked - m_rows.begin()) - by;
    for (int line = m_line + by; line >= 0 && line < count; line += by)
        if (!chain::gatesOf(*m_rows[static_cast<std::size_t>(line)].line).empty()) {
            m_line = line;
            break;
        }
    m_line = std::clamp(m_line, 0, std::max(0, count - 1));
    const QRectF rect = m_rows.empty() ? QRectF() : m_rows[static_cast<std::size_t>(m_line)].rect;
    if (rect.top() < 0)
        m_bar->setValue(m_bar->value() + static_cast<int>(std::floor(rect.top())));
    else if (rect.bottom() > height())
        m_bar->setValue(m_bar->value() + static_cast<int>(std::ceil(rect.bottom() - height())));
    update();
}

void AlgorithmView::toggleBreakpoint(int row)
{
    if (row < 0 || row >= static_cast<int>(rows().size()))
        return;
    const Row& line = m_rows[static_cast<std::size_t>(row)];
    const bool wanted = line.stop != Stop::here;
    const auto gates = wanted ? chain::breakpointsOf(*line.line) : chain::gatesOf(*line.line);
    for (const ClientId client : breakpointClients())
        for (const trace::GateStep gate : gates)
            m_breakpoints->set(client, gate, wanted);
}

void AlgorithmView::keyPressEvent(QKeyEvent* event)
{
    using Action = QAbstractSlider::SliderAction;
    static const QHash<int, Action> pages{{Qt::Key_PageUp, Action::SliderPageStepSub},
                                          {Qt::Key_PageDown, Action::SliderPageStepAdd}};
    if (const auto page = pages.constFind(event->key()); page != pages.constEnd() && m_bar->maximum() > 0)
        m_bar->triggerAction(*page);
    else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        moveLine(event->key() == Qt::Key_Up ? -1 : 1);
    else if (event->key() == Qt::Key_F9 && m_line >= 0)
        toggleBreakpoint(m_line);
    else
        QWidget::keyPressEvent(event);
}

QString AlgorithmView::gutterTip(const Row& row) const
{
    if (!m_breakpoints->possible())
        return tr("A breakpoint can be set here while a run is live.");
    const replay::ClientRow* client = m_model->state().client(m_selection->client());
    const QString who =
        client ? chain::ChainText::clientName(m_model->state(), client->id) : tr("every client");
    QStringList places;
    for (const trace::GateStep gate : chain::breakpointsOf(*row.line))
        places << gatePositionText(gate);
    const QString where = places.join(tr(" and "));
    return row.stop == Stop::here ? tr("Click or F9: no breakpoint of %1 %2 any more").arg(who, where)
                                  : tr("Click or F9: breakpoint of %1 %2").arg(who, where);
}

// A disc; a ring where only clients that are not selected have one, and where a click would set one.
void AlgorithmView::drawStop(QPainter& painter, const Row& row, bool pointed) const
{
    if (row.stop == Stop::none && !pointed)
        return;
    const Palette& c = m_theme->palette();
    const double radius = std::min(6 * m_unit, row.rect.height() * 0.38);
    painter.setPen(QPen(c.stale, 1.4 * m_unit));
    painter.setBrush(row.stop == Stop::here ? QBrush(c.stale) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(13 * m_unit, row.rect.center().y()), radius, radius);
}

} // namespace lockscope::ui
