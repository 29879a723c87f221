// One four-letter word asked on an I/O thread without blocking it. Lives until it has called back.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <string>

namespace lockscope::server {

// `address` in digits. Calls `done` once, never inside this call, with the answer or an error as
// sendFourLetterWord() has them; noServer when the answer has not come within `limit`.
void asyncFourLetterWord(boost::asio::io_context& io, const std::string& address, std::string word,
                       Duration limit, std::function<void(Result<std::string>)> done);

} // namespace lockscope::server
