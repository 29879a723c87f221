// Deletes the node of a lock of others, for a person who has seen whose it is and has said yes. Nothing else
// deletes a node of others; what watches has no request that could.
//
// A server deletes a node of a certain data version, and knows no other condition: a node that was made again
// under the same name begins with the same version. So the server is asked to delete the node only if no
// child of its parent was made since the node was seen with its czxid (zk/guarded_remove.h): for another node
// of that name, one would have been made. That leaves one gap: the parent itself was deleted and made again,
// with exactly as many children. So the parent's own czxid is compared before and after (FreedNode::proven).
#pragma once

#include "core/base/error.h"
#include "core/zk/hub.h"
#include "core/zk/task.h"

#include <functional>
#include <memory>
#include <string>

namespace lockscope::engine {

struct FreedNode
{
    enum class Kind {
        deleted,
        gone,     // it was gone already; nothing was deleted
        another,  // `now` is there under its name; nothing was deleted
        notKnown, // the connection was lost before the answer: it may have been deleted
    };
    Kind kind{};
    bool proven = false; // deleted: the parent was read again, and is one and the same
    zk::Stat now{};
};

// Errors: noAuth (with the right and the path), timedOut when the parent gets new children all the time,
// connectionLost and others: nothing was deleted. Scheduler thread.
zk::Task<Result<FreedNode>> freeNode(std::shared_ptr<zk::HubSession> session, std::string path, Zxid czxid);

// The same with a session of its own. Blocks; `isEnded` is called several times a second, and true ends the
// waiting for a connection (cancelled). Errors also: noServer, noAuth for the credentials.
Result<FreedNode> freeNode(zk::ConnectOptions options, const std::string& path, Zxid czxid,
                           const std::function<bool()>& isEnded);

} // namespace lockscope::engine
