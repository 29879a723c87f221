#include "tests/trace/trace_fuzz.h"

#include "core/replay/fold/reducer.h"
#include "core/replay/timeline/timeline.h"
#include "core/trace/event_codec.h"
#include "core/trace/trace_file.h"
#include "tests/support/fuzz.h"
#include "tests/support/memory_file.h"

namespace lockscope::tests {

namespace {

std::string linesOf(const trace::TraceStore& store)
{
    std::string lines = trace::headerLine(store.header()) + '\n';
    for (std::size_t i = 0; i < store.count(); ++i) {
        trace::appendEventLine(lines, store.at(i));
        lines += '\n';
    }
    return lines;
}

} // namespace

void readAsTrace(std::string_view input)
{
    const MemoryFile file(input);
    const auto loaded = trace::loadTrace(file.path());
    if (!loaded) {
        require(!loaded.error().text().empty(), "a refusal has a reason");
        return;
    }
    const trace::TraceStore& store = *loaded->store;
    const std::string lines = linesOf(store);
    const MemoryFile saved(lines);
    const auto again = trace::loadTrace(saved.path());
    require(again.has_value(), "what was written can be read");
    require(linesOf(*again->store) == lines, "what was written and read is the same");

    replay::RunState state;
    replay::Timeline timeline;
    for (std::size_t i = 0; i < store.count(); ++i)
        timeline.apply(store, i, state, replay::apply(state, store, i));
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsTrace)
