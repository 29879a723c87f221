#include "core/sim/script/script_text.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/sim/script/text_scan.h"
#include "core/trace/event_fields.h"

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
    const bool unseen = action.kind == Action::Kind::kill && action.span;
    return unseen || (action.kind >= Action::Kind::cutLink && action.kind <= Action::Kind::healLink);
}

trace::CommandVerb verbOf(const Action& action)
{
    using enum trace::CommandVerb;
    // In the order of Action::Kind.
    static constexpr std::array verbs = {killSession,  closeSession,  freeze,       thaw,      removeClient,
                                         rejoinClient, addClient,     pause,        resume,    deleteNode,
                                         writeNode,    revoke,        reap,         setLeases, stopServer,
                                         killServer,   restartServer, cutLink,      slowLink,  limitLink,
                                         muteLink,     resetLink,     halfOpenLink, loseReply, healLink,
                                         hold,         step,          letGo,        finish};
    static_assert(verbs.size() == static_cast<std::size_t>(Action::Kind::finish) + 1);
    if (action.kind == Action::Kind::kill && action.target == Action::Target::holder)
        return killHolder;
    return verbs[static_cast<std::size_t>(action.kind)];
}

namespace {

// Consumes " for 4s" at the end.
std::optional<Duration> takeSpan(std::string_view& text)
{
    const std::string_view whole = text;
    const auto rest = splitAtLast(text, " for ");
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
    } else if (text == "everyone" || text == "everybody") {
        action.target = Target::everyone;
    } else {
        action.target = Target::named;
        action.client = std::string(text);
    }
    return isName(text);
}

using Parsed = std::optional<Action>;

Parsed withTarget(Action action, std::string_view target)
{
    return takeTarget(target, action) ? Parsed(action) : Parsed();
}

// ---- clients and their nodes ----

Parsed parseClientAction(std::string_view text)
{
    using Kind = Action::Kind;
    struct Form
    {
        std::string_view words;
        Kind kind;
        bool undone; // may have a span
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
        if (!consumePrefix(rest, form.words))
            continue;
        Action action = Action::of(form.kind);
        if (form.undone)
            action.span = takeSpan(rest);
        if (const std::string_view whole = rest; form.kind == Kind::kill) {
            const auto unseen = splitAtLast(rest, " unseen for ");
            action.span = unseen ? parseDuration(*unseen) : std::nullopt;
            rest = action.span ? rest : whole;
        }
        return withTarget(action, rest);
    }
    return std::nullopt;
}

// ---- the run ----

Parsed parseRunAction(std::string_view text)
{
    using Kind = Action::Kind;
    static constexpr std::array<std::pair<std::string_view, Kind>, 5> words = {
        std::pair{"pause", Kind::pause}, std::pair{"resume", Kind::resume},
        std::pair{"add a client", Kind::addClient}, std::pair{"reap the container", Kind::reap},
        std::pair{"finish", Kind::finish}};
    for (const auto& [phrase, kind] : words)
        if (text == phrase)
            return Action::of(kind);
    if (!consumePrefix(text, "set the leases to "))
        return std::nullopt;
    const auto leases = parseNumber(text);
    Action action = Action::of(Kind::setLeases);
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
    const auto number = consumePrefix(text, "server ") ? parseNumber(text) : std::nullopt;
    action.member = Action::Member::numbered;
    if (!number || *number < 1 || *number > 9)
        return false;
    action.number = static_cast<std::uint32_t>(*number);
    return true;
}

Parsed parseServerAction(std::string_view text)
{
    using Kind = Action::Kind;
    Action action;
    if (consumePrefix(text, "kill ")) {
        action.kind = Kind::killServer;
    } else if (consumePrefix(text, "stop ")) {
        action.kind = Kind::stopServer;
        action.span = takeSpan(text);
        if (!action.span)
            return std::nullopt;
    } else if (consumePrefix(text, "restart ")) {
        action.kind = Kind::restartServer;
        action.withData = !consumeSuffix(text, " without its data");
    } else {
        return std::nullopt;
    }
    const bool restartsLeader = action.kind == Kind::restartServer && text == "the leader";
    return takeServer(text, action) && !restartsLeader ? Parsed(action) : std::nullopt;
}

// ---- links ----

// "lose the next reply to bo", "lose the next create reply to bo"
Parsed parseLostReply(std::string_view text)
{
    Action action = Action::of(Action::Kind::loseReply);
    if (consumePrefix(text, "reply to "))
        return withTarget(action, text);
    const std::size_t space = text.find(' ');
    action.op = trace::enumFrom<Operation>(text.substr(0, space));
    if (!action.op || space == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(space + 1);
    return consumePrefix(text, "reply to ") ? withTarget(action, text) : std::nullopt;
}

// "ada by 50ms +- 20ms"
Parsed slowLink(std::string_view text, Action action)
{
    action.kind = Action::Kind::slowLink;
    auto by = splitAtLast(text, " by ");
    if (!by)
        return std::nullopt;
    if (const auto jitter = splitAtLast(*by, " +- ")) {
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
    auto to = splitAtLast(text, " to ");
    if (!to)
        return std::nullopt;
    const std::uint64_t unit = consumeSuffix(*to, " kB/s") ? 1000 : consumeSuffix(*to, " B/s") ? 1 : 0;
    const auto number = parseNumber(*to);
    if (unit == 0 || !number || *number == 0)
        return std::nullopt;
    action.amount = *number * unit;
    return withTarget(action, text);
}

Parsed parseLinkAction(std::string_view text)
{
    using Kind = Action::Kind;
    if (consumePrefix(text, "lose the next "))
        return parseLostReply(text);
    Action action;
    action.span = takeSpan(text);
    if (consumePrefix(text, "slow the link of "))
        return slowLink(text, action);
    if (consumePrefix(text, "limit the link of "))
        return limitLink(text, action);
    if (consumePrefix(text, "mute the link of ")) {
        action.kind = Kind::muteLink;
        const bool to = consumeSuffix(text, " to the server");
        action.direction = to ? Action::Direction::toServer : Action::Direction::fromServer;
        return to || consumeSuffix(text, " from the server") ? withTarget(action, text) : std::nullopt;
    }
    if (consumePrefix(text, "cut the link of ")) {
        action.kind = Kind::cutLink;
        return withTarget(action, text);
    }
    if (action.span)
        return std::nullopt;
    action.kind = consumePrefix(text, "reset the link of ")       ? Kind::resetLink
                  : consumePrefix(text, "half-open the link of ") ? Kind::halfOpenLink
                  : consumePrefix(text, "heal the link of ")      ? Kind::healLink
                  : consumePrefix(text, "mend the link of ")      ? Kind::healLink
                                                                  : Kind::kill;
    return action.kind == Kind::kill ? std::nullopt : withTarget(action, text);
}

// ---- manual steps ----

Parsed parseStepAction(std::string_view text)
{
    using Kind = Action::Kind;
    if (text == "step the next")
        return Action::of(Kind::step, Action::Target::nextInTurn);
    if (consumePrefix(text, "step "))
        return withTarget(Action::of(Kind::step), text);
    const bool resumeSteps = consumePrefix(text, "let ");
    if (!resumeSteps && !consumePrefix(text, "hold "))
        return std::nullopt;
    Action action = Action::of(resumeSteps ? Kind::resumeSteps : Kind::holdSteps);
    const auto before = splitAtLast(text, " before ");
    if (resumeSteps && !consumeSuffix(text, " go"))
        return std::nullopt;
    if (before) {
        action.step = trace::enumFrom<GateStep>(*before);
        if (!action.step)
            return std::nullopt;
    }
    return withTarget(action, text);
}

} // namespace

std::optional<Action> parseAction(std::string_view text)
{
    for (Parsed (*parse)(std::string_view) :
         {&parseRunAction, &parseServerAction, &parseLinkAction, &parseStepAction, &parseClientAction})
        if (const Parsed action = parse(text))
            return action;
    return std::nullopt;
}

std::string actionForms()
{
    return "one of \"kill ada\", \"kill the holder unseen for 500ms\", \"close the session of ada\", "
           "\"freeze the holder for 4s\", \"thaw ada\", "
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
           "\"heal the link of ada\", \"hold ada before watch\", \"step ada\", \"step the next\", \"let ada "
           "go\", "
           "\"pause\", \"resume\", \"finish\"";
}

} // namespace lockscope::sim
