#include "core/zk/code.h"

namespace lockscope::zk {

Message describe(Code code)
{
    switch (code) {
    case Code::ok:
        //: the answer to a request: it was carried out
        return message("done");
    case Code::noNode:
        return message("the node does not exist");
    case Code::nodeExists:
        return message("the node exists already");
    case Code::notEmpty:
        return message("the node has children");
    case Code::badVersion:
        return message("the node's version does not match");
    case Code::noAuth:
        return message("not permitted by the node's ACL");
    case Code::authRequired:
        return message("the server requires that clients authenticate");
    case Code::noChildrenForEphemerals:
        return message("an ephemeral node cannot have children");
    case Code::badArguments:
        return message("ZooKeeper does not accept these arguments");
    case Code::throttled:
        return message("the server is too busy to take requests");
    case Code::refused:
        return message("the server refused the request");
    case Code::unknown:
        return message("the connection was lost before the answer arrived");
    case Code::sessionLost:
        return message("the session is lost");
    case Code::closed:
        return message("the session was closed");
    }
    return message("an unknown answer");
}

} // namespace lockscope::zk
