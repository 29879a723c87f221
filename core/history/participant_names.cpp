#include "core/history/participant_names.h"

#include "core/base/numbers.h"
#include "core/base/read_file.h"

#include <fmt/core.h>

namespace lockscope::history {

namespace {

constexpr std::size_t kMaxNameBytes = 120;
constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text)
{
    const std::size_t from = text.find_first_not_of(kBlank);
    return from == std::string_view::npos ? std::string_view()
                                          : text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

} // namespace

Result<ParticipantNames> ParticipantNames::load(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    return text ? parse(*text, file.string()) : text.error();
}

Result<ParticipantNames> ParticipantNames::parse(std::string_view text, const std::string& file)
{
    ParticipantNames names;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.front() == '#')
            continue;
        const std::size_t space = line.find_first_of(kBlank);
        const std::string_view name =
            space == std::string_view::npos ? std::string_view() : trimmed(line.substr(space));
        if (name.empty() || name.size() > kMaxNameBytes)
            return Error{
                ErrorCode::badInput, fmt::format("{}:{}: this line gives no name.", file, number),
                "Expected a session, as in 0x10000012ab0003, or a host, then a name of at most 120 bytes."};
        names.m_names.insert_or_assign(std::string(line.substr(0, space)), std::string(name));
    }
    return names;
}

std::string ParticipantNames::of(SessionId session, std::string_view identity) const
{
    for (const std::string& key : {hexText(session), std::string(identity)})
        if (const auto known = m_names.find(key); known != m_names.end() && !key.empty())
            return known->second;
    return std::string(identity);
}

} // namespace lockscope::history
