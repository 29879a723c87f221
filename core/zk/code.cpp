#include "core/zk/code.h"

namespace lockscope::zk {

std::string_view describe(Code code)
{
    switch (code) {
    case Code::ok:
        return "done";
    case Code::noNode:
        return "the node does not exist";
    case Code::nodeExists:
        return "the node exists already";
    case Code::notEmpty:
        return "the node has children";
    case Code::badVersion:
        return "the node's version is another one";
    case Code::noAuth:
        return "not permitted by the node's access list";
    case Code::noChildrenForEphemerals:
        return "an ephemeral node cannot have children";
    case Code::badArguments:
        return "ZooKeeper does not take these arguments";
    case Code::throttled:
        return "the server is too busy to take requests";
    case Code::refused:
        return "the server refused the request";
    case Code::unknown:
        return "the connection was lost before the answer came";
    case Code::sessionLost:
        return "the session is lost";
    case Code::closed:
        return "the session was closed";
    }
    return "an unknown answer";
}

} // namespace lockscope::zk
