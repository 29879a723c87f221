// A right use of LockScope's own library, for lockscope-cli judge -- ./lockscope_right. It has the lock only
// while the session is connected; when the connection is suspended it stops at once. The token is the one of
// the lock. Its session timeout is its argument, in milliseconds.
#include <lockscope/lock/blocking/blocking_mutex.h>
#include <lockscope/lock/blocking/client.h>

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

namespace lock = lockscope::lock;
namespace zk = lockscope::zk;
using namespace std::chrono_literals;

namespace {

void say(const std::string& line)
{
    const std::string text = line + "\n";
    if (::write(STDOUT_FILENO, text.data(), text.size()) < 0)
        std::exit(1);
}

// Whether we may do what the lock protects. Its lines are in order, whoever says them.
class Claim
{
public:
    int connection()
    {
        const std::lock_guard guard(m_mutex);
        return m_connection;
    }
    bool begin(int connection, lock::Zxid token)
    {
        const std::lock_guard guard(m_mutex);
        if (connection != m_connection)
            return false; // contact was lost while we waited: what was read may be old
        m_on = true;
        say("acquired " + std::to_string(token.value));
        return true;
    }
    void end()
    {
        const std::lock_guard guard(m_mutex);
        finish();
    }
    void lostContact()
    {
        const std::lock_guard guard(m_mutex);
        ++m_connection;
        finish();
    }
    void work()
    {
        std::unique_lock guard(m_mutex);
        m_ended.wait_for(guard, 50ms, [this] { return !m_on; });
    }

private:
    void finish()
    {
        if (m_on)
            say("released");
        m_on = false;
        m_ended.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_ended;
    int m_connection = 0; // counts the losses of contact
    bool m_on = false;
};

} // namespace

int main(int argc, char** argv)
{
    zk::ConnectOptions options;
    options.hosts = std::getenv("LOCKSCOPE_CONNECT");
    options.timeout = std::chrono::milliseconds(argc > 1 ? std::atoi(argv[1]) : 4000);
    auto client = lock::Client::connect(options, zk::HubOptions::ownProcess());
    if (!client) {
        std::cerr << client.error().text() << "\n";
        return 1;
    }
    Claim claim;
    (*client)->onPhase([&](zk::SessionPhase phase) {
        if (phase != zk::SessionPhase::connected)
            claim.lostContact();
    });
    lock::BlockingMutex mutex(**client, std::getenv("LOCKSCOPE_LOCK"));
    mutex.onLost([&](const lock::LostHold&) { claim.lostContact(); });
    while (true) {
        try {
            const int connection = claim.connection();
            mutex.lock();
            const auto token = mutex.token(); // none: lost again
            if (token && claim.begin(connection, *token)) {
                claim.work();
                claim.end(); // before it is given up
            }
            mutex.unlock();
        } catch (const std::exception& error) {
            std::cerr << error.what() << "\n";
            std::this_thread::sleep_for(100ms);
        }
    }
}
