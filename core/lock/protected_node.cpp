#include "core/lock/protected_node.h"

#include "core/lock/guaranteed_delete.h"
#include "core/lock/parents.h"

namespace lockscope::lock {

ProtectedNode::ProtectedNode(OpControl& control, Wire wire, Wish wish, Flaws flaws)
    : m_control(control)
    , m_wire(std::move(wire))
    , m_wish(std::move(wish))
    , m_flaws(flaws)
{}

zk::Task<Next> ProtectedNode::make(std::string prefix, bool search)
{
    m_prefix = std::move(prefix);
    m_name.clear();
    m_sent.reset();
    if (search) {
        m_uncertain = true;
        const Next found = co_await recover();
        if (found != Next::again)
            co_return found;
    }
    const Next made = co_await finish();
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
    name.reserve(m_prefix.size() + m_wish.lockName.size());
    name.append(m_prefix).append(m_wish.lockName);
    m_wire.create(name, m_wish.data, m_wish.mode, m_control.deliver(*m_sent), m_control.cause());
    if (m_wish.after)
        m_wish.after();
}

bool ProtectedNode::tookAnswer()
{
    if (!m_sent->ready() || m_sent->peek().value.code != zk::Code::ok)
        return false;
    Answer<zk::Created> answer = m_sent->take();
    m_sent.reset();
    m_control.setCause(answer.event);
    std::string name = std::move(answer.value.path);
    name.erase(0, name.size() - childName(name).size());
    return takeNode(std::move(name), answer.value.stat.czxid) == Next::go;
}

zk::Task<Next> ProtectedNode::finish()
{
    while (m_name.empty()) {
        if (!m_sent) {
            if (!m_control.gateOpen())
                co_await m_control.pass(Step::create);
            if (m_control.stopped())
                co_return Next::failed;
            sendCreate();
        }
        co_await answered();
        if (!m_sent->ready())
            co_return Next::failed; // giveUp() looks for it
        if (tookAnswer() || m_control.error())
            break;
        const Answer<zk::Created> answer = m_sent->take();
        m_sent.reset();
        m_control.setCause(answer.event);
        const Next next = co_await afterFailure(answer.value.code);
        if (next != Next::again)
            co_return next;
    }
    if (!m_control.gateOpen())
        co_await m_control.pass(Step::created);
    co_return m_control.error() ? Next::failed : Next::go;
}

// Next::failed: it is there, and no use.
Next ProtectedNode::takeNode(std::string name, Zxid token)
{
    m_uncertain = false;
    m_name = std::move(name);
    m_token = token;
    // The server counts to 2^31 - 1 and goes on with -2147483648, which every client sorts in front of the
    // others (ZOOKEEPER-2944): nobody may hold a lock by such a number.
    m_number = m_wish.mode == zk::CreateMode::ephemeralSequential ? sequenceOf(m_name) : std::nullopt;
    if (m_number.value_or(0) < 0)
        return m_control.fail(ErrorCode::limitExceeded,
                              "The lock path " + m_wire.path() + " has used up its 2,147,483,647 numbers.",
                              "Use another path, or delete this one when nobody waits there.");
    return Next::go;
}

// Next::again here: create again.
zk::Task<Next> ProtectedNode::afterFailure(zk::Code code)
{
    if (code == zk::Code::unknown && m_prefix.empty()) {
        m_uncertain = false;
        co_await m_control.untilBackOrStopped();
        co_return m_control.stopped() ? Next::failed
                                      : m_control.startOver("the reply to the create was lost");
    }
    if (code == zk::Code::unknown) {
        const Next recovered = co_await recover();
        co_return recovered;
    }
    m_uncertain = false;
    std::string under = m_wire.path();
    if (code == zk::Code::noNode) {
        const Parents parents = co_await makeParents(m_control, m_wire.path());
        if (m_control.stopped())
            co_return Next::failed;
        if (parents.code == zk::Code::ok)
            co_return Next::again;
        if (parents.code == zk::Code::unknown) {
            co_await m_control.untilBackOrStopped();
            co_return m_control.stopped() ? Next::failed : Next::again;
        }
        code = parents.code;
        under = parents.under;
    }
    if (zk::isFinal(code))
        co_return m_control.failFor(code, "create nodes under ", under, "create");
    co_return m_control.startOver("creating the node failed, " + std::string(describe(code)));
}

// The create's answer was lost: the node may exist. Whoever is in the list with our prefix is ours; if nobody
// is, the create did not happen and is tried again with the same prefix, so that a late one would still be
// found (Next::again). Whoever follows a refusal here knows nothing: after a sync that was refused the list
// may be old. Then giveUp() looks for the node until that is certain, and the acquire starts over.
zk::Task<Next> ProtectedNode::recover()
{
    for (;;) {
        co_await m_control.untilBackOrStopped();
        if (m_control.stopped())
            co_return Next::failed;
        zk::Pending<Answer<zk::Code>> synced; // a lagging server may not know the node yet (CURATOR-264)
        m_wire.sync(m_control.deliver(synced), m_control.cause());
        zk::Pending<Answer<Listed>> listed;
        m_wire.list(m_prefix, Rule::everybodyAhead, true, m_control.deliver(listed), m_control.cause());
        co_await m_control.answered(synced);
        co_await m_control.answered(listed);
        if (!listed.ready() || !synced.ready())
            co_return Next::failed;
        const Answer<zk::Code> sync = synced.take();
        const Answer<Listed> list = listed.take();
        m_control.setCause(list.event);
        const zk::Code code = list.value.code;
        if (sync.value == zk::Code::unknown || code == zk::Code::unknown)
            continue;
        if (sync.value != zk::Code::ok && !m_flaws.acceptsAnySync)
            co_return m_control.startOver("looking for the node failed, " +
                                          std::string(describe(sync.value)));
        if (code == zk::Code::noNode || (code == zk::Code::ok && !list.value.decision.found)) {
            m_uncertain = false;
            co_return Next::again;
        }
        if (code != zk::Code::ok)
            co_return m_control.startOver("looking for the node failed, " + std::string(describe(code)));
        const Next taken = co_await takeFound(list.value.decision.own);
        if (taken != Next::again)
            co_return taken;
    }
}

// Its czxid is the token, and it must belong to this very session (CURATOR-498, CURATOR-604). Next::again:
// look again.
zk::Task<Next> ProtectedNode::takeFound(std::string node)
{
    zk::Pending<Answer<zk::Data>> read;
    m_wire.read(node, m_control.deliver(read), m_control.cause());
    co_await m_control.answered(read);
    if (!read.ready())
        co_return Next::failed;
    const Answer<zk::Data> data = read.take();
    if (data.value.code == zk::Code::unknown)
        co_return Next::again;
    m_control.setCause(data.event);
    const bool ours = data.value.stat.ephemeralOwner == m_control.session().id() || m_flaws.noOwnerCheck;
    if (data.value.code != zk::Code::ok || !ours)
        co_return m_control.startOver("the node found belongs to another session"); // giveUp() deletes it
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
    const bool uncertain = m_uncertain && !m_prefix.empty(); // else it cannot be distinguished
    forget();
    if (!node.empty())
        cleanUp.start(m_wire, removeForGood(m_wire, node, m_control.cause()));
    else if (uncertain)
        cleanUp.start(m_wire, findAndRemove(m_wire, m_prefix, m_control.cause()));
}

} // namespace lockscope::lock
