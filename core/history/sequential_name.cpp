#include "core/history/sequential_name.h"

namespace lockscope::history {

std::optional<SequentialName> parseSequentialName(std::string_view name)
{
    const std::optional<queue::Number> number = queue::numberOf(name);
    if (!number || isKazooLeaseName(name))
        return std::nullopt;
    const queue::NodeName known = queue::parse(name);
    SequentialName parsed{NamingScheme::other, known.role, number->value, number->order()};
    if (!queue::isOfLock(known.role)) {
        parsed.role = NodeRole::exclusive;
        return parsed;
    }
    if (known.library == queue::Library::curator || known.library == queue::Library::goZk)
        parsed.naming = NamingScheme::curator; // the same names and order: clients of the two exclude each other
    else if (known.library == queue::Library::kazoo)
        parsed.naming = NamingScheme::kazoo;
    else if (known.library == queue::Library::zooKeeper && known.role == NodeRole::exclusive)
        parsed.naming = NamingScheme::zooKeeperC;
    return parsed;
}

} // namespace lockscope::history
