// A handle of the C client, driven by poll(), every request waited for. For bare_client.cpp, which the
// session is compared with: so it includes the C client itself, as nothing else outside core/zk/c_client may.
// One thread; blocks; throws when a request fails.
#pragma once

#include "core/base/time.h"

#include <zookeeper/zookeeper.h>

#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace lockscope::bench {

inline MonotonicTime now() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }

inline void ignoreSession(zhandle_t*, int, int, const char*, void*) {}

// What the last request brought.
struct Answer
{
    bool there = false;
    int rc = 0;
    std::string path;
};

inline void onCreated(int rc, const char* path, const void* data)
{
    auto* answer = static_cast<Answer*>(const_cast<void*>(data));
    *answer = {true, rc, path ? path : ""};
}
inline void onDone(int rc, const void* data) { onCreated(rc, nullptr, data); }
inline void onRead(int rc, const char*, int, const struct Stat*, const void* data)
{
    onCreated(rc, nullptr, data);
}

inline void onListed(int rc, const struct String_vector*, const void* data) { onCreated(rc, nullptr, data); }

struct Fired
{
    bool fired = false;
    MonotonicTime at{};
};
inline void onWatch(zhandle_t*, int type, int, const char*, void* context)
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
        : m_zh(zookeeper_init2(host.c_str(), &ignoreSession, 60000, nullptr, nullptr, ZOO_NO_LOG_CLIENTENV,
                               nullptr))
    {
        zoo_set_servers_resolution_delay(m_zh, -1);
        while (zoo_state(m_zh) != ZOO_CONNECTED_STATE)
            pump({this});
    }
    ~Handle() { zookeeper_close(m_zh); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    zhandle_t* get() const { return m_zh; }

    // Gives the processor away for so long before it sleeps.
    static inline Duration awakeFor{};

    static void pump(std::initializer_list<Handle*> handles, int maxMs = 1000)
    {
        std::array<pollfd, 2> fds{};
        std::size_t count = 0;
        int wait = maxMs;
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
        const MonotonicTime awakeUntil = now() + awakeFor;
        while (awakeFor > Duration{} && poll(fds.data(), count, 0) == 0 && now() < awakeUntil)
            sched_yield();
        if (std::all_of(fds.begin(), fds.end(), [](const pollfd& fd) { return fd.revents == 0; }))
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
        zoo_acreate(m_zh, prefix.c_str(), "127.0.0.1", 9, &ZOO_OPEN_ACL_UNSAFE, ZOO_EPHEMERAL_SEQUENTIAL,
                    &onCreated, &answer);
        until(answer, "create " + prefix);
        return answer.path;
    }
    // Sends both before it waits for either.
    std::string createAndList(const std::string& parent, const std::string& name)
    {
        Answer created;
        Answer listed;
        zoo_acreate(m_zh, (parent + name).c_str(), "127.0.0.1", 9, &ZOO_OPEN_ACL_UNSAFE,
                    ZOO_EPHEMERAL_SEQUENTIAL, &onCreated, &created);
        zoo_aget_children(m_zh, parent.c_str(), 0, &onListed, &listed);
        until(created, "create in " + parent);
        until(listed, "list " + parent);
        return created.path;
    }
    // With its parents; all of it may exist.
    void makePath(const std::string& path)
    {
        for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
            Answer answer;
            zoo_acreate(m_zh, path.substr(0, end).c_str(), "", 0, &ZOO_OPEN_ACL_UNSAFE, ZOO_PERSISTENT,
                        &onCreated, &answer);
            until(answer, "make " + path, ZNODEEXISTS);
            if (end == std::string::npos)
                return;
        }
    }
    void remove(const std::string& path)
    {
        Answer answer;
        zoo_adelete(m_zh, path.c_str(), -1, &onDone, &answer);
        until(answer, "delete " + path);
    }
    void watch(const std::string& path, Fired& fired)
    {
        Answer answer;
        zoo_awget(m_zh, path.c_str(), &onWatch, &fired, &onRead, &answer);
        until(answer, "watch " + path);
    }

private:
    void until(const Answer& answer, const std::string& what, int alsoFine = ZOK)
    {
        while (!answer.there)
            pump({this});
        if (answer.rc != ZOK && answer.rc != alsoFine)
            throw std::runtime_error("The bare client failed to " + what + ": " + zerror(answer.rc));
    }
    zhandle_t* m_zh;
};

} // namespace lockscope::bench
