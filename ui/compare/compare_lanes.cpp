#include "ui/compare/compare_lanes.h"

#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace lockscope::ui {

namespace {

struct CompareLanesText // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CompareLanes)
};

std::set<ClientId> holdersWithin(const ComparedRun& run, TraceTime begin, TraceTime end)
{
    std::set<ClientId> holders;
    for (std::size_t i = 0; i < run.handoffs(); ++i) {
        const replay::Handoff& handoff = run.timeline().handoff(i);
        if (handoff.released >= begin && handoff.released < end && handoff.from.valid()) {
            holders.insert(handoff.from);
        }
        if (handoff.acquired >= begin && handoff.acquired < end && handoff.to.valid()) {
            holders.insert(handoff.to);
        }
    }
    return holders;
}

} // namespace

QString CompareLanes::words() const
{
    if (shown.size() < all) {
        return CompareLanesText::tr("%1 of %2 lanes: the holders in this range")
            .arg(format::count(shown.size()), format::count(all));
    }
    const QString counted =
        all == 1 ? CompareLanesText::tr("1 lane") : CompareLanesText::tr("%1 lanes").arg(format::count(all));
    if (!shared()) {
        return counted;
    }
    const std::size_t many = (all + static_cast<std::size_t>(rows) - 1) / static_cast<std::size_t>(rows);
    return CompareLanesText::tr("%1, %2 to a row").arg(counted, format::count(many));
}

CompareLanes lanesOf(const ComparedRun& run, TraceTime begin, Duration length, int maxRows)
{
    CompareLanes lanes;
    lanes.all = run.timeline().laneCount();
    const auto most = static_cast<std::size_t>(std::max(maxRows, 1));
    if (lanes.all > most) {
        const std::set<ClientId> holders = holdersWithin(run, begin, begin + length);
        if (!holders.empty() && holders.size() <= most) {
            lanes.shown.assign(holders.begin(), holders.end());
        }
    }
    if (lanes.shown.empty()) {
        for (std::size_t lane = 0; lane < lanes.all; ++lane) {
            lanes.shown.push_back(ClientId{static_cast<std::uint32_t>(lane)});
        }
    }
    lanes.rows = static_cast<int>(std::min(lanes.shown.size(), most));
    return lanes;
}

} // namespace lockscope::ui
