// Closes sessions without blocking, any number at the same time: zookeeper_close() would wait for the server,
// up to 4.5 s for each session. So the request to close the session is sent here. When the server has closed
// the connection in reply, or a limit has passed, the C handle is not connected any more, and
// zookeeper_close() returns at once. I/O thread.
#pragma once

#include "core/base/time.h"
#include "core/base/unique_function.h"
#include "core/zk/c_client/handle.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace lockscope::zk::c_client {

class HandleCloser
{
public:
    using Post = UniqueFunction<void(UniqueFunction<void()>)>;
    using Number = std::uint32_t;
    // The slot in the epoll data of a handle that is being closed; the upper half is its number.
    static constexpr std::uint32_t kSlot = 0xFFFFFFFF;

    // `post` calls functions later. The epoll set must outlive this object.
    HandleCloser(int epollFd, Post post);
    ~HandleCloser() = default; // once empty(); otherwise the library waits for each server
    HandleCloser(const HandleCloser&) = delete;
    HandleCloser& operator=(const HandleCloser&) = delete;

    // Takes over a handle that is detached from its session and not registered in the epoll set. Posts
    // `closed`, which may be empty, at the end.
    void close(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed);
    // Posts `done` when all handles that were passed to close() before have been closed.
    void whenClosed(UniqueFunction<void()> done);
    bool empty() const { return m_closing.empty(); }

    void onIo(Number number, std::uint32_t epollEvents);
    MonotonicTime deadline() const; // call expire() then; max() when there is nothing to do
    void expire(MonotonicTime now);

private:
    struct Closing
    {
        std::unique_ptr<Handle> handle;
        UniqueFunction<void()> closed;
        MonotonicTime deadline;
        int fd = -1;
        std::string unsent{};       // of the request to close the session
        bool libraryDone = false;   // the library has sent its requests
        bool watchesWrites = false; // in the epoll set
    };
    using Place = std::map<Number, Closing>::iterator;

    static bool mayGoOn(Closing& closing);
    static bool flushLibrary(Closing& closing);
    static bool send(Closing& closing);
    void watch(const Place& place, bool writes);
    void end(const Place& place);
    void postDone();

    const int m_epollFd;
    Post m_post;
    std::map<Number, Closing> m_closing; // in the order of their deadlines
    Number m_next = 0;
    struct Waiting
    {
        Number before; // waits for all handles with lower numbers
        UniqueFunction<void()> done;
    };
    std::deque<Waiting> m_waiting;
};

} // namespace lockscope::zk::c_client
