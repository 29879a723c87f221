// How numbers and names are written in the sentences of the findings and in exports. Pure; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"
#include "core/trace/plain_text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::replay {
struct RunState;
}

namespace lockscope::replay::wording {

using trace::groupDigits;

std::string counted(std::uint64_t number, std::string_view one,
                    std::string_view many); // "1 grant", "2 grants"
std::string duration(Duration value);       // "0.24 ms", "118 ms", "1.2 s"
std::string cappedName(std::string_view name);
Message node(std::string_view name, std::int64_t sequence); // "node 185", or its name, capped
Message client(const RunState& state, ClientId client);     // its name, capped

} // namespace lockscope::replay::wording
