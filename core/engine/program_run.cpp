#include "core/engine/program_run.h"

#include "core/base/numeric_endpoint.h"
#include "core/replay/findings/claims.h"
#include "core/sim/scenario/scenario_text.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope::engine {

namespace {

constexpr Duration kTick = std::chrono::milliseconds(20);
constexpr Duration kFirstLimit = std::chrono::seconds(60); // until the first copy has the lock
constexpr Duration kGather = std::chrono::seconds(5);      // from there, until the others have a session
constexpr Duration kMoment = std::chrono::seconds(5);      // that a rule waits for its moment
constexpr Duration kFault =
    std::chrono::milliseconds(500);                   // one without a time of its own, such as a lost reply
constexpr Duration kSteady = std::chrono::seconds(2); // who holds for longer holds the lock for good
constexpr Duration kRestart = std::chrono::milliseconds(200);
constexpr Duration kLeave = std::chrono::seconds(3); // from SIGTERM to SIGKILL
constexpr Duration kMargin = std::chrono::seconds(5);
constexpr Duration kEnderLimit = std::chrono::seconds(5);
constexpr std::size_t kEnderCap = 1 << 20;

Message howEnded(int status)
{
    return WIFEXITED(status) ? message("It ended with the exit code %1.", WEXITSTATUS(status))
                             : message("It was ended by the signal %1.", WTERMSIG(status));
}

} // namespace

ProgramRun::ProgramRun(boost::asio::io_context& io, zk::Hub& hub, trace::Recorder& recorder,
                       const sim::Scenario& scenario, const Programs& programs, std::string hosts,
                       sim::ServerControl& server)
    : UnpausedRun(recorder, message("The faults of this run are planned."))
    , m_io(io)
    , m_hub(hub)
    , m_scenario(scenario)
    , m_hosts(std::move(hosts))
    , m_server(server)
    , m_shared{io, recorder, LockId{0}, scenario.locks.front(), programs.command, programs.silent}
    , m_plan(programs.harsh, scenario.seed)
    , m_rule(m_plan.next())
{
    m_recorder.record(ClientId::none(), m_shared.lock,
                      trace::LockAdded{m_shared.path, nameOf(Recipe::mutex), {}});
    m_shared.brokenLine = whileAlive([this](ClientId client, const Message& what) {
        m_hub.post(whileAlive([this, client, what] {
            if (m_stage == Stage::ending)
                return;
            fail("broken_line",
                 message("%1: %2 A copy writes \"acquired\" (and a token, if it likes) when it has the lock "
                         "and \"released\" when it gives it up, each on a line of its own, and nothing "
                         "else: other texts belong to standard error.",
                         m_copies[client.value]->name(), what),
                 client);
        }));
    });
    m_shared.reached = whileAlive(
        [this](ClientId client, ProgramMoment moment) { onMoment(*m_copies[client.value], moment); });
}

ProgramRun::~ProgramRun() { abandon(); }

Result<void> ProgramRun::start(bool, std::function<void()> finished)
{
    m_finished = std::move(finished);
    m_since = m_hub.now();
    for (const sim::Participant& one : sim::participants(m_scenario)) {
        const ClientId id{static_cast<ClientId::Value>(m_copies.size())};
        Result<std::unique_ptr<ProgramCopy>> copy =
            ProgramCopy::open(m_shared, id, one.name, m_hosts, m_scenario.seed + id.value);
        if (!copy)
            return copy.error();
        m_copies.push_back(std::move(*copy));
    }
    for (const auto& copy : m_copies)
        if (const Result<void> started =
                copy->start([this, one = copy.get()](int status) { onCopyEnded(*one, status); });
            !started)
            return started.error();
    m_observers.push_back(std::make_shared<sim::QueueObserver>(zk::ReadHub(m_hub), m_recorder, m_hosts,
                                                               m_shared.path, m_shared.lock));
    m_observers.back()->start();
    m_hub.after(kTick, whileAlive([this] { tick(); }));
    return {};
}

std::vector<zk::SessionPhase> ProgramRun::sessionPhases() const
{
    std::vector<zk::SessionPhase> all;
    for (const auto& copy : m_copies)
        all.push_back(copy->session().phase);
    return all;
}

std::uint32_t ProgramRun::acquired() const
{
    std::uint32_t all = 0;
    for (const auto& copy : m_copies)
        all += copy->acquired();
    return all;
}

// ---- the stages ------------------------------------------------------------------------------------------

void ProgramRun::tick()
{
    m_hub.after(kTick, whileAlive([this] { tick(); }));
    m_wasConnected = wasConnected();
    const MonotonicTime now = m_hub.now();
    switch (m_stage) {
    case Stage::starting:
        if (acquired() > 0) {
            m_begun = m_begun == MonotonicTime{} ? now : m_begun;
            if (areConnected() || now - m_begun > kGather) {
                m_begun = now;
                waitForProgress();
            }
        } else if (now - m_since > kFirstLimit) {
            fail("no_line",
                 message("No copy has said \"acquired\" within %1.", sim::formatDuration(kFirstLimit)));
        }
        break;
    case Stage::awaitsMoment:
        for (const auto& copy : m_copies) // who holds it for good does not say so again
            if (now - m_since > kSteady && copy->doing() == ProgramCopy::Doing::claims)
                onMoment(*copy, ProgramMoment::holds);
        if (m_stage == Stage::awaitsMoment && now >= m_until)
            miss();
        break;
    case Stage::fault:
        if (now >= m_until && !m_ender && !m_killing)
            undo();
        break;
    case Stage::progress:
        if (isProgress()) {
            if (now - m_begun >= m_scenario.duration.value_or(Duration{}))
                return finish();
            awaitNextMoment();
        } else if (now - m_since > patience()) {
            fail("no_progress",
                 message("Nobody has had the lock for %1, though no fault is in force.",
                         sim::formatDuration(std::chrono::ceil<std::chrono::seconds>(now - m_since))));
        }
        break;
    case Stage::ending:
        endIfGone();
        if (now >= m_until)
            for (const auto& copy : m_copies)
                copy->signal(SIGKILL);
        break;
    }
}

bool ProgramRun::areConnected() const
{
    return std::ranges::all_of(
        m_copies, [](const auto& copy) { return copy->session().phase == zk::SessionPhase::connected; });
}

void ProgramRun::waitForProgress()
{
    m_stage = Stage::progress;
    m_since = m_hub.now();
    m_acquiredBefore = acquired();
}

bool ProgramRun::isProgress() const
{
    const bool holds = std::ranges::any_of(
        m_copies, [](const auto& copy) { return copy->doing() == ProgramCopy::Doing::claims; });
    return acquired() > m_acquiredBefore || (holds && m_hub.now() - m_since > kSteady);
}

// In which the sessions of the dead have expired, and the living have reconnected.
Duration ProgramRun::patience() const
{
    Duration longest{};
    for (const auto& copy : m_copies)
        longest = std::max(longest, copy->session().timeout);
    return 2 * longest + kMargin;
}

// ---- faults ----------------------------------------------------------------------------------------------

void ProgramRun::awaitNextMoment()
{
    m_stage = Stage::awaitsMoment;
    m_since = m_hub.now();
    m_until = m_since + kMoment;
    if (m_rule.when == ProgramMoment::any)
        meet(*m_copies[m_plan.pick(m_copies.size())]);
}

// A reply is lost to the request that is just passing; everything else must not happen while it passes.
void ProgramRun::onMoment(ProgramCopy& copy, ProgramMoment moment)
{
    if (m_stage == Stage::awaitsMoment && moment == m_rule.when && --m_rule.times <= 0)
        meet(copy);
}

void ProgramRun::meet(ProgramCopy& copy)
{
    if (m_rule.does(sim::Action::Kind::killSession) && !copy.session().id.valid())
        return; // what passes is not understood
    m_stage = Stage::fault;
    m_target = &copy;
    m_until = MonotonicTime::max();
    m_recorder.record(copy.id(), LockId::none(),
                      trace::Notice{trace::Severity::info,
                                    message("Planned, when %1: %2.", describe(m_rule.when, copy.name()),
                                            m_rule.fault->does),
                                    std::string(replay::kFaultMet) + std::string(m_rule.fault->name)});
    if (m_rule.does(sim::Action::Kind::loseReply))
        return beginFault();
    m_hub.after(m_rule.after, whileAlive([this] {
                    if (m_stage == Stage::fault)
                        beginFault();
                }));
}

void ProgramRun::beginFault()
{
    Duration span{};
    for (const sim::Action& action : m_rule.actions) {
        span = std::max(span, action.span.value_or(kFault));
        perform(action, *m_target);
    }
    m_until = m_hub.now() + span;
}

void ProgramRun::miss()
{
    m_recorder.record(ClientId::none(), LockId::none(),
                      trace::Notice{trace::Severity::info,
                                    message("Planned, and not met within %3, when %1: %2.",
                                            describe(m_rule.when, message("a copy")), m_rule.fault->does,
                                            sim::formatDuration(kMoment)),
                                    std::string(replay::kFaultMissed) + std::string(m_rule.fault->name)});
    m_rule = m_plan.next();
    waitForProgress();
}

EventIndex ProgramRun::record(trace::CommandVerb verb, const ProgramCopy* copy)
{
    return m_recorder.record(copy ? copy->id() : ClientId::none(), LockId::none(),
                             trace::Command{toText(verb), copy ? copy->name() : std::string()});
}

void ProgramRun::perform(const sim::Action& action, ProgramCopy& copy)
{
    using Kind = sim::Action::Kind;
    const bool ofServer = action.kind == Kind::killServer;
    const EventIndex command = record(action.kind, ofServer ? nullptr : &copy);
    switch (action.kind) {
    case Kind::freeze:
        return copy.pause(true);
    case Kind::killSession:
        return endSession(copy, command);
    case Kind::removeClient:
        m_killing = copy.running();
        return copy.signal(SIGKILL);
    case Kind::killServer: { // the engine starts it again
        const auto killed = m_server.killNow({}, [](std::uint32_t, const Result<void>&) {});
        if (!killed)
            m_recorder.record(trace::CommandRefused{toText(action.kind), killed.error().all()});
        return;
    }
    default:
        if (const Result<void> applied = copy.apply(action); !applied)
            m_recorder.record(copy.id(), LockId::none(),
                              trace::CommandRefused{toText(action.kind), applied.error().all()});
    }
}

// All that the rule has done and that does not end by itself.
void ProgramRun::undo()
{
    if (m_target->paused()) {
        record(trace::CommandVerb::thaw, m_target);
        m_target->pause(false);
    }
    const bool ofLink = std::ranges::any_of(m_rule.actions, [](const sim::Action& action) {
        return action.kind >= sim::Action::Kind::cutLink && action.kind <= sim::Action::Kind::healLink;
    });
    if (ofLink) {
        record(trace::CommandVerb::healLink, m_target);
        (void)m_target->apply(sim::Action::of(sim::Action::Kind::healLink));
    }
    m_rule = m_plan.next();
    waitForProgress();
}

// As an expiry does: a second connection with the session's id and password closes it. Meanwhile the link is
// cut, so that the program does not take its session back.
void ProgramRun::endSession(ProgramCopy& copy, EventIndex command)
{
    const ProgramCopy::Session session = copy.session();
    const auto server = parseNumericEndpoint(m_hosts);
    if (!session.id.valid() || !server)
        return;
    (void)copy.apply(sim::Action::of(sim::Action::Kind::cutLink));
    if (!copy.node().empty()) // its successor may be woken before the end is confirmed
        m_recorder.recordDeletion(m_shared.lock, copy.node(), command);
    m_welcomed = false;
    const auto done = whileAlive([this, one = &copy, id = session.id, command] {
        if (const auto ender = std::exchange(m_ender, nullptr)) {
            ender->drop();
            if (m_welcomed) // and the connection has ended since: the server has closed the session
                one->recordSessionGone(id, command);
            (void)one->apply(sim::Action::of(sim::Action::Kind::healLink));
        }
    });
    const auto timeout = std::chrono::duration_cast<std::chrono::milliseconds>(session.timeout);
    m_ender = std::make_shared<zk::wire::Connection>(
        m_io, tls::Security{}, kEnderCap,
        zk::wire::Connection::Callbacks{
            whileAlive([this, identity = session.identity, timeout] {
                m_ender->send(zk::wire::connectRequest(Zxid::none(),
                                                       static_cast<std::int32_t>(timeout.count()), identity));
            }),
            whileAlive([this](std::string_view) {
                if (!std::exchange(m_welcomed, true))
                    m_ender->send(zk::wire::emptyRequest(1, OpCode::closeSession));
            }),
            done});
    m_ender->connect(*server);
    m_hub.after(kEnderLimit, whileAlive([this, ender = std::weak_ptr(m_ender), done] {
                    if (!m_ender || m_ender != ender.lock())
                        return;
                    m_welcomed = false;
                    done();
                }));
}

// ---- the end of a copy, and of the run -------------------------------------------------------------------

void ProgramRun::onCopyEnded(ProgramCopy& copy, int status)
{
    if (m_stage == Stage::ending)
        return;
    if (m_target != &copy || !std::exchange(m_killing, false))
        return fail("program_ended",
                    message("%1 has ended before it was told to. %2 A copy takes the lock and gives it up "
                            "again and again, until SIGTERM.",
                            copy.name(), howEnded(status)),
                    copy.id());
    m_hub.after(kRestart, whileAlive([this, one = &copy] {
                    if (m_stage == Stage::ending)
                        return;
                    const auto started = one->start([this, one](int ended) { onCopyEnded(*one, ended); });
                    if (!started)
                        fail("program_ended", started.error().all(), one->id());
                }));
}

void ProgramRun::fail(std::string_view code, const Message& text, ClientId client)
{
    m_recorder.record(client, LockId::none(), trace::Notice{trace::Severity::error, text, code});
    finish();
}

// Idempotent. Copies are asked to leave, and killed when they do not.
void ProgramRun::finish()
{
    if (m_stage == Stage::ending || !m_finished)
        return;
    const bool pausedOne = m_target && m_target->paused();
    m_stage = Stage::ending;
    m_until = m_hub.now() + kLeave;
    if (pausedOne) {
        record(trace::CommandVerb::thaw, m_target);
        m_target->pause(false);
    }
    for (const auto& copy : m_copies)
        copy->signal(SIGTERM);
}

void ProgramRun::endIfGone()
{
    const bool all = std::ranges::none_of(m_copies, [](const auto& copy) { return copy->running(); });
    if (!all || !m_finished)
        return;
    sim::finalRefresh(m_observers,
                      whileAlive([finished = std::exchange(m_finished, nullptr)] { finished(); }));
}

void ProgramRun::abandon()
{
    m_alive.reset();
    if (const auto ender = std::exchange(m_ender, nullptr))
        ender->drop();
    for (const std::shared_ptr<sim::QueueObserver>& observer : std::exchange(m_observers, {}))
        observer->stop();
    m_copies.clear();
}

} // namespace lockscope::engine
