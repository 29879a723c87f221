// Makes a lock's path and its missing parents, as Curator does: containers, so that the server removes them
// when they are empty. Scheduler thread.
#pragma once

#include "core/zk/pending.h"

#include <string>

namespace lockscope::lock {

// ok when every part exists afterwards. Part by part from the top; a part that exists is left as it is.
zk::Task<zk::Code> makeParents(zk::SessionPtr session, std::string path);

} // namespace lockscope::lock
