#include "core/sim/resource.h"

#include <algorithm>
#include <cstdio>

namespace lockscope::sim {

namespace {

// Milliseconds since the start of the run, as a clock shows them: what an order gets as its number.
std::string clockText(std::int64_t milliseconds)
{
    char text[40];
    std::snprintf(text, sizeof text, "%02lld:%02lld.%03lld", static_cast<long long>(milliseconds / 60'000),
                  static_cast<long long>(milliseconds / 1000 % 60),
                  static_cast<long long>(milliseconds % 1000));
    return text;
}

} // namespace

Resource::Resource(trace::Recorder& recorder, LockId lock, bool fenced, Protected content)
    : m_recorder(recorder)
    , m_lock(lock)
    , m_fenced(fenced)
    , m_content(content)
    , m_value(content.kind == Protected::Kind::stock ? std::int64_t{content.start} : -1)
{}

bool Resource::outdated(const ResourceUse& use) const
{
    return m_fenced && use.token && *use.token < (use.shared ? m_newestAlone : m_newest);
}

// Who shares is let in beside others that share; of a semaphore, as many as there are permits.
bool Resource::tooMany(ClientId client, const ResourceUse& use, std::optional<Zxid>& other) const
{
    std::uint32_t weight = use.weight;
    bool anybody = false;
    bool allShare = use.shared;
    for (const Visit& visit : m_inside) {
        if (visit.client == client)
            continue;
        anybody = true;
        weight += visit.use.weight;
        allShare = allShare && visit.use.shared;
        other = visit.use.token;
    }
    return anybody && (m_permits > 1 ? weight > m_permits : !allShare);
}

bool Resource::enter(ClientId client, ResourceUse use)
{
    if (outdated(use)) {
        note(client, trace::ResourceAction::refused, use.token);
        return false;
    }
    if (use.token) {
        m_newest = std::max(m_newest, *use.token);
        if (!use.shared)
            m_newestAlone = std::max(m_newestAlone, *use.token);
    }
    note(client, trace::ResourceAction::entered, use.token);
    std::optional<Zxid> other;
    if (tooMany(client, use, other))
        note(client, trace::ResourceAction::conflict, other);
    m_inside.push_back({client, use, readContent()});
    return true;
}

void Resource::leave(ClientId client, bool shared)
{
    const auto last = std::find_if(m_inside.rbegin(), m_inside.rend(), [&](const Visit& visit) {
        return visit.client == client && visit.use.shared == shared;
    });
    if (last == m_inside.rend())
        return;
    const Visit visit = *last;
    m_inside.erase(std::next(last).base());
    const bool refused = outdated(visit.use);
    note(client, refused ? trace::ResourceAction::refused : trace::ResourceAction::left, visit.use.token);
    if (!refused && !visit.use.shared)
        writeContent(visit);
}

void Resource::note(ClientId client, trace::ResourceAction action, std::optional<Zxid> token)
{
    m_recorder.record(client, m_lock, trace::ResourceUse{action, token.value_or(Zxid::none())});
}

// ---- the content ----

std::int64_t Resource::readContent()
{
    if (m_content.kind == Protected::Kind::orderNumbers)
        return std::chrono::duration_cast<std::chrono::milliseconds>(m_recorder.now()).count();
    return m_value;
}

void Resource::writeContent(const Visit& visit)
{
    if (m_content.kind == Protected::Kind::section)
        return;
    std::string value;
    std::string fault;
    if (m_content.kind == Protected::Kind::stock) {
        ++m_taken;
        m_value = visit.read - 1;
        value = std::to_string(m_value);
        if (m_value != static_cast<std::int64_t>(m_content.start) - m_taken)
            fault = std::to_string(m_taken) + " were taken of " + std::to_string(m_content.start);
    } else {
        value = clockText(visit.read);
        if (!m_printed.insert(visit.read).second)
            fault = "this number is there already";
        else if (visit.read < m_value)
            fault = "a later one is there already";
        m_value = std::max(m_value, visit.read);
    }
    const std::string_view name = m_content.kind == Protected::Kind::stock ? "stock" : "order";
    m_recorder.record(visit.client, m_lock, trace::ResourceValue{name, value, fault});
}

} // namespace lockscope::sim
