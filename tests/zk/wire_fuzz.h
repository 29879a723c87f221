// An observer's session with requests of every kind under way, and a server that sends these bytes.
#pragma once

#include <string_view>

namespace lockscope::tests {

// The first byte: 0, the bytes come instead of the handshake; else after an honest one. Aborts when a request
// is answered twice, or never.
void feedToObserver(std::string_view input);

} // namespace lockscope::tests
