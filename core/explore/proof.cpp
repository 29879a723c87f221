#include "core/explore/proof.h"

#include "core/sim/scenario/scenario.h"
#include "core/trace/finding_rules.h"
#include "core/trace/plain_text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace lockscope::explore {

namespace {

// A rule that is a finding of a run, too.
RuleText asFinding(std::string_view name, trace::FindingKind kind)
{
    const trace::FindingRule& rule = trace::findingRule(kind);
    return RuleText{name, rule.title, rule.meaning, rule.violation};
}

} // namespace

const RuleText& ruleNamed(std::string_view name)
{
    using trace::FindingKind;
    static const std::array rules{
        asFinding("S1", FindingKind::oneHolder),
        asFinding("S2", FindingKind::beliefMatchesServer),
        asFinding("S3", FindingKind::tokensIncrease),
        asFinding("S4", FindingKind::orderKept),
        asFinding("S5", FindingKind::noOrphanNode),
        asFinding("S6", FindingKind::noHerd),
        RuleText{"S7", message("Progress"), message("Every client that wants the lock gets it in the end."),
                 message("a client that never gets the lock")},
        asFinding("S8", FindingKind::noStrayWatch),
        RuleText{"S9", message("No write is lost"),
                 message("No client overwrites what another has written since it read the data."),
                 message("a lost write")},
    };
    return *std::ranges::find(rules, name, &RuleText::name);
}

Workload workloadOf(const Recipe& recipe, const ProofOptions& options)
{
    Workload workload;
    workload.recipe = &recipe;
    workload.clients = options.clients;
    workload.faults = options.faults;
    workload.kinds = options.kinds;
    for (std::uint32_t i = 0; i < options.clients; ++i)
        workload.names.push_back(sim::clientName(i));
    return workload;
}

ProofResult prove(const BuiltRecipe& recipe, const ProofOptions& options,
                  const std::function<void(const SearchCount&)>& onProgress,
                  const std::function<bool()>& cancelled)
{
    ProofResult result;
    result.recipe = runnable(recipe);
    result.workload = workloadOf(*result.recipe, options);
    SearchOptions how;
    how.threads = options.threads;
    how.most = options.most;
    how.onProgress = onProgress;
    how.cancelled = cancelled;
    result.search = search(result.workload, how);
    if (!result.search.violation)
        return result;
    result.found = shortened(result.workload, result.search, options.shortest, cancelled);
    const ScheduleTrace run = traceOf(result.workload, *result.found);
    result.trace = run.events;
    result.breach = run.afterSteps;
    return result;
}

Message herdText()
{
    return message("It is a herd: when a holder leaves, every client that waits is woken.");
}

Message verdictOf(const BuiltRecipe& recipe, const ProofResult& result)
{
    if (result.found) {
        const RuleText& rule = ruleNamed(result.found->violation.invariant);
        return joined(message("It breaks in %1 steps: %2.", result.found->steps.size(), rule.violation),
                      joined(result.found->violation.what, result.found->damage));
    }
    const std::string schedules = trace::groupDigits(result.search.count.schedules);
    if (result.search.end != SearchEnd::all)
        return message("The rules hold in %1 schedules, but these were not all.", schedules);
    const Message all = message("The rules hold in all %1 schedules.", schedules);
    return recipe.isHerd() ? joined(all, herdText()) : all;
}

struct Proof::State
{
    mutable std::mutex mutex;
    SearchCount count; // guarded
    std::atomic<bool> cancelled = false, done = false;
    ProofResult result; // constant once it is done
    std::thread thread;
};

Proof::Proof(const BuiltRecipe& recipe, const ProofOptions& options)
    : m_state(std::make_unique<State>())
{
    State& state = *m_state;
    state.thread = std::thread([&state, recipe, options] {
        state.result = prove(
            recipe, options,
            [&state](const SearchCount& count) {
                const std::lock_guard guard(state.mutex);
                state.count = count;
            },
            [&state] { return state.cancelled.load(); });
        {
            const std::lock_guard guard(state.mutex);
            state.count = state.result.search.count;
        }
        state.done = true;
    });
}

Proof::~Proof()
{
    cancel();
    wait();
}

void Proof::wait()
{
    if (m_state->thread.joinable())
        m_state->thread.join();
}

SearchCount Proof::progress() const
{
    const std::lock_guard guard(m_state->mutex);
    return m_state->count;
}

void Proof::cancel() { m_state->cancelled = true; }

const ProofResult* Proof::result() const { return m_state->done ? &m_state->result : nullptr; }

} // namespace lockscope::explore
