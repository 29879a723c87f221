#include "core/lock/internal/parents.h"

#include <optional>

namespace lockscope::lock {

// Tries the whole path first: a client may lack the permission to create near the root, where all nodes
// exist. A parent that is deleted meanwhile is created again.
zk::Task<ParentsResult> makeParents(OpControl& control, std::string path)
{
    for (std::size_t end = path.size();;) {
        zk::Pending<zk::Created> created;
        control.session().create(path.substr(0, end), "", zk::CreateMode::container,
                                 control.deliver(created));
        co_await control.answered(created);
        if (!created.ready() || control.stopped())
            co_return ParentsResult{};
        const zk::Code code = created.take().code;
        const std::size_t slash = path.rfind('/', end - 1);
        const bool topmost = slash == 0 || slash == std::string::npos;
        if (code == zk::Code::ok || code == zk::Code::nodeExists) {
            if (end == path.size())
                co_return ParentsResult{zk::Code::ok};
            end = std::min(path.find('/', end + 1), path.size());
        } else if (code == zk::Code::noNode && !topmost) {
            end = slash;
        } else {
            co_return ParentsResult{code, topmost ? "/" : path.substr(0, slash)}; // the parent that refused
        }
    }
}

Error missingRoot()
{
    return Error{ErrorCode::badUsage,
                 message("The root of this connection, the chroot in its address, does not exist."),
                 message("Create that node, or correct the address.")};
}

} // namespace lockscope::lock
