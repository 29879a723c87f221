#include "tests/server/supervisor_fuzz.h"

#include "core/server/process/supervisor_protocol.h"
#include "tests/support/fuzz.h"

#include <vector>

namespace lockscope::tests {

void readAsSupervisor(std::string_view input)
{
    using server::SupervisorProtocol;
    {
        const auto directory = server::privateDirectory(std::string(input), "/tmp");
        require(!directory || directory->parent_path() == "/tmp",
                "a directory that is removed is a private one");
    }
    SupervisorProtocol protocol;
    std::vector<int> answers;
    answers.reserve(input.size());
    MonotonicTime now{};
    for (const char byte : input) {
        if (byte >= 1 && byte <= 4) {
            const std::size_t index = answers.size();
            answers.push_back(0);
            protocol.request(static_cast<SupervisorProtocol::Word>(byte - 1), now + std::chrono::seconds(2),
                             [&answers, index](const Result<void>&) { ++answers[index]; });
        } else if (byte == 5) {
            now += std::chrono::seconds(1);
            protocol.expire(now);
        } else {
            protocol.append({&byte, 1});
            protocol.handleLines();
        }
        require(!protocol.child() || *protocol.child() > 0, "a child has a process id");
        require(!protocol.loss() || !protocol.child(), "a lost supervisor has no child");
    }
    protocol.lose(server::supervisorIsGone());
    protocol.expire(now);
    for (const int count : answers)
        require(count == 1, "every request is answered once");
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsSupervisor)
