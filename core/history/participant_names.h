// The names that the user gives to the participants of a history: a text file with one on each line,
//     0x10000012ab0003  billing, node 2
//     10.0.0.7          settlement
// a session or what the data of its nodes says, then its name. Blank lines and what follows a # at the beginning of a line
// are left out. A value; any thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lockscope::history {

class ParticipantNames
{
public:
    // ioFailed when it cannot be read, badInput with its line when one has no name.
    static Result<ParticipantNames> load(const std::filesystem::path& file);
    static Result<ParticipantNames> parse(std::string_view text, const std::string& file);

    // The name in the file, by the session first; else the identity, which may be empty.
    std::string of(SessionId session, std::string_view identity) const;

private:
    std::unordered_map<std::string, std::string> m_names;
};

} // namespace lockscope::history
