#include "ui/models/run/lane_names.h"

#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <QCoreApplication>
#include <QFontMetrics>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kMaxNameLength = 40;
constexpr std::size_t kMaxLanes = 1'000'000; // a broken trace must not cause allocations for any number in it
} // namespace

void LaneNames::clear() { *this = LaneNames(); }

bool LaneNames::update(const trace::TraceStore& store, const replay::Timeline& timeline)
{
    const std::vector<EventIndex>& all = timeline.clientsAdded();
    const bool grew = m_read < all.size();
    if (grew && m_read == 0)
        m_clocks = mergedClocks(store);
    for (; m_read < all.size(); ++m_read) {
        const trace::Event& event = store.at(all[m_read]);
        const auto* added = std::get_if<trace::ClientAdded>(&event.what);
        if (!added || event.client.value >= kMaxLanes)
            continue;
        if (event.client.value >= m_lanes.size())
            m_lanes.resize(event.client.value + 1);
        const QString name = format::plain(added->name, kMaxNameLength);
        const int trace = m_clocks.traceOf(*added);
        QString own = name;
        if (trace >= 0 && name.startsWith(m_clocks.traces[static_cast<std::size_t>(trace)].name + u'/'))
            own.remove(0, m_clocks.traces[static_cast<std::size_t>(trace)].name.size() + 1);
        m_lanes[event.client.value] = Lane{name, added->colour, true, trace, own};
        m_measured = std::min<std::size_t>(m_measured, event.client.value);
    }
    if (grew) {
        m_short = {};
        m_widestShort.reset();
        for (const Lane& lane : m_lanes)
            if (lane.named)
                m_short.add(lane.own);
    }
    return grew;
}

QString LaneNames::name(ClientId lane) const
{
    if (lane.valid() && lane.value < m_lanes.size() && m_lanes[lane.value].named)
        return m_lanes[lane.value].name;
    return lane.valid() ? format::defaultClientName(lane)
                        : QCoreApplication::translate("LaneNames", "another client");
}

QString LaneNames::variants(ClientId lane) const
{
    const bool known = lane.valid() && lane.value < m_lanes.size() && m_lanes[lane.value].named;
    return m_short.variantsOf(known ? m_lanes[lane.value].own : name(lane));
}

int LaneNames::traceOf(ClientId lane) const
{
    return lane.valid() && lane.value < m_lanes.size() ? m_lanes[lane.value].trace : -1;
}

std::vector<ClientId> LaneNames::byTrace() const
{
    std::vector<ClientId> order;
    if (m_clocks.traces.empty())
        return order;
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane)
        order.push_back(ClientId{lane});
    std::ranges::stable_sort(order, {}, [this](ClientId lane) {
        return static_cast<unsigned>(traceOf(lane)); // an unknown one is the last
    });
    return order;
}

std::uint16_t LaneNames::colour(ClientId lane) const
{
    return lane.valid() && lane.value < m_lanes.size() ? m_lanes[lane.value].colour : 0;
}

int LaneNames::widest(const QFont& font) const
{
    if (!(font == m_measuredFont)) {
        m_measuredFont = font;
        m_measured = 0;
        m_widest = 0;
    }
    const QFontMetrics metrics(font);
    for (; m_measured < m_lanes.size(); ++m_measured)
        m_widest = std::max(m_widest, metrics.horizontalAdvance(m_lanes[m_measured].own));
    return m_widest;
}

int LaneNames::widestShort(const QFont& font) const
{
    if (m_widestShort && font == m_shortFont)
        return *m_widestShort;
    const QFontMetrics metrics(font);
    int widest = 0;
    for (const Lane& lane : m_lanes)
        if (lane.named)
            widest = std::max(widest, metrics.horizontalAdvance(
                                          m_short.variantsOf(lane.own).section(kVariantSeparator, -1)));
    m_shortFont = font;
    m_widestShort = widest;
    return widest;
}

} // namespace lockscope::ui
