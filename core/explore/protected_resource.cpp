#include "core/explore/protected_resource.h"

#include <algorithm>

namespace lockscope::explore {

void ProtectedResource::tell(const ResourceUse& use)
{
    m_refused += use.refused ? 1 : 0;
    if (onUse)
        onUse(use);
}

bool ProtectedResource::read(std::uint32_t client, Zxid token)
{
    ResourceUse use{client, ResourceUse::Kind::read, token, refuses(token), m_value, m_writes};
    if (!use.refused) {
        if (!m_readers.empty())
            use.inside = m_readers.begin()->second.token;
        m_newest = std::max(m_newest, token);
        m_readers[client] = Reader{token, m_value};
    }
    tell(use);
    return !use.refused;
}

void ProtectedResource::leave(std::uint32_t client)
{
    const auto reader = m_readers.extract(client);
    tell(ResourceUse{client, ResourceUse::Kind::left, reader.mapped().token});
}

ResourceUse ProtectedResource::write(std::uint32_t client)
{
    const Reader reader = m_readers.extract(client).mapped();
    ResourceUse use{client, ResourceUse::Kind::written, reader.token, refuses(reader.token)};
    if (!use.refused) {
        if (reader.outdated)
            use.overwritten = m_lastWriter;
        m_value = reader.value + 1;
        ++m_writes;
        m_lastWriter = client;
        for (auto& [other, open] : m_readers)
            open.outdated = true;
    }
    use.value = m_value;
    use.writes = m_writes;
    tell(use);
    return use;
}

Message ProtectedResource::damage() const
{
    if (m_value != m_writes)
        return message("The data is damaged: writes accepted: %1, but it counts %2.", m_writes, m_value);
    return m_refused > 0
               ? message("The data is whole: it counts %1. Refused by the fence: %2.", m_value, m_refused)
               : message("The data is whole: it counts %1.", m_value);
}

void ProtectedResource::appendState(std::string& text) const
{
    const auto number = [&](std::int64_t value) {
        text.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    number(m_fenced ? m_newest.value : 0);
    for (const auto& [client, reader] : m_readers) {
        number(std::int64_t{client} * 2 + (reader.outdated ? 1 : 0));
        number(reader.token.value);
    }
}

} // namespace lockscope::explore
