#include "tests/history/history_fuzz.h"

#include "core/base/unique_fd.h"
#include "core/history/history.h"
#include "core/history/history_trace_builder.h"
#include "core/replay/fold/reducer.h"
#include "core/replay/timeline/timeline.h"
#include "tests/history/log_writer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace lockscope::tests {

namespace {

using history::History;
using State = history::HistoryReader::State;

// A file in memory that has a path.
class MemoryFile
{
public:
    MemoryFile()
        : m_fd(::memfd_create("history", MFD_CLOEXEC))
    {}
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

std::string logOf(std::string_view records)
{
    LogWriter log;
    while (records.size() >= 2) {
        const auto size = static_cast<std::size_t>(static_cast<unsigned char>(records[0]) << 8 |
                                                   static_cast<unsigned char>(records[1]));
        records.remove_prefix(2);
        log.record(records.substr(0, size));
        records.remove_prefix(std::min(size, records.size()));
    }
    return log.bytes();
}

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

void readAsHistory(std::string_view input)
{
    if (input.empty())
        return;
    const int kind = static_cast<unsigned char>(input.front()) % 4;
    input.remove_prefix(1);
    const std::string bytes = kind == 1 || kind == 3 ? logOf(input) : std::string(input);
    MemoryFile file;
    const std::size_t first = kind == 3 ? bytes.size() / 2 : bytes.size();
    file.append(std::string_view(bytes).substr(0, first));
    auto opened = History::open({file.path()}, {.queueEntries = true, .withData = true, .follow = kind == 3});
    if (!opened)
        return;
    History& history = **opened;
    trace::TraceStore store;
    history::HistoryTraceBuilder events(store, {.withData = true});
    history.listen([&](const history::LockEvent& event) { events.add(event); });
    history.listenToGaps([&](const history::Gap& gap) { events.addGap(gap); });
    while (history.read(4096) == State::more) {
    }
    if (kind == 3) {
        file.append(std::string_view(bytes).substr(first));
        while (history.read(4096) == State::more) {
        }
    }
    events.finish(history.lastMs());
    for (const history::LockSummary& lock : history.locks()) {
        require(lock.longestHoldMs >= 0 && lock.longestWaitMs >= 0);
        require(lock.handoffs <= lock.ends.acquisitions());
    }
    for (history::Damage& damage : history.takeDamage())
        require(!damage.text().empty());
    replay::RunState state;
    replay::Timeline timeline;
    for (std::size_t i = 0; i < store.count(); ++i) {
        replay::apply(state, store, i);
        timeline.apply(store, i);
    }
    require(state.findings.of(replay::FindingKind::beliefMatchesServer).checked == 0);
}

} // namespace lockscope::tests

#ifdef LOCKSCOPE_FUZZER
// Built and run by tests/fuzz.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    lockscope::tests::readAsHistory({reinterpret_cast<const char*>(data), size});
    return 0;
}
#endif
