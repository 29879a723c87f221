// The simulated ensemble says what a real ZooKeeper says: one script of requests, played on both, logged in
// one text.
#include "tests/support/zk_world.h"
#include "tests/zk_memory/memory_test.h"

#include <algorithm>
#include <functional>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::CreateMode;

// Two sessions on a path of their own. Every request is logged with its answer, every watch when it fires.
class Script
{
public:
    using Until = std::function<void(const std::function<bool()>&)>;
    Script(zk::Session& one, zk::Session& other, std::string path, Until until)
        : m_one(one)
        , m_other(other)
        , m_path(std::move(path))
        , m_until(std::move(until))
    {}

    std::string play()
    {
        create("", CreateMode::container);
        for (const char* child : {"/n-", "/n-", "/m-"})
            create(child, CreateMode::ephemeralSequential);
        create("/plain", CreateMode::persistent);
        create("/plain", CreateMode::persistent);
        create("/missing/child", CreateMode::persistent);
        create("/n-0000000000/child", CreateMode::persistent);
        create("//wrong", CreateMode::persistent);
        create("/wrong/", CreateMode::persistent);
        create("/after-", CreateMode::persistentSequential);
        list("");
        watchData("/plain");
        write("/plain", "one");
        write("/plain", "two", 0);
        write("/plain", "two", 1);
        write("/missing", "two", 1);
        watchData("/plain");
        watchExists("/plain");
        watchChildren("");
        watchChildren("/plain");
        remove("/plain");
        remove("/plain");
        watchData("/plain");
        watchExists("/plain");
        create("/plain", CreateMode::ephemeral);
        remove("");
        read("/plain");
        read("/missing");
        write("/missing", "x");
        list("/missing");
        list("/plain");
        list("");
        return m_text;
    }

private:
    void tell(const std::string& line) { m_text += line + "\n"; }
    void tell(const std::string& what, Code code) { tell(what + ": " + describe(code).english()); }
    void tell(const std::string& what, Code code, const zk::Stat& stat)
    {
        tell(what, code);
        if (code == Code::ok)
            tell("    version " + std::to_string(stat.version) + ", cversion " +
                 std::to_string(stat.cversion) + ", children " + std::to_string(stat.numChildren) +
                 (stat.ephemeralOwner.valid() ? ", owned" : "") +
                 (stat.ephemeralOwner == m_other.id() ? " by its maker" : "") +
                 (stat.mzxid > stat.czxid ? ", written" : "") +
                 (stat.pzxid > stat.czxid ? ", had children" : ""));
    }
    // Waits for the answer, and until both sessions have heard of everything before it.
    template <class T>
    T await(const Later<T>& later)
    {
        m_until([&] { return later.arrived(); });
        for (zk::Session* session : {&m_other, &m_one}) {
            Later<Code> synced;
            session->sync("/", synced.handler());
            m_until([&] { return synced.arrived(); });
        }
        return *later;
    }
    std::string full(const std::string& node) const { return m_path + node; }
    zk::WatchHandler note(const std::string& what)
    {
        return [this, what](zk::WatchKind kind) {
            tell("    fired: " + what + " " + std::to_string(static_cast<int>(kind)));
        };
    }

    void create(const std::string& node, CreateMode mode)
    {
        Later<zk::Created> created;
        m_other.create(full(node), "data", mode, created.handler());
        const zk::Created answer = await(created);
        tell("create " + node + " -> " + (answer.path.empty() ? "" : answer.path.substr(m_path.size())),
             answer.code, answer.stat);
    }
    void remove(const std::string& node)
    {
        Later<Code> removed;
        m_other.remove(full(node), removed.handler());
        tell("remove " + node, await(removed));
    }
    void write(const std::string& node, const std::string& data, std::int32_t version = zk::kAnyVersion)
    {
        Later<zk::StatReply> written;
        m_other.setData(full(node), data, version, written.handler());
        const zk::StatReply answer = await(written);
        tell("write " + node, answer.code, answer.stat);
    }
    void read(const std::string& node)
    {
        Later<zk::Data> data;
        m_one.getData(full(node), data.handler());
        const zk::Data answer = await(data);
        tell("read " + node + " " + answer.bytes, answer.code, answer.stat);
    }
    void list(const std::string& node)
    {
        struct Names
        {
            Code code = Code::closed;
            std::vector<std::string> names;
            zk::Stat stat;
        };
        Later<Names> listed;
        m_one.getChildren(
            full(node), [deliver = listed.handler()](Code code, zk::ChildNames names, const zk::Stat& stat) {
                deliver(Names{code, {names.begin(), names.end()}, stat});
            });
        Names answer = await(listed);
        std::sort(answer.names.begin(), answer.names.end());
        std::string text = "list " + node;
        for (const std::string& name : answer.names)
            text += " " + name;
        tell(text, answer.code, answer.stat);
    }
    void watchData(const std::string& node)
    {
        Later<zk::Data> data;
        m_watches.push_back(m_one.getData(full(node), note("data of " + node), data.handler()));
        tell("watch data of " + node, await(data).code);
    }
    void watchExists(const std::string& node)
    {
        Later<zk::StatReply> reply;
        m_watches.push_back(m_one.exists(full(node), note("existence of " + node), reply.handler()));
        tell("watch existence of " + node, await(reply).code);
    }
    void watchChildren(const std::string& node)
    {
        Later<Code> listed;
        m_watches.push_back(m_one.getChildren(
            full(node), note("children of " + node),
            [deliver = listed.handler()](Code code, zk::ChildNames, const zk::Stat&) { deliver(code); }));
        tell("watch children of " + node, await(listed));
    }

    zk::Session& m_one;
    zk::Session& m_other;
    std::string m_path;
    Until m_until;
    std::string m_text;
    std::vector<zk::WatchPtr> m_watches;
};

std::string playInMemory(const std::string& path)
{
    zk::memory::VirtualClock clock;
    zk::memory::VirtualScheduler process(clock);
    zk::memory::Ensemble ensemble(clock, {});
    const auto one = ensemble.connect(process, {});
    const auto other = ensemble.connect(process, {});
    ensemble.settle();
    Script script(*one, *other, path, [&](const std::function<bool()>& arrived) {
        ensemble.settle();
        EXPECT_TRUE(arrived());
    });
    return script.play();
}

class Parity : public ZkTest
{};

TEST_F(Parity, OfEveryAnswerAndEveryWatch)
{
    const auto one = world->connect();
    const auto other = world->connect();
    std::string real;
    {
        Script script(*one, *other, path(),
                      [&](const std::function<bool()>& arrived) { world->runUntil(arrived, "the answer"); });
        real = script.play();
    }
    EXPECT_EQ(playInMemory(path()), real);
    EXPECT_THAT(real, ::testing::HasSubstr("fired: existence of /plain"));
}

} // namespace
} // namespace lockscope::tests
