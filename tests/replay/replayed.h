// Folds a trace from its beginning, for the tests of this folder.
#pragma once

#include "core/replay/fold/reducer.h"
#include "tests/support/trace_script.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lockscope::tests {

// Beginnings of scripts: two locks that are held, and a semaphore beside its acquire mutex.
inline const std::string kTwoLocks = "- lock left; - lock right; ada@left holds n1; bo@right holds n11\n";
inline const std::string kSemaphore = "- lock sem semaphore; - lock door; -@sem limit 2\n";

inline replay::RunState folded(const trace::TraceStore& store,
                               std::size_t count = std::numeric_limits<std::size_t>::max())
{
    replay::RunState state;
    for (std::size_t i = 0; i < store.count() && i < count; ++i)
        replay::apply(state, store, i);
    return state;
}

// The state after a script, with the store that its texts point into.
struct Replayed
{
    explicit Replayed(std::string_view script)
        : store(traceScript(script))
        , state(folded(*store))
    {}

    const replay::Finding& finding(replay::FindingKind kind) const { return state.findings.of(kind); }
    const replay::ClientRow& client(std::string_view name) const
    {
        for (const replay::ClientRow& row : state.clients) {
            if (row.name == name)
                return row;
        }
        throw std::invalid_argument("no such client");
    }

    std::shared_ptr<trace::TraceStore> store;
    replay::RunState state;
};

// Number of findings that are violated: a test that expects one names it and expects this to be 1.
inline std::size_t violatedFindings(const replay::RunState& state)
{
    std::size_t count = 0;
    for (const replay::Finding& finding : state.findings.all)
        count += finding.ok() ? 0 : 1;
    return count;
}

} // namespace lockscope::tests
