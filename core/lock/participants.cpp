#include "core/lock/participants.h"

#include "core/lock/internal/reasons.h"
#include "core/lock/node_data.h"

#include <algorithm>
#include <deque>

namespace lockscope::lock {

namespace {

struct All
{
    zk::Code code = zk::Code::closed;
    std::vector<std::string> names;
};

} // namespace

zk::Task<Result<std::vector<std::string>>> listParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming)
{
    zk::Pending<zk::Code> synced;
    session->sync(path, synced.handler());
    zk::Pending<All> listed;
    zk::Scheduler* scheduler = &session->scheduler();
    session->getChildren(path, [scheduler, deliver = listed.handler()](zk::Code code, zk::ChildNames names,
                                                                       const zk::Stat&) mutable {
        All all{code, std::vector<std::string>(names.begin(), names.end())};
        scheduler->post(
            [deliver = std::move(deliver), all = std::move(all)]() mutable { deliver(std::move(all)); });
    });
    const zk::Code sync = co_await synced.arrival();
    All all = co_await listed.arrival();
    if (sync != zk::Code::ok)
        all.code = sync; // the list may be out of date
    if (all.code == zk::Code::noNode)
        co_return std::vector<std::string>{};
    if (all.code != zk::Code::ok) {
        co_return Error{errorCode(all.code),
                        message("The children of %1 could not be listed: %2.", path, describe(all.code)),
                        all.code == zk::Code::throttled ? message("Try again when the server is less busy.")
                                                        : Message()};
    }
    std::stable_sort(all.names.begin(), all.names.end(), [&](const std::string& a, const std::string& b) {
        return naming.sortKey(a) < naming.sortKey(b);
    });
    co_return std::move(all.names);
}

zk::Task<Result<std::vector<Participant>>> readParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming)
{
    constexpr std::size_t kReadsInFlight = 100;
    Result<std::vector<std::string>> names = co_await listParticipants(session, path, std::move(naming));
    if (!names) {
        co_return names.error();
    }
    std::vector<Participant> participants;
    std::deque<zk::Pending<zk::Data>> reads;
    std::size_t sent = 0;
    for (std::string& name : *names) {
        for (; sent < names->size() && reads.size() < kReadsInFlight; ++sent)
            session->getData(path + "/" + (*names)[sent], reads.emplace_back().handler());
        zk::Data data = co_await reads.front().arrival();
        reads.pop_front();
        if (data.code == zk::Code::noNode)
            continue;
        if (data.code != zk::Code::ok && data.code != zk::Code::noAuth) {
            co_return Error{
                errorCode(data.code),
                message("The node %1 could not be read: %2.", path + "/" + name, describe(data.code)),
                {}};
        }
        participants.push_back({std::move(name), std::string(withoutAnnouncement(data.bytes)),
                                isAnnouncement(data.bytes), data.stat.ephemeralOwner, data.stat.czxid,
                                data.stat.created});
    }
    co_return participants;
}

} // namespace lockscope::lock
