#include "core/field/session_answers.h"

#include "core/base/numbers.h"

#include <array>
#include <chrono>

namespace lockscope::field {

namespace {

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::optional<std::int64_t> number(std::string_view text)
{
    if (!text.starts_with("0x"))
        return parseWhole<std::int64_t>(text);
    const auto id = parseHex<Zxid>(text.substr(2));
    return id ? std::optional(id->value) : std::nullopt;
}

// The text after "KEY=", up to the next comma or the closing parenthesis, as in "to=10000,".
std::string_view field(std::string_view line, std::string_view key)
{
    for (std::size_t at = line.find('('); at != std::string_view::npos; at = line.find(',', at + 1)) {
        const std::string_view rest = line.substr(at + 1);
        if (rest.starts_with(key) && rest.size() > key.size() && rest[key.size()] == '=')
            return rest.substr(key.size() + 1, rest.find_first_of(",)") - key.size() - 1);
    }
    return {};
}

// Java's Date.toString(), "Mon Nov 23 05:29:06 UTC 2026". The time zone is ignored: only differences count.
std::optional<std::int64_t> secondsOf(std::string_view date)
{
    std::array<std::string_view, 6> words;
    std::size_t count = 0;
    while (!date.empty() && count < words.size()) {
        const std::size_t space = date.find(' ');
        words[count++] = date.substr(0, space);
        date = space == std::string_view::npos ? std::string_view() : date.substr(space + 1);
    }
    constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (count != words.size() || words[1].size() != 3 || words[3].size() != 8)
        return std::nullopt;
    const std::size_t month = kMonths.find(words[1]);
    const auto day = number(words[2]), year = number(words[5]), hour = number(words[3].substr(0, 2)),
               minute = number(words[3].substr(3, 2)), second = number(words[3].substr(6, 2));
    if (month == std::string_view::npos || month % 3 != 0 || !day || !year || !hour || !minute || !second)
        return std::nullopt;
    const std::chrono::year_month_day when{std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(static_cast<unsigned>(month / 3 + 1)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!when.ok())
        return std::nullopt;
    return std::chrono::sys_days(when).time_since_epoch().count() * std::int64_t{86'400} + *hour * 3600 +
           *minute * 60 + *second;
}

} // namespace

std::vector<ConnectionLine> parseConnections(std::string_view cons)
{
    std::vector<ConnectionLine> all;
    while (!cons.empty()) {
        const std::string_view line = takeLine(cons);
        const std::size_t slash = line.find('/'),
                          bracket = line.find('[', line.find("]:") == line.npos ? 0 : line.find("]:"));
        const auto session = number(field(line, "sid"));
        if (slash == line.npos || bracket == line.npos || bracket < slash || !session || *session == 0)
            continue; // a connection without a session, such as that of a four-letter word
        ConnectionLine one;
        one.session = SessionId{*session};
        one.address = line.substr(slash + 1, bracket - slash - 1);
        one.received = number(field(line, "recved")).value_or(0);
        one.timeoutMs = number(field(line, "to")).value_or(0);
        one.lastRequest = number(field(line, "lcxid")).value_or(0);
        one.establishedMs = number(field(line, "est")).value_or(0);
        one.lastResponseMs = number(field(line, "lresp")).value_or(0);
        all.push_back(std::move(one));
    }
    return all;
}

SessionDump parseDump(std::string_view dump)
{
    SessionDump result;
    std::optional<std::int64_t> expiry;
    bool sets = false, global = false;
    while (!dump.empty()) {
        const std::string_view line = takeLine(dump);
        if (line.starts_with("Session Sets")) {
            sets = true;
            continue;
        }
        if (line.starts_with("Global Sessions")) { // in a follower's dump
            global = true;
            continue;
        }
        if (line.starts_with("ephemeral nodes dump") || line.starts_with("Connections"))
            break;
        if (sets) {
            if (const std::size_t at = line.find(" expire at "); at != line.npos) {
                std::string_view date = line.substr(at + 11);
                if (date.ends_with(':'))
                    date.remove_suffix(1);
                expiry = secondsOf(date);
                result.hasTimes = result.hasTimes || expiry.has_value();
                continue;
            }
        } else if (!global) {
            continue;
        }
        const std::size_t from = line.find("0x");
        if (from == line.npos || line.find_first_not_of(" \t") != from)
            continue;
        const std::string_view id = line.substr(from);
        if (const auto session = number(id.substr(0, id.find_first_of(" \t"))))
            result.sessions.push_back({SessionId{*session}, sets ? expiry : std::nullopt});
    }
    return result;
}

} // namespace lockscope::field
