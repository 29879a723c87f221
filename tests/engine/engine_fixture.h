// A live engine in a test: folds its trace as it grows and waits for states, with a deadline. Test thread.
#pragma once

#include "core/engine/engine.h"
#include "core/replay/fold/reducer.h"

#include <functional>
#include <memory>
#include <string>

namespace lockscope::test {

class EngineFixture
{
public:
    explicit EngineFixture(engine::Options options);
    ~EngineFixture();

    engine::Engine& engine() { return *m_engine; }
    // Folds until the predicate holds; a test failure and false when it does not within the limit.
    bool waitUntil(const std::string& what, const std::function<bool(const replay::RunState&)>& predicate);
    bool waitForEnd();
    const replay::RunState& state(); // everything recorded so far
    const trace::TraceStore& trace() const { return *m_store; }
    // First event at or after `from` for which the predicate holds; none when there is none.
    EventIndex find(const std::function<bool(const trace::Event&)>& predicate, std::size_t from = 0) const;

private:
    std::unique_ptr<engine::Engine> m_engine;
    std::shared_ptr<const trace::TraceStore> m_store;
    replay::RunState m_state;
    std::size_t m_applied = 0;
};

// A scenario for tests: short, no thinking.
sim::Scenario testScenario(std::uint32_t clients, std::uint32_t cycles);
engine::Options optionsFor(sim::Scenario scenario);

// The client that holds, as it believes and the server agrees; null when there is none.
const replay::ClientRow* holder(const replay::RunState& state);
std::size_t waiters(const replay::RunState& state);
void expectAllOk(const replay::RunState& state); // every finding

} // namespace lockscope::test
