// A C handle with everything that the library points to: pending requests and watches. Lives until
// zookeeper_close has returned. I/O thread.
#pragma once

#include "core/base/recycled.h"
#include "core/base/unique_function.h"
#include "core/zk/hub.h"
#include "core/zk/session.h"

#include <boost/intrusive/list.hpp>
#include <zookeeper/zookeeper.h>

#include <array>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::zk::c_client {

class CSession;
struct Handle;

// A handler and, once it has arrived, its answer.
template <class T>
struct ReplySlot
{
    UniqueFunction<void(T)> handler;
    std::optional<T> answer{};
};

// Where the library writes the results of a transaction: of its guard, in one part or two, and of its write.
struct GuardedResults
{
    std::array<zoo_op_result_t, 3> parts{};
    std::size_t count = 2; // of parts that are used
    struct ::Stat stat
    {};
};

// A pending request: the `data` of a C completion.
struct Call : Recycled, boost::intrusive::list_base_hook<>
{
    Handle* handle = nullptr;
    std::variant<std::monostate, ReplySlot<Created>, ReplySlot<Code>, ReplySlot<Data>, ReplySlot<StatReply>,
                 ReplySlot<GuardedReply>, ChildrenVisitor>
        replySlot;
    std::unique_ptr<GuardedResults> results; // of a transaction
    struct WatchRecord* watch = nullptr;     // the watch that takes effect when this request succeeds
    bool usesListBudget = false;             // a list of children that counts in the list budget

    void answer();                  // calls the handler with the answer
    void answerWithCode(Code code); // calls the handler with the code only
};

// The context of a C watch function. Freed when the watch has fired, when its request failed, or with the
// handle; session events do not consume it.
struct WatchRecord
{
    Handle* handle = nullptr;
    // Shared with the watch handle, because it is called a little after the watch fired; empty after the
    // destruction of the watch handle.
    std::shared_ptr<WatchHandler> handler;
    class WatchHandle* watchHandle = nullptr;
    bool alsoOnNoNode = false; // exists() keeps its watch when the node is missing
    std::list<std::unique_ptr<WatchRecord>>::iterator self;
};

class WatchHandle final : public Watch
{
public:
    explicit WatchHandle(WatchRecord* record);
    ~WatchHandle() override;
    void forget() { m_record = nullptr; }

private:
    WatchRecord* m_record; // null when the watch has fired or been dropped, or its C handle is detached
    std::shared_ptr<WatchHandler> m_handler;
};

struct Handle
{
    zhandle_t* zh = nullptr;
    CSession* session = nullptr; // null once detached: callbacks then only free memory
    int fd = -1;
    boost::intrusive::list<Call> calls; // owned
    std::list<std::unique_ptr<WatchRecord>> watches;

    Call* addCall();
    WatchRecord* addWatch(WatchHandler handler);
    std::unique_ptr<Call> takeCall(Call* call);
    void dropWatch(WatchRecord* record);
    // Detaches the handle from the session: returns the pending calls for the session to answer, and drops
    // watch handlers.
    std::vector<std::unique_ptr<Call>> detach();
    bool isConnected() const;
    // Breaks the connection, if there is one, and frees the library's handle. Does not block:
    // zookeeper_close() sends nothing when it is not connected. `notASocket`: any descriptor that is none.
    void close(int notASocket);
    ~Handle();
};

} // namespace lockscope::zk::c_client
