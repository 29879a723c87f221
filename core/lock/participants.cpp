#include "core/lock/participants.h"

#include <algorithm>

namespace lockscope::lock {

namespace {

struct All
{
    zk::Code code = zk::Code::closed;
    std::vector<std::string> names;
};

ErrorCode errorFor(zk::Code code)
{
    if (code == zk::Code::noAuth)
        return ErrorCode::noAuth;
    return code == zk::Code::unknown ? ErrorCode::connectionLost : ErrorCode::sessionLost;
}

} // namespace

zk::Task<Result<std::vector<std::string>>> listParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming)
{
    zk::Pending<All> listed;
    zk::Scheduler* scheduler = &session->scheduler();
    session->getChildren(path, [scheduler, deliver = listed.handler()](zk::Code code, zk::ChildNames names,
                                                                       const zk::Stat&) mutable {
        All all{code, std::vector<std::string>(names.begin(), names.end())};
        scheduler->post(
            [deliver = std::move(deliver), all = std::move(all)]() mutable { deliver(std::move(all)); });
    });
    All all = co_await listed.arrival();
    if (all.code == zk::Code::noNode)
        co_return std::vector<std::string>{};
    if (all.code != zk::Code::ok) {
        co_return Error{
            errorFor(all.code),
            "The children of " + path + " could not be listed: " + std::string(describe(all.code)) + ".", ""};
    }
    std::stable_sort(all.names.begin(), all.names.end(), [&](const std::string& a, const std::string& b) {
        return naming.sortKey(a) < naming.sortKey(b);
    });
    co_return std::move(all.names);
}

} // namespace lockscope::lock
