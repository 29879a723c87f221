// The codes of errors for Asio, whose operations report a boost::system::error_code: of the category
// "lockscope", and equal to their ErrorCode and to the std::errc that error.h names. Any thread.
#pragma once

#include "core/base/error.h"

#include <boost/system/error_code.hpp>

namespace lockscope {

const boost::system::error_category& boostErrorCategory() noexcept; // errorCategory() is the same for std

inline boost::system::error_code toErrorCode(ErrorCode code) noexcept
{
    return {make_error_code(code).value(), boostErrorCategory()};
}

} // namespace lockscope
