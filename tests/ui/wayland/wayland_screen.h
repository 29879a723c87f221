// The screen that main() of the Wayland tests has made.
#pragma once

#include "tests/ui/wayland/weston.h"

namespace lockscope::tests {

extern const Weston* waylandScreen;

} // namespace lockscope::tests
