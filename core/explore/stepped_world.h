// A world in which every step is chosen from outside: a few clients on one lock that exists, each of which
// acquires and releases so many times. A client looks at each message before the next one comes, and the
// clock goes on only when nothing else but a release can happen, so that a schedule is the order of the steps
// below. The same steps give the same world. One thread.
#pragma once

#include "core/explore/fingerprint.h"
#include "core/explore/step.h"
#include "core/explore/world.h"
#include "core/explore/world_trace.h"

namespace lockscope::explore {

// All but refused requests.
std::vector<StepKind> usualFaults();

// What the clients do, and which faults may happen to them.
struct Workload
{
    const Recipe* recipe = nullptr;
    HandoffPolicy handoff = HandoffPolicy::curator;
    std::uint32_t clients = 2;
    std::uint32_t faults = 0; // at most
    std::uint32_t rounds = 1; // of acquire and release, for each client
    std::uint32_t servers = 1;
    // Whether client i uses the second side of the recipe's two: bit i.
    std::uint32_t secondSides = 0;
    std::vector<StepKind> kinds = usualFaults(); // those that may happen
    bool reenters = false;                       // each holder enters a second time
    bool letsGo = false;                         // each client destroys its lock before its acquire begins
    bool keptGuid = false;                       // the clients keep their prefixes over a lost session
    bool lastNumbers = false;                    // the queue uses up its 2^31 numbers
    Flaws flaws{};
    std::vector<std::string> names{}; // of the clients; without one, "client 0"
};

// With a known mistake (a name of allFlaws()), and with what it takes for it to show.
Workload withMistake(Workload workload, std::string_view name);

class SteppedWorld
{
public:
    // `recorder`: of a trace, which then gets what the clients and the servers do. It outlives the world.
    SteppedWorld(const Workload& workload, bool keepLog, trace::Recorder* recorder = nullptr);
    ~SteppedWorld();

    // The steps that are possible now, in an order that only the state decides.
    void possible(Steps& into);
    // Of these, enough to reach every violation and every end: see the .cpp file.
    void needed(const Steps& possible, Steps& into) const;
    // Moves one step of `needed`, and the faults that depend on it, to the front; returns how many. The
    // others are not needed, unless showed() says so after the first of them was taken. 0: all of them are.
    std::size_t first(Steps& needed) const;
    // Since the last call some client came to believe something else; or one was done, to which a fault could
    // happen until then.
    enum class Shown : std::uint8_t { nothing, done, belief };
    Shown showed();
    std::optional<std::uint32_t> actorOf(const Step& step) const; // the client
    void take(const Step& step);
    bool takeIfPossible(const Step& step); // false, and nothing is done, when it is not possible now

    // Two worlds of the same workload with equal fingerprints behave alike.
    Fingerprint fingerprint();
    std::optional<Violation> violation() const { return m_world.violation(); }
    void judgeEnd() { m_world.judgeEnd(); }
    std::string describe(const Step& step) const; // before it is taken
    std::uint32_t faultsLeft() const { return m_faultsLeft; }
    std::optional<std::uint32_t> clientOf(std::uint32_t session) const; // none: of none
    // How it ended, in words that worlds with equal fingerprints share, whichever client is which.
    std::string ending() const;
    MonotonicTime now() const { return m_world.clock.now(); }
    World& world() { return m_world; }

private:
    struct Process // of a client
    {
        Fingerprint seen; // all that has reached it in this session: what it does next follows from that
        std::uint32_t session = 0;
        std::uint64_t sessions = 0;
        MonotonicTime standsUntil{};
        bool done = false;
        bool fresh = true; // no request of it has been served, and nothing has happened to it
    };
    bool isDone(const Client& client) const;
    bool leavesNothing(const Client& client) const;
    void addFaults(Steps& into) const;
    bool isNeeded(const Step& step, bool quiet) const;
    bool believes(std::uint32_t client) const;
    const zk::memory::MemorySession& sessionOf(std::uint32_t client) const
    {
        return *m_world.clients[client]->session();
    }
    void note(std::uint32_t client, StepKind kind, std::string_view text = {});
    void inject(const Step& step);
    void pause(std::uint32_t client, Duration span);
    void startOver(std::uint32_t client, std::uint32_t session);
    void forgetHistory(std::uint32_t client);
    void passTime();
    void settle();

    const Workload m_workload;
    World m_world;
    zk::memory::VirtualScheduler m_time; // of pauses
    std::vector<Process> m_processes;
    std::vector<std::uint8_t> m_clientOf; // by session
    NodeNames m_names;
    std::uint32_t m_faultsLeft;
    Shown m_ended = Shown::nothing;
    std::vector<zk::memory::Transition> m_transitions;
    std::string m_text;
    std::unique_ptr<WorldTrace> m_trace; // null: nothing is recorded
};

} // namespace lockscope::explore
