// The tokens of the releases that were reported as done, for the check against the server's log at the end.
// They lie in a file without a name: the memory of a run of hours stays flat. I/O thread.
#pragma once

#include "core/base/ids.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace lockscope::tests {

class ReleasedTokens
{
public:
    void add(Zxid token)
    {
        ++m_added;
        if (m_file)
            std::fwrite(&token, sizeof token, 1, m_file.get()); // a full disk shows in all()
    }
    std::size_t added() const { return m_added; }

    // In the order in which they were added; nothing is added after this. Fewer than added() when the file
    // could not be written or read.
    std::vector<Zxid> all()
    {
        std::vector<Zxid> tokens(m_added);
        if (m_file)
            std::rewind(m_file.get());
        tokens.resize(m_file ? std::fread(tokens.data(), sizeof(Zxid), tokens.size(), m_file.get()) : 0);
        return tokens;
    }

private:
    struct Close
    {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> m_file{std::tmpfile()};
    std::size_t m_added = 0;
};

} // namespace lockscope::tests
