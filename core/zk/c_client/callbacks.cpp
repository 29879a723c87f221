#include "core/zk/c_client/callbacks.h"

#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/codes.h"
#include "core/zk/c_client/hub_impl.h"

#include <cstring>
#include <utility>

namespace lockscope::zk::c_client {

namespace {

std::unique_ptr<Call> take(const void* data)
{
    Call* call = static_cast<Call*>(const_cast<void*>(data)); // the library only passes it through
    return call->handle->takeCall(call);
}

// A watch exists only when its request succeeded.
void settleWatch(Call& call, int rc)
{
    WatchRecord* record = call.watch;
    if (record && rc != ZOK && !(record->alsoOnNoNode && rc == ZNONODE))
        record->handle->dropWatch(record);
}

// The handler is called after the library has returned.
template <class T>
void answer(std::unique_ptr<Call> call, T value)
{
    ReplySlot<T>* replySlot = std::get_if<ReplySlot<T>>(&call->replySlot);
    if (!call->handle->session || !replySlot)
        return;
    replySlot->answer = std::move(value);
    call->handle->session->scheduler().post([call = std::move(call)] { call->answer(); });
}

} // namespace

void onSessionEvent(zhandle_t*, int type, int state, const char*, void* context)
{
    Handle* handle = static_cast<Handle*>(context);
    if (type == ZOO_SESSION_EVENT && handle && handle->session)
        handle->session->onStateEvent(state);
}

void onWatch(zhandle_t*, int type, int, const char*, void* context)
{
    if (type == ZOO_SESSION_EVENT)
        return; // sent to every watch, consumes none
    WatchRecord* record = static_cast<WatchRecord*>(context);
    Handle* handle = record->handle;
    const WatchKind kind = watchKindOf(type).value_or(WatchKind::changed);
    // A function that runs before it may destroy the watch handle: then the shared handler is empty.
    if (handle->session)
        handle->session->scheduler().post([shared = record->handler, kind] {
            if (WatchHandler handler = std::exchange(*shared, nullptr))
                handler(kind);
        });
    handle->dropWatch(record);
}

void onCreated(int rc, const char* value, const struct ::Stat* stat, const void* data)
{
    std::unique_ptr<Call> call = take(data);
    Created created;
    created.code = codeOf(rc);
    if (rc == ZOK && value)
        created.path = value;
    if (rc == ZOK && created.path.empty())
        created.code = Code::unknown; // a node may exist, but its name is unknown
    created.stat = fromC(rc == ZOK ? stat : nullptr);
    answer(std::move(call), std::move(created));
}

void onVoid(int rc, const void* data) { answer(take(data), codeOf(rc)); }

void onSynced(int rc, const char*, const void* data) { onVoid(rc, data); }

void onData(int rc, const char* value, int length, const struct ::Stat* stat, const void* data)
{
    std::unique_ptr<Call> call = take(data);
    settleWatch(*call, rc);
    Data result;
    result.code = codeOf(rc);
    if (rc == ZOK && value && length > 0)
        result.bytes.assign(value, static_cast<std::size_t>(length));
    result.stat = fromC(rc == ZOK ? stat : nullptr);
    answer(std::move(call), std::move(result));
}

void onStat(int rc, const struct ::Stat* stat, const void* data)
{
    std::unique_ptr<Call> call = take(data);
    settleWatch(*call, rc);
    StatReply reply;
    reply.code = codeOf(rc);
    reply.stat = fromC(rc == ZOK ? stat : nullptr);
    answer(std::move(call), reply);
}

void onTransaction(int rc, const void* data)
{
    std::unique_ptr<Call> call = take(data);
    GuardedReply reply;
    reply.code = codeOf(rc);
    if (rc == ZOK)
        reply.stat = fromC(&call->results->stat);
    else { // the parts behind the one that failed have ZRUNTIMEINCONSISTENCY; without results all have the
           // code
        const GuardedResults& results = *call->results;
        reply.guardFailed = results.parts[results.count - 1].err != rc;
        if (rc == ZNOAUTH && results.parts[0].err != rc) // it may make the child of a removal, but not delete
            reply.guardFailed = false;
    }
    answer(std::move(call), reply);
}

void onChildren(int rc, const struct ::String_vector* names, const struct ::Stat* stat, const void* data)
{
    const std::unique_ptr<Call> call = take(data);
    settleWatch(*call, rc);
    CSession* session = call->handle->session;
    if (!session)
        return;
    ChildNames children;
    Code code = codeOf(rc);
    if (rc == ZOK && names && names->data && names->count > 0)
        children = ChildNames(names->data, static_cast<std::size_t>(names->count));
    std::size_t bytes = 0;
    for (const char* name : children) {
        if (!name) { // the list is malformed and was cut off by the library
            code = Code::refused;
            children = {};
            break;
        }
        bytes += std::strlen(name) + 4; // size on the wire: a length and the characters
    }
    if (call->usesListBudget)
        session->onListArrived(code == Code::ok ? std::optional(bytes) : std::nullopt);
    if (ChildrenVisitor* visitor = std::get_if<ChildrenVisitor>(&call->replySlot))
        session->hub().callGuarded(
            [&] { (*visitor)(code, children, fromC(code == Code::ok ? stat : nullptr)); });
}

} // namespace lockscope::zk::c_client
