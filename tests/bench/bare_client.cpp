#include "tests/bench/bare_client.h"

#include <zookeeper/zookeeper.h>

#include <poll.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lockscope::bench {

namespace {

MonotonicTime now() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }

void ignoreSession(zhandle_t*, int, int, const char*, void*) {}

// What the last request brought.
struct Answer
{
    bool there = false;
    int rc = 0;
    std::string path;
};

void onCreated(int rc, const char* path, const void* data)
{
    auto* answer = static_cast<Answer*>(const_cast<void*>(data));
    *answer = {true, rc, path ? path : ""};
}
void onDone(int rc, const void* data) { onCreated(rc, nullptr, data); }
void onRead(int rc, const char*, int, const struct Stat*, const void* data) { onCreated(rc, nullptr, data); }

struct Fired
{
    bool fired = false;
    MonotonicTime at{};
};
void onWatch(zhandle_t*, int type, int, const char*, void* context)
{
    if (type == ZOO_SESSION_EVENT)
        return;
    auto* fired = static_cast<Fired*>(context);
    *fired = {true, now()};
}

class Handle
{
public:
    explicit Handle(const std::string& host)
        : m_zh(zookeeper_init2(host.c_str(), &ignoreSession, 10000, nullptr, nullptr, ZOO_NO_LOG_CLIENTENV, nullptr))
    {
        zoo_set_servers_resolution_delay(m_zh, -1);
        while (zoo_state(m_zh) != ZOO_CONNECTED_STATE)
            pump({this});
    }
    ~Handle() { zookeeper_close(m_zh); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    zhandle_t* get() const { return m_zh; }

    static void pump(std::initializer_list<Handle*> handles)
    {
        std::array<pollfd, 2> fds{};
        std::size_t count = 0;
        int wait = 1000;
        for (Handle* handle : handles) {
            int fd = -1;
            int interest = 0;
            timeval time{0, 0};
            zookeeper_interest(handle->m_zh, &fd, &interest, &time);
            short events = 0;
            if (interest & ZOOKEEPER_READ)
                events |= POLLIN;
            if (interest & ZOOKEEPER_WRITE)
                events |= POLLOUT;
            fds[count++] = {fd, events, 0};
            wait = std::min<int>(wait, static_cast<int>(time.tv_sec * 1000 + time.tv_usec / 1000) + 1);
        }
        poll(fds.data(), count, wait);
        std::size_t i = 0;
        for (Handle* handle : handles) {
            int events = 0;
            if (fds[i].revents & (POLLIN | POLLHUP | POLLERR))
                events |= ZOOKEEPER_READ;
            if (fds[i].revents & POLLOUT)
                events |= ZOOKEEPER_WRITE;
            ++i;
            if (events)
                zookeeper_process(handle->m_zh, events);
        }
    }

    std::string create(const std::string& prefix)
    {
        Answer answer;
        zoo_acreate(m_zh, prefix.c_str(), "127.0.0.1", 9, &ZOO_OPEN_ACL_UNSAFE, ZOO_EPHEMERAL_SEQUENTIAL, &onCreated,
                    &answer);
        until(answer);
        return answer.path;
    }
    void remove(const std::string& path)
    {
        Answer answer;
        zoo_adelete(m_zh, path.c_str(), -1, &onDone, &answer);
        until(answer);
    }
    void watch(const std::string& path, Fired& fired)
    {
        Answer answer;
        zoo_awget(m_zh, path.c_str(), &onWatch, &fired, &onRead, &answer);
        until(answer);
    }

private:
    void until(const Answer& answer)
    {
        while (!answer.there)
            pump({this});
        if (answer.rc != ZOK)
            throw std::runtime_error(std::string("The bare client failed: ") + zerror(answer.rc));
    }
    zhandle_t* m_zh;
};

} // namespace

double bareCreateDelete(const std::string& host, const std::string& parent, int cycles)
{
    Handle handle(host);
    const std::string prefix = parent + "/_c_00000000-0000-0000-0000-000000000000-lock-";
    for (int i = 0; i < cycles / 10; ++i)
        handle.remove(handle.create(prefix)); // warm up
    const MonotonicTime begin = now();
    for (int i = 0; i < cycles; ++i)
        handle.remove(handle.create(prefix));
    return std::chrono::duration<double>(now() - begin).count();
}

std::vector<Duration> bareDeleteToEvent(const std::string& host, const std::string& parent, int times)
{
    Handle owner(host);
    Handle watcher(host);
    std::vector<Duration> latencies;
    for (int i = 0; i < times; ++i) {
        const std::string path = owner.create(parent + "/_c_00000000-0000-0000-0000-000000000000-lock-");
        Fired fired;
        watcher.watch(path, fired);
        // The same pause as a hold of 2 ms: what comes after a rest is slower than what comes in a burst.
        const MonotonicTime rested = now() + std::chrono::milliseconds(2);
        while (now() < rested)
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

} // namespace lockscope::bench
