#include "core/base/utc_time.h"

#include "core/base/numbers.h"

#include <chrono>
#include <string_view>

namespace lockscope {

namespace {

// Takes `count` digits off the front; nullopt if they are not there.
std::optional<int> digits(std::string_view& text, std::size_t count)
{
    const auto value = parseWhole<int>(text.substr(0, count));
    if (text.size() < count || !value || *value < 0)
        return std::nullopt;
    text.remove_prefix(count);
    return value;
}

bool skip(std::string_view& text, std::string_view any)
{
    const bool there = !text.empty() && any.find(text.front()) != std::string_view::npos;
    if (there)
        text.remove_prefix(1);
    return there;
}

// Takes ":mm" or ":ss" off the front if it is there; false if it is there but wrong.
bool further(std::string_view& text, int most, int& value)
{
    if (!skip(text, ":"))
        return true;
    const std::optional<int> read = digits(text, 2);
    value = read.value_or(0);
    return read && value <= most;
}

} // namespace

std::optional<std::int64_t> timeFrom(const std::string& whole)
{
    using namespace std::chrono;
    std::string_view text = whole;
    const auto y = digits(text, 4);
    const auto mo = y && skip(text, "-") ? digits(text, 2) : std::nullopt;
    const auto d = mo && skip(text, "-") ? digits(text, 2) : std::nullopt;
    if (!d)
        return std::nullopt;
    const year_month_day date{year(*y), month(static_cast<unsigned>(*mo)), day(static_cast<unsigned>(*d))};
    if (!date.ok())
        return std::nullopt;
    std::int64_t ms = duration_cast<milliseconds>(sys_days(date).time_since_epoch()).count();
    if (text.empty())
        return ms;
    int mi = 0, s = 0, zoneM = 0;
    const std::optional<int> hour = skip(text, "T ") ? digits(text, 2) : std::nullopt;
    if (!hour || *hour > 23 || !further(text, 59, mi) || !further(text, 60, s))
        return std::nullopt;
    ms += ((*hour * 60 + mi) * 60 + s) * std::int64_t{1000};
    if (skip(text, ".,"))
        for (std::int64_t unit = 100; !text.empty() && text.front() >= '0' && text.front() <= '9';
             unit /= 10) {
            ms += unit * (text.front() - '0');
            text.remove_prefix(1);
        }
    if (text.empty() || text == "Z")
        return ms;
    const int sign = text.front() == '-' ? 1 : -1; // a zone ahead of UTC has the later clock
    const std::optional<int> zone = skip(text, "+-") ? digits(text, 2) : std::nullopt;
    if (!zone || *zone > 14 || !further(text, 59, zoneM) || !text.empty())
        return std::nullopt;
    return ms + sign * (*zone * 60 + zoneM) * std::int64_t{60'000};
}

} // namespace lockscope
