// What happened in a schedule, one line a step, for people: the virtual clock, who, what. Off by default:
// then it costs nothing. Node names are shortened, because their random part is not the same in two runs:
// _c_<uuid>- becomes #1-. It also has the names of the clients and nodes for the sentences about a schedule.
#pragma once

#include "core/base/message.h"
#include "core/base/time.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::explore {

class ScheduleLog
{
public:
    explicit ScheduleLog(bool isEnabled)
        : m_enabled(isEnabled)
    {}

    bool isEnabled() const { return m_enabled; }
    void writeLog(MonotonicTime when, std::string_view line); // does nothing when it is off
    void end() { m_enabled = false; }                         // the rest is not written
    std::string shortened(std::string_view text);

    // As a trace of the schedule has them; without, a client is "client 0".
    void setClients(std::vector<std::string> names) { m_clients = std::move(names); }
    Message nameOf(std::uint32_t client, std::uint32_t thread = 0) const;
    // When the clients have names, the number of the node, as every view shows it: "…0001".
    std::string nodeName(std::string_view name);

    const std::string& text() const { return m_text; }

private:
    bool m_enabled;
    std::string m_text;
    std::map<std::string, std::string, std::less<>> m_names;
    std::vector<std::string> m_clients;
};

} // namespace lockscope::explore
