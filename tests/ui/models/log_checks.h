// What the tests of the models that follow the log share.
#pragma once

#include "core/trace/store.h"
#include "ui/models/rows/log_model.h"
#include "ui/models/run/logged_event.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <cstdint>
#include <vector>

namespace lockscope::tests {

using Tester = QAbstractItemModelTester;
inline constexpr auto kStrict = Tester::FailureReportingMode::Fatal;

// Waits until the log has filtered all rows.
inline bool settled(const ui::LogModel& log)
{
    return QTest::qWaitFor([&] { return !log.building(); });
}

// Of the first `until` events those that the log shows.
inline std::vector<std::uint32_t> eventsInLog(const trace::TraceStore& store, std::size_t until)
{
    std::vector<std::uint32_t> events;
    for (std::size_t i = 0; i < until; ++i)
        if (ui::isLogged(store.at(i)))
            events.push_back(static_cast<std::uint32_t>(i));
    return events;
}

} // namespace lockscope::tests
