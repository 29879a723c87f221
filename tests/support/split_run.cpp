#include "tests/support/split_run.h"

#include <map>
#include <string>
#include <vector>

namespace lockscope::tests {

std::shared_ptr<trace::TraceStore> partOf(const trace::TraceStore& whole, std::size_t part, std::size_t parts,
                                          TraceTime shift)
{
    trace::Header header = whole.header();
    header.wallNanoseconds += static_cast<std::int64_t>(part) + shift.count(); // another process
    auto store = std::make_shared<trace::TraceStore>(header);
    std::vector<EventIndex> indexes;
    std::map<std::string, Zxid, std::less<>> zxids; // of the nodes: a client reads them with the node
    for (std::size_t i = 0; i < whole.count(); ++i) {
        trace::Event event = whole.at(i);
        auto* reply = std::get_if<trace::Reply>(&event.what);
        if (reply && reply->op == Operation::create)
            zxids.emplace(reply->node, reply->zxid);
        if (const auto zxid = reply ? zxids.find(reply->node) : zxids.end(); zxid != zxids.end())
            reply->zxid = zxid->second;
        const bool toAll = std::holds_alternative<trace::RunPhaseChanged>(event.what) ||
                           std::holds_alternative<trace::ServerState>(event.what) ||
                           std::holds_alternative<trace::LockAdded>(event.what);
        const bool own = event.client.valid() ? event.client.value % parts == part : toAll || part == 0;
        indexes.push_back(EventIndex::none());
        if (!own)
            continue;
        event.at += shift;
        event.cause = event.cause.valid() ? indexes[event.cause.value] : EventIndex::none();
        if (event.client.valid())
            event.client.value /= static_cast<ClientId::Value>(parts);
        indexes.back() = store->append(event);
    }
    return store;
}

} // namespace lockscope::tests
