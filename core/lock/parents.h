// Makes a lock's path and its missing parents, as Curator does: containers, so that the server removes them
// when they are empty. Scheduler thread.
#pragma once

#include "core/lock/op_control.h"

#include <string>

namespace lockscope::lock {

struct ParentsResult
{
    zk::Code code = zk::Code::closed;
    std::string refusedAt{}; // of noAuth: the node under which nothing may be created
};

// ok when the whole path exists afterwards; a part that exists is left as it is. One request for each part that is
// missing, and one that finds the first that is not. Ends with `closed` as soon as the operation is stopped.
zk::Task<ParentsResult> makeParents(OpControl& control, std::string path);

} // namespace lockscope::lock
