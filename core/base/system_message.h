// The operating system's reason for a failure as a Message, in English regardless of the locale: the usual
// reasons are sentences, so that they can be translated; others are plain texts. Any thread.
#pragma once

#include "core/base/message.h"

#include <boost/system/error_code.hpp>

#include <system_error>

namespace lockscope {

Message systemMessage(int error); // an errno
Message systemMessage(const std::error_code& error);
Message systemMessage(const boost::system::error_code& error);
// `reason` is a text from a system function, such as "Name or service not known".
Message systemMessage(std::string_view reason);

} // namespace lockscope
