#include "tests/history/history_fuzz.h"

#include "core/history/history.h"
#include "core/history/history_trace_builder.h"
#include "core/replay/fold/reducer.h"
#include "core/replay/timeline/timeline.h"
#include "tests/history/log_writer.h"
#include "tests/support/fuzz.h"
#include "tests/support/memory_file.h"

#include <algorithm>

namespace lockscope::tests {

namespace {

using history::History;
using State = history::HistoryReader::State;

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
        require(lock.longestHoldMs >= 0 && lock.longestWaitMs >= 0, "no time is negative");
        require(lock.handoffs <= lock.ends.acquisitions(), "a handoff is an acquisition");
    }
    for (history::Damage& damage : history.takeDamage())
        require(!damage.text().empty(), "damage has a text");
    replay::RunState state;
    replay::Timeline timeline;
    for (std::size_t i = 0; i < store.count(); ++i)
        timeline.apply(store, i, state, replay::apply(state, store, i));
    require(state.findings.of(replay::FindingKind::beliefMatchesServer).checked == 0,
            "a log knows no beliefs");
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsHistory)
