// The C client with nothing around it: two handles and poll(). What it reaches is the limit that everything built on
// it is measured against. One thread; blocks.
#pragma once

#include "core/base/time.h"

#include <string>
#include <vector>

namespace lockscope::bench {

// Seconds for `cycles` times create (ephemeral sequential) and delete, one after the other, under an existing path.
double bareCreateDelete(const std::string& host, const std::string& parent, int cycles);
// From the delete call of one handle to the watch function of another one, `times` times, each on a fresh node.
std::vector<Duration> bareDeleteToEvent(const std::string& host, const std::string& parent, int times);

} // namespace lockscope::bench
