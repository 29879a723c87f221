#include "core/sim/run/shared_script.h"

#include "core/base/numbers.h"

#include <algorithm>
#include <utility>

namespace lockscope::sim {

namespace {

constexpr Duration kReconnectDelay = std::chrono::milliseconds(500);

} // namespace

SharedScript::SharedScript(zk::Hub& hub, std::string hosts, Share share,
                           std::function<void(std::size_t line)> due)
    : m_hub(hub)
    , m_hosts(std::move(hosts))
    , m_share(std::move(share))
    , m_onDue(std::move(due))
    , m_missesDue(m_share.missed > Duration{})
{}

void SharedScript::start() { connect(); }

void SharedScript::stop()
{
    m_watch.reset();
    if (const auto session = std::exchange(m_session, nullptr))
        session->close();
}

std::string SharedScript::nodeOf(std::string_view kind, std::size_t number) const
{
    return m_share.path + "/" + std::string(kind) + std::to_string(number);
}

void SharedScript::connect()
{
    zk::ConnectOptions options{m_hosts, std::chrono::seconds(10), std::chrono::seconds(15)};
    options.credentials = m_share.credentials;
    if (!options.credentials.empty())
        options.acl = zk::creatorAllAcl();
    m_session = m_hub.connect(std::move(options));
    m_session->addListener([weak = weak_from_this(), session = m_session.get()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (!self || self->m_session.get() != session)
            return;
        if (phase == zk::SessionPhase::connected) {
            self->look();
            for (const std::size_t line : self->m_fired)
                self->sayFired(line);
        } else if (phase == zk::SessionPhase::lost) {
            self->m_count = self->m_still = {std::nullopt};
            self->m_hub.after(kReconnectDelay, self->whileAlive(&SharedScript::connect));
        }
    });
}

void SharedScript::look()
{
    m_watch = m_session->getChildren(
        m_share.path, whileAlive(&SharedScript::look),
        [weak = weak_from_this(), hub = &m_hub](zk::Code code, zk::ChildNames names, const zk::Stat&) {
            if (code != zk::Code::ok)
                return; // the next connection asks again
            hub->post([weak, copy = std::vector<std::string>(names.begin(), names.end())] {
                if (const auto self = weak.lock(); self && self->m_session)
                    self->onNames(copy);
            });
        });
}

void SharedScript::onNames(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (!name.starts_with(kDueNode))
            continue;
        const auto line = parseWhole<std::size_t>(std::string_view(name).substr(kDueNode.size()));
        if (line && m_due.insert(*line).second && !m_missesDue)
            m_onDue(*line);
    }
    m_missesDue = false;
}

void SharedScript::fired(std::size_t line)
{
    m_fired.insert(line);
    if (m_session && m_session->phase() == zk::SessionPhase::connected)
        sayFired(line);
}

bool SharedScript::hasUnanswered() const
{
    return std::ranges::any_of(m_fired, [this](std::size_t line) { return !m_due.contains(line); });
}

// Once more after each reconnect: the node that is there already says it, too.
void SharedScript::sayFired(std::size_t line)
{
    if (!m_due.contains(line))
        m_session->create(nodeOf(kFiredNode, line) + "-" + std::to_string(m_share.rank), {},
                          zk::CreateMode::ephemeral, [](const zk::Created&) {});
}

void SharedScript::count(std::uint32_t acquired)
{
    say(&SharedScript::m_count, kCountNode, std::to_string(acquired));
}

void SharedScript::standStill(const std::string& who)
{
    say(&SharedScript::m_still, kStillNode, who.empty() ? who : std::to_string(m_due.size()) + ' ' + who);
}

void SharedScript::say(Said SharedScript::*which, std::string_view kind, const std::string& text)
{
    Said& said = this->*which;
    if (said.written == text || said.isUnderWay || !m_session ||
        m_session->phase() != zk::SessionPhase::connected)
        return;
    said.isUnderWay = true;
    said.written = text;
    const auto done = [weak = weak_from_this(), session = m_session.get(), which](zk::Code code) {
        const auto self = weak.lock();
        if (!self || self->m_session.get() != session)
            return;
        Said& answered = (*self).*which;
        answered.isUnderWay = false;
        answered.isThere = code == zk::Code::ok || code == zk::Code::nodeExists;
        if (code != zk::Code::ok)
            answered.written.reset(); // the next call says it again
    };
    const std::string node = nodeOf(kind, m_share.rank);
    if (said.isThere)
        m_session->setData(node, text, [done](const zk::StatReply& reply) { done(reply.code); });
    else
        m_session->create(node, text, zk::CreateMode::ephemeral,
                          [done](const zk::Created& created) { done(created.code); });
}

void SharedScript::take(std::size_t line, std::function<void(bool ours)> taken)
{
    if (!m_session)
        return;
    m_session->setData(
        nodeOf(kDueNode, line), std::to_string(m_share.rank), 0,
        [taken = std::move(taken)](const zk::StatReply& reply) { taken(reply.code == zk::Code::ok); });
}

} // namespace lockscope::sim
