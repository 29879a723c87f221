// Writes states as text, for finding equal ones. A number takes eight bytes and a text ends with a zero, so
// that different states have different texts.
#include "core/zk/memory/ensemble.h"
#include "core/zk/memory/memory_session.h"

#include <algorithm>

namespace lockscope::zk::memory {

namespace {

void put(std::string& text, std::int64_t number)
{
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put(std::string& text, const std::string& word) { text.append(word).push_back('\0'); }
void put(std::string& text, const std::vector<std::string>& words)
{
    put(text, static_cast<std::int64_t>(words.size()));
    for (const std::string& word : words)
        put(text, word);
}

void put(std::string& text, const Stat& stat)
{
    for (const Zxid zxid : {stat.czxid, stat.mzxid, stat.pzxid})
        put(text, zxid.value);
    put(text, stat.ephemeralOwner.value);
    for (const std::int32_t number : {stat.version, stat.numChildren, stat.cversion})
        put(text, number);
}

void put(std::string& text, const Request& request)
{
    put(text, static_cast<std::int64_t>(request.id));
    put(text, static_cast<std::int64_t>(request.op));
    put(text, request.path);
    put(text, request.data);
    put(text, static_cast<std::int64_t>(request.mode) * 2 + (request.watch ? 1 : 0));
    put(text, request.version);
    put(text, request.watches.since.value);
    for (const auto* paths : {&request.watches.data, &request.watches.exists, &request.watches.children})
        put(text, *paths);
}

void put(std::string& text, const Transaction& transaction)
{
    put(text, static_cast<std::int64_t>(transaction.change));
    put(text, transaction.session.value);
    put(text, transaction.path);
    put(text, transaction.data);
    put(text, static_cast<std::int64_t>(transaction.mode));
    put(text, transaction.gone);
    put(text, transaction.numbers);
}

} // namespace

void appendState(std::string& text, const ServerMessage& message)
{
    put(text, static_cast<std::int64_t>(message.kind));
    put(text, message.zxid.value);
    put(text, static_cast<std::int64_t>(message.id));
    put(text, static_cast<std::int64_t>(message.op));
    put(text, static_cast<std::int64_t>(message.code));
    put(text, message.path);
    put(text, message.data);
    put(text, message.stat);
    put(text, message.children);
    put(text, static_cast<std::int64_t>(message.watch));
    put(text, message.session.value);
}

void Tree::appendState(std::string& text) const
{
    put(text, m_applied.value);
    // In the order of their creation: that of the paths depends on the random parts of the names.
    std::vector<decltype(m_nodes)::const_pointer> nodes;
    for (const auto& entry : m_nodes)
        nodes.push_back(&entry);
    std::ranges::sort(nodes, {}, [](const auto* entry) { return entry->second.czxid; });
    for (const auto* entry : nodes) {
        const Znode& node = entry->second;
        put(text, entry->first);
        put(text, node.data);
        put(text, node.stat());
        put(text, node.creates);
        put(text, node.container ? 1 : 0);
        put(text, node.children);
    }
}

void Ensemble::appendState(std::string& text) const
{
    m_head.appendState(text);
    for (const Tree& tree : m_trees)
        if (tree.applied() != m_head.applied()) {
            tree.appendState(text);
            for (const Transaction& transaction : m_log)
                if (transaction.zxid > tree.applied())
                    put(text, transaction);
        }
    for (std::uint32_t i = 0; i < sessionCount(); ++i) {
        const Record& record = m_sessions[i];
        put(text, (record.client ? 1 : 0) + (record.alive ? 2 : 0) + (record.linked ? 4 : 0) +
                      (record.expirable ? 8 : 0));
        if (!record.client && !record.alive && record.requests.empty())
            continue;
        put(text, record.id.value);
        put(text, record.server);
        put(text, record.breaks);
        put(text, inContact(i) ? 0 : record.lastContact.time_since_epoch().count());
        put(text, m_clock.now() < record.refusedUntil ? record.refusedUntil.time_since_epoch().count() : 0);
        put(text, static_cast<std::int64_t>(record.refusals));
        if (record.refusals > 0) {
            put(text, record.refusedKind ? static_cast<std::int64_t>(*record.refusedKind) : -1);
            put(text, static_cast<std::int64_t>(record.refusal));
        }
        put(text, static_cast<std::int64_t>(record.requests.size()));
        for (const Request& request : record.requests)
            put(text, request);
        put(text, static_cast<std::int64_t>(record.messages.size()));
        for (const ServerMessage& message : record.messages)
            memory::appendState(text, message);
        if (record.waiting) {
            put(text, record.waiting->until.value);
            memory::appendState(text, record.waiting->reply);
        }
        put(text, record.dataWatches);
        put(text, record.childWatches);
    }
}

} // namespace lockscope::zk::memory
