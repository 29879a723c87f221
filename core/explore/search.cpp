#include "core/explore/search.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <utility>

namespace lockscope::explore {

namespace {

using RealClock = std::chrono::steady_clock;

// The last step of a schedule, and what was before it.
struct Taken
{
    std::shared_ptr<const Taken> before; // null: nothing
    Step step;
    std::uint32_t length = 0;

    // Without recursion, since a schedule may be long.
    Taken(std::shared_ptr<const Taken> earlier, Step last)
        : before(std::move(earlier))
        , step(last)
        , length(before ? before->length + 1 : 1)
    {}
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    ~Taken()
    {
        std::shared_ptr<const Taken> next = std::move(before);
        while (next && next.use_count() == 1)
            next = std::move(const_cast<Taken&>(*next).before);
    }
};
using TakenPtr = std::shared_ptr<const Taken>; // null: a schedule without steps

Steps stepsOf(const Taken* last)
{
    Steps steps;
    for (; last; last = last->before.get())
        steps.push_back(last->step);
    std::ranges::reverse(steps);
    return steps;
}

// The states that have been seen. Any thread.
class Seen
{
public:
    bool add(const Fingerprint& state)
    {
        Part& part = m_parts[state.high % m_parts.size()];
        const std::lock_guard guard(part.mutex);
        return part.states.insert(state).second;
    }

private:
    struct Hash
    {
        std::size_t operator()(const Fingerprint& state) const { return state.low; }
    };
    struct Part
    {
        std::mutex mutex;
        std::unordered_set<Fingerprint, Hash> states;
    };
    std::array<Part, 64> m_parts;
};

class Searcher
{
public:
    Searcher(const Workload& workload, const SearchOptions& options)
        : m_workload(workload)
        , m_options(options)
    {
        m_open.push_back(nullptr);
    }
    SearchResult run();

private:
    void work();
    bool next(TakenPtr& into); // false: nothing is left, or the search has ended
    void goOn(TakenPtr from);
    void put(const TakenPtr& from, const Step* begin, const Step* end);
    void putOthers(SteppedWorld& world, const TakenPtr& at, Steps others);
    void checkBounds();
    void end(SearchEnd why);
    // True when a rule is violated.
    bool judge(const SteppedWorld& world, const TakenPtr& at);

    const Workload& m_workload;
    const SearchOptions& m_options;
    const RealClock::time_point m_begin = RealClock::now();
    Seen m_seen;
    std::atomic<std::uint64_t> m_schedules = 0, m_states = 0, m_steps = 0, m_ends = 0;
    std::atomic<bool> m_over = false;
    std::atomic<bool> m_cutSchedules = false; // some were longer than allowed

    std::mutex m_mutex; // of the rest
    std::condition_variable m_changed;
    std::deque<TakenPtr> m_open; // schedules that are to go on from here
    unsigned m_working = 0;
    std::optional<SearchEnd> m_end;
    SearchResult m_result;
    std::exception_ptr m_failure;
    RealClock::time_point m_reported = m_begin;
};

void Searcher::end(SearchEnd why)
{
    const std::lock_guard guard(m_mutex);
    if (!m_end)
        m_end = why;
    m_over = true;
    m_changed.notify_all();
}

bool Searcher::next(TakenPtr& into)
{
    std::unique_lock guard(m_mutex);
    --m_working;
    m_changed.wait(guard, [&] { return m_over || !m_open.empty() || m_working == 0; });
    if (m_over || m_open.empty()) {
        m_changed.notify_all();
        return false;
    }
    ++m_working;
    if (m_options.shortestFirst) {
        into = std::move(m_open.front());
        m_open.pop_front();
    } else {
        into = std::move(m_open.back());
        m_open.pop_back();
    }
    return true;
}

// The last one goes on first when the search goes into the depth.
void Searcher::put(const TakenPtr& from, const Step* begin, const Step* end)
{
    if (begin == end)
        return;
    const std::lock_guard guard(m_mutex);
    for (; begin != end; ++begin)
        m_open.push_back(std::make_shared<Taken>(from, *begin));
    m_changed.notify_all();
}

// Of the steps that were left out beside the last one: those that are needed after all.
void Searcher::putOthers(SteppedWorld& world, const TakenPtr& at, Steps others)
{
    const SteppedWorld::Shown shown = world.showed();
    if (shown == SteppedWorld::Shown::nothing)
        return;
    if (shown == SteppedWorld::Shown::done)
        std::erase_if(others, [&, client = world.actorOf(at->step)](const Step& step) {
            return !isFault(step.kind) || world.actorOf(step) != client;
        });
    put(at->before, others.data(), others.data() + others.size());
}

void Searcher::checkBounds()
{
    if (m_options.cancelled && m_options.cancelled())
        return end(SearchEnd::cancelled);
    if (m_options.mostSchedules > 0 && m_schedules >= m_options.mostSchedules)
        return end(SearchEnd::schedules);
    const RealClock::time_point now = RealClock::now();
    if (m_options.most.count() > 0 && now - m_begin >= m_options.most)
        return end(SearchEnd::time);
    if (!m_options.onProgress)
        return;
    const std::lock_guard guard(m_mutex);
    if (now - m_reported >= std::chrono::seconds(1)) {
        m_reported = now;
        m_options.onProgress(SearchCount{m_schedules, m_states, m_steps, m_ends});
    }
}

bool Searcher::judge(const SteppedWorld& world, const TakenPtr& at)
{
    const std::optional<Violation> violation = world.violation();
    if (!violation)
        return false;
    {
        const std::lock_guard guard(m_mutex);
        if (!m_result.violation) {
            m_result.violation = violation;
            m_result.steps = stepsOf(at.get());
        }
        if (!m_options.endsAtViolation) {
            m_result.outcomes.insert(violation->invariant);
            return true;
        }
    }
    end(SearchEnd::violation);
    return true;
}

// Repeats the schedule, and goes on until its end or a state that was seen. What else can happen on the way
// is put aside.
void Searcher::goOn(TakenPtr at)
{
    SteppedWorld world(m_workload, false);
    for (const Step& step : stepsOf(at.get())) {
        world.showed();
        world.take(step);
    }
    Steps possible;
    Steps needed;
    std::size_t together = 0; // the first of `needed`, of which one was taken
    while (!m_over) {
        if (together > 0)
            putOthers(world, at, Steps(needed.begin() + static_cast<std::ptrdiff_t>(together), needed.end()));
        if (judge(world, at))
            break;
        world.possible(possible);
        if (std::ranges::all_of(possible, [](const Step& step) { return isFault(step.kind); })) {
            ++m_ends;
            world.judgeEnd();
            if (!judge(world, at) && !m_options.endsAtViolation) {
                const std::lock_guard guard(m_mutex);
                m_result.outcomes.insert(world.ending());
            }
            break;
        }
        if (m_options.merged && !m_seen.add(world.fingerprint()))
            break;
        ++m_states;
        if (at && at->length >= m_options.mostSteps) {
            m_cutSchedules = true;
            break;
        }
        needed = possible;
        together = 0;
        if (m_options.reduced) {
            world.needed(possible, needed);
            together = world.first(needed);
        }
        m_steps += together > 0 ? together : needed.size();
        if (m_options.shortestFirst) {
            put(at, needed.data(), needed.data() + needed.size());
            break;
        }
        put(at, needed.data() + 1, needed.data() + (together > 0 ? together : needed.size()));
        world.showed();
        world.take(needed.front());
        at = std::make_shared<Taken>(at, needed.front());
    }
    ++m_schedules;
}

void Searcher::work()
{
    try {
        TakenPtr from;
        while (next(from)) {
            goOn(std::exchange(from, nullptr));
            checkBounds();
        }
    } catch (...) {
        {
            const std::lock_guard guard(m_mutex);
            m_failure = std::current_exception();
            --m_working;
        }
        end(SearchEnd::cancelled);
    }
}

SearchResult Searcher::run()
{
    m_working = std::max(1U, m_options.threads);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < m_options.threads; ++i)
        others.emplace_back([this] { work(); });
    work();
    for (std::thread& other : others)
        other.join();
    if (m_failure)
        std::rethrow_exception(m_failure);
    m_result.count = SearchCount{m_schedules, m_states, m_steps, m_ends};
    m_result.end = m_end.value_or(m_cutSchedules ? SearchEnd::steps : SearchEnd::all);
    m_result.took = std::chrono::duration_cast<std::chrono::milliseconds>(RealClock::now() - m_begin);
    return m_result;
}

} // namespace

SearchResult search(const Workload& workload, const SearchOptions& options)
{
    return Searcher(workload, options).run();
}

} // namespace lockscope::explore
