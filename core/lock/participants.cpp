#include "core/lock/participants.h"

#include "core/lock/reasons.h"

#include <algorithm>

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
    session->getChildren(
        path, [scheduler, deliver = listed.handler()](zk::Code code, zk::ChildNames names,
                                                      const zk::Stat&) mutable {
            All all{code, std::vector<std::string>(names.begin(), names.end())};
            scheduler->post([deliver = std::move(deliver), all = std::move(all)]() mutable {
                deliver(std::move(all));
            });
        });
    const zk::Code sync = co_await synced.arrival();
    All all = co_await listed.arrival();
    if (sync != zk::Code::ok)
        all.code = sync; // the list may be old
    if (all.code == zk::Code::noNode)
        co_return std::vector<std::string>{};
    if (all.code != zk::Code::ok) {
        co_return Error{errorCode(all.code),
                        message("The children of %1 could not be listed: %2.", path, describe(all.code)),
                        all.code == zk::Code::throttled ? message("Ask again when the server has less to do.")
                                                        : Message()};
    }
    std::stable_sort(all.names.begin(), all.names.end(), [&](const std::string& a, const std::string& b) {
        return naming.sortKey(a) < naming.sortKey(b);
    });
    co_return std::move(all.names);
}

} // namespace lockscope::lock
