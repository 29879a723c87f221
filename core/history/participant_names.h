// The names that the user gives to the participants of a history, from a text file with one name on each
// line:
//     0x10000012ab0003  billing, node 2
//     10.0.0.7          settlement
// First a session or the identity in the data of its nodes, then the name. Blank lines and lines that begin
// with # are ignored. A value; any thread.
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
    // Errors: ioFailed if the file cannot be read; badInput, with the line number, if a line has no name.
    static Result<ParticipantNames> load(const std::filesystem::path& file);
    static Result<ParticipantNames> parse(std::string_view text, const std::string& file);

    // The name in the file for the session, or for the identity; without either the identity, which may be
    // empty.
    std::string of(SessionId session, std::string_view identity) const;

private:
    std::unordered_map<std::string, std::string> m_names;
};

} // namespace lockscope::history
