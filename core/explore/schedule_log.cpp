#include "core/explore/schedule_log.h"

#include "core/queue/number.h"

#include <fmt/core.h>

#include <optional>

namespace lockscope::explore {

namespace {

constexpr std::string_view kMark = "_c_";
constexpr std::size_t kUuid = 36;

} // namespace

std::string ScheduleLog::shortened(std::string_view text)
{
    std::string result;
    for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark)) {
        result += text.substr(0, at);
        text.remove_prefix(at + kMark.size());
        const std::string_view uuid = text.substr(0, kUuid);
        const auto known =
            m_names.try_emplace(std::string(uuid), "#" + std::to_string(m_names.size() + 1)).first;
        result += known->second;
        text.remove_prefix(uuid.size());
    }
    return result + std::string(text);
}

Message ScheduleLog::nameOf(std::uint32_t client, std::uint32_t thread) const
{
    if (thread > 0)
        return message("client %1.%2", client, thread);
    return client < m_clients.size() ? Message(m_clients[client]) : message("client %1", client);
}

std::string ScheduleLog::nodeName(std::string_view name)
{
    const std::optional<queue::Number> number = queue::numberOf(name);
    return number && !m_clients.empty() ? fmt::format("…{:04}", number->value) : shortened(name);
}

void ScheduleLog::writeLog(MonotonicTime when, std::string_view line)
{
    if (!m_enabled)
        return;
    const auto microseconds =
        std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count();
    m_text +=
        fmt::format("{:5}.{:06}  {}\n", microseconds / 1000000, microseconds % 1000000, shortened(line));
}

} // namespace lockscope::explore
