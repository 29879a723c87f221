// What a fuzzer gives to the readers of four-letter replies (srvr, wchp, cons, dump): a reply.
#pragma once

#include <string_view>

namespace lockscope::tests {

void readAsAnswers(std::string_view input);

} // namespace lockscope::tests
