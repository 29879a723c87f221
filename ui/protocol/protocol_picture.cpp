#include "ui/protocol/protocol_picture.h"

#include "ui/canvas/arrows.h"
#include "ui/protocol/protocol_bracket.h"
#include "ui/protocol/protocol_row_layout.h"
#include "ui/texts/handoff_text.h"
#include "ui/texts/protocol_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

using replay::SpanKind;

namespace {

constexpr double kFoot = 22;            // room below the last row
constexpr double kHold = 12, kWait = 6; // width of a lane's bars
constexpr double kMinBar = 3;
constexpr double kLabelBar = 30; // a bar at least this long gets a label beside it
constexpr std::size_t kMaxHandoffs = 128;
constexpr int kHeadWidth = 132;

constexpr double kMinVisibleLength = 40; // pixels of an unlabeled arrow that begins above the view

// Removes items outside the view, and labels that an edge would cut: the tool tips have their text.
void clipToView(ProtocolPicture& picture, const QFont& mono)
{
    const double top = picture.plot.top(), bottom = picture.plot.bottom();
    const auto outside = [&](double from, double to) { return to < top || from > bottom; };
    const auto cut = [&](const QRectF& rect) { return rect.top() < top || rect.bottom() > bottom; };
    std::erase_if(picture.arrows, [&](const ProtocolArrow& arrow) {
        return outside(std::min(arrow.from.y(), arrow.to.y()), std::max(arrow.from.y(), arrow.to.y()));
    });
    for (ProtocolArrow& arrow : picture.arrows)
        if (cut(labelBounds(arrow, mono)))
            arrow.label.clear();
    // The mere end of an arrow without a label is of no use.
    std::erase_if(picture.arrows, [&](const ProtocolArrow& arrow) {
        return arrow.label.isEmpty() && arrow.from.y() < top && arrow.to.y() < top + kMinVisibleLength;
    });
    std::erase_if(picture.bars,
                  [&](const ProtocolBar& bar) { return outside(bar.rect.top(), bar.rect.bottom()); });
    for (ProtocolBar& bar : picture.bars)
        if (cut(bar.label))
            bar.label = {};
    std::erase_if(picture.boxes, [&](const ProtocolBox& box) { return cut(box.rect); });
    std::erase_if(picture.folds, [&](const ProtocolFold& fold) { return cut(fold.band); });
    if (picture.bracket && outside(picture.bracket->ticks.front(), picture.bracket->ticks.back()))
        picture.bracket.reset();
}

// Assembles one picture around the rows.
class ProtocolBuilder
{
public:
    explicit ProtocolBuilder(ProtocolInput input)
        : m_input(std::move(input))
    {}

    ProtocolPicture build()
    {
        m_picture.protocol = std::move(m_input.protocol);
        m_picture.columns = ProtocolColumns::of(m_input.size.width(), m_input.lanes.size());
        const double top = ProtocolPicture::kHeadTop + ProtocolPicture::kHeadHeight + 6;
        m_picture.plot = QRectF(0, top, m_input.size.width(), std::max(0.0, m_input.size.height() - top));
        placeHeads();
        ProtocolRowLayout rows(m_input, m_picture);
        rows.place();
        placeBars(rows.spans(), rows.room());
        placeBracket();
        settle();
        return std::move(m_picture);
    }

private:
    void placeHeads()
    {
        const ProtocolColumns& columns = m_picture.columns;
        const double width = std::min<double>(kHeadWidth, columns.step - 14);
        const QFontMetricsF metrics(strongFont(m_input.text));
        const auto add = [&](double x, const QString& name, ClientId client, std::uint16_t colour) {
            const QRectF rect(x - width / 2, ProtocolPicture::kHeadTop, width, ProtocolPicture::kHeadHeight);
            m_picture.heads.push_back(
                {rect, metrics.elidedText(name, Qt::ElideMiddle, width - 16), client, colour, x});
        };
        for (std::size_t i = 0; i < m_input.lanes.size(); ++i)
            add(columns.x[i], m_input.lanes[i].name, m_input.lanes[i].client, m_input.lanes[i].colour);
        add(columns.server, ProtocolText::server(), ClientId::none(), 0);
    }

    void placeBars(const ProtocolSpans& spans, LabelPlacer& room)
    {
        if (m_picture.times.empty())
            return;
        for (std::size_t lane = 0; lane < m_input.lanes.size(); ++lane)
            for (const replay::Span& span : spans.of(lane))
                addBar(lane, span, room);
    }

    void addBar(std::size_t lane, const replay::Span& span, LabelPlacer& room)
    {
        const double x = m_picture.columns.x[lane];
        const bool thin = span.kind == SpanKind::waiting || span.kind == SpanKind::releasing;
        const double width = thin ? kWait : kHold;
        const double top = m_picture.yAt(span.begin);
        const double bottom = std::max(top + kMinBar, m_picture.yAt(std::min(span.end, m_input.now)));
        ProtocolBar bar;
        bar.rect = QRectF(x - width / 2, top, width, bottom - top);
        bar.client = m_input.lanes[lane].client;
        bar.span = span;
        // Nothing after the cursor's time is shown.
        if (span.kind == SpanKind::holding && span.end > m_input.now)
            bar.span.depth = std::min(span.depth, m_input.timeline->depthAt(bar.client, m_input.now));
        bar.text = spanLabel(bar.span);
        label(bar, lane, room);
        m_picture.bars.push_back(std::move(bar));
    }

    // Puts the label beside the bar, on the side without the lane's own arrows, at the first free height.
    void label(ProtocolBar& bar, std::size_t lane, LabelPlacer& room) const
    {
        const QFontMetricsF metrics(strongFont(m_input.small));
        const double shift = shiftDown();
        const double top = std::max(bar.rect.top(), m_picture.plot.top() + 4 - shift);
        const double width = metrics.horizontalAdvance(bar.text) + 4;
        if (bar.rect.bottom() - top < kLabelBar || width + 6 > m_picture.columns.outerWidth(lane))
            return;
        const bool left = m_picture.columns.isLeft(lane);
        const QRectF first(left ? bar.rect.left() - 6 - width : bar.rect.right() + 6, top + 6, width,
                           metrics.height());
        for (const bool besideArrows : {true, false})
            for (QRectF rect = first; rect.bottom() < bar.rect.bottom(); rect.translate(0, 6)) {
                const ProtocolBand band = ProtocolBand::of(rect);
                if (!room.isFree(band, besideArrows))
                    continue;
                bar.label = rect;
                room.write(band);
                return;
            }
    }

    double lastY() const
    {
        return m_picture.times.empty() ? m_picture.plot.top() : m_picture.times.back().second;
    }

    // The offset by which everything moves to put the latest row at the bottom.
    double shiftDown() const
    {
        const double over = lastY() + kFoot - (m_picture.plot.top() + m_picture.plot.height());
        return m_input.fromBottom && over > 0 ? -over : 0;
    }

    bool hasLane(ClientId client) const
    {
        return std::ranges::find(m_input.lanes, client, &ProtocolLane::client) != m_input.lanes.end();
    }

    std::optional<replay::Handoff> handoffShown() const
    {
        if (!m_input.timeline || m_picture.times.empty())
            return {};
        std::vector<replay::Handoff> all;
        const TraceTime end = std::min(m_input.now, m_picture.times.back().first);
        m_input.timeline->handoffs(m_picture.times.front().first, end + Duration(1), kMaxHandoffs, all);
        std::optional<replay::Handoff> whole, part; // whole: entirely in view
        const double top = m_picture.plot.top() - shiftDown();
        const double bottom = top + m_picture.plot.height();
        for (const replay::Handoff& one : all) {
            if (m_input.lock.valid() && one.lock != m_input.lock)
                continue;
            if (!hasLane(one.to) || one.released < m_picture.times.front().first)
                continue;
            const double from = m_picture.yAt(one.released), to = m_picture.yAt(one.acquired);
            if (to < top || from > bottom)
                continue;
            if (m_input.selected.valid() && isPartOf(one, m_input.selected))
                return one;
            (from >= top && to <= bottom ? whole : part) = one;
        }
        return whole ? whole : part;
    }

    bool isPartOf(const replay::Handoff& handoff, EventIndex event) const
    {
        if (event == handoff.acquiredEvent || event == handoff.releaseEvent || event == handoff.wokenEvent)
            return true;
        const auto& messages = m_picture.protocol.messages;
        const auto found = std::ranges::find_if(messages, [event](const replay::ProtocolMessage& message) {
            return message.event == event || message.second == event;
        });
        return found != messages.end() && found->handoff && found->atClient >= handoff.released &&
               found->atClient <= handoff.acquired;
    }

    void placeBracket()
    {
        const auto handoff = handoffShown();
        if (!handoff)
            return;
        const double shift = shiftDown();
        m_picture.bracket = layOutBracket(*handoff, m_picture, m_input.small, m_picture.plot.top() - shift,
                                          m_picture.plot.bottom() - shift);
        const auto belongs = [&](EventIndex event) {
            return event.valid() && (event == handoff->requestEvent || event == handoff->wokenEvent ||
                                     event == handoff->listEvent || event == handoff->answerEvent);
        };
        for (ProtocolArrow& arrow : m_picture.arrows)
            arrow.chosen = belongs(arrow.event) || belongs(m_picture.protocol.messages[arrow.message].second);
        for (ProtocolBox& box : m_picture.boxes)
            box.chosen = box.atServer && belongs(m_picture.protocol.notes[box.note].event);
    }

    void settle()
    {
        const double dy = shiftDown();
        m_picture.wholeEnd = m_input.upToNow && lastY() + dy + 4 <= m_picture.plot.bottom();
        m_picture.foot = m_picture.plot.bottom();
        if (m_picture.wholeEnd && !m_picture.times.empty())
            m_picture.foot = std::min(m_picture.foot, lastY() + dy + kFoot);
        for (auto& [time, y] : m_picture.times)
            y += dy;
        for (ProtocolArrow& arrow : m_picture.arrows)
            for (QPointF* point : {&arrow.from, &arrow.to, &arrow.labelAt})
                point->ry() += dy;
        for (ProtocolBox& box : m_picture.boxes)
            box.rect.translate(0, dy);
        for (ProtocolFold& fold : m_picture.folds) {
            fold.band.translate(0, dy);
            fold.pill.translate(0, dy);
        }
        const double top = m_picture.plot.top();
        for (ProtocolBar& bar : m_picture.bars) {
            bar.rect.translate(0, dy);
            bar.rect.setTop(std::max(bar.rect.top(), top - 8));
            bar.label.translate(0, dy);
        }
        if (m_picture.bracket) {
            for (double& tick : m_picture.bracket->ticks)
                tick += dy;
            for (ProtocolBracket::Label& label : m_picture.bracket->labels) {
                label.rect.translate(0, dy);
                label.middle += dy;
            }
            for (double& y : m_picture.bracket->breaks)
                y += dy;
            m_picture.bracket->unit.rect.translate(0, dy);
        }
        clipToView(m_picture, m_input.mono);
    }

    ProtocolInput m_input;
    ProtocolPicture m_picture;
};

constexpr double kArrowReach = 5; // pixels from an arrow that still hit it

} // namespace

QFont labelFont(const ProtocolArrow& arrow, const QFont& small, const QFont& mono)
{
    if (arrow.lost && arrow.reply)
        return strongFont(small);
    return arrow.handoff ? strongFont(mono) : mono;
}

double ProtocolPicture::yAt(TraceTime time) const
{
    if (times.empty())
        return plot.top();
    const auto next = std::lower_bound(times.begin(), times.end(), time,
                                       [](const auto& row, TraceTime wanted) { return row.first < wanted; });
    if (next == times.begin())
        return time < next->first ? plot.top() - 1e5 : next->second;
    if (next == times.end())
        return time > times.back().first ? plot.bottom() + 1e5 : times.back().second;
    const auto before = std::prev(next);
    const double whole = static_cast<double>((next->first - before->first).count());
    const double share = whole > 0 ? static_cast<double>((time - before->first).count()) / whole : 1;
    return before->second + (next->second - before->second) * share;
}

std::vector<EventIndex> ProtocolPicture::eventsInView() const
{
    std::vector<EventIndex> events;
    for (const ProtocolArrow& arrow : arrows)
        if (arrow.from.y() >= plot.top() && std::max(arrow.from.y(), arrow.to.y()) <= plot.bottom())
            events.push_back(arrow.event);
    for (const ProtocolBox& box : boxes)
        if (box.rect.top() >= plot.top() && box.rect.bottom() <= plot.bottom())
            events.push_back(box.event);
    std::ranges::sort(events);
    return events;
}

ProtocolPicture buildProtocolPicture(ProtocolInput input)
{
    return ProtocolBuilder(std::move(input)).build();
}

ProtocolHit hitProtocol(const ProtocolPicture& picture, QPointF at)
{
    for (std::size_t i = 0; i < picture.heads.size(); ++i)
        if (picture.heads[i].rect.contains(at))
            return {ProtocolHit::What::head, i};
    if (!picture.plot.contains(at))
        return {};
    for (std::size_t i = 0; i < picture.boxes.size(); ++i)
        if (picture.boxes[i].rect.contains(at))
            return {ProtocolHit::What::box, i};
    double nearest = kArrowReach;
    ProtocolHit hit;
    for (std::size_t i = 0; i < picture.arrows.size(); ++i) {
        const ProtocolArrow& arrow = picture.arrows[i];
        double away = distanceToShaft(at, arrow.from, arrow.to);
        const QPointF shift(0, ProtocolPicture::kPairShift);
        if (arrow.second)
            away = std::min(away, distanceToShaft(at, arrow.from + shift, arrow.to + shift));
        const QPointF half(arrow.labelWidth / 2, 0);
        if (!arrow.label.isEmpty() && distanceToShaft(at, arrow.labelAt - half, arrow.labelAt + half) < 6)
            away = std::min(away, 1.0);
        if (away < nearest) {
            nearest = away;
            hit = {ProtocolHit::What::arrow, i};
        }
    }
    if (hit.what != ProtocolHit::What::nothing)
        return hit;
    for (std::size_t i = picture.bars.size(); i-- > 0;)
        if (picture.bars[i].rect.adjusted(-3, 0, 3, 0).contains(at))
            return {ProtocolHit::What::bar, i};
    if (picture.bracket && at.x() < picture.bracket->x + 8 && at.y() >= picture.bracket->ticks.front() - 4 &&
        at.y() <= picture.bracket->ticks.back() + 4)
        return {ProtocolHit::What::bracket, 0};
    return {};
}

QRectF labelBounds(const ProtocolArrow& arrow, const QFont& mono)
{
    const double half = QFontMetricsF(mono).height() / 2 - 1.5; // as drawn
    const double turned = arrow.angle * M_PI / 180, along = std::cos(turned), up = std::abs(std::sin(turned));
    const QPointF corner(along * arrow.labelWidth / 2 + up * half, up * arrow.labelWidth / 2 + along * half);
    return {arrow.labelAt - corner, arrow.labelAt + corner};
}

} // namespace lockscope::ui
