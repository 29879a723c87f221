#include "tests/faults/nemesis.h"

#include "tests/faults/sleep.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace lockscope::tests {

namespace {

using Kind = Nemesis::Kind;

constexpr Duration kMoment = std::chrono::milliseconds(20);
constexpr Duration kHolderTurn = std::chrono::milliseconds(1);
constexpr Duration kHolderPatience = std::chrono::seconds(1);
constexpr int kCheapPerRound = 4;

constexpr std::array<std::string_view, Nemesis::kKinds> kNames = {
    "kill_session",     "kill_holder",      "freeze_short",      "freeze_long",      "freeze_holder",
    "reset_connection", "reset_many",       "cut_short",         "cut_long",         "mute",
    "lose_reply",       "lose_request",     "server_stop_short", "server_stop_long", "server_kill_restart",
    "server_down_long", "server_stop_kill", "follower_lags",     "leader_stands",    "leader_killed",
    "rolling_restart",  "slow_disk",        "clocks_jump",
};

// Faults after which all clients continue at once; the others keep a lock busy until a session has expired.
bool isCheap(Kind kind)
{
    switch (kind) {
    case Kind::killSession:
    case Kind::killHolder:
    case Kind::resetConnection:
    case Kind::resetMany:
    case Kind::loseReply:
    case Kind::loseRequest:
        return true;
    default:
        return false;
    }
}

bool isHolder(const Worker& worker) { return worker.holds(); }

} // namespace

bool Nemesis::applies(Kind kind, const FaultRunOptions& options)
{
    if (kind >= Kind::slowDisk)
        return options.serverFaults != nullptr;
    if (options.members == 1)
        return kind < Kind::followerLags;
    return kind < Kind::resetConnection || kind >= Kind::followerLags;
}

std::string_view Nemesis::name(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

Nemesis::Nemesis(FaultContext& field, std::vector<std::shared_ptr<Worker>>& workers,
                 ServerThread& serverThread, std::function<bool()> isStalled)
    : m_context(field)
    , m_workers(workers)
    , m_serverThread(serverThread)
    , m_isStalled(std::move(isStalled))
    , m_random(field.options.seed)
{}

void Nemesis::start()
{
    spawn(injectClientFaults());
    spawn(injectServerFaults());
}

void Nemesis::stop()
{
    m_stopped = true;
    endOpenFaults();
}

void Nemesis::endOpenFaults()
{
    for (auto& [number, end] : std::exchange(m_open, {}))
        end();
}

bool Nemesis::hasInjectedAll() const
{
    for (std::size_t i = 0; i < kKinds; ++i)
        if (m_counts[i] == 0 && applies(static_cast<Kind>(i), m_context.options))
            return false;
    return true;
}

template <class Wanted>
std::shared_ptr<Worker> Nemesis::pickWorker(Wanted wanted)
{
    const auto count = static_cast<std::int64_t>(m_workers.size());
    const auto first = m_random.uniform(0, count - 1);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto& worker = m_workers[static_cast<std::size_t>((first + i) % count)];
        if (worker->connected() && !worker->session()->frozen() && wanted(*worker))
            return worker;
    }
    return nullptr;
}

void Nemesis::spawn(zk::Awaitable<void> work)
{
    const auto keepAlive = [](std::shared_ptr<Nemesis> self,
                              zk::Awaitable<void> inner) -> zk::Awaitable<void> {
        ++self->m_running;
        co_await std::move(inner);
        --self->m_running;
    };
    boost::asio::co_spawn(m_context.hub.executor(), keepAlive(shared_from_this(), std::move(work)),
                          boost::asio::detached);
}

Duration Nemesis::between(Duration low, Duration high)
{
    return Duration{m_random.uniform(low.count(), high.count())};
}

zk::Awaitable<void> Nemesis::rest(Duration pause)
{
    const MonotonicTime until = m_context.hub.now() + pause;
    while (!m_stopped && m_context.hub.now() < until)
        co_await sleepFor(&m_context.hub, std::min<Duration>(kMoment, until - m_context.hub.now()));
}

// Is over when its time has come, or at stop().
void Nemesis::openFault(Duration time, UniqueFunction<void()> end)
{
    if (m_stopped) {
        end();
        return;
    }
    const std::uint64_t number = m_nextOpen++;
    m_open.emplace(number, std::move(end));
    m_context.hub.after(time, [weak = weak_from_this(), number] {
        const auto self = weak.lock();
        if (!self)
            return;
        const auto found = self->m_open.find(number);
        if (found == self->m_open.end())
            return;
        UniqueFunction<void()> over = std::move(found->second);
        self->m_open.erase(found);
        over();
    });
}

// ---- clients
// ---------------------------------------------------------------------------------------------------

std::vector<Kind> Nemesis::clientRound()
{
    std::vector<Kind> round;
    for (std::size_t i = 0; i < kClientKinds; ++i) {
        const auto kind = static_cast<Kind>(i);
        if (applies(kind, m_context.options))
            round.insert(round.end(), isCheap(kind) ? kCheapPerRound : 1, kind);
    }
    for (std::size_t i = round.size(); i > 1; --i)
        std::swap(round[i - 1],
                  round[static_cast<std::size_t>(m_random.uniform(0, static_cast<std::int64_t>(i) - 1))]);
    return round;
}

zk::Awaitable<void> Nemesis::injectClientFaults()
{
    while (!m_stopped) {
        const std::vector<Kind> round = clientRound();
        for (const Kind kind : round) {
            const int ease = m_context.options.reducesRate && hasInjectedAll() ? kRateDivisor : 1;
            co_await rest(between(Duration{}, m_context.options.pause * 2 * ease));
            if (m_stopped)
                co_return;
            while (m_quiet && !m_stopped) {
                co_await rest(kMoment);
            }
            if (kind == Kind::killHolder || kind == Kind::freezeHolder) {
                co_await waitForHolder();
            }
            inject(kind);
        }
    }
}

// Holds are short: at most moments no client holds.
zk::Awaitable<void> Nemesis::waitForHolder()
{
    const MonotonicTime until = m_context.hub.now() + kHolderPatience;
    while (!m_stopped && m_context.hub.now() < until && !pickWorker(isHolder))
        co_await sleepFor(&m_context.hub, kHolderTurn);
}

void Nemesis::inject(Kind kind)
{
    const auto anyWorker = [](const Worker&) { return true; };
    const auto relayed = [](Worker& worker) { return worker.relay() != nullptr; };
    const bool onHolder = kind == Kind::killHolder || kind == Kind::freezeHolder;
    const bool onLink = kind >= Kind::resetConnection;
    const std::shared_ptr<Worker> worker = onHolder ? pickWorker(isHolder)
                                           : onLink ? pickWorker(relayed)
                                                    : pickWorker(anyWorker);
    if (!worker)
        return;
    const Duration brief = between(kMoment, m_context.options.shortestTimeout / 2);
    const Duration lasting = worker->session()->timeout() + between(kMoment, kOverTimeout);
    done(kind);
    switch (kind) {
    case Kind::killSession:
    case Kind::killHolder:
        return kill(worker);
    case Kind::freezeShort:
        return freeze(worker, brief);
    case Kind::freezeLong:
    case Kind::freezeHolder:
        return freeze(worker, lasting);
    case Kind::resetConnection:
        return reset(worker);
    case Kind::resetMany:
        for (const auto& each : m_workers)
            if (each->relay() && each->connected() && m_random.uniform(0, 1) == 1)
                reset(each);
        return;
    case Kind::cutShort:
        return cut(worker, brief);
    case Kind::cutLong:
        return cut(worker, lasting);
    case Kind::muteConnection:
        return mute(worker);
    default:
        return spawn(losePacket(worker, kind == Kind::loseReply));
    }
}

void Nemesis::kill(const std::shared_ptr<Worker>& worker)
{
    const auto fault = worker->contact().begin(Cause::killed, m_context.hub.now());
    worker->session()->kill([self = shared_from_this(), worker, fault](const Result<void>& killed) {
        self->m_killed += killed ? 1 : 0;
        worker->endFault(fault);
    });
}

void Nemesis::freeze(const std::shared_ptr<Worker>& worker, Duration time)
{
    const auto fault = worker->contact().begin(Cause::frozen, m_context.hub.now());
    worker->freeze();
    openFault(time, [worker, fault] {
        worker->thaw();
        worker->endFault(fault);
    });
}

void Nemesis::reset(const std::shared_ptr<Worker>& worker)
{
    const auto fault = worker->contact().begin(Cause::connectionReset, m_context.hub.now());
    worker->relay()->cut();
    worker->relay()->heal();
    worker->endFault(fault);
}

void Nemesis::cut(const std::shared_ptr<Worker>& worker, Duration time)
{
    const auto fault = worker->contact().begin(Cause::linkCut, m_context.hub.now());
    worker->relay()->cut();
    openFault(time, [worker, fault] {
        worker->relay()->heal();
        worker->endFault(fault);
    });
}

// For the rest of this connection only, which the client drops when there is no answer.
void Nemesis::mute(const std::shared_ptr<Worker>& worker)
{
    const auto fault = worker->contact().begin(Cause::linkMuted, m_context.hub.now());
    worker->relay()->muteConnection(worker->relay()->connections());
    worker->endFault(fault);
}

zk::Awaitable<void> Nemesis::losePacket(std::shared_ptr<Worker> worker, bool reply)
{
    using Op = LossyRelay::Op;
    static constexpr std::array<Op, 6> kOps = {Op::create, Op::create,  Op::list,
                                               Op::remove, Op::getData, Op::setData};
    if (!m_losing.insert(worker->id()).second)
        co_return;
    const int before = worker->relay()->losses();
    const Op op = kOps[static_cast<std::size_t>(m_random.uniform(0, kOps.size() - 1))];
    if (reply)
        worker->relay()->loseReplyTo(op);
    else
        worker->relay()->loseRequest(op);
    while (!m_stopped && worker->relay()->losses() == before)
        co_await sleepFor(&m_context.hub, kMoment);
    m_losing.erase(worker->id());
    if (worker->relay()->losses() == before)
        co_return;
    ++m_lost;
    worker->endFault(worker->contact().begin(Cause::packetLost, m_context.hub.now()));
}

} // namespace lockscope::tests
