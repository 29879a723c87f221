// What a line of a script does: "freeze the holder for 4s".
#include "core/sim/script/text_scan.h"
#include "core/sim/script/script_text.h"

#include "core/sim/scenario/scenario_text.h"
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
    const std::optional<Duration> span = rest ? parseDuration(*rest) : std::nullopt;
    if (!span)
        text = whole;
    return span;
}

bool takeTarget(std::string_view text, Action& action)
{
    using Target = Action::Target;
    if (text == "the holder") {
        action.target = Target::holder;
    } else if (text == "the first waiter") {
        action.target = Target::firstWaiter;
    } else if (text == "everybody") {
        action.target = Target::everyone;
    } else {
        action.target = Target::named;
        action.client = std::string(text);
    }
    return isName(text);
}

using Parsed = std::optional<Action>;

Action plain(Action::Kind kind)
{
    Action action;
    action.kind = kind;
    return action;
}

Parsed withTarget(Action action, std::string_view target)
{
    return takeTarget(target, action) ? Parsed(action) : Parsed();
}

// ---- what happens to clients, and to their nodes ----

Parsed parseClientAction(std::string_view text)
{
    using Kind = Action::Kind;
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
        Action action = plain(form.kind);
        if (form.undone)
            action.span = takeSpan(rest);
        if (const std::string_view whole = rest; form.kind == Kind::kill) {
            const auto unseen = takeLast(rest, " unseen for ");
            action.span = unseen ? parseDuration(*unseen) : std::nullopt;
            rest = action.span ? rest : whole;
        }
        return withTarget(action, rest);
    }
    return std::nullopt;
}

// ---- what happens to the run as a whole ----

Parsed parseRunAction(std::string_view text)
{
    using Kind = Action::Kind;
    static constexpr std::array<std::pair<std::string_view, Kind>, 5> words = {
        std::pair{"pause", Kind::pause}, std::pair{"resume", Kind::resume},
        std::pair{"add a client", Kind::addClient}, std::pair{"reap the container", Kind::reap},
        std::pair{"finish", Kind::finish}};
    for (const auto& [phrase, kind] : words)
        if (text == phrase)
            return plain(kind);
    if (!take(text, "set the leases to "))
        return std::nullopt;
    const auto leases = parseNumber(text);
    Action action = plain(Kind::setLeases);
    action.amount = leases.value_or(0);
    return leases && *leases <= 10'000 ? Parsed(action) : std::nullopt;
}

// ---- servers ----

bool takeServer(std::string_view text, Action& action)
{
    if (text == "the server")
        return true;
    if (text == "the leader") {
        action.member = Action::Member::leader;
        return true;
    }
    const auto number = take(text, "server ") ? parseNumber(text) : std::nullopt;
    action.member = Action::Member::numbered;
    action.number = static_cast<std::uint32_t>(number.value_or(0));
    return number && *number >= 1 && *number <= 9;
}

Parsed parseServerAction(std::string_view text)
{
    using Kind = Action::Kind;
    Action action;
    if (take(text, "kill ")) {
        action.kind = Kind::killServer;
    } else if (take(text, "stop ")) {
        action.kind = Kind::stopServer;
        action.span = takeSpan(text);
        if (!action.span)
            return std::nullopt;
    } else if (take(text, "restart ")) {
        action.kind = Kind::restartServer;
        action.withData = !drop(text, " without its data");
    } else {
        return std::nullopt;
    }
    const bool restartsLeader = action.kind == Kind::restartServer && text == "the leader";
    return takeServer(text, action) && !restartsLeader ? Parsed(action) : std::nullopt;
}

// ---- links ----

std::optional<trace::Op> parseOp(std::string_view text)
{
    constexpr auto names = trace::enumNames(trace::Op{});
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<trace::Op>(found - names.begin()));
}

// "lose the next reply to bo", "lose the next create reply to bo"
Parsed parseLostReply(std::string_view text)
{
    Action action = plain(Action::Kind::loseReply);
    if (take(text, "reply to "))
        return withTarget(action, text);
    const std::size_t space = text.find(' ');
    action.op = parseOp(text.substr(0, space));
    if (!action.op || space == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(space + 1);
    return take(text, "reply to ") ? withTarget(action, text) : std::nullopt;
}

// "ada by 50ms +- 20ms"
Parsed slowLink(std::string_view text, Action action)
{
    action.kind = Action::Kind::slowLink;
    auto by = takeLast(text, " by ");
    if (!by)
        return std::nullopt;
    if (const auto jitter = takeLast(*by, " +- ")) {
        const auto most = parseDuration(*jitter);
        if (!most)
            return std::nullopt;
        action.jitter = *most;
    }
    const auto delay = parseDuration(*by);
    if (!delay)
        return std::nullopt;
    action.delay = *delay;
    return withTarget(action, text);
}

// "ada to 10 kB/s"
Parsed limitLink(std::string_view text, Action action)
{
    action.kind = Action::Kind::limitLink;
    auto to = takeLast(text, " to ");
    if (!to)
        return std::nullopt;
    const std::uint64_t unit = drop(*to, " kB/s") ? 1000 : drop(*to, " B/s") ? 1 : 0;
    const auto number = parseNumber(*to);
    if (unit == 0 || !number || *number == 0)
        return std::nullopt;
    action.amount = *number * unit;
    return withTarget(action, text);
}

Parsed parseLinkAction(std::string_view text)
{
    using Kind = Action::Kind;
    if (take(text, "lose the next "))
        return parseLostReply(text);
    Action action;
    action.span = takeSpan(text);
    if (take(text, "slow the link of "))
        return slowLink(text, action);
    if (take(text, "limit the link of "))
        return limitLink(text, action);
    if (take(text, "mute the link of ")) {
        action.kind = Kind::muteLink;
        const bool to = drop(text, " to the server");
        action.direction = to ? Action::Direction::toServer : Action::Direction::fromServer;
        return to || drop(text, " from the server") ? withTarget(action, text) : std::nullopt;
    }
    if (take(text, "cut the link of ")) {
        action.kind = Kind::cutLink;
        return withTarget(action, text);
    }
    if (action.span)
        return std::nullopt;
    action.kind = take(text, "reset the link of ")       ? Kind::resetLink
                : take(text, "half-open the link of ") ? Kind::halfOpenLink
                : take(text, "mend the link of ")      ? Kind::healLink
                                                       : Kind::kill;
    return action.kind == Kind::kill ? std::nullopt : withTarget(action, text);
}

// ---- steps by hand ----

Parsed parseStepAction(std::string_view text)
{
    using Kind = Action::Kind;
    if (text == "step the next") {
        Action action = plain(Kind::step);
        action.target = Action::Target::nextInTurn;
        return action;
    }
    if (take(text, "step "))
        return withTarget(plain(Kind::step), text);
    const bool resumeSteps = take(text, "let ");
    if (!resumeSteps && !take(text, "hold "))
        return std::nullopt;
    Action action = plain(resumeSteps ? Kind::resumeSteps : Kind::holdSteps);
    const auto before = takeLast(text, " before ");
    if (resumeSteps && !drop(text, " go"))
        return std::nullopt;
    if (before) {
        action.step = parseStep(*before);
        if (!action.step)
            return std::nullopt;
    }
    return withTarget(action, text);
}

} // namespace

std::optional<Action> parseAction(std::string_view text)
{
    for (Parsed (*parse)(std::string_view) : {&parseRunAction, &parseServerAction, &parseLinkAction, &parseStepAction, &parseClientAction})
        if (const Parsed action = parse(text))
            return action;
    return std::nullopt;
}

std::string actionForms()
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
