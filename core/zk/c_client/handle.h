// A C handle with everything the library holds pointers to: the requests under way and the watches. Lives until
// zookeeper_close has returned, on whichever thread that is. One thread at a time.
#pragma once

#include "core/base/recycled.h"
#include "core/base/unique_function.h"
#include "core/zk/session.h"

#include <boost/intrusive/list.hpp>
#include <zookeeper/zookeeper.h>

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::zk::c_client {

class CSession;
struct Handle;

// A handler and, once it has come, its answer.
template <class T>
struct ReplySlot
{
    UniqueFunction<void(T)> handler;
    std::optional<T> answer{};
};

// One request under way: the `data` of a C completion.
struct Call : Recycled, boost::intrusive::list_base_hook<>
{
    Handle* handle = nullptr;
    std::variant<std::monostate, ReplySlot<Created>, ReplySlot<Code>, ReplySlot<Data>, ReplySlot<StatReply>, ChildrenVisitor>
        replySlot;
    struct WatchRecord* watch = nullptr; // set by this request when it succeeds
    bool usesListBudget = false;               // a list that took one of the hub's places for lists

    void answer();              // gives the handler the answer that has come
    void answerWithCode(Code code); // the code and nothing else
};

// The context of a C watch function. Freed when the watch has fired, when the request that would have set it failed,
// or with the handle; session events do not consume it.
struct WatchRecord
{
    Handle* handle = nullptr;
    // Shared with the ticket, because it is called a little after the watch fired; empty when nobody is interested.
    std::shared_ptr<WatchHandler> handler;
    class WatchHandle* watchHandle = nullptr;
    bool alsoOnNoNode = false;     // exists() keeps its watch when the node is missing
    std::list<std::unique_ptr<WatchRecord>>::iterator self;
};

class WatchHandle final : public Watch
{
public:
    explicit WatchHandle(WatchRecord* record);
    ~WatchHandle() override;
    void forget() { m_record = nullptr; }

private:
    WatchRecord* m_record; // null when the watch has fired or its handle is gone
    std::shared_ptr<WatchHandler> m_handler;
};

struct Handle
{
    zhandle_t* zh = nullptr;
    CSession* session = nullptr;   // null once detached: then callbacks only free
    int fd = -1;
    boost::intrusive::list<Call> calls; // owned
    std::list<std::unique_ptr<WatchRecord>> watches;

    Call* addCall();
    WatchRecord* addWatch(WatchHandler handler);
    std::unique_ptr<Call> takeCall(Call* call);
    void dropWatch(WatchRecord* record);
    // Cuts all ties to the session: handlers of calls under way are returned for the session to answer,
    // watch handlers are dropped.
    std::vector<std::unique_ptr<Call>> detach();
    // Blocks until the server has ended the connection (see Closer). With hurry the socket is shut down
    // first, so that nothing is waited for.
    void close(bool skipWaiting);
    ~Handle();

private:
    int duplicateSocket() const;
};

} // namespace lockscope::zk::c_client
