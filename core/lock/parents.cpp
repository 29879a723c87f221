#include "core/lock/parents.h"

namespace lockscope::lock {

zk::Task<zk::Code> makeParents(zk::SessionPtr session, std::string path)
{
    std::size_t end = 0;
    while (end != std::string::npos) {
        end = path.find('/', end + 1);
        const std::string part = path.substr(0, end);
        zk::Pending<zk::Created> created;
        session->create(part, "", zk::CreateMode::container, created.handler());
        const zk::Created result = co_await created.arrival();
        if (result.code != zk::Code::ok && result.code != zk::Code::nodeExists)
            co_return result.code;
    }
    co_return zk::Code::ok;
}

} // namespace lockscope::lock
