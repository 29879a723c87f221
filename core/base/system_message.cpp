#include "core/base/system_message.h"

#include <algorithm>
#include <cstring>

namespace lockscope {

Message systemMessage(std::string_view reason)
{
    static const std::array known{message("Connection refused"),
                                  message("Connection reset by peer"),
                                  message("Connection timed out"),
                                  message("No route to host"),
                                  message("Network is unreachable"),
                                  message("Host not found (authoritative)"),
                                  message("Host not found (non-authoritative), try again later"),
                                  message("Operation canceled"),
                                  message("End of file"),
                                  message("Permission denied"),
                                  message("No such file or directory"),
                                  message("No space left on device"),
                                  message("File too large"),
                                  message("Is a directory"),
                                  message("Not a directory"),
                                  message("Read-only file system"),
                                  message("Too many open files"),
                                  message("Address already in use"),
                                  message("Cannot assign requested address"),
                                  message("Address family not supported by protocol"),
                                  message("Broken pipe"),
                                  message("Input/output error"),
                                  message("File exists"),
                                  message("File name too long"),
                                  message("Resource temporarily unavailable"),
                                  message("Cannot allocate memory"),
                                  message("Disk quota exceeded"),
                                  message("Operation not permitted"),
                                  message("Device or resource busy"),
                                  message("Exec format error"),
                                  message("Invalid argument"),
                                  message("Bad file descriptor"),
                                  message("Interrupted system call"),
                                  message("Too many levels of symbolic links"),
                                  message("Too many open files in system"),
                                  message("Directory not empty"),
                                  message("Host is down"),
                                  message("Software caused connection abort"),
                                  message("Transport endpoint is not connected"),
                                  message("Name or service not known"),
                                  message("Temporary failure in name resolution")};
    const auto found = std::ranges::find_if(known, [&](const Message& one) { return one == reason; });
    return found == known.end() ? Message(reason) : *found;
}

Message systemMessage(int error)
{
    const char* reason = ::strerrordesc_np(error);
    return reason ? systemMessage(std::string_view(reason)) : message("error %1", error);
}

Message systemMessage(const std::error_code& error)
{
    const bool isErrno =
        error.category() == std::system_category() || error.category() == std::generic_category();
    return isErrno ? systemMessage(error.value()) : systemMessage(std::string_view(error.message()));
}

Message systemMessage(const boost::system::error_code& error)
{
    const bool isErrno = error.category() == boost::system::system_category() ||
                         error.category() == boost::system::generic_category();
    return isErrno ? systemMessage(error.value()) : systemMessage(std::string_view(error.message()));
}

} // namespace lockscope
