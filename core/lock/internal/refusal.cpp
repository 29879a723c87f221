#include "core/lock/internal/refusal.h"

#include "core/base/utf8.h"
#include "core/lock/internal/lost_holds.h"
#include "core/lock/node_data.h"

#include <time.h>

#include <array>
#include <iterator>
#include <utility>

namespace lockscope::lock {

namespace {

constexpr std::size_t kMaxShownData = 120; // bytes

// What another program wrote, on one line.
std::string shown(std::string_view data)
{
    std::string text;
    while (!data.empty() && text.size() < kMaxShownData) {
        const Utf8Character next = firstCharacter(data);
        const bool visible = next.length > 0 && next.code >= U' ' && (next.code < 0x7f || next.code > 0x9f) &&
                             (next.code < 0x2000 || next.code > 0x206f);
        const std::size_t length = next.length > 0 ? next.length : 1;
        text += visible ? data.substr(0, length) : "?";
        data.remove_prefix(length);
    }
    return data.empty() ? text : text + "...";
}

std::string shown(std::chrono::sys_time<std::chrono::milliseconds> when)
{
    const time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count();
    tm parts{};
    std::array<char, 32> text{};
    if (seconds == 0 || gmtime_r(&seconds, &parts) == nullptr)
        return "?";
    return {text.data(), strftime(text.data(), text.size(), "%F %T UTC", &parts)};
}

// Names no session id.
Message describe(const Refusal& refusal)
{
    if (!refusal.holder)
        return {};
    const Participant& holder = *refusal.holder;
    if (!holder.token.valid())
        return message("The first in its queue was the node %1; ahead of this acquire: %2.", holder.node,
                       refusal.ahead);
    return message("The first in its queue was \"%1\" with the node %2, there since %3; ahead of this "
                   "acquire: %4.",
                   shown(holder.data), holder.node, shown(holder.since), refusal.ahead);
}

} // namespace

zk::Task<std::optional<Error>> askWhoHolds(LockNodeClient nodeClient, Rule rule, std::string own,
                                           std::shared_ptr<Refusal> refusal)
{
    zk::Pending<Answer<ListResult>> listed;
    const auto reduce = [own, rule, naming = nodeClient.naming()](zk::ChildNames names) {
        return decideFirst(names, own, naming, rule);
    };
    nodeClient.list(reduce, false, listed.handler(), EventIndex::none());
    const Answer<ListResult> list = co_await listed.arrival();
    const Decision& decision = list.value.decision;
    if (list.value.code != zk::Code::ok || decision.position == 0) {
        co_return std::nullopt;
    }
    refusal->ahead = decision.position;
    refusal->holder.emplace().node = decision.predecessor;
    zk::Pending<Answer<zk::Data>> read;
    nodeClient.read(decision.predecessor, read.handler(), list.event);
    const Answer<zk::Data> answer = co_await read.arrival();
    const zk::Data& data = answer.value;
    if (data.code == zk::Code::ok)
        *refusal->holder = Participant{decision.predecessor,
                                       std::string(withoutAnnouncement(data.bytes)),
                                       isAnnouncement(data.bytes),
                                       data.stat.ephemeralOwner,
                                       data.stat.czxid,
                                       data.stat.created};
    co_return std::nullopt;
}

Error Refusals::keep(OwnerId owner, Error error, const Refusal& learned)
{
    if (learned.ahead == 0)
        return error;
    m_all.insert_or_assign(owner, learned);
    if (m_all.size() > LostHolds<OwnerId>::kMaxRemembered) // no caller takes them
        m_all.erase(m_all.begin()->first == owner ? std::prev(m_all.end()) : m_all.begin());
    error.message = joined(error.message, describe(learned));
    return error;
}

std::optional<Refusal> Refusals::take(OwnerId owner)
{
    const auto node = m_all.extract(owner);
    return node ? std::optional(std::move(node.mapped())) : std::nullopt;
}

} // namespace lockscope::lock
