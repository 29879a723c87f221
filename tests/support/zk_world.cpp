#include "tests/support/zk_world.h"

#include <algorithm>

namespace lockscope::tests {

namespace {

constexpr auto kPatience = std::chrono::minutes(3);   // an election of ZooKeeper's takes a minute at times
constexpr auto kTurn = std::chrono::milliseconds(20); // a state of another thread is looked at this often

} // namespace

void requestChildren(zk::Session& session, const std::string& path, const Later<Children>& into)
{
    session.getChildren(path,
                        [handler = into.handler()](zk::Code code, zk::ChildNames names, const zk::Stat&) {
                            handler(Children{code, {names.begin(), names.end()}});
                        });
}

ZkWorld::ZkWorld(server::ManagedServer& server)
    : m_server(server)
    , m_hub(zk::Hub::create(m_io, zk::HubOptions::ownProcess()).value())
{}

ZkWorld::~ZkWorld()
{
    if (!m_hub)
        return;
    m_observer.reset();
    for (const auto& weak : m_sessions)
        if (const auto session = weak.lock()) {
            session->thaw();
            session->close();
        }
    runUntil([&] { return *m_underWay == 0; }, "every coroutine of the test to end");
    Later<bool> closed;
    m_hub->whenClosed([handler = closed.handler()] { handler(true); });
    runUntil([&] { return closed.arrived(); }, "the sessions to be closed");
    m_hub.reset();
    m_io.restart();
    m_io.poll();
}

bool ZkWorld::runUntil(const std::function<bool()>& predicate, std::string_view what)
{
    const auto deadline = MonotonicClock::now() + kPatience;
    while (!predicate()) {
        if (MonotonicClock::now() > deadline) {
            ADD_FAILURE() << "waited in vain for " << what << "; the server says: " << m_server.logTail();
            return false;
        }
        m_io.restart();
        m_io.run_one_for(kTurn);
    }
    return true;
}

void ZkWorld::runReady()
{
    m_io.restart();
    m_io.poll();
}

zk::Code ZkWorld::settle(zk::Session& session)
{
    Later<zk::Code> synced;
    session.sync("/", synced.handler());
    runUntil([&] { return synced.arrived(); }, "the session to settle");
    runReady();
    return synced.arrived() ? *synced : zk::Code::closed;
}

HubSessionPtr ZkWorld::connecting(zk::ConnectOptions options)
{
    if (options.hosts.empty())
        options.hosts = m_server.address();
    const HubSessionPtr session = m_hub->connect(std::move(options));
    m_sessions.push_back(session);
    return session;
}

HubSessionPtr ZkWorld::connect(Duration timeout, const std::string& hosts)
{
    const HubSessionPtr session = connecting({hosts, timeout, std::chrono::seconds(25)});
    waitFor(*session, zk::SessionPhase::connected);
    return session;
}

bool ZkWorld::waitFor(zk::Session& session, zk::SessionPhase phase)
{
    return runUntil([&] { return session.phase() == phase; },
                    "the session to reach phase " + std::to_string(static_cast<int>(phase)));
}

zk::Created ZkWorld::create(zk::Session& session, const std::string& path, std::string_view data,
                            zk::CreateMode mode)
{
    Later<zk::Created> reply;
    session.create(path, data, mode, reply.handler());
    return runUntil([&] { return reply.arrived(); }, "create " + path) ? *reply : zk::Created{};
}

zk::Code ZkWorld::remove(zk::Session& session, const std::string& path)
{
    Later<zk::Code> reply;
    session.remove(path, reply.handler());
    return runUntil([&] { return reply.arrived(); }, "remove " + path) ? *reply : zk::Code::closed;
}

zk::StatReply ZkWorld::set(zk::Session& session, const std::string& path, std::string_view data)
{
    Later<zk::StatReply> reply;
    session.setData(path, data, reply.handler());
    return runUntil([&] { return reply.arrived(); }, "set " + path) ? *reply : zk::StatReply{};
}

zk::Data ZkWorld::get(zk::Session& session, const std::string& path)
{
    Later<zk::Data> reply;
    session.getData(path, reply.handler());
    return runUntil([&] { return reply.arrived(); }, "get " + path) ? *reply : zk::Data{};
}

Children ZkWorld::children(zk::Session& session, const std::string& path)
{
    Later<Children> reply;
    requestChildren(session, path, reply);
    return runUntil([&] { return reply.arrived(); }, "list " + path) ? *reply : Children{};
}

Result<void> ZkWorld::kill(zk::HubSession& session)
{
    Later<Result<void>> done;
    session.kill(done.handler());
    if (!runUntil([&] { return done.arrived(); }, "the kill to be confirmed"))
        return Error{ErrorCode::timedOut, "The kill was not confirmed.", ""};
    return *done;
}

zk::Session& ZkWorld::observer()
{
    if (!m_observer)
        m_observer = connect();
    return *m_observer;
}

std::vector<std::string> ZkWorld::children(const std::string& path)
{
    Children listed = children(observer(), path);
    EXPECT_TRUE(listed.code == zk::Code::ok || listed.code == zk::Code::noNode) << describe(listed.code);
    std::sort(listed.names.begin(), listed.names.end());
    return listed.names;
}

bool ZkWorld::exists(const std::string& path) { return get(observer(), path).code == zk::Code::ok; }

bool ZkWorld::waitForChildren(const std::string& path, std::size_t count)
{
    const auto deadline = MonotonicClock::now() + kPatience;
    while (children(path).size() != count) {
        if (MonotonicClock::now() > deadline) {
            ADD_FAILURE() << path << " has " << children(path).size() << " children instead of " << count;
            return false;
        }
        m_io.restart();
        m_io.run_one_for(kTurn);
    }
    return true;
}

std::size_t ZkWorld::watchesUnder(const std::string& path)
{
    const auto words = server::sendFourLetterWord(m_server.address(), "wchp", std::chrono::seconds(10));
    EXPECT_TRUE(words) << words.error().text();
    const auto table = server::parseWatchTable(words.value());
    std::size_t count = 0;
    for (const auto& [node, watchers] : table.value())
        if (node.starts_with(path))
            count += watchers.size();
    return count;
}

void ZkTest::SetUpTestSuite() { s_server = server::ManagedServer::start({}).value(); }
void ZkTest::TearDownTestSuite() { s_server.reset(); }

void ZkTest::SetUp()
{
    ASSERT_TRUE(s_server->resume());
    if (!s_server->running()) {
        ASSERT_TRUE(s_server->restart());
    }
    m_path = std::string("/") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    world = std::make_unique<ZkWorld>(*s_server);
}

void ZkTest::TearDown()
{
    // A test that failed half-way may have left it down.
    s_server->resume();
    if (!s_server->running()) {
        s_server->restart();
    }
    world.reset();
}

} // namespace lockscope::tests
