// What the operating system says about a failure, in English whatever the locale, as a message: the usual
// reasons are sentences of ours, so that they are translated; others are plain texts. Any thread.
#pragma once

#include "core/base/message.h"

#include <boost/system/error_code.hpp>

#include <system_error>

namespace lockscope {

Message systemMessage(int error); // an errno
Message systemMessage(const std::error_code& error);
Message systemMessage(const boost::system::error_code& error);
// A reason as a function of the system gives it: "Name or service not known".
Message systemMessage(std::string_view reason);

} // namespace lockscope
