// The members of an ensemble side by side. ZooKeeper can lose changes on one member when leaders change
// (ZOOKEEPER-4785 describes one way): that member goes on showing nodes that were deleted, and its clients
// wait for them for ever, or it lacks nodes. No lock can know; so a fault run looks, and says so.
#pragma once

#include "core/zk/hub.h"
#include "core/zk/pending.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tests {

struct Divergence
{
    std::size_t member; // from 0: the one that fewer members agree with
    std::string what;   // "member 3 shows /locks/0/x, which members 1 and 2 do not show"
};

// Of two rounds of looks, each after a sync and in the order of the members. Clients may go on meanwhile:
// only a node that a member showed before and after it was missing elsewhere counts.
using MemberNodes = std::vector<std::set<std::string>>;
std::vector<Divergence> divergences(const MemberNodes& first, const MemberNodes& second);

// Looks at the children of the paths at the members of these addresses. Empty: they agree, or one of them did
// not answer for half a minute. I/O thread.
zk::Awaitable<std::vector<Divergence>> compareMembers(zk::Hub& hub, std::vector<std::string> addresses,
                                                      std::vector<std::string> paths);

} // namespace lockscope::tests
