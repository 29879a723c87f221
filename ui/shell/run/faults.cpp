#include "ui/shell/run/faults.h"

#include "core/sim/script/script_text.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"

#include <algorithm>
#include <string>

namespace lockscope::ui {

namespace {

using sim::Action;
using Kind = sim::Action::Kind;
using std::chrono::milliseconds;

const replay::ClientRow* selectedClient(const CommandContext& now)
{
    return now.state && now.selected.valid() ? now.state->client(now.selected) : nullptr;
}

// The client that rejoins: the selected one if it left, otherwise the last one that left.
const replay::ClientRow* departedClient(const CommandContext& now)
{
    const replay::ClientRow* found = nullptr;
    if (!now.state) {
        return found;
    }
    for (const replay::ClientRow& client : now.state->clients) {
        if (client.phase != replay::ClientPhase::removed) {
            continue;
        }
        if (client.id == now.selected) {
            return &client;
        }
        found = !found || client.phaseSince >= found->phaseSince ? &client : found;
    }
    return found;
}

// For a menu: escapes the name's ampersands, which would be mnemonics.
QString menuName(const replay::ClientRow& client)
{
    return format::plain(client.name).replace(u'&', QLatin1String("&&"));
}

bool hasSession(const replay::ClientRow& client)
{
    return client.session == trace::SessionPhase::connected ||
           client.session == trace::SessionPhase::suspended;
}

bool hasNode(const replay::ClientRow& client)
{
    bool found = !client.node.empty();
    client.forEach([&](const replay::LockUse& one) { found = found || !one.node.empty(); });
    return found;
}

// The node that the user has chosen, for an action on a node; null: the action is for the client's newest.
const replay::NodeRow* chosenNode(const CommandContext& now)
{
    const replay::ClientRow* client = selectedClient(now);
    const replay::NodeRow* node =
        client && !now.node.isEmpty() ? now.state->node(now.lock, now.node.toStdString()) : nullptr;
    return node && node->owner == client->id ? node : nullptr;
}

// Unknown counts as revocable: the run then says why nothing happened.
bool isRevocable(const CommandContext& now, const replay::ClientRow& client)
{
    if (!now.scenario || now.scenario->work.revocable)
        return true;
    const bool some = std::ranges::any_of(now.scenario->named,
                                          [](const sim::NamedClient& one) { return one.work.revocable; });
    if (!some)
        return false;
    const std::vector<sim::Participant> all = sim::participants(*now.scenario);
    return std::ranges::any_of(
        all, [&](const sim::Participant& one) { return one.name == client.name && one.work.revocable; });
}

DisabledReason runDisabledReason(const CommandContext& now)
{
    if (!now.state || !now.live) {
        return {QT_TRANSLATE_NOOP("Menus", "There is no live run. Start one first.")};
    }
    if (now.refusal.source)
        return now.refusal;
    if (now.state->phase == trace::RunPhase::starting) {
        return {QT_TRANSLATE_NOOP("Menus", "The run is still starting.")};
    }
    return {};
}

DisabledReason selectionDisabledReason(const CommandContext& now, unsigned requirements)
{
    const replay::ClientRow* client = selectedClient(now);
    if (!client) {
        return {QT_TRANSLATE_NOOP("Menus", "Select a client first.")};
    }
    const QString name = format::plain(client->name);
    if (client->phase == replay::ClientPhase::removed) {
        return {QT_TRANSLATE_NOOP("Menus", "%1 has left the run."), name};
    }
    // The state of an earlier moment does not describe the present.
    if (now.atEnd && (requirements & needsSession) && !hasSession(*client)) {
        return {QT_TRANSLATE_NOOP("Menus", "%1 has no session at the moment."), name};
    }
    if (now.atEnd && (requirements & needsNode) && !hasNode(*client) && !chosenNode(now)) {
        return {QT_TRANSLATE_NOOP("Menus", "%1 has no node in the queue at the moment."), name};
    }
    if ((requirements & needsRevocable) && !isRevocable(now, *client)) {
        return {QT_TRANSLATE_NOOP("Menus",
                                  "%1 does not accept requests to release: its locks are not revocable."),
                name};
    }
    return {};
}

DisabledReason linkDisabledReason(LinkSupport links)
{
    switch (links) {
    case LinkSupport::available:
        break;
    case LinkSupport::tooManyClients:
        return {
            QT_TRANSLATE_NOOP(
                "Menus", "With more than %1 clients, connection faults need links = true in the scenario."),
            format::count(kMaxLinks)};
    case LinkSupport::externalServer:
        return {QT_TRANSLATE_NOOP(
            "Menus", "On an external ZooKeeper, connection faults need links = true in the scenario.")};
    case LinkSupport::disabled:
        return {
            QT_TRANSLATE_NOOP("Menus", "This scenario sets links = false: its clients connect directly.")};
    }
    return {};
}

DisabledReason serverDisabledReason(const CommandContext& now, unsigned requirements)
{
    if (!now.ownServer) {
        return {QT_TRANSLATE_NOOP("Menus",
                                  "LockScope did not start this ZooKeeper and does not interfere with it.")};
    }
    const bool several = !now.state->server.members.empty();
    if ((requirements & needsEnsemble) && !several) {
        return {QT_TRANSLATE_NOOP("Menus",
                                  "This run has a single server. Use a scenario with an ensemble, for "
                                  "example leader-loss.")};
    }
    if ((requirements & needsSingle) && several) {
        return {QT_TRANSLATE_NOOP("Menus", "This run has several servers. Choose a server.")};
    }
    return {};
}

bool hasLeases(const replay::RunState& state)
{
    return std::any_of(state.locks.begin(), state.locks.end(),
                       [](const replay::LockRow& lock) { return isSemaphore(lock.kind()); });
}

DisabledReason disabledReason(unsigned requirements, const CommandContext& now)
{
    if (const DisabledReason run = runDisabledReason(now); run.source) {
        return run;
    }
    if ((requirements & needsLink) && now.links != LinkSupport::available) {
        return linkDisabledReason(now.links);
    }
    if (requirements & needsOwnServer) {
        return serverDisabledReason(now, requirements);
    }
    if (requirements & needsClient) {
        return selectionDisabledReason(now, requirements);
    }
    if ((requirements & needsSemaphore) && !hasLeases(*now.state)) {
        return {QT_TRANSLATE_NOOP("Menus", "Only a semaphore has leases.")};
    }
    if ((requirements & needsDepartedClient) && !departedClient(now)) {
        return {QT_TRANSLATE_NOOP("Menus", "No client has left the run.")};
    }
    if ((requirements & needsActiveClient) && activeClientCount(*now.state) == 0) {
        return {QT_TRANSLATE_NOOP("Menus", "There is no client left to remove.")};
    }
    return {};
}

constexpr int kMaxMilliseconds = 600'000;

Parameter durationParameter(int defaultValue)
{
    //: label of a field: how long the fault lasts
    return {MenuTexts::tr("Duration"), MenuTexts::tr(" ms"), defaultValue, 100, kMaxMilliseconds, 500};
}

// The number of the first server that satisfies `is`; 1 if none does.
template <class Is>
int memberNumber(const replay::RunState& state, Is is)
{
    const auto& members = state.server.members;
    const auto found = std::find_if(members.begin(), members.end(), is);
    return found == members.end() ? 1 : static_cast<int>(found - members.begin()) + 1;
}

Parameter serverParameter(const CommandContext& now)
{
    //: label of a field: the number of a server
    Parameter which{MenuTexts::tr("Server"), {}, 1, 1, 3};
    if (now.state && !now.state->server.members.empty()) {
        which.max = static_cast<int>(now.state->server.members.size());
        which.value = memberNumber(*now.state, [](const replay::MemberRow& member) {
            return member.phase == trace::ServerPhase::ready && member.mode != "leader";
        });
    }
    return which;
}

int leaseCount(const CommandContext& now)
{
    if (now.state) {
        for (const replay::LockRow& lock : now.state->locks) {
            if (isSemaphore(lock.kind())) {
                return static_cast<int>(lock.permits);
            }
        }
    }
    return 1;
}

// What the fault's line says, without the client: that is the engine command's.
Action actionFor(Fault fault, const std::vector<int>& values)
{
    QString line = QString::fromLatin1(faultRow(fault).line);
    for (const int value : values)
        line = line.arg(value);
    Action action = sim::parseAction(line.toStdString()).value_or(Action{});
    action.target = Action::Target::unspecified;
    action.client.clear();
    if (action.span == Duration{}) // until it is undone
        action.span.reset();
    return action;
}

// The time until the client of a killed session notices the loss: long enough to watch the next client wake,
// list, decide and hold, and shorter than a session timeout.
Duration detectionDelay(const CommandContext& now)
{
    constexpr Duration kMin = milliseconds(500), kMax = std::chrono::seconds(6);
    constexpr int kSteps = 6;
    return std::clamp<Duration>(kSteps * now.state->pace, kMin, kMax);
}

} // namespace

QString DisabledReason::text() const
{
    if (!source) {
        return {};
    }
    const QString sentence = MenuTexts::tr(source);
    return argument.isEmpty() ? sentence : sentence.arg(argument);
}

DisabledReason watchOnlyReason()
{
    return {QT_TRANSLATE_NOOP("Menus",
                              "This run only watches another program's lock: LockScope changes nothing.")};
}

DisabledReason judgedReason()
{
    return {QT_TRANSLATE_NOOP("Menus", "A program is being judged: the faults of this run are planned.")};
}

const char* nameOf(Fault fault) { return faultRow(fault).command; }

FaultGroup groupOf(Fault fault) { return faultRow(fault).group; }

bool needsSelectedClient(Fault fault) { return faultRow(fault).needs & needsClient; }

LinkSupport linkSupportFor(const sim::Scenario& scenario, bool isExternal)
{
    if (sim::needsLinks(scenario)) {
        return LinkSupport::available;
    }
    if (scenario.links && !*scenario.links) {
        return LinkSupport::disabled;
    }
    if (isExternal) {
        return LinkSupport::externalServer;
    }
    return sim::sessionCount(sim::participants(scenario)) > kMaxLinks ? LinkSupport::tooManyClients
                                                                      : LinkSupport::available;
}

CommandState commandState(Fault fault, const CommandContext& now)
{
    const FaultRow& entry = faultRow(fault);
    const replay::ClientRow* client =
        entry.needs & needsDepartedClient ? departedClient(now) : selectedClient(now);
    if (fault == Fault::freezeSelected && client && client->frozen) {
        return {
            MenuTexts::tr("Tha&w %1").arg(menuName(*client)),
            MenuTexts::tr("The client communicates with the server again. It learns only then whether its "
                          "session has expired."),
            runDisabledReason(now)};
    }
    const replay::NodeRow* node = entry.needs & needsNode ? chosenNode(now) : nullptr;
    if (node && node->phase == replay::NodePhase::orphan) {
        const QString which = format::sequenceNumber(node->name);
        const QString text =
            fault == Fault::deleteNode
                ? MenuTexts::tr("&Delete Node %1, an Orphan of %2").arg(which, menuName(*client))
            : fault == Fault::writeNode
                ? MenuTexts::tr("&Write to Node %1, an Orphan of %2").arg(which, menuName(*client))
                : MenuTexts::tr(entry.text).arg(menuName(*client));
        return {text, MenuTexts::tr(entry.consequence), disabledReason(entry.needs, now)};
    }
    const bool namesClient = *entry.textWithoutClient != '\0';
    const QString text = namesClient && client
                             ? MenuTexts::tr(entry.text).arg(menuName(*client))
                             : MenuTexts::tr(namesClient ? entry.textWithoutClient : entry.text);
    return {text, MenuTexts::tr(entry.consequence), disabledReason(entry.needs, now)};
}

QString menuTitle(FaultGroup group, const CommandContext& now)
{
    if (group == FaultGroup::server)
        return MenuTexts::tr("&ZooKeeper");
    if (group == FaultGroup::data)
        return MenuTexts::tr("&Nodes and Data");
    const replay::ClientRow* client = selectedClient(now);
    return client ? MenuTexts::tr("Connect&ion of %1").arg(menuName(*client))
                  : MenuTexts::tr("Connect&ion of the Selected Client");
}

bool isActiveClient(const replay::ClientRow& client)
{
    return client.phase != replay::ClientPhase::removed && client.phase != replay::ClientPhase::finished;
}

std::uint32_t activeClientCount(const replay::RunState& state)
{
    return static_cast<std::uint32_t>(
        std::count_if(state.clients.begin(), state.clients.end(), isActiveClient));
}

std::vector<Parameter> parameters(Fault fault, const CommandContext& now)
{
    switch (fault) {
    case Fault::slowLink:
        return {{MenuTexts::tr("Delay each way"), MenuTexts::tr(" ms"), 200, 1, 60'000, 50},
                //: label of a field: by how much the delay varies
                {MenuTexts::tr("Jitter"), MenuTexts::tr(" ms"), 0, 0, 60'000, 50}};
    case Fault::cutLink:
        return {{MenuTexts::tr("Duration"), MenuTexts::tr(" ms"), 3000, 0, kMaxMilliseconds, 500,
                 MenuTexts::tr("until restored")}};
    case Fault::limitLink:
        return {{MenuTexts::tr("At most"), MenuTexts::tr(" kB/s"), 1, 1, 100'000}};
    case Fault::stopServer:
    case Fault::stopLeader:
        return {durationParameter(2000)};
    case Fault::killMember:
        return {serverParameter(now)};
    case Fault::stopMember:
        return {serverParameter(now), durationParameter(2000)};
    case Fault::setLeases:
        //: label of a field: how many leases the semaphore has
        return {{MenuTexts::tr("Leases"), {}, leaseCount(now), 1, 10'000}};
    default:
        return {};
    }
}

std::optional<engine::EngineCommand> command(Fault fault, const CommandContext& now, std::vector<int> values)
{
    if (!commandState(fault, now).isEnabled()) {
        return std::nullopt;
    }
    const auto asked = parameters(fault, now);
    for (std::size_t i = values.size(); i < asked.size(); ++i) {
        values.push_back(asked[i].value);
    }
    switch (fault) {
    case Fault::killHolder:
        return engine::Execute{Action::of(Kind::killSession, Action::Target::holder, detectionDelay(now))};
    case Fault::killSelected:
        return engine::Execute{
            Action::of(Kind::killSession, Action::Target::unspecified, detectionDelay(now)), now.selected};
    case Fault::freezeSelected:
        return engine::Execute{now.state->client(now.selected)->frozen ? Kind::thaw : Kind::freeze,
                               now.selected};
    case Fault::addClient:
    case Fault::removeClient:
        return engine::Execute{actionFor(fault, values)};
    default:
        break;
    }
    engine::Execute all{actionFor(fault, values)};
    if (fault == Fault::rejoin) {
        all.action.client = std::string(departedClient(now)->name); // the scenario identifies clients by name
    } else if (groupOf(fault) == FaultGroup::server || fault == Fault::reap || fault == Fault::setLeases) {
        all.client = ClientId::none();
    } else {
        all.client = now.selected;
    }
    if (const replay::NodeRow* node = faultRow(fault).needs & needsNode ? chosenNode(now) : nullptr) {
        all.action.node = std::string(now.state->lock(now.lock)->path) + "/" + std::string(node->name);
    }
    return all;
}

} // namespace lockscope::ui
