#include "ui/models/run/merged_clocks.h"

#include "core/trace/clock_alignment.h"
#include "ui/models/style/format.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMaxTraceName = 40;

QString nameIn(std::string_view text) { return format::plain(text, kMaxTraceName); }

TraceTime nanoseconds(MessageView text)
{
    return TraceTime(QString::fromStdString(text.english()).toLongLong());
}

} // namespace

int MergedClocks::traceOf(const trace::ClientAdded& client) const
{
    const QString named = nameIn(client.trace);
    const auto found = std::ranges::find_if(traces, [&](const Trace& trace) {
        // Traces that were merged by older versions have only the name, "host1/ada".
        return named.isEmpty() ? nameIn(client.name).startsWith(trace.name + u'/') : trace.name == named;
    });
    return found == traces.end() ? -1 : static_cast<int>(found - traces.begin());
}

MergedClocks mergedClocks(const trace::TraceStore& store)
{
    MergedClocks clocks;
    for (std::size_t i = 0; i < store.count(); ++i) {
        const auto* notice = std::get_if<trace::Notice>(&store.at(i).what);
        const std::vector<MessageView> said = notice ? notice->text.arguments() : std::vector<MessageView>();
        if (notice && notice->code == trace::kClockAligned && said.size() == 4) {
            if (clocks.traces.empty())
                clocks.traces.push_back({.name = nameIn(said[1].english())});
            clocks.traces.push_back({nameIn(said[0].english()), nanoseconds(said[2]), nanoseconds(said[3])});
        } else if (notice && notice->code == trace::kClockCertain && said.size() == 1) {
            clocks.certainAfter = nanoseconds(said[0]);
        } else {
            break;
        }
    }
    if (clocks.traces.empty())
        return clocks;
    for (std::size_t i = 0; i < store.count(); ++i) {
        const trace::Event& event = store.at(i);
        const auto* gap = std::get_if<trace::Command>(&event.what);
        if (!gap || !gap->argument.starts_with(trace::kGapSource))
            continue;
        const QString name = nameIn(gap->argument.substr(trace::kGapSource.size()));
        for (MergedClocks::Trace& trace : clocks.traces)
            if (trace.name == name)
                trace.endsAt = event.at;
    }
    return clocks;
}

} // namespace lockscope::ui
