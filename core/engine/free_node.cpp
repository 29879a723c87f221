#include "core/engine/free_node.h"

#include "core/queue/number.h"
#include "core/zk/guarded_remove.h"
#include "core/zk/pending.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <optional>
#include <utility>

namespace lockscope::engine {

namespace {

using zk::Code;

constexpr int kFreeAttempts = 50; // each with a look at the node and its parent

std::string folderOf(const std::string& path)
{
    const std::string parent(queue::parentOf(path));
    return parent.empty() ? "/" : parent;
}

Error notFreed(Code code, const std::string& path, const char* right, const std::string& rightAt)
{
    Error error{ErrorCode::internal,
                message("Nothing was deleted: the server answers for %1: %2.", path, describe(code)),
                {}};
    if (code == Code::noAuth) {
        error = {ErrorCode::noAuth,
                 message("Nothing was deleted: no permission to %1 children of %2.", right, rightAt),
                 message("Give credentials that may, with --auth-file.")};
        error.right = right;
        error.path = rightAt;
    } else if (code == Code::badArguments) {
        error = {
            ErrorCode::badUsage,
            message("Nothing was deleted: %1 has over %2 bytes with the chroot.", path, zk::kLongestRemoved),
            message("Its own client has to delete it.")};
    } else if (code == Code::notEmpty) {
        error.message = message("Nothing was deleted: %1 has children, so it is no node of a lock.", path);
    } else if (code == Code::unknown || code == Code::sessionLost || code == Code::closed) {
        error = {ErrorCode::connectionLost,
                 message("Nothing was deleted: the connection was lost before the request."),
                 message("Try again.")};
    }
    return error;
}

zk::Task<zk::StatReply> look(std::shared_ptr<zk::HubSession> session, std::string path)
{
    zk::Pending<zk::StatReply> reply;
    const zk::WatchPtr unused = session->exists(
        path, [](zk::WatchKind) {}, reply.handler());
    co_return co_await reply.arrival();
}

} // namespace

zk::Task<Result<FreedNode>> freeNode(std::shared_ptr<zk::HubSession> session, std::string path, Zxid czxid)
{
    const std::string folder = folderOf(path);
    for (int attempt = 0; attempt < kFreeAttempts; ++attempt) {
        zk::Pending<Code> synced; // a server that is behind would show a node that is gone
        session->sync(path, synced.handler());
        if (const Code code = co_await synced.arrival(); code != Code::ok)
            co_return notFreed(code, path, "read", folder);
        // The count is read before the node is: what is made in between makes the transaction fail.
        const zk::StatReply before = co_await look(session, folder);
        const zk::StatReply seen = co_await look(session, path);
        if (seen.code == Code::noNode)
            co_return FreedNode{FreedNode::Kind::gone};
        if (before.code != Code::ok || seen.code != Code::ok)
            co_return notFreed(before.code != Code::ok ? before.code : seen.code, path, "read", folder);
        if (seen.stat.czxid != czxid)
            co_return FreedNode{FreedNode::Kind::another, false, seen.stat};
        zk::Pending<zk::GuardedReply> removed;
        zk::removeWhile(*session, queue::creationsFrom(before.stat.cversion, before.stat.numChildren), path,
                        removed.handler());
        const zk::GuardedReply reply = co_await removed.arrival();
        if (reply.code == Code::ok) {
            const zk::StatReply after = co_await look(session, folder);
            co_return FreedNode{FreedNode::Kind::deleted,
                                after.code == Code::ok && after.stat.czxid == before.stat.czxid};
        }
        if (reply.code == Code::noNode && !reply.guardFailed)
            co_return FreedNode{FreedNode::Kind::gone};
        if (reply.code == Code::unknown || reply.code == Code::sessionLost || reply.code == Code::closed)
            co_return FreedNode{FreedNode::Kind::notKnown};
        if (reply.code != Code::noNode)
            co_return notFreed(reply.code, path, reply.guardFailed ? "create" : "delete", folder);
        // A child was made meanwhile: look again whether the node is still the same.
    }
    co_return Error{ErrorCode::timedOut,
                    message("Nothing was deleted: children of %1 are made all the time, so that it is never "
                            "certain that the node is still the one that was shown.",
                            folder),
                    message("Try again when fewer clients come.")};
}

Result<FreedNode> freeNode(zk::ConnectOptions options, const std::string& path, Zxid czxid,
                           const std::function<bool()>& isEnded)
{
    constexpr Duration kTurn = std::chrono::milliseconds(20);
    boost::asio::io_context io{1};
    Result<std::unique_ptr<zk::Hub>> hub = zk::Hub::create(io, zk::HubOptions::ownProcess());
    if (!hub)
        return hub.error();
    const std::string hosts = options.hosts;
    const std::shared_ptr<zk::HubSession> session = (*hub)->connect(std::move(options));
    while (session->phase() == zk::SessionPhase::connecting) {
        if (isEnded())
            return Error{ErrorCode::cancelled, message("Interrupted: nothing was deleted."), {}};
        io.run_one_for(kTurn);
    }
    if (session->phase() != zk::SessionPhase::connected)
        return session->lossReason() == zk::LossReason::authFailed
                   ? Error{ErrorCode::noAuth,
                           message("Nothing was deleted: the server refuses the credentials."),
                           {}}
                   : Error{ErrorCode::noServer,
                           message("Nothing was deleted: no server has answered at %1.", hosts),
                           {}};
    std::optional<Result<FreedNode>> outcome;
    boost::asio::co_spawn(
        io,
        [](std::shared_ptr<zk::HubSession> through, std::string node, Zxid shown,
           std::optional<Result<FreedNode>>& into) -> zk::Awaitable<void> {
            into = co_await zk::asResult(freeNode(std::move(through), std::move(node), shown));
        }(session, path, czxid, outcome),
        boost::asio::detached);
    while (!outcome) // a session that is lost answers, too
        io.run_one_for(kTurn);
    session->close();
    bool closed = false;
    (*hub)->whenClosed([&closed] { closed = true; });
    while (!closed)
        io.run_one_for(kTurn);
    return *outcome;
}

} // namespace lockscope::engine
