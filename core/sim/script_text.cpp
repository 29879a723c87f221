#include "core/sim/script_text.h"

#include <charconv>

namespace lockscope::sim {

namespace {

bool take(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

bool drop(std::string_view& text, std::string_view ending)
{
    if (!text.ends_with(ending))
        return false;
    text.remove_suffix(ending.size());
    return true;
}

// Takes " for 4s" from the end.
std::optional<Duration> takeSpan(std::string_view& text)
{
    const std::size_t at = text.rfind(" for ");
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::optional<Duration> span = durationFrom(text.substr(at + 5));
    if (span)
        text = text.substr(0, at);
    return span;
}

bool isName(std::string_view text) { return !text.empty() && text.size() <= 40; }

bool takeTarget(std::string_view text, Deed& deed)
{
    if (text == "the holder") {
        deed.target = Deed::Target::holder;
    } else if (text == "the first waiter") {
        deed.target = Deed::Target::firstWaiter;
    } else {
        deed.target = Deed::Target::named;
        deed.client = std::string(text);
    }
    return isName(text);
}

} // namespace

std::optional<When> whenFrom(std::string_view text)
{
    When when;
    if (take(text, "at ")) {
        const std::optional<Duration> time = durationFrom(text);
        when.time = time.value_or(Duration{});
        return time ? std::optional(when) : std::nullopt;
    }
    if (take(text, "after ")) {
        when.kind = When::Kind::handoffs;
        if (!drop(text, " handoffs") && !drop(text, " handoff"))
            return std::nullopt;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), when.count);
        const bool whole = error == std::errc{} && end == text.data() + text.size() && when.count > 0;
        return whole ? std::optional(when) : std::nullopt;
    }
    if (!take(text, "when "))
        return std::nullopt;
    if (drop(text, " waits"))
        when.kind = When::Kind::waits;
    else if (drop(text, " holds"))
        when.kind = When::Kind::holds;
    else if (drop(text, " is lost"))
        when.kind = When::Kind::lost;
    else
        return std::nullopt;
    if (text != "anybody")
        when.client = std::string(text);
    return isName(text) ? std::optional(when) : std::nullopt;
}

std::optional<Deed> deedFrom(std::string_view text)
{
    using Kind = Deed::Kind;
    Deed deed;
    const auto whole = [&](std::string_view words, Kind kind) {
        deed.kind = kind;
        return text == words;
    };
    if (whole("pause", Kind::pause) || whole("resume", Kind::resume) ||
        whole("add a client", Kind::addClient) || whole("kill the server", Kind::killServer))
        return deed;
    deed.span = takeSpan(text);
    if (whole("stop the server", Kind::stopServer))
        return deed.span ? std::optional(deed) : std::nullopt;
    const auto at = [&](std::string_view words, Kind kind) {
        deed.kind = kind;
        return take(text, words);
    };
    if (at("freeze ", Kind::freeze))
        return takeTarget(text, deed) ? std::optional(deed) : std::nullopt;
    if (deed.span)
        return std::nullopt;
    if (at("kill ", Kind::kill) || at("thaw ", Kind::thaw) || at("remove ", Kind::remove) ||
        at("delete the node of ", Kind::deleteNode) || at("write to the node of ", Kind::writeNode))
        return takeTarget(text, deed) ? std::optional(deed) : std::nullopt;
    return std::nullopt;
}

std::string whenForms()
{
    return "\"at 2s\", \"after 3 handoffs\", \"when ada waits\", \"when anybody holds\" or \"when ada is "
           "lost\"";
}

std::string deedForms()
{
    return "\"kill ada\", \"freeze the holder for 4s\", \"thaw ada\", \"remove the first waiter\", \"add a "
           "client\", "
           "\"delete the node of ada\", \"write to the node of ada\", \"stop the server for 2s\", \"kill the "
           "server\", "
           "\"pause\" or \"resume\"";
}

} // namespace lockscope::sim
