// What happened in a schedule, one line a step, for people: the virtual clock, who, what. Off by default:
// then it costs nothing. Node names are shortened, because their random part is not the same in two runs:
// _c_<uuid>- becomes #1-.
#pragma once

#include "core/base/time.h"

#include <map>
#include <string>
#include <string_view>

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
    const std::string& text() const { return m_text; }

private:
    bool m_enabled;
    std::string m_text;
    std::map<std::string, std::string, std::less<>> m_names;
};

} // namespace lockscope::explore
