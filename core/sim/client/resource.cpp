#include "core/sim/client/resource.h"

#include <algorithm>
#include <cstdio>

namespace lockscope::sim {

namespace {

// An order number: milliseconds since the start of the run as MM:SS.mmm.
std::string clockText(std::int64_t milliseconds)
{
    char text[40];
    std::snprintf(text, sizeof text, "%02lld:%02lld.%03lld", static_cast<long long>(milliseconds / 60'000),
                  static_cast<long long>(milliseconds / 1000 % 60),
                  static_cast<long long>(milliseconds % 1000));
    return text;
}

} // namespace

Resource::Resource(trace::Recorder& recorder, LockId lock, bool fenced, ResourceContent content)
    : m_recorder(recorder)
    , m_lock(lock)
    , m_fenced(fenced)
    , m_content(content)
    , m_value(content.kind == ResourceContent::Kind::stock ? std::int64_t{content.start} : -1)
{}

bool Resource::isOutdated(const ResourceUse& use) const
{
    return m_fenced && use.token && *use.token < (use.shared ? m_newestExclusive : m_newest);
}

// Sharing clients may be inside together; with a semaphore, as many as it has permits.
bool Resource::isConflict(ClientId client, const ResourceUse& use, std::optional<Zxid>& other) const
{
    std::uint32_t weight = use.weight;
    bool occupied = false;
    bool allShare = use.shared;
    for (const Entry& entry : m_inside) {
        if (entry.client == client)
            continue;
        occupied = true;
        weight += entry.use.weight;
        allShare = allShare && entry.use.shared;
        other = entry.use.token;
    }
    return occupied && (m_permits > 1 ? weight > m_permits : !allShare);
}

bool Resource::enter(ClientId client, ResourceUse use)
{
    if (isOutdated(use)) {
        note(client, trace::ResourceAction::refused, use.token);
        return false;
    }
    if (use.token) {
        m_newest = std::max(m_newest, *use.token);
        if (!use.shared)
            m_newestExclusive = std::max(m_newestExclusive, *use.token);
    }
    note(client, trace::ResourceAction::entered, use.token);
    std::optional<Zxid> other;
    if (isConflict(client, use, other))
        note(client, trace::ResourceAction::conflict, other);
    m_inside.push_back({client, use, readContent()});
    return true;
}

void Resource::leave(ClientId client, bool shared)
{
    const auto last = std::find_if(m_inside.rbegin(), m_inside.rend(), [&](const Entry& entry) {
        return entry.client == client && entry.use.shared == shared;
    });
    if (last == m_inside.rend())
        return;
    const Entry entry = *last;
    m_inside.erase(std::next(last).base());
    const bool refused = isOutdated(entry.use);
    note(client, refused ? trace::ResourceAction::refused : trace::ResourceAction::left, entry.use.token);
    if (!refused && !entry.use.shared)
        writeContent(entry);
}

void Resource::note(ClientId client, trace::ResourceAction action, std::optional<Zxid> token)
{
    m_recorder.record(client, m_lock, trace::ResourceUse{action, token.value_or(Zxid::none())});
}

// ---- the content ----

std::int64_t Resource::readContent()
{
    if (m_content.kind == ResourceContent::Kind::orderNumbers)
        return std::chrono::duration_cast<std::chrono::milliseconds>(m_recorder.now()).count();
    return m_value;
}

void Resource::writeContent(const Entry& entry)
{
    if (m_content.kind == ResourceContent::Kind::section)
        return;
    std::string value;
    Message fault;
    if (m_content.kind == ResourceContent::Kind::stock) {
        ++m_unitsTaken;
        m_value = entry.read - 1;
        value = std::to_string(m_value);
        if (m_value != static_cast<std::int64_t>(m_content.start) - m_unitsTaken)
            fault = message("%1 of %2 units were taken", m_unitsTaken, m_content.start);
    } else {
        value = clockText(entry.read);
        if (!m_issuedNumbers.insert(entry.read).second)
            fault = message("this number was already used");
        else if (entry.read < m_value)
            fault = message("a later number was already used");
        m_value = std::max(m_value, entry.read);
    }
    const std::string_view name = m_content.kind == ResourceContent::Kind::stock ? "stock" : "order";
    m_recorder.record(entry.client, m_lock, trace::ResourceValue{name, value, fault});
}

} // namespace lockscope::sim
