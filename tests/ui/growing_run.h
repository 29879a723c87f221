// A sample run that is published piece by piece into the store that a RunModel shows, as a live engine does.
#pragma once

#include "tests/support/sample_run.h"
#include "ui/models/run/run_model.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tests {

class GrowingRun
{
public:
    explicit GrowingRun(const SampleOptions& options = {})
        : m_source(sampleRun(options))
    {}

    std::size_t total() const { return m_source->count(); }
    std::size_t published() const { return m_store->count(); }
    const trace::TraceStore& source() const { return *m_source; }
    bool done() const { return published() == total(); }

    void showIn(ui::RunModel& run)
    {
        run.openTrace(m_store);
        run.setGrowing(true);
    }
    void publish(std::size_t events)
    {
        const std::size_t end = std::min(total(), published() + events);
        while (published() < end)
            m_store->append(m_source->at(published()));
    }
    // Publishes and lets the window's frames take it in.
    bool publishAndDrain(ui::RunModel& run, std::size_t events)
    {
        publish(events);
        return QTest::qWaitFor(
            [&] {
                return run.drained() == published() && (!run.following() || run.position() == published());
            },
            30'000); // a busy machine
    }

private:
    std::shared_ptr<trace::TraceStore> m_source;
    std::shared_ptr<trace::TraceStore> m_store = std::make_shared<trace::TraceStore>();
};

} // namespace lockscope::tests
