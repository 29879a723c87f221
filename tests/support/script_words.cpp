#include "tests/support/script_words.h"

#include <charconv>
#include <stdexcept>

namespace lockscope::tests::script_words {

namespace {
constexpr std::int64_t kFirstZxid = 0x100;
}

std::int64_t number(std::string_view word)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end == word.data())
        throw std::invalid_argument("a number was expected instead of " + std::string(word));
    return value;
}

bool isTime(std::string_view word)
{
    return !word.empty() && word.front() >= '0' && word.front() <= '9' &&
           (word.ends_with("ms") || word.ends_with("us"));
}

bool isNode(std::string_view word)
{
    return word.size() > 1 && std::string_view("nlrw").find(word.front()) != std::string_view::npos &&
           word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

Zxid zxidOf(std::string_view word)
{
    return isNode(word) ? Zxid{kFirstZxid + number(word.substr(1))} : Zxid::none();
}

const std::string& argument(const std::vector<std::string>& words, std::size_t at)
{
    if (at >= words.size())
        throw std::invalid_argument("an argument is missing");
    return words[at];
}

} // namespace lockscope::tests::script_words
