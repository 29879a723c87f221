// What a line of a script does: "freeze the holder for 4s".
#include "core/sim/phrase.h"
#include "core/sim/script_text.h"

#include "core/sim/scenario_words.h"
#include "core/trace/event_fields.h"

#include <algorithm>
#include <array>

namespace lockscope::sim {

namespace {

// Takes " for 4s" from the end.
std::optional<Duration> takeSpan(std::string_view& text)
{
    const std::string_view whole = text;
    const auto rest = takeLast(text, " for ");
    const std::optional<Duration> span = rest ? durationFrom(*rest) : std::nullopt;
    if (!span)
        text = whole;
    return span;
}

bool takeTarget(std::string_view text, Deed& deed)
{
    using Target = Deed::Target;
    if (text == "the holder") {
        deed.target = Target::holder;
    } else if (text == "the first waiter") {
        deed.target = Target::firstWaiter;
    } else if (text == "everybody") {
        deed.target = Target::everybody;
    } else {
        deed.target = Target::named;
        deed.client = std::string(text);
    }
    return isName(text);
}

using Parsed = std::optional<Deed>;

Deed plain(Deed::Kind kind)
{
    Deed deed;
    deed.kind = kind;
    return deed;
}

Parsed withTarget(Deed deed, std::string_view target)
{
    return takeTarget(target, deed) ? Parsed(deed) : Parsed();
}

// ---- what happens to clients, and to their nodes ----

Parsed clientDeed(std::string_view text)
{
    using Kind = Deed::Kind;
    struct Form
    {
        std::string_view words;
        Kind kind;
        bool undone; // may end by itself
    };
    static constexpr std::array<Form, 9> forms = {
        Form{"kill ", Kind::kill, false},
        Form{"close the session of ", Kind::close, false},
        Form{"freeze ", Kind::freeze, true},
        Form{"thaw ", Kind::thaw, false},
        Form{"remove ", Kind::remove, false},
        Form{"rejoin ", Kind::rejoin, false},
        Form{"delete the node of ", Kind::deleteNode, false},
        Form{"write to the node of ", Kind::writeNode, false},
        Form{"revoke ", Kind::revoke, false},
    };
    for (const Form& form : forms) {
        std::string_view rest = text;
        if (!take(rest, form.words))
            continue;
        Deed deed = plain(form.kind);
        if (form.undone)
            deed.span = takeSpan(rest);
        if (const std::string_view whole = rest; form.kind == Kind::kill) {
            const auto unseen = takeLast(rest, " unseen for ");
            deed.span = unseen ? durationFrom(*unseen) : std::nullopt;
            rest = deed.span ? rest : whole;
        }
        return withTarget(deed, rest);
    }
    return std::nullopt;
}

// ---- what happens to the run as a whole ----

Parsed runDeed(std::string_view text)
{
    using Kind = Deed::Kind;
    static constexpr std::array<std::pair<std::string_view, Kind>, 5> words = {
        std::pair{"pause", Kind::pause}, std::pair{"resume", Kind::resume},
        std::pair{"add a client", Kind::addClient}, std::pair{"reap the container", Kind::reap},
        std::pair{"finish", Kind::finish}};
    for (const auto& [phrase, kind] : words)
        if (text == phrase)
            return plain(kind);
    if (!take(text, "set the leases to "))
        return std::nullopt;
    const auto leases = numberFrom(text);
    Deed deed = plain(Kind::setLeases);
    deed.amount = leases.value_or(0);
    return leases && *leases <= 10'000 ? Parsed(deed) : std::nullopt;
}

// ---- servers ----

bool takeServer(std::string_view text, Deed& deed)
{
    if (text == "the server")
        return true;
    if (text == "the leader") {
        deed.member = Deed::Member::leader;
        return true;
    }
    const auto number = take(text, "server ") ? numberFrom(text) : std::nullopt;
    deed.member = Deed::Member::numbered;
    deed.number = static_cast<std::uint32_t>(number.value_or(0));
    return number && *number >= 1 && *number <= 9;
}

Parsed serverDeed(std::string_view text)
{
    using Kind = Deed::Kind;
    Deed deed;
    if (take(text, "kill ")) {
        deed.kind = Kind::killServer;
    } else if (take(text, "stop ")) {
        deed.kind = Kind::stopServer;
        deed.span = takeSpan(text);
        if (!deed.span)
            return std::nullopt;
    } else if (take(text, "restart ")) {
        deed.kind = Kind::restartServer;
        deed.withData = !drop(text, " without its data");
    } else {
        return std::nullopt;
    }
    const bool restartsLeader = deed.kind == Kind::restartServer && text == "the leader";
    return takeServer(text, deed) && !restartsLeader ? Parsed(deed) : std::nullopt;
}

// ---- links ----

std::optional<trace::Op> opFrom(std::string_view text)
{
    constexpr auto names = trace::enumNames(trace::Op{});
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<trace::Op>(found - names.begin()));
}

// "lose the next reply to bo", "lose the next create reply to bo"
Parsed lostReply(std::string_view text)
{
    Deed deed = plain(Deed::Kind::loseReply);
    if (take(text, "reply to "))
        return withTarget(deed, text);
    const std::size_t space = text.find(' ');
    deed.op = opFrom(text.substr(0, space));
    if (!deed.op || space == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(space + 1);
    return take(text, "reply to ") ? withTarget(deed, text) : std::nullopt;
}

// "ada by 50ms +- 20ms"
Parsed slowLink(std::string_view text, Deed deed)
{
    deed.kind = Deed::Kind::slowLink;
    auto by = takeLast(text, " by ");
    if (!by)
        return std::nullopt;
    if (const auto jitter = takeLast(*by, " +- ")) {
        const auto most = durationFrom(*jitter);
        if (!most)
            return std::nullopt;
        deed.jitter = *most;
    }
    const auto delay = durationFrom(*by);
    if (!delay)
        return std::nullopt;
    deed.delay = *delay;
    return withTarget(deed, text);
}

// "ada to 10 kB/s"
Parsed limitLink(std::string_view text, Deed deed)
{
    deed.kind = Deed::Kind::limitLink;
    auto to = takeLast(text, " to ");
    if (!to)
        return std::nullopt;
    const std::uint64_t unit = drop(*to, " kB/s") ? 1000 : drop(*to, " B/s") ? 1 : 0;
    const auto number = numberFrom(*to);
    if (unit == 0 || !number || *number == 0)
        return std::nullopt;
    deed.amount = *number * unit;
    return withTarget(deed, text);
}

Parsed linkDeed(std::string_view text)
{
    using Kind = Deed::Kind;
    if (take(text, "lose the next "))
        return lostReply(text);
    Deed deed;
    deed.span = takeSpan(text);
    if (take(text, "slow the link of "))
        return slowLink(text, deed);
    if (take(text, "limit the link of "))
        return limitLink(text, deed);
    if (take(text, "mute the link of ")) {
        deed.kind = Kind::muteLink;
        const bool to = drop(text, " to the server");
        deed.direction = to ? Deed::Direction::toServer : Deed::Direction::fromServer;
        return to || drop(text, " from the server") ? withTarget(deed, text) : std::nullopt;
    }
    if (take(text, "cut the link of ")) {
        deed.kind = Kind::cutLink;
        return withTarget(deed, text);
    }
    if (deed.span)
        return std::nullopt;
    deed.kind = take(text, "reset the link of ")       ? Kind::resetLink
                : take(text, "half-open the link of ") ? Kind::halfOpenLink
                : take(text, "mend the link of ")      ? Kind::mendLink
                                                       : Kind::kill;
    return deed.kind == Kind::kill ? std::nullopt : withTarget(deed, text);
}

// ---- steps by hand ----

Parsed stepDeed(std::string_view text)
{
    using Kind = Deed::Kind;
    if (text == "step the next") {
        Deed deed = plain(Kind::step);
        deed.target = Deed::Target::nextInTurn;
        return deed;
    }
    if (take(text, "step "))
        return withTarget(plain(Kind::step), text);
    const bool letGo = take(text, "let ");
    if (!letGo && !take(text, "hold "))
        return std::nullopt;
    Deed deed = plain(letGo ? Kind::letGo : Kind::holdSteps);
    const auto before = takeLast(text, " before ");
    if (letGo && !drop(text, " go"))
        return std::nullopt;
    if (before) {
        deed.step = stepFrom(*before);
        if (!deed.step)
            return std::nullopt;
    }
    return withTarget(deed, text);
}

} // namespace

std::optional<Deed> deedFrom(std::string_view text)
{
    for (Parsed (*parse)(std::string_view) : {&runDeed, &serverDeed, &linkDeed, &stepDeed, &clientDeed})
        if (const Parsed deed = parse(text))
            return deed;
    return std::nullopt;
}

std::string deedForms()
{
    return "one of \"kill ada\", \"kill the holder unseen for 500ms\", \"close the session of ada\", \"freeze the holder for 4s\", \"thaw ada\", "
           "\"remove the "
           "first waiter\", \"rejoin ada\", \"add a client\", \"delete the node of ada\", \"write to the "
           "node of ada\", "
           "\"revoke the holder\", \"reap the container\", \"set the leases to 5\", \"stop the server for "
           "2s\", \"kill "
           "the leader\", \"kill server 2\", \"restart server 2 without its data\", \"cut the link of ada "
           "for 2s\", \"slow "
           "the link of ada by 50ms +- 20ms\", \"limit the link of ada to 10 kB/s\", \"mute the link of ada "
           "from the "
           "server\", \"reset the link of ada\", \"half-open the link of ada\", \"lose the next create reply "
           "to ada\", "
           "\"mend the link of ada\", \"hold ada before watch\", \"step ada\", \"step the next\", \"let ada "
           "go\", "
           "\"pause\", \"resume\", \"finish\"";
}

} // namespace lockscope::sim
