// What watches do: whom they wake, and whether they can ever fire.
#include "core/replay/findings/invariant_checker.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/findings/wording.h"

#include <fmt/format.h>

namespace lockscope::replay {

// no_herd: a node that goes (or one change of the list) wakes at most one client that waits for it. A watch
// on the client's own node and one that its owner gave up long ago wake nobody who waits; they are not
// counted.
void InvariantChecker::woken(Text node, std::uint32_t all, std::uint32_t woken, ClientId client, EventIndex against)
{
    Finding& finding = m_state.findings.of(FindingKind::noHerd);
    finding.maxWoken = std::max(finding.maxWoken, all);
    checked(FindingKind::noHerd);
    if (woken < 2)
        return;
    const NodeRow row = node_queue::makeRow(node);
    const std::string what =
        node.empty() ? std::string("one change of the list") : wording::node(node, row.sequence) + " going";
    violated(FindingKind::noHerd, client, against,
             fmt::format("{} was the {} client woken by {}.", name(client),
                         woken == 2 ? std::string("second") : wording::groupDigits(woken) + "th", what));
}

// no_stray_watch: a watch set with exists on a node that is not there waits for its creation. A name that
// carries a sequence number is never made again, so that watch fires never and stays on the server for the
// session's life. A name without a number comes back.
void InvariantChecker::existsWatched(ClientId client, Text node, bool isThere, EventIndex request)
{
    checked(FindingKind::noStrayWatch);
    const NodeRow row = node_queue::makeRow(node);
    if (isThere || row.sequence < 0)
        return;
    violated(FindingKind::noStrayWatch, client, request,
             fmt::format("{} set a watch on {}, which is gone and never comes back: the server keeps the "
                         "watch as long as the session.",
                         name(client), wording::node(node, row.sequence)));
}

} // namespace lockscope::replay
