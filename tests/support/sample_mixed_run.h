// Made-up runs with everything at once: several locks that are taken inside each other in any order (so that
// clients wait in circles until one gives up), a semaphore with its acquire mutex, clients that share a
// session which ends for all of them. Text of a trace script: data for properties that hold for every run.
#pragma once

#include "core/base/random.h"

#include <string>

namespace lockscope::tests {

std::string sampleMixedRun(Random& random, std::size_t steps);

} // namespace lockscope::tests
