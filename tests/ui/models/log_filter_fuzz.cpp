#include "tests/ui/models/log_filter_fuzz.h"

#include "core/replay/fold/reducer.h"
#include "tests/support/fuzz.h"
#include "tests/support/sample_run.h"
#include "ui/models/rows/log_filter.h"
#include "ui/models/run/logged_event.h"

namespace lockscope::tests {

void readAsLogFilter(std::string_view input)
{
    static const std::shared_ptr<trace::TraceStore> store = sampleRun({.clients = 3, .cycles = 1});
    static const replay::RunState state = [] {
        replay::RunState end;
        for (std::size_t i = 0; i < store->count(); ++i)
            replay::apply(end, *store, i);
        return end;
    }();

    const QString text = QString::fromUtf8(input.data(), static_cast<qsizetype>(input.size()));
    const ui::ParsedLogFilter parsed = ui::parseLogFilter(text);
    if (parsed.fault) {
        require(parsed.fault->at >= 0 && parsed.fault->at <= text.size(), "a fault is in the text");
        require(parsed.fault->length >= 1 && !parsed.fault->message().isEmpty(), "a fault is shown");
    }
    require(ui::LogFilter::parse(text) == parsed.filter, "both parse the same");
    for (std::size_t i = 0; i < store->count(); ++i)
        if (ui::isLogged(store->at(i)))
            require(parsed.filter.passes(store->at(i), state) || !parsed.filter.matchesAll(),
                    "no term lets all pass");
    for (qsizetype cursor = 0; cursor <= text.size(); cursor += 1 + text.size() / 8) {
        const ui::LogFilterCompletions words = ui::logFilterCompletions(text, cursor, state);
        require(words.from >= 0 && words.from <= cursor, "a completion replaces the word at the cursor");
    }
}

} // namespace lockscope::tests

LOCKSCOPE_FUZZ_TARGET(lockscope::tests::readAsLogFilter)
