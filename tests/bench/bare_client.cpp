#include "tests/bench/bare_client.h"

#include "tests/bench/bare_client_handle.h"

namespace lockscope::bench {

namespace {
const std::string kNode = "/_c_00000000-0000-0000-0000-000000000000-lock-";
}

struct BareClient::Impl
{
    Handle handle;
};

BareClient::BareClient(const std::string& host, bool awake)
{
    Handle::awakeFor = std::chrono::microseconds(awake ? 200 : 0);
    zoo_set_debug_level(ZOO_LOG_LEVEL_ERROR);
    m_impl.reset(new Impl{Handle(host)});
}

BareClient::~BareClient() = default;

void BareClient::makePath(const std::string& path) { m_impl->handle.makePath(path); }

double BareClient::createDelete(const std::string& parent, int cycles, bool withList)
{
    Handle& handle = m_impl->handle;
    handle.makePath(parent);
    MonotonicTime begin = now();
    for (int i = -cycles / 10; i < cycles; ++i) {
        if (i == 0)
            begin = now(); // warm
        handle.remove(withList ? handle.createAndList(parent, kNode) : handle.create(parent + kNode));
    }
    return std::chrono::duration<double>(now() - begin).count();
}

std::vector<Duration> bareDeleteToEvent(const std::string& host, const std::string& parent, int times,
                                        Duration rest)
{
    zoo_set_debug_level(ZOO_LOG_LEVEL_ERROR);
    Handle owner(host);
    Handle watcher(host);
    owner.makePath(parent);
    std::vector<Duration> latencies;
    for (int i = 0; i < times; ++i) {
        const std::string path = owner.create(parent + kNode);
        Fired fired;
        watcher.watch(path, fired);
        // The same pause as a hold: what comes after a rest is slower than what comes in a burst.
        for (const MonotonicTime rested = now() + rest; now() < rested;)
            poll(nullptr, 0, 1);
        Answer answer;
        const MonotonicTime begin = now();
        zoo_adelete(owner.get(), path.c_str(), -1, &onDone, &answer);
        while (!fired.fired || !answer.there)
            Handle::pump({&owner, &watcher});
        latencies.push_back(fired.at - begin);
    }
    return latencies;
}

struct FirstInLine::Impl
{
    Handle handle;
    std::string node;
};

FirstInLine::FirstInLine(const std::string& host, const std::string& path, const std::string& namePrefix)
    : m_impl(new Impl{Handle(host), {}})
{
    m_impl->handle.makePath(path);
    m_impl->node = m_impl->handle.create(path + "/" + namePrefix);
}

FirstInLine::~FirstInLine() = default;

void FirstInLine::stay() { Handle::pump({&m_impl->handle}, 10); }

void FirstInLine::letGo() { m_impl->handle.remove(m_impl->node); }

} // namespace lockscope::bench
