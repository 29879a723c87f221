#include "core/sim/script/script_text.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/sim/script/text_scan.h"
#include "core/trace/event_fields.h"

#include <algorithm>
#include <array>

namespace lockscope::sim {

namespace {

template <std::size_t... I>
bool isKindOf(std::string_view name, std::index_sequence<I...>)
{
    return ((name == trace::kindName<std::variant_alternative_t<I, trace::Payload>>) || ...);
}

} // namespace

bool isEventKind(std::string_view name)
{
    return isKindOf(name, std::make_index_sequence<std::variant_size_v<trace::Payload>>{});
}

std::optional<Trigger> parseTrigger(std::string_view text)
{
    using Kind = Trigger::Kind;
    Trigger when;
    if (consumePrefix(text, "at ")) {
        const std::optional<Duration> time = parseDuration(text);
        when.time = time.value_or(Duration{});
        return time ? std::optional(when) : std::nullopt;
    }
    if (consumePrefix(text, "after ")) {
        when.kind = Kind::handoffs;
        if (!consumeSuffix(text, " handoffs") && !consumeSuffix(text, " handoff"))
            return std::nullopt;
        const auto count = parseNumber(text);
        when.count = static_cast<std::uint32_t>(count.value_or(0));
        return count && *count > 0 && *count <= UINT32_MAX ? std::optional(when) : std::nullopt;
    }
    if (!consumePrefix(text, "when "))
        return std::nullopt;
    if (consumeSuffix(text, " happens")) { // "hold_lost happens", "hold_lost to ada happens"
        when.kind = Kind::happens;
        const std::size_t of = text.find(" to ");
        if (of != std::string_view::npos)
            when.client = std::string(text.substr(of + 4));
        when.event = std::string(text.substr(0, of));
        return isEventKind(when.event) && when.client.size() <= 40 ? std::optional(when) : std::nullopt;
    }
    if (const auto before = splitAtLast(text, " stands before ")) {
        const auto step = trace::enumFrom<GateStep>(*before);
        if (!step)
            return std::nullopt;
        when.kind = Kind::stands;
        when.step = *step;
    } else if (consumeSuffix(text, " waits")) {
        when.kind = Kind::waits;
    } else if (consumeSuffix(text, " holds")) {
        when.kind = Kind::holds;
    } else if (consumeSuffix(text, " has released")) {
        when.kind = Kind::released;
    } else if (consumeSuffix(text, " is lost")) {
        when.kind = Kind::lost;
    } else if (consumeSuffix(text, " is away")) {
        when.kind = Kind::away;
    } else {
        return std::nullopt;
    }
    if (text != "anybody")
        when.client = std::string(text);
    return isName(text) ? std::optional(when) : std::nullopt;
}

std::string triggerForms()
{
    return "\"at 2s\", \"after 3 handoffs\", or \"when\" and one of \"ada waits\", \"anybody holds\", \"ada "
           "has "
           "released\", \"ada is lost\", \"ada is away\", \"ada stands before watch\", \"hold_lost "
           "happens\", "
           "\"hold_lost to ada happens\" (any kind of event of a trace)";
}

// ---- actions in a trace ----

bool concernsLinks(const Action& action)
{
    const bool unseen = action.kind == Action::Kind::killSession && action.span;
    return unseen || (action.kind >= Action::Kind::cutLink && action.kind <= Action::Kind::healLink);
}

namespace {

// ---- how every action is written ----

struct ActionForm
{
    Action::Kind kind;
    // "@" is a client; a word with "$" is one of kParts; what is in brackets may be missing.
    std::string_view form;
    std::string_view examples = {}; // separated by "|"; for completions and messages
};

using Kind = Action::Kind;

// The first form that fits counts.
constexpr std::array kForms{
    ActionForm{Kind::pause, "pause", "pause"},
    ActionForm{Kind::resume, "resume", "resume"},
    ActionForm{Kind::finish, "finish", "finish"},
    ActionForm{Kind::addClient, "add a client", "add a client"},
    ActionForm{Kind::reap, "reap the container", "reap the container"},
    ActionForm{Kind::setLeases, "set the leases to $leases", "set the leases to 5"},
    ActionForm{Kind::killServer, "kill $server", "kill the server|kill the leader|kill server 2"},
    ActionForm{Kind::stopServer, "stop $server for $span", "stop the server for 2s"},
    ActionForm{Kind::restartServer, "restart $server[$withoutData]",
               "restart the server|restart server 2 without its data"},
    ActionForm{Kind::loseReply, "lose the next [$op ]reply to @",
               "lose the next reply to @|lose the next create reply to @"},
    ActionForm{Kind::slowLink, "slow the link of @ by $delay[ +- $jitter][ for $span]",
               "slow the link of @ by 50ms +- 20ms"},
    ActionForm{Kind::limitLink, "limit the link of @ to $rate[ for $span]", "limit the link of @ to 10 kB/s"},
    ActionForm{Kind::muteLink, "mute the link of @ $direction[ for $span]",
               "mute the link of @ from the server|mute the link of @ to the server"},
    ActionForm{Kind::cutLink, "cut the link of @[ for $span]", "cut the link of @ for 2s"},
    ActionForm{Kind::resetLink, "reset the link of @", "reset the link of @"},
    ActionForm{Kind::halfOpenLink, "half-open the link of @", "half-open the link of @"},
    ActionForm{Kind::healLink, "heal the link of @", "heal the link of @"},
    ActionForm{Kind::healLink, "mend the link of @"},
    ActionForm{Kind::step, "step $next", "step the next"},
    ActionForm{Kind::step, "step @", "step @"},
    ActionForm{Kind::hold, "hold @[ before $step]", "hold @ before watch"},
    ActionForm{Kind::letGo, "let @ go[ before $step]", "let @ go"},
    ActionForm{Kind::killSession, "kill @[ unseen for $span]", "kill @|kill @ unseen for 500ms"},
    ActionForm{Kind::closeSession, "close the session of @", "close the session of @"},
    ActionForm{Kind::freeze, "freeze @[ for $span]", "freeze @ for 4s"},
    ActionForm{Kind::thaw, "thaw @", "thaw @"},
    ActionForm{Kind::removeClient, "remove @", "remove @"},
    ActionForm{Kind::rejoinClient, "rejoin @", "rejoin @"},
    ActionForm{Kind::deleteNode, "delete the node of @", "delete the node of @"},
    ActionForm{Kind::writeNode, "write to the node of @", "write to the node of @"},
    ActionForm{Kind::revoke, "revoke @", "revoke @"},
};

// ---- the parts of a form ----

bool takeTarget(std::string_view text, Action& action)
{
    using Target = Action::Target;
    action.target = text == "the holder"                        ? Target::holder
                    : text == "the first waiter"                ? Target::firstWaiter
                    : text == "everyone" || text == "everybody" ? Target::everyone
                                                                : Target::named;
    if (action.target == Target::named)
        action.client = std::string(text);
    return isName(text);
}

bool takeServer(std::string_view text, Action& action)
{
    if (text == "the server")
        return true;
    if (text == "the leader") {
        action.member = Action::Member::leader;
        return action.kind != Kind::restartServer;
    }
    const auto number = consumePrefix(text, "server ") ? parseNumber(text) : std::nullopt;
    action.member = Action::Member::numbered;
    action.number = static_cast<std::uint32_t>(number.value_or(0));
    return number && *number >= 1 && *number <= 9;
}

bool takeRate(std::string_view text, Action& action)
{
    const std::uint64_t unit = consumeSuffix(text, " kB/s") ? 1000 : consumeSuffix(text, " B/s") ? 1 : 0;
    action.amount = parseNumber(text).value_or(0) * unit;
    return action.amount > 0;
}

bool takeLeases(std::string_view text, Action& action)
{
    const auto leases = parseNumber(text);
    action.amount = leases.value_or(0);
    return leases && *leases <= 10'000;
}

bool takeDuration(std::string_view text, Duration& to)
{
    const auto given = parseDuration(text);
    to = given.value_or(Duration{});
    return given.has_value();
}

struct Part
{
    std::string_view name;
    bool (*take)(std::string_view text, Action& action); // whether it fits
};

constexpr std::array kParts{
    Part{"@", &takeTarget},
    Part{"$server", &takeServer},
    Part{"$rate", &takeRate},
    Part{"$leases", &takeLeases},
    Part{"$span", [](auto text, Action& to) { return bool(to.span = parseDuration(text)); }},
    Part{"$delay", [](auto text, Action& to) { return takeDuration(text, to.delay); }},
    Part{"$jitter", [](auto text, Action& to) { return takeDuration(text, to.jitter); }},
    Part{"$op", [](auto text, Action& to) { return bool(to.op = trace::enumFrom<Operation>(text)); }},
    Part{"$step", [](auto text, Action& to) { return bool(to.step = trace::enumFrom<GateStep>(text)); }},
    Part{"$next",
         [](auto text, Action& to) {
             to.target = Action::Target::nextInTurn;
             return text == "the next";
         }},
    Part{"$direction",
         [](auto text, Action& to) {
             to.direction =
                 text == "to the server" ? Action::Direction::toServer : Action::Direction::fromServer;
             return text == "to the server" || text == "from the server";
         }},
    Part{"$withoutData",
         [](auto text, Action& to) {
             to.withData = false;
             return text == " without its data";
         }},
};

constexpr std::size_t kLongestPart = 60;

// Whether the text has this form; then `action` has its parts.
bool fits(std::string_view form, std::string_view text, Action& action)
{
    if (form.empty())
        return text.empty();
    Action with = action;
    const auto taken = [&](bool isTaken) {
        if (isTaken)
            action = with;
        return isTaken;
    };
    if (form.front() == '[') {
        const std::size_t end = form.find(']');
        const std::string_view rest = form.substr(end + 1);
        const std::string whole = std::string(form.substr(1, end - 1)).append(rest);
        return taken(fits(whole, text, with)) || fits(rest, text, action);
    }
    for (const Part& part : kParts) {
        if (!form.starts_with(part.name))
            continue;
        // The shortest that fits: what may follow belongs to the form.
        for (std::size_t size = 1; size <= std::min(text.size(), kLongestPart); ++size) {
            with = action;
            if (part.take(text.substr(0, size), with) &&
                taken(fits(form.substr(part.name.size()), text.substr(size), with)))
                return true;
        }
        return false;
    }
    const std::size_t size = std::min(form.find_first_of("[@$"), form.size());
    return consumePrefix(text, form.substr(0, size)) && fits(form.substr(size), text, action);
}

} // namespace

std::optional<Action> parseAction(std::string_view text)
{
    for (const ActionForm& form : kForms)
        if (Action action = Action::of(form.kind); fits(form.form, text, action))
            return action;
    return std::nullopt;
}

std::vector<std::string> actionExamples()
{
    std::vector<std::string> all;
    for (const ActionForm& form : kForms)
        for (std::string_view left = form.examples; !left.empty();) {
            all.emplace_back(left.substr(0, left.find('|')));
            left.remove_prefix(std::min(left.size(), all.back().size() + 1));
        }
    return all;
}

std::string actionForms()
{
    std::string text;
    for (std::string example : actionExamples()) {
        if (const std::size_t client = example.find('@'); client != example.npos)
            example.replace(client, 1, "ada");
        text += (text.empty() ? "one of \"" : ", \"") + example + '"';
    }
    return text;
}

} // namespace lockscope::sim
