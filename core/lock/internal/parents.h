// Creates the path of a lock and its missing parents as containers, as Curator does, so that the server
// removes them when they are empty. Scheduler thread.
#pragma once

#include "core/lock/internal/op_control.h"

#include <string>

namespace lockscope::lock {

struct ParentsResult
{
    zk::Code code = zk::Code::closed;
    std::string refusedAt{}; // for noAuth: the parent under which the client may not create
};

// ok: the whole path exists; existing nodes are not changed. At most two requests for each missing node, and
// one to find the first existing one. Returns `closed` as soon as the operation is stopped; noNode means
// missingRoot().
zk::Task<ParentsResult> makeParents(OpControl& control, std::string path);

// The error when the root of the connection, the chroot in its address, does not exist.
Error missingRoot();

} // namespace lockscope::lock
