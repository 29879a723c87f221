// What both programs say can be done about a lock that other programs use. Any thread.
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <string>

namespace lockscope::app {

// `error`: that a run of so many clients was refused because other programs use its lock on `hosts`.
Error withWaysOut(Error error, const std::string& hosts, std::size_t clients);

} // namespace lockscope::app
