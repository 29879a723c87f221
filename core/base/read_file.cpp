#include "core/base/read_file.h"

#include "core/base/system_message.h"

#include <cerrno>
#include <fstream>
#include <sstream>

namespace lockscope {

Result<std::string> readFile(const std::filesystem::path& file)
{
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in.peek() !=
        std::ifstream::traits_type::eof()) // the shift of no bytes at all would count as an error
        text << in.rdbuf();
    if (!in.is_open() || in.bad())
        return Error{
            ErrorCode::ioFailed,
            message("The file %1 cannot be read: %2.", file.string(), systemMessage(errno ? errno : EIO)),
            {}};
    return std::move(text).str();
}

} // namespace lockscope
