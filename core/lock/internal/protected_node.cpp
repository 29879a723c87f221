#include "core/lock/internal/protected_node.h"

#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/parents.h"

namespace lockscope::lock {

ProtectedNode::ProtectedNode(OpControl& control, LockNodeClient nodeClient, NodeSpec nodeSpec)
    : m_control(control)
    , m_nodeClient(std::move(nodeClient))
    , m_spec(std::move(nodeSpec))
{}

zk::Task<StepResult> ProtectedNode::make(std::string prefix, bool search)
{
    m_prefix = std::move(prefix);
    m_name.clear();
    m_sent.reset();
    if (search) {
        m_uncertain = true;
        const StepResult found = co_await recover();
        if (found != StepResult::repeat)
            co_return found;
    }
    const StepResult made = co_await finish();
    co_return made;
}

void ProtectedNode::send(std::string prefix)
{
    m_prefix = std::move(prefix);
    m_name.clear();
    sendCreate();
}

void ProtectedNode::sendCreate()
{
    m_sent.emplace();
    m_uncertain = true;
    std::string name;
    name.reserve(m_prefix.size() + m_spec.lockName.size());
    name.append(m_prefix).append(m_spec.lockName);
    m_nodeClient.create(name, m_spec.data, m_spec.mode, m_control.deliver(*m_sent), m_control.cause());
    if (m_spec.afterCreate)
        m_spec.afterCreate();
}

bool ProtectedNode::takeReply()
{
    if (!m_sent->ready() || m_sent->peek().value.code != zk::Code::ok)
        return false;
    Answer<zk::Created> answer = m_sent->take();
    m_sent.reset();
    m_control.setCause(answer.event);
    std::string name = std::move(answer.value.path);
    name.erase(0, name.size() - childName(name).size());
    return takeNode(std::move(name), answer.value.stat.czxid) == StepResult::proceed;
}

zk::Task<StepResult> ProtectedNode::finish()
{
    while (m_name.empty()) {
        if (!m_sent) {
            if (!m_control.isGateOpen())
                co_await m_control.pass(GateStep::create);
            if (m_control.stopped())
                co_return StepResult::failed;
            sendCreate();
        }
        co_await answered();
        if (!m_sent->ready())
            co_return StepResult::failed; // giveUp() searches for it
        if (takeReply() || m_control.error())
            break;
        const Answer<zk::Created> answer = m_sent->take();
        m_sent.reset();
        m_control.setCause(answer.event);
        const StepResult next = co_await afterFailure(answer.value.code);
        if (next != StepResult::repeat)
            co_return next;
    }
    if (!m_control.isGateOpen())
        co_await m_control.pass(GateStep::created);
    co_return m_control.error() ? StepResult::failed : StepResult::proceed;
}

// failed: the node exists but cannot be used.
StepResult ProtectedNode::takeNode(std::string name, Zxid token)
{
    m_uncertain = false;
    m_name = std::move(name);
    m_token = token;
    // The server counts to 2^31 - 1 and continues with -2147483648, which every client sorts ahead of the
    // others (ZOOKEEPER-2944): a node with such a number must not get the lock.
    m_number = m_spec.mode == zk::CreateMode::ephemeralSequential ? sequenceOf(m_name) : std::nullopt;
    if (m_number.value_or(0) < 0)
        return m_control.fail(
            ErrorCode::limitExceeded,
            message("The lock path %1 has used up its 2,147,483,647 numbers.", m_nodeClient.path()),
            message("Use another path, or delete this one when no client waits there."));
    return StepResult::proceed;
}

// repeat: create again.
zk::Task<StepResult> ProtectedNode::afterFailure(zk::Code code)
{
    if (code == zk::Code::unknown) {
        const StepResult recovered = co_await recover();
        co_return recovered;
    }
    m_uncertain = false;
    std::string refusedAt = m_nodeClient.path();
    if (code == zk::Code::noNode) {
        const ParentsResult parents = co_await makeParents(m_control, m_nodeClient.path());
        if (m_control.stopped())
            co_return StepResult::failed;
        if (parents.code == zk::Code::ok)
            co_return StepResult::repeat;
        if (parents.code == zk::Code::unknown) {
            co_await m_control.waitUntilConnectedOrStopped();
            co_return m_control.stopped() ? StepResult::failed : StepResult::repeat;
        }
        if (parents.code == zk::Code::noNode)
            co_return m_control.fail(missingRoot());
        code = parents.code;
        refusedAt = parents.refusedAt;
    }
    if (zk::isFinal(code))
        co_return m_control.failRequest(code, message("create nodes under %1", refusedAt), refusedAt,
                                        "create");
    co_return m_control.startOver(message("creating the node failed (%1)", describe(code)));
}

// The reply to the create was lost, so the node may exist. A node in the list with our prefix is ours. If
// there is none, the create was not applied and is repeated with the same prefix, so that a late node would
// still be found. After a refused sync the list may be out of date and proves nothing: giveUp() then searches
// for the node until the outcome is certain, and the acquire starts over.
zk::Task<StepResult> ProtectedNode::recover()
{
    for (;;) {
        co_await m_control.waitUntilConnectedOrStopped();
        if (m_control.stopped())
            co_return StepResult::failed;
        zk::Pending<Answer<zk::Code>> synced; // a lagging server may not know the node yet (CURATOR-264)
        m_nodeClient.sync(m_control.deliver(synced), m_control.cause());
        zk::Pending<Answer<ListResult>> listed;
        m_nodeClient.list(m_prefix, Rule::allAhead, true, m_control.deliver(listed), m_control.cause());
        co_await m_control.answered(synced);
        co_await m_control.answered(listed);
        if (!listed.ready() || !synced.ready())
            co_return StepResult::failed;
        const Answer<zk::Code> sync = synced.take();
        const Answer<ListResult> list = listed.take();
        m_control.setCause(list.event);
        const zk::Code code = list.value.code;
        if (sync.value == zk::Code::unknown || code == zk::Code::unknown)
            continue;
        if (sync.value != zk::Code::ok)
            co_return m_control.startOver(message("looking for the node failed (%1)", describe(sync.value)));
        if (code == zk::Code::noNode || (code == zk::Code::ok && !list.value.decision.found)) {
            m_uncertain = false;
            co_return StepResult::repeat;
        }
        if (code != zk::Code::ok)
            co_return m_control.startOver(message("looking for the node failed (%1)", describe(code)));
        const StepResult taken = co_await takeFound(list.value.decision.own);
        if (taken != StepResult::repeat)
            co_return taken;
    }
}

// Takes the node if this session owns it (CURATOR-498, -604); its czxid is the token. repeat: list again.
zk::Task<StepResult> ProtectedNode::takeFound(std::string node)
{
    zk::Pending<Answer<zk::Data>> read;
    m_nodeClient.read(node, m_control.deliver(read), m_control.cause());
    co_await m_control.answered(read);
    if (!read.ready())
        co_return StepResult::failed;
    const Answer<zk::Data> data = read.take();
    if (data.value.code == zk::Code::unknown)
        co_return StepResult::repeat;
    m_control.setCause(data.event);
    // After startOver(), giveUp() deletes the node.
    if (data.value.code != zk::Code::ok)
        co_return m_control.startOver(message("looking for the node failed (%1)", describe(data.value.code)));
    if (data.value.stat.ephemeralOwner != m_control.session().id())
        co_return m_control.startOver(message("the node found belongs to another session"));
    co_return takeNode(std::move(node), data.value.stat.czxid);
}

void ProtectedNode::forget()
{
    m_name.clear();
    m_uncertain = false;
}

void ProtectedNode::giveUp(CleanUp& cleanUp)
{
    const std::string node = m_name;
    const bool uncertain = m_uncertain;
    forget();
    if (!node.empty())
        cleanUp.start(m_nodeClient, guaranteedDelete(m_nodeClient, node, m_control.cause()));
    else if (uncertain)
        cleanUp.start(m_nodeClient, findAndDelete(m_nodeClient, m_prefix, m_control.cause()));
}

} // namespace lockscope::lock
