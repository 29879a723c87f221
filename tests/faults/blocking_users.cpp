#include "tests/faults/blocking_users.h"

#include "core/base/random.h"
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/blocking_semaphore.h"
#include "core/lock/blocking/client.h"
#include "core/lock/blocking/cohort_mutex.h"
#include "core/lock/blocking/leader_latch.h"

#include <condition_variable>

namespace lockscope::tests {

namespace {

using namespace std::chrono_literals;

constexpr int kThreads = 4;
// Tokens that are remembered. A call waits 300 ms at most, so that a token from before the last thousands
// of grants is as wrong as one that comes twice; to remember them all would let a long run grow.
constexpr std::size_t kTokensKept = 10'000;
constexpr auto kReportLimit = 30s; // of a loss: the server may be down or stopped meanwhile
const std::string kBlockingRoot = "/blocking";

// What the threads that share a node know of each other.
class SharedNode
{
public:
    // False: another thread has the node of this token, or a newer one.
    bool enter(Zxid token)
    {
        const std::lock_guard lock(m_mutex);
        if (token < m_token || (token == m_token && m_taken))
            return false;
        m_token = token;
        m_taken = true;
        return true;
    }
    void leave(Zxid token)
    {
        const std::lock_guard lock(m_mutex);
        if (token == m_token) // else it was lost, and another one has a newer node
            m_taken = false;
    }

private:
    std::mutex m_mutex;
    Zxid m_token{0};
    bool m_taken = false;
};

zk::Awaitable<Result<void>> kill(std::shared_ptr<zk::HubSession> session)
{
    zk::Pending<Result<void>> done;
    session->kill(done.handler());
    Result<void> killed = co_await done.get();
    co_return killed;
}

} // namespace

BlockingUsers::BlockingUsers(std::string address)
    : m_address(std::move(address))
{}

BlockingUsers::~BlockingUsers()
{
    stop();
    for (std::thread& thread : m_threads)
        thread.join();
}

void BlockingUsers::start()
{
    m_running = kThreads;
    for (int i = 0; i < kThreads; ++i)
        m_threads.emplace_back([this, i] {
            run(static_cast<std::uint64_t>(i));
            --m_running;
        });
}

std::vector<std::string> BlockingUsers::queues()
{
    return {kBlockingRoot + "/mutex",
            kBlockingRoot + "/semaphore/locks",
            kBlockingRoot + "/semaphore/leases",
            kBlockingRoot + "/one",
            kBlockingRoot + "/two",
            kBlockingRoot + "/cohort",
            kBlockingRoot + "/latch"};
}

std::vector<std::string> BlockingUsers::violations() const
{
    const std::lock_guard lock(m_mutex);
    return m_violations;
}

void BlockingUsers::violated(const std::string& what)
{
    const std::lock_guard lock(m_mutex);
    m_violations.push_back("A blocking client: " + what);
}

void BlockingUsers::granted(Zxid token)
{
    ++m_acquired;
    const std::lock_guard lock(m_mutex);
    if (token <= m_forgotten || !m_tokens.insert(token).second)
        m_violations.push_back("A blocking client was granted an old token, or one for the second time.");
    if (m_tokens.size() > kTokensKept)
        m_forgotten = m_tokens.extract(m_tokens.begin()).value(); // the oldest
}

template <class Call>
void BlockingUsers::unlessDisconnected(const Call& call)
{
    try {
        call();
    } catch (const lock::LockError& error) {
        if (error.code() != std::errc::not_connected)
            violated(error.what());
    }
}

// Each has a client of its own, so that all of them meet the server's faults alone.
void BlockingUsers::run(std::uint64_t seed)
{
    while (!m_stopping) {
        zk::ConnectOptions options;
        options.hosts = m_address;
        options.timeout = 2s;
        options.connectTimeout = 30s;
        const auto client = lock::Client::connect(options);
        if (!client)
            continue; // the server is down for as long as that
        (*client)->onError([this](const Error& error) { violated(error.text()); });
        use(**client, seed);
    }
}

void BlockingUsers::use(lock::Client& client, std::uint64_t seed)
{
    std::mutex lostMutex;
    std::condition_variable lostChanged;
    std::uint64_t lost = 0; // holds of this client; guarded by lostMutex
    const auto countLost = [&](const auto&) {
        ++m_lost;
        const std::lock_guard guard(lostMutex);
        ++lost;
        lostChanged.notify_all();
    };
    lock::BlockingMutex mutex(client, kBlockingRoot + "/mutex");
    lock::BlockingSemaphore semaphore(client, kBlockingRoot + "/semaphore", 2);
    lock::BlockingMultiLock both(client, {kBlockingRoot + "/one", kBlockingRoot + "/two"});
    lock::CohortMutex cohort(client, kBlockingRoot + "/cohort", {3, 5ms});
    lock::LeaderLatch latch(client, kBlockingRoot + "/latch", "user");
    mutex.onLost(countLost);
    both.onLost(countLost);
    semaphore.onLost(countLost);
    cohort.onLost(countLost);
    latch.onChange([this](std::optional<Zxid> token) {
        if (!token)
            return;
        ++m_led;
        granted(*token);
    });
    latch.start();
    Random random(seed);
    // Ends the session in the middle of a hold: its loss must be reported before it is unlocked.
    std::uint64_t before = 0; // lost when the acquire began
    const auto loseSometimes = [&] {
        if (random.uniform(0, 15) != 0)
            return;
        const bool killed = client.run(kill).has_value();
        std::unique_lock guard(lostMutex);
        if (killed && !lostChanged.wait_for(guard, kReportLimit, [&] { return lost != before; }))
            violated("the loss of a hold was not reported");
    };
    SharedNode node;
    const auto shareNode = [&](const auto& inside) {
        if (!cohort.try_lock_for(300ms))
            return;
        if (const std::optional<Zxid> token = cohort.token()) {
            ++m_shared;
            // A node may be lost, and the next one had, after the token was read.
            if (!node.enter(*token) && cohort.token() == token)
                violated("two threads had one node, or an old one");
            inside();
            node.leave(*token);
        }
        cohort.unlock();
    };
    std::jthread mate([&](const std::stop_token& end) {
        while (!end.stop_requested())
            unlessDisconnected([&] { shareNode([] {}); });
    });
    while (!m_stopping) {
        {
            const std::lock_guard guard(lostMutex);
            before = lost;
        }
        unlessDisconnected([&] {
            switch (random.uniform(0, 9)) {
            case 0:
                static_cast<void>(client.run(kill));
                break;
            case 1:
            case 2:
                if (const lock::HeldLeases leases = semaphore.try_acquire_for(300ms)) {
                    for (const Zxid token : leases.tokens())
                        granted(token);
                    loseSometimes();
                }
                break;
            case 3:
            case 4:
                if (both.try_lock_for(300ms)) {
                    for (const lock::PartToken& part : both.tokens())
                        granted(*part.token);
                    loseSometimes();
                    both.unlock();
                }
                break;
            case 5:
            case 6:
                shareNode(loseSometimes);
                break;
            default:
                if (mutex.try_lock_for(300ms)) {
                    if (const std::optional<Zxid> token = mutex.token())
                        granted(*token);
                    loseSometimes();
                    mutex.unlock();
                }
            }
        });
    }
}

} // namespace lockscope::tests
