#include "core/queue/owner.h"

#include "core/queue/number.h"
#include "core/queue/words.h"

#include <algorithm>

namespace lockscope::queue {

namespace {

constexpr std::size_t kMaxHostBytes = 253;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool looksLikeHost(std::string_view text)
{
    return !text.empty() && text.size() <= kMaxHostBytes && std::all_of(text.begin(), text.end(), [](char c) {
        return isDigit(c) || isLetter(c) || c == '.' || c == '-' || c == '_' || c == ':';
    });
}

} // namespace

std::string identityOf(std::string_view data)
{
    if (isAnnouncement(data))
        data = data.substr(0, std::max(data.size(), kAnnouncement.size() + 1) - kAnnouncement.size() - 1);
    const std::size_t space = data.find(' ');
    if (space == std::string_view::npos) // only an address: the meaning of a bare word is unknown
        return looksLikeHost(data) && data.find_first_of(".:") != std::string_view::npos ? std::string(data)
                                                                                         : "";
    const std::string_view host = data.substr(0, space);
    const std::string_view rest = data.substr(space + 1);
    const std::string_view pid = rest.substr(0, rest.find(' '));
    const std::string_view name = pid.size() < rest.size() ? rest.substr(pid.size() + 1) : std::string_view();
    const bool fits = looksLikeHost(host) && !pid.empty() && std::all_of(pid.begin(), pid.end(), isDigit) &&
                      (name.empty() || looksLikeHost(name));
    return fits ? std::string(data) : "";
}

bool isAnnouncement(std::string_view data)
{
    return data == kAnnouncement ||
           (data.ends_with(kAnnouncement) && data[data.size() - kAnnouncement.size() - 1] == ' ');
}

} // namespace lockscope::queue
