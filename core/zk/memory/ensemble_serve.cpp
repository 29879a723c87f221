// Executes requests: writes become transactions; reads use the tree of the server.
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::memory {

namespace {

std::uint64_t mixBits(std::uint64_t value)
{
    value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
    return value ^ (value >> 29);
}

} // namespace

void Ensemble::serve(std::uint32_t session)
{
    Record& record = m_sessions[session];
    const Request request = std::move(record.requests.front());
    record.requests.pop_front();
    if (request.op == OpCode::closeSession) {
        endSession(session);
        return;
    }
    if (request.op == OpCode::setWatches) {
        setWatches(record, request.watches);
        return;
    }
    const bool refused = refuses(record, request);
    ServerMessage reply;
    if (refused)
        reply.code = record.refusal;
    else
        reply = executeRequest(record, request);
    reply.kind = MessageKind::reply;
    reply.id = record.linked ? request.id : 0;
    reply.op = request.op;
    const bool read = refused || request.op == OpCode::getChildren || request.op == OpCode::getData ||
                      request.op == OpCode::exists;
    if (read) {
        this->reply(record, std::move(reply));
        return;
    }
    // The server answers after it has applied the transaction; later requests of the session wait for that.
    const Zxid until = m_log.empty() ? Zxid{0} : m_log.back().zxid;
    if (until <= m_trees[record.server].applied())
        this->reply(record, std::move(reply));
    else
        record.waiting = Waiting{until, std::move(reply)};
}

// Whether refuseRequests() applies to this request, which is then not executed.
bool Ensemble::refuses(Record& record, const Request& request)
{
    if (record.refusals == 0 || !record.linked || (record.refusedKind && *record.refusedKind != request.op))
        return false;
    --record.refusals;
    return true;
}

void Ensemble::reply(Record& record, ServerMessage message)
{
    if (!record.linked || !record.client)
        return;
    message.zxid = m_trees[record.server].applied();
    record.messages.push_back(std::move(message));
}

ServerMessage Ensemble::executeRequest(Record& record, const Request& request)
{
    ServerMessage reply;
    switch (request.op) {
    case OpCode::create:
        createNode(record, request, reply);
        break;
    case OpCode::remove:
        removeNode(record, request, reply);
        break;
    case OpCode::setData:
        setNodeData(record, request, reply);
        break;
    case OpCode::getChildren:
    case OpCode::getData:
    case OpCode::exists:
        read(record, request, reply);
        break;
    default: // a sync only waits
        break;
    }
    return reply;
}

void Ensemble::createNode(Record& record, const Request& request, ServerMessage& reply)
{
    const Znode* parent = m_head.find(parentOf(request.path));
    std::string path = request.path;
    if (parent && isSequential(request.mode))
        path = numbered(path, parent->creates);
    if (!parent)
        reply.code = Code::noNode;
    else if (m_head.find(path))
        reply.code = Code::nodeExists;
    else if (parent->owner.valid())
        reply.code = Code::noChildrenForEphemerals;
    if (reply.code != Code::ok) {
        append({.change = Change::none});
        return;
    }
    append({.change = Change::created,
            .session = record.id,
            .path = path,
            .data = request.data,
            .mode = request.mode});
    reply.path = path;
    reply.stat = m_head.find(path)->stat();
}

void Ensemble::removeNode(Record& record, const Request& request, ServerMessage& reply)
{
    const Znode* node = m_head.find(request.path);
    if (!node)
        reply.code = Code::noNode;
    else if (request.path == "/")
        reply.code = Code::badArguments;
    else if (!node->children.empty())
        reply.code = Code::notEmpty;
    append(reply.code == Code::ok
               ? Transaction{.change = Change::removed, .session = record.id, .path = request.path}
               : Transaction{.change = Change::none});
}

void Ensemble::setNodeData(Record& record, const Request& request, ServerMessage& reply)
{
    const Znode* node = m_head.find(request.path);
    if (!node)
        reply.code = Code::noNode;
    else if (request.version != kAnyVersion && request.version != node->version)
        reply.code = Code::badVersion;
    if (reply.code != Code::ok) {
        append({.change = Change::none});
        return;
    }
    append({.change = Change::dataSet, .session = record.id, .path = request.path, .data = request.data});
    reply.stat = m_head.find(request.path)->stat();
}

void Ensemble::read(Record& record, const Request& request, ServerMessage& reply)
{
    const Tree& tree = m_trees[record.server];
    const Znode* node = tree.find(request.path);
    const bool watches = request.watch && record.linked;
    if (!node) {
        reply.code = Code::noNode;
        if (watches && request.op == OpCode::exists)
            addOnce(record.dataWatches, request.path);
        return;
    }
    reply.stat = node->stat();
    if (request.op == OpCode::getChildren)
        reply.children = listed(tree, request.path, *node);
    else if (request.op == OpCode::getData)
        reply.data = node->data;
    if (watches)
        addOnce(request.op == OpCode::getChildren ? record.childWatches : record.dataWatches, request.path);
}

std::vector<std::string> Ensemble::listed(const Tree& tree, const std::string& path, const Znode& node) const
{
    std::vector<std::pair<std::uint64_t, const std::string*>> order;
    const std::string prefix = path == "/" ? path : path + "/";
    for (const std::string& name : node.children) {
        const auto born = static_cast<std::uint64_t>(tree.find(prefix + name)->czxid.value);
        order.emplace_back(m_options.listOrder == 0 ? born : mixBits(born ^ m_options.listOrder), &name);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::string> names;
    for (const auto& [key, name] : order)
        names.push_back(*name);
    return names;
}

// As in DataTree.setWatches: watches whose nodes changed since the last reply to the client fire at once.
void Ensemble::setWatches(Record& record, const WatchSet& watches)
{
    if (!record.linked)
        return;
    const Tree& tree = m_trees[record.server];
    const auto sendEvent = [&](const std::string& path, WatchKind kind) {
        if (record.client)
            record.messages.push_back(
                {.kind = MessageKind::event, .zxid = tree.applied(), .path = path, .watch = kind});
    };
    for (const std::string& path : watches.data) {
        const Znode* node = tree.find(path);
        if (!node)
            sendEvent(path, WatchKind::deleted);
        else if (node->mzxid > watches.since)
            sendEvent(path, WatchKind::changed);
        else
            addOnce(record.dataWatches, path);
    }
    for (const std::string& path : watches.exists) {
        if (tree.find(path))
            sendEvent(path, WatchKind::created);
        else
            addOnce(record.dataWatches, path);
    }
    for (const std::string& path : watches.children) {
        const Znode* node = tree.find(path);
        if (!node)
            sendEvent(path, WatchKind::deleted);
        else if (node->pzxid > watches.since)
            sendEvent(path, WatchKind::childrenChanged);
        else
            addOnce(record.childWatches, path);
    }
}

} // namespace lockscope::zk::memory
