#include "tests/engine/engine_fixture.h"

#include "core/trace/event_codec.h"

#include <gtest/gtest.h>

#include <poll.h>

namespace lockscope::test {

namespace {
constexpr Duration kLimit = std::chrono::seconds(90); // generous: sanitizers on a busy machine
}

EngineFixture::EngineFixture(engine::Options options)
    : m_engine(std::make_unique<engine::Engine>(std::move(options)))
    , m_store(m_engine->trace())
{}

EngineFixture::~EngineFixture() { m_engine->stop(); }

const replay::RunState& EngineFixture::state()
{
    const std::size_t end = m_store->count();
    for (; m_applied < end; ++m_applied)
        replay::apply(m_state, *m_store, m_applied);
    return m_state;
}

// Event by event, so that a state that lasts a moment is not missed.
bool EngineFixture::waitUntil(const std::string& what,
                              const std::function<bool(const replay::RunState&)>& predicate)
{
    const auto deadline = MonotonicClock::now() + kLimit;
    while (!predicate(m_state)) {
        if (m_applied < m_store->count()) {
            replay::apply(m_state, *m_store, m_applied++);
            continue;
        }
        if (MonotonicClock::now() > deadline) {
            std::string tail;
            for (std::size_t i = m_applied > 40 ? m_applied - 40 : 0; i < m_applied; ++i) {
                trace::appendEventLine(tail, m_store->at(i));
                tail += '\n';
            }
            ADD_FAILURE() << "waited in vain until " << what << "; the last events:\n" << tail;
            return false;
        }
        ::poll(nullptr, 0, 1); // the engine has nothing new yet
    }
    return true;
}

bool EngineFixture::waitForEnd()
{
    return waitUntil("the run has ended", [](const replay::RunState& state) {
        return state.phase == trace::RunPhase::finished || state.phase == trace::RunPhase::failed;
    });
}

EventIndex EngineFixture::find(const std::function<bool(const trace::Event&)>& predicate,
                               std::size_t from) const
{
    for (std::size_t i = from; i < m_store->count(); ++i)
        if (predicate(m_store->at(i)))
            return EventIndex{static_cast<std::uint32_t>(i)};
    return EventIndex::none();
}

sim::Scenario testScenario(std::uint32_t clients, std::uint32_t cycles)
{
    sim::Scenario scenario;
    scenario.name = "test";
    scenario.title = "Test";
    scenario.clients = clients;
    scenario.work.cycles = cycles;
    scenario.locks = {"/locks/test"};
    return scenario;
}

engine::Options optionsFor(sim::Scenario scenario)
{
    engine::Options options;
    options.scenario = std::move(scenario);
    return options;
}

const replay::ClientRow* holder(const replay::RunState& state)
{
    for (const replay::ClientRow& client : state.clients)
        if (client.phase == replay::ClientPhase::holding && !client.isStale)
            return &client;
    return nullptr;
}

std::size_t waiters(const replay::RunState& state)
{
    std::size_t count = 0;
    for (const replay::ClientRow& client : state.clients)
        count += client.phase == replay::ClientPhase::waiting;
    return count;
}

void expectAllOk(const replay::RunState& state)
{
    for (const replay::Finding& finding : state.findings.all)
        EXPECT_TRUE(finding.ok()) << trace::findingRule(finding.kind).name() << ": " << finding.detail();
}

} // namespace lockscope::test
