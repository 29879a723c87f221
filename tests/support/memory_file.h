// A file in memory that has a path, for readers that open one. Aborts when the system has no room for it.
#pragma once

#include "core/base/unique_fd.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace lockscope::tests {

class MemoryFile
{
public:
    MemoryFile()
        : m_fd(::memfd_create("input", MFD_CLOEXEC))
    {}
    explicit MemoryFile(std::string_view bytes)
        : MemoryFile()
    {
        append(bytes);
    }
    void append(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_fd.get(), bytes.data(), bytes.size());
            if (written <= 0)
                std::abort();
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_fd.get()); }

private:
    UniqueFd m_fd;
};

} // namespace lockscope::tests
