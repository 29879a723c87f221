// Describes transitions, for logs.
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

namespace lockscope::zk::memory {

namespace {

std::string quoted(const std::string& data) { return data.empty() ? std::string() : " \"" + data + "\""; }

std::string text(const Request& request)
{
    const std::string watching = request.watch ? " and watch" : "";
    switch (request.op) {
    case OpCode::create:
        return "create " + request.path + (isSequential(request.mode) ? "#" : "") +
               (isEphemeral(request.mode) ? " (ephemeral)" : "");
    case OpCode::remove:
        return "delete " + request.path;
    case OpCode::getChildren:
        return "list " + request.path + watching;
    case OpCode::getData:
        return "read " + request.path + watching;
    case OpCode::exists:
        return "ask for " + request.path + watching;
    case OpCode::setData:
        return "write " + request.path + quoted(request.data);
    case OpCode::sync:
        return "sync";
    case OpCode::setWatches: {
        std::string all = "set watches again:";
        for (const auto* paths : {&request.watches.data, &request.watches.exists, &request.watches.children})
            for (const std::string& path : *paths)
                all += " " + path;
        return all;
    }
    case OpCode::closeSession:
        return "close the session";
    default:
        break;
    }
    return {};
}

std::string text(WatchKind kind)
{
    switch (kind) {
    case WatchKind::deleted:
        return "deleted";
    case WatchKind::changed:
        return "changed";
    case WatchKind::created:
        return "created";
    case WatchKind::childrenChanged:
        return "has other children";
    }
    return {};
}

std::string textOfReply(const ServerMessage& message)
{
    std::string result = message.code == Code::ok ? std::string("ok") : describe(message.code).english();
    switch (message.op) {
    case OpCode::create:
        return "created: " + (message.code == Code::ok ? message.path : result);
    case OpCode::remove:
        return "delete: " + result;
    case OpCode::getChildren:
        result = message.code == Code::ok ? "" : " " + result;
        for (const std::string& child : message.children)
            result += " " + child;
        return "list:" + (result.empty() ? " empty" : result);
    case OpCode::getData:
        return "read: " + result + quoted(message.data);
    case OpCode::exists:
        return "there: " + result;
    case OpCode::setData:
        return "written: " + result;
    default:
        return "synced: " + result;
    }
}

std::string text(const ServerMessage& message)
{
    switch (message.kind) {
    case MessageKind::connected:
        return "connected";
    case MessageKind::expired:
        return "the session has expired";
    case MessageKind::disconnected:
        return "the connection is lost";
    case MessageKind::event:
        return "watch: " + message.path + " " + text(message.watch);
    case MessageKind::reply:
        return textOfReply(message);
    }
    return {};
}

std::string text(const Transaction& transaction)
{
    switch (transaction.change) {
    case Change::none:
        return "a refusal";
    case Change::sessionOpened:
        return "a session begins";
    case Change::sessionClosed: {
        std::string all = "a session ends";
        for (const std::string& path : transaction.gone)
            all += ", " + path + " goes";
        return all;
    }
    case Change::created:
        return transaction.path + " made";
    case Change::removed:
        return transaction.path + " deleted";
    case Change::dataSet:
        return transaction.path + " written" + quoted(transaction.data);
    case Change::sequenceNumbersSkipped:
        return transaction.path + " skips " + std::to_string(transaction.numbers) + " numbers";
    }
    return {};
}

} // namespace

std::string Ensemble::describe(const Transition& transition) const
{
    const std::string session = "session " + std::to_string(transition.session);
    const std::string server = "server " + std::to_string(transition.server);
    switch (transition.kind) {
    case TransitionKind::connect:
        return session + " tries " + server;
    case TransitionKind::serve:
        return session + " -> " + server + "  " + text(m_sessions[transition.session].requests.front());
    case TransitionKind::apply:
        return server + " applies  " + text(*nextOf(transition.server));
    case TransitionKind::deliver:
        return session + " <-  " + text(m_sessions[transition.session].messages.front());
    case TransitionKind::expire:
        return session + " expires";
    }
    return {};
}

} // namespace lockscope::zk::memory
