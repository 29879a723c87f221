// What a fuzzer gives to the relay's reader of packets: the size of the chunks, then the bytes. The packets
// found are the same however the bytes are cut.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsPackets(std::string_view input);

} // namespace lockscope::tests
