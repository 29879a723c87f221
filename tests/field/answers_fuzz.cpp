#include "tests/field/answers_fuzz.h"

#include "core/field/session_answers.h"
#include "core/server/probe/four_letter.h"
#include "tests/support/fuzz.h"

namespace lockscope::tests {

void readAsAnswers(std::string_view input)
{
    if (const auto status = server::parseServerStatus(input))
        require(!status->version.empty(), "a status has a version");
    if (const auto table = server::parseWatchTable(input))
        for (const auto& [path, sessions] : *table)
            require(path.starts_with('/'), "a path begins with a slash");
    for (const field::ConnectionLine& line : field::parseConnections(input)) {
        require(line.session.valid(), "a connection that is listed has a session");
        require(line.address.size() <= input.size(), "an address is a part of the reply");
    }
    const field::SessionDump dump = field::parseDump(input);
    for (const auto& session : dump.sessions) {
        require(session.id.valid(), "a session that is listed has an id");
        require(dump.hasTimes || !session.expiresAtS, "without times no session has one");
    }
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsAnswers)
