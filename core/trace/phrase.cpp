#include "core/trace/phrase.h"

namespace lockscope::trace {

std::string Phrase::english() const
{
    if (!source)
        return text;
    std::string all;
    for (const char* at = source; *at != '\0'; ++at) {
        const std::size_t place = at[0] == '%' ? static_cast<std::size_t>(at[1] - '1') : values.size();
        if (place < values.size()) {
            all += values[place].english();
            ++at;
        } else {
            all += *at;
        }
    }
    return all;
}

std::string groupDigits(std::uint64_t count)
{
    std::string text = std::to_string(count);
    for (std::size_t from = text.size(); from > 3; from -= 3)
        text.insert(from - 3, ",");
    return text;
}

std::string defaultClientName(ClientId client) { return "client " + std::to_string(std::uint64_t{client.value} + 1); }

} // namespace lockscope::trace
