// lock_bench_peer HOST:PORT curator|announced|queue|queue-list [asleep|write|fence]: clients of our mutex in
// a process of their own, driven as the peers are (tests/interop/peers/README.md: open, uncontended,
// contend), so that all contestants are measured in one way. A fourth word of contend, "traced", records
// every event. One I/O thread; ends when standard input ends. "asleep": the I/O thread never stays awake for
// a reply. "write", "fence": under the lock data is written, the second time by fence::write (uncontended
// only). "queue": no lock, but the requests that any lock with such a queue must make, and nothing else: a
// create and a list, sent together, a watch on the node ahead, a delete. It trusts that nothing fails, and
// bounds what a recipe can reach. "queue-list": the same, and a list after the node ahead was deleted,
// without which no client knows whether its client released the lock or gave up waiting for it.
#include "core/lock/fence.h"
#include "core/lock/internal/decide.h"
#include "core/lock/mutex.h"
#include "core/sim/tracing/trace_observer.h"
#include "core/zk/hub.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <sstream>

namespace {

using namespace lockscope;

const OwnerId kOwner{0};
const std::string kData = "/bench/data"; // exists

// Standard output may not block: it is the same socket as the input, which must not.
void say(std::string line)
{
    line += '\n';
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t count = write(STDOUT_FILENO, line.data() + sent, line.size() - sent);
        if (count > 0)
            sent += static_cast<std::size_t>(count);
        pollfd room{STDOUT_FILENO, POLLOUT, 0};
        poll(&room, 1, 1000);
    }
}

std::int64_t ticks(MonotonicTime time) { return time.time_since_epoch().count(); }

struct Hold
{
    MonotonicTime called, acquired, releasing;
};

// All clients on one lock until it was acquired `target` times.
struct Contest
{
    std::size_t target = 0;
    Duration hold{};
    std::size_t acquired = 0;
    std::size_t running = 0;
    std::vector<Hold> holds;
    std::vector<std::unique_ptr<lock::Mutex>> mutexes;
    std::unique_ptr<trace::TraceStore> store;
    std::unique_ptr<trace::Recorder> recorder;
};

enum class Inside { nothing, write, fence }; // what is done under the lock

// The library's own coroutine, as written by a user who counts microseconds.
zk::Task<void> acquireAndRelease(std::shared_ptr<zk::HubSession> session, lock::Mutex* mutex, Inside inside,
                                 int times)
{
    for (int i = 0; i < times; ++i) {
        const Result<lock::Grant> got = co_await mutex->acquire(kOwner);
        got.value();
        if (inside == Inside::write) {
            zk::Pending<zk::StatReply> written;
            session->setData(kData, "data", written.handler());
            const zk::StatReply reply = co_await written.arrival();
            if (reply.code != zk::Code::ok)
                throw ErrorException(Error{ErrorCode::internal, "The data was not written.", {}});
        } else if (inside == Inside::fence) {
            const Result<void> written =
                co_await fence::write(session, mutex->path() + "/" + got->node, kData, "data");
            written.value();
        }
        const Result<void> released = co_await mutex->release(kOwner);
        released.value();
    }
}

class Clients
{
public:
    enum class Kind { curator, announced, queue, queueList };
    Clients(std::string host, Kind kind, Inside inside, zk::HubOptions options)
        : m_host(std::move(host))
        , m_kind(kind)
        , m_inside(inside)
    {
        m_hub = zk::Hub::create(m_io, options).value();
    }
    void run()
    {
        boost::asio::co_spawn(m_io, readOrders(), boost::asio::detached);
        m_io.run();
    }

private:
    lock::MutexOptions optionsFor(const std::string& path) const
    {
        lock::MutexOptions options;
        options.path = path;
        options.handoff = m_kind == Kind::announced ? HandoffPolicy::announced : HandoffPolicy::curator;
        return options;
    }
    zk::Awaitable<void> readOrders();
    zk::Awaitable<void> obey(std::string order);
    zk::Awaitable<void> open(std::size_t count, Duration timeout);
    zk::Awaitable<void> uncontended(std::string path, int cycles);
    void contend(const std::string& path, std::size_t target, Duration hold, bool traced);
    zk::Awaitable<void> takePart(Contest* contest, lock::Mutex* mutex);
    zk::Awaitable<void> queueUp(Contest* contest, zk::SessionPtr session, std::string path,
                                std::size_t client);
    static void report(const Contest& contest);
    zk::Awaitable<void> stay(Duration hold);

    boost::asio::io_context m_io{1};
    std::string m_host;
    Kind m_kind;
    Inside m_inside;
    std::unique_ptr<zk::Hub> m_hub;
    std::vector<std::shared_ptr<zk::HubSession>> m_sessions;
    std::unique_ptr<Contest> m_contest;
};

zk::Awaitable<void> Clients::readOrders()
{
    boost::asio::posix::stream_descriptor input(m_io, dup(STDIN_FILENO));
    std::string text;
    say("ready");
    for (;;) {
        boost::system::error_code error;
        const std::size_t size = co_await boost::asio::async_read_until(
            input, boost::asio::dynamic_buffer(text), '\n',
            boost::asio::redirect_error(boost::asio::use_awaitable, error));
        if (error)
            _exit(0);
        const std::string order = text.substr(0, size - 1);
        text.erase(0, size);
        co_await obey(order);
    }
}

zk::Awaitable<void> Clients::obey(std::string order)
{
    std::istringstream words(order);
    std::string name, path, traced;
    words >> name;
    if (name == "open") {
        std::size_t count = 0;
        std::int64_t timeout = 0;
        words >> count >> timeout;
        co_await open(count, std::chrono::milliseconds(timeout));
    } else if (name == "uncontended") {
        int client = 0, cycles = 0;
        words >> client >> path >> cycles;
        co_await uncontended(path, cycles);
    } else if (name == "contend") {
        std::size_t target = 0;
        std::int64_t hold = 0;
        words >> path >> target >> hold >> traced;
        contend(path, target, std::chrono::microseconds(hold), traced == "traced");
    } else {
        say("failed 0 " + order + ": not understood");
    }
}

zk::Awaitable<void> Clients::open(std::size_t count, Duration timeout)
{
    const MonotonicTime begin = m_hub->now();
    zk::Signal changed(*m_hub);
    const std::size_t before = m_sessions.size();
    for (std::size_t i = 0; i < count; ++i) {
        m_sessions.push_back(m_hub->connect({m_host, timeout, std::chrono::seconds(120)}));
        m_sessions.back()->addListener([notify = changed.notifier()](zk::SessionPhase) { notify(); });
    }
    for (std::size_t i = before; i < m_sessions.size(); ++i)
        while (m_sessions[i]->phase() != zk::SessionPhase::connected)
            co_await changed.wait();
    say("opened " + std::to_string(count) + " " + std::to_string((m_hub->now() - begin).count()));
}

zk::Awaitable<void> Clients::uncontended(std::string path, int cycles)
{
    const std::shared_ptr<zk::HubSession> session = m_sessions.front();
    lock::Mutex mutex(session, optionsFor(path));
    co_await acquireAndRelease(session, &mutex, m_inside, cycles / 10)(boost::asio::use_awaitable); // warm
    const MonotonicTime begin = m_hub->now();
    co_await acquireAndRelease(session, &mutex, m_inside, cycles)(boost::asio::use_awaitable);
    say("uncontended " + std::to_string((m_hub->now() - begin).count()));
}

void Clients::contend(const std::string& path, std::size_t target, Duration hold, bool traced)
{
    m_contest = std::make_unique<Contest>();
    m_contest->target = target;
    m_contest->hold = hold;
    m_contest->running = m_sessions.size();
    m_contest->holds.reserve(target + m_sessions.size());
    if (traced) {
        m_contest->store = std::make_unique<trace::TraceStore>();
        m_contest->recorder = std::make_unique<trace::Recorder>(*m_contest->store);
    }
    if (m_kind == Kind::queue || m_kind == Kind::queueList) {
        for (std::size_t client = 0; client < m_sessions.size(); ++client)
            boost::asio::co_spawn(m_io, queueUp(m_contest.get(), m_sessions[client], path, client),
                                  boost::asio::detached);
        return;
    }
    for (const auto& session : m_sessions) {
        lock::MutexOptions options = optionsFor(path);
        const ClientId client{static_cast<std::uint32_t>(m_contest->mutexes.size())};
        if (traced)
            options.observer = std::make_shared<sim::TraceObserver>(*m_contest->recorder, client, LockId{0});
        m_contest->mutexes.push_back(std::make_unique<lock::Mutex>(session, options));
        boost::asio::co_spawn(m_io, takePart(m_contest.get(), m_contest->mutexes.back().get()),
                              boost::asio::detached);
    }
}

zk::Awaitable<void> Clients::takePart(Contest* contest, lock::Mutex* mutex)
{
    while (contest->acquired < contest->target) {
        Hold hold;
        hold.called = m_hub->now();
        const Result<lock::Grant> got = co_await mutex->acquire(kOwner).asResult();
        hold.acquired = m_hub->now();
        got.value();
        if (contest->hold > Duration{} && contest->acquired < contest->target)
            co_await stay(contest->hold);
        ++contest->acquired;
        hold.releasing = m_hub->now();
        const Result<void> released = co_await mutex->release(kOwner).asResult();
        released.value();
        contest->holds.push_back(hold);
    }
    if (--contest->running == 0)
        report(*contest);
}

void Clients::report(const Contest& contest)
{
    std::ostringstream lines;
    for (const Hold& hold : contest.holds)
        lines << "hold " << ticks(hold.called) << ' ' << ticks(hold.acquired) << ' ' << ticks(hold.releasing)
              << '\n';
    say(lines.str() + "contended " + std::to_string(contest.acquired));
}

zk::Pending<lock::Decision> decideByList(const zk::SessionPtr& session, const std::string& path,
                                         std::string own)
{
    zk::Pending<lock::Decision> decided;
    session->getChildren(path, [store = decided.handler(), own = std::move(own)](
                                   zk::Code, zk::ChildNames names, const zk::Stat&) mutable {
        store(lock::decide(names, own, lock::NodeNaming{}));
    });
    return decided;
}

// Its own node and the one ahead of it.
zk::Task<lock::Decision> joinQueue(zk::SessionPtr session, std::string path, std::string prefix)
{
    for (;;) {
        zk::Pending<zk::Created> created;
        session->create(path + "/" + prefix + "lock-", "", zk::CreateMode::ephemeralSequential,
                        created.handler());
        zk::Pending<lock::Decision> decided = decideByList(session, path, prefix);
        const zk::Created node = co_await created.arrival();
        const lock::Decision decision = co_await decided.arrival();
        if (node.code == zk::Code::ok)
            co_return decision;
        for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
            zk::Pending<zk::Created> parent;
            session->create(path.substr(0, end), "", zk::CreateMode::persistent, parent.handler());
            co_await parent.arrival();
            if (end == std::string::npos)
                break;
        }
    }
}

zk::Task<void> waitForTheEndOf(zk::SessionPtr session, std::string node)
{
    zk::Signal gone(session->scheduler());
    zk::Pending<zk::Data> looked;
    const zk::WatchPtr watch = session->getData(
        node, [wake = gone.notifier()](zk::WatchKind) { wake(); }, looked.handler());
    const zk::Data data = co_await looked.arrival();
    if (data.code == zk::Code::ok)
        co_await gone.next();
}

zk::Awaitable<void> Clients::queueUp(Contest* contest, zk::SessionPtr session, std::string path,
                                     std::size_t client)
{
    for (std::size_t turn = 0; contest->acquired < contest->target; ++turn) {
        char prefix[48]; // as long as a lock's; of all zeros is the node in front of the queue
        std::snprintf(prefix, sizeof prefix, "_c_%08zx-0000-0000-0000-%012zx-", client + 1, turn);
        Hold hold;
        hold.called = m_hub->now();
        lock::Decision decision = co_await joinQueue(session, path, prefix);
        while (decision.position > 0) {
            co_await waitForTheEndOf(session, path + "/" + decision.predecessor);
            if (m_kind == Kind::queue)
                break;
            const std::string own = decision.own;
            decision = co_await decideByList(session, path, own).get();
        }
        hold.acquired = m_hub->now();
        if (contest->hold > Duration{} && contest->acquired < contest->target)
            co_await stay(contest->hold);
        ++contest->acquired;
        hold.releasing = m_hub->now();
        zk::Pending<zk::Code> removed;
        session->remove(path + "/" + decision.own, removed.handler());
        co_await removed.get();
        contest->holds.push_back(hold);
    }
    if (--contest->running == 0)
        report(*contest);
}

zk::Awaitable<void> Clients::stay(Duration hold)
{
    zk::Pending<bool> over;
    m_hub->after(hold, [done = over.handler()] { done(true); });
    co_await over.get();
}

} // namespace

int main(int argc, char** argv)
{
    const std::string more = argc == 4 ? argv[3] : "";
    const bool asleep = more == "asleep";
    if (argc != 3 && !asleep && more != "write" && more != "fence") {
        std::fprintf(stderr, "usage: lock_bench_peer HOST:PORT curator|announced|queue|queue-list "
                             "[asleep|write|fence]\n");
        return 2;
    }
    const std::map<std::string, Clients::Kind> kinds{{"curator", Clients::Kind::curator},
                                                     {"announced", Clients::Kind::announced},
                                                     {"queue", Clients::Kind::queue},
                                                     {"queue-list", Clients::Kind::queueList}};
    zk::HubOptions options = zk::HubOptions::ownProcess();
    options.adaptivePolling = !asleep;
    const Inside inside = more == "write" ? Inside::write : more == "fence" ? Inside::fence : Inside::nothing;
    Clients(argv[1], kinds.at(argv[2]), inside, options).run();
    return 0;
}
