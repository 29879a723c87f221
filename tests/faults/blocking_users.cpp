#include "tests/faults/blocking_users.h"

#include "core/base/random.h"
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/blocking_semaphore.h"
#include "core/lock/blocking/client.h"

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
    return {kBlockingRoot + "/mutex", kBlockingRoot + "/semaphore/locks", kBlockingRoot + "/semaphore/leases",
            kBlockingRoot + "/one", kBlockingRoot + "/two"};
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
    mutex.onLost(countLost);
    both.onLost(countLost);
    semaphore.onLost(countLost);
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
    while (!m_stopping) {
        {
            const std::lock_guard guard(lostMutex);
            before = lost;
        }
        try {
            switch (random.uniform(0, 7)) {
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
            default:
                if (mutex.try_lock_for(300ms)) {
                    if (const std::optional<Zxid> token = mutex.token())
                        granted(*token);
                    loseSometimes();
                    mutex.unlock();
                }
            }
        } catch (const lock::LockError& error) {
            if (error.code() != std::errc::not_connected)
                violated(error.what());
        }
    }
}

} // namespace lockscope::tests
