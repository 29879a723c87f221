// tls_bench [--sessions N] [--rounds N] [--holds N]: what TLS costs beside plain text, on one server that has
// both ports and demands certificates: the connecting of 100 sessions and of N (2,000), and the handoff
// between ten clients of our mutex, in turns, so that a noisy neighbour hits both alike. All clients are in
// this process. Prints a table in Markdown; ratios are what counts.
#include "core/lock/mutex.h"
#include "core/zk/hub.h"
#include "tests/support/secure_server.h"

#include <CLI/CLI.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace lockscope;

constexpr std::size_t kClients = 10;
const OwnerId kOwner{0};

struct Options
{
    std::size_t sessions = 2'000, rounds = 5, holds = 500;
};

struct Way
{
    const char* name;
    std::string hosts;
    tls::Security security;
};

double ms(Duration span) { return static_cast<double>(span.count()) / 1e6; }

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

[[noreturn]] void giveUp(const std::string& why)
{
    fmt::print(stderr, "tls_bench: {}\n", why);
    std::exit(1);
}

class Clients
{
public:
    Clients(const Way& way, std::size_t count)
        : m_hub(zk::Hub::create(m_io, zk::HubOptions::ownProcess()).value())
    {
        const MonotonicTime begin = monotonicNow();
        for (std::size_t i = 0; i < count; ++i)
            m_sessions.push_back(m_hub->connect({.hosts = way.hosts,
                                                 .timeout = std::chrono::seconds(60),
                                                 .connectTimeout = std::chrono::seconds(120),
                                                 .security = way.security}));
        std::size_t connected = 0;
        while (connected < count) {
            m_io.run_one_for(std::chrono::milliseconds(100));
            while (connected < count && m_sessions[connected]->phase() == zk::SessionPhase::connected)
                ++connected;
            if (monotonicNow() - begin > std::chrono::minutes(5))
                giveUp(fmt::format("{}: only {} of {} sessions are there", way.name,
                                   std::count_if(m_sessions.begin(), m_sessions.end(),
                                                 [](const auto& one) {
                                                     return one->phase() == zk::SessionPhase::connected;
                                                 }),
                                   count));
        }
        m_connected = monotonicNow() - begin;
    }
    ~Clients()
    {
        m_sessions.clear();
        m_hub.reset();
        m_io.restart();
        m_io.poll();
    }
    Clients(const Clients&) = delete;
    Clients& operator=(const Clients&) = delete;

    Duration connectedAfter() const { return m_connected; }

    // From each release to the next grant; each client holds for no time.
    std::vector<double> handoffs(const std::string& path, std::size_t holds)
    {
        lock::MutexOptions options;
        options.path = path;
        options.handoff = HandoffPolicy::announced;
        m_left = holds;
        m_running = m_sessions.size();
        for (const auto& session : m_sessions) {
            m_mutexes.push_back(std::make_unique<lock::Mutex>(session, options));
            boost::asio::co_spawn(m_io, takePart(m_mutexes.back().get()), boost::asio::detached);
        }
        while (m_running > 0)
            m_io.run_one_for(std::chrono::milliseconds(100));
        m_mutexes.clear();
        return std::move(m_handoffs);
    }

private:
    zk::Awaitable<void> takePart(lock::Mutex* mutex)
    {
        while (m_left > 0) {
            const Result<lock::Grant> got = co_await mutex->acquire(kOwner).asResult();
            if (!got)
                giveUp(got.error().text());
            if (m_released != MonotonicTime{})
                m_handoffs.push_back(ms(monotonicNow() - m_released));
            m_left -= m_left > 0 ? 1 : 0;
            m_released = monotonicNow();
            const Result<void> released = co_await mutex->release(kOwner).asResult();
            if (!released)
                giveUp(released.error().text());
        }
        --m_running;
    }

    boost::asio::io_context m_io{1};
    std::unique_ptr<zk::Hub> m_hub;
    std::vector<std::shared_ptr<zk::HubSession>> m_sessions;
    std::vector<std::unique_ptr<lock::Mutex>> m_mutexes;
    Duration m_connected{};
    std::size_t m_left = 0, m_running = 0;
    MonotonicTime m_released{};
    std::vector<double> m_handoffs;
};

struct Figures
{
    std::vector<double> connect, many, handoff;
};

void row(const char* what, const std::vector<double>& plain, const std::vector<double>& secured)
{
    fmt::print("| {} | {:.2f} ms | {:.2f} ms | {:.2f} |\n", what, median(plain), median(secured),
               median(secured) / median(plain));
}

void measure(const std::vector<Way>& ways, const Options& options)
{
    std::vector<Figures> figures(ways.size());
    for (std::size_t round = 0; round < options.rounds; ++round)
        for (std::size_t i = 0; i < ways.size(); ++i) {
            figures[i].connect.push_back(ms(Clients(ways[i], 100).connectedAfter()));
            figures[i].many.push_back(ms(Clients(ways[i], options.sessions).connectedAfter()));
        }
    for (std::size_t round = 0; round < options.rounds; ++round)
        for (std::size_t i = 0; i < ways.size(); ++i) {
            Clients clients(ways[i], kClients);
            for (const double one : clients.handoffs(fmt::format("/bench-{}-{}", round, i), options.holds))
                figures[i].handoff.push_back(one);
        }
    fmt::print("| medians of {} rounds | plain | TLS | ratio |\n|---|---|---|---|\n", options.rounds);
    row("100 sessions connected", figures[0].connect, figures[1].connect);
    row(fmt::format("{} sessions connected", options.sessions).c_str(), figures[0].many, figures[1].many);
    row("handoff, ten clients, announced", figures[0].handoff, figures[1].handoff);
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    CLI::App app("What TLS costs beside plain text");
    app.add_option("--sessions", options.sessions);
    app.add_option("--rounds", options.rounds)->check(CLI::Range(1, 100));
    app.add_option("--holds", options.holds);
    CLI11_PARSE(app, argc, argv);
    tests::Authority authority("Bench CA");
    const auto server = tests::SecureServer::start(authority, tests::SecureServer::Clients::needCertificate);
    if (!server)
        giveUp(server.error().text());
    const auto context =
        tls::load({.ca = authority.certificate(), .certificate = authority.issue({.name = "client"})});
    if (!context)
        giveUp(context.error().text());
    measure({{"plain", (*server)->plain(), {}}, {"TLS", (*server)->secure(), {*context}}}, options);
    return 0;
}
