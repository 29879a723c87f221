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

// What a fault needs. Values combine.
enum Requirement : unsigned {
    needsRun = 0,
    needsClient = 1,    // a selected client that takes part
    needsSession = 2,   // the selected client has a session at the moment
    needsLink = 4,      // faults can be injected into the selected client's connection
    needsOwnServer = 8, // a server that LockScope started
    needsSingle = 16,   // one server
    needsEnsemble = 32, // several servers
    needsSemaphore = 64,
    needsDepartedClient = 128, // any client that left
    needsActiveClient = 256,   // any client that takes part
    needsNode = 512,           // the selected client has a node in a queue
    needsRevocable = 1024      // the selected client releases its lock on request
};

struct FaultEntry
{
    Fault fault;
    FaultGroup group;
    const char* line;              // in a script: "@" is the selected client, "%1" the first parameter
    const char* command;           // its name in the table of commands
    const char* text;              // "%1" is the selected client's name
    const char* textWithoutClient; // while no client is selected; empty: `text` names no client
    const char* consequence;       // a sentence
    unsigned requirements;
};

constexpr unsigned kLink = needsClient | needsLink;

constexpr std::array kEntries{
    FaultEntry{
        Fault::killHolder, FaultGroup::session, "kill the holder", "fault.killHolder",
        QT_TRANSLATE_NOOP("Menus", "Kill the &Holder's Session"), "",
        QT_TRANSLATE_NOOP(
            "Menus",
            "Ends the holder's session at the server. Its node is deleted, and the next client wakes. On "
            "LockScope's own server the old holder learns of it only half a second or six steps later: "
            "until then it believes that it holds."),
        needsRun},
    FaultEntry{
        Fault::killSelected, FaultGroup::session, "kill @", "fault.killSelected",
        QT_TRANSLATE_NOOP("Menus", "&Kill the Session of %1"),
        QT_TRANSLATE_NOOP("Menus", "&Kill the Selected Client's Session"),
        QT_TRANSLATE_NOOP("Menus",
                          "Ends the session at the server. Its node in the queue is deleted; the client that "
                          "watches it wakes and reads the queue again."),
        needsClient | needsSession},
    FaultEntry{
        Fault::closeSelected, FaultGroup::session, "close the session of @", "fault.closeSelected",
        QT_TRANSLATE_NOOP("Menus", "&Close the Session of %1"),
        QT_TRANSLATE_NOOP("Menus", "&Close the Selected Client's Session"),
        QT_TRANSLATE_NOOP("Menus",
                          "The client closes its session, which deletes its nodes at once, and connects with "
                          "a new one."),
        needsClient | needsSession},
    FaultEntry{Fault::freezeSelected, FaultGroup::session, "freeze @", "fault.freezeSelected",
               QT_TRANSLATE_NOOP("Menus", "&Freeze %1"),
               QT_TRANSLATE_NOOP("Menus", "&Freeze or Thaw the Selected Client"),
               QT_TRANSLATE_NOOP(
                   "Menus",
                   "The client stops sending heartbeats. The server ends its session after the timeout; a "
                   "frozen holder still believes that it holds the lock."),
               needsClient | needsSession},
    FaultEntry{Fault::removeSelected, FaultGroup::session, "remove @", "fault.removeSelected",
               QT_TRANSLATE_NOOP("Menus", "&Disconnect %1 Gracefully"),
               QT_TRANSLATE_NOOP("Menus", "&Disconnect the Selected Client Gracefully"),
               QT_TRANSLATE_NOOP(
                   "Menus", "The client releases the lock or leaves the queue, then closes its session."),
               needsClient},
    FaultEntry{Fault::rejoin, FaultGroup::session, "rejoin @", "fault.rejoin",
               QT_TRANSLATE_NOOP("Menus", "Reconnec&t %1"),
               QT_TRANSLATE_NOOP("Menus", "Reconnec&t a Client That Left"),
               QT_TRANSLATE_NOOP("Menus",
                                 "A client that left connects under its old name with a new session, and "
                                 "queues at the end."),
               needsDepartedClient},
    FaultEntry{
        Fault::addClient, FaultGroup::session, "add a client", "fault.addClient",
        QT_TRANSLATE_NOOP("Menus", "&Add a Client"), "",
        QT_TRANSLATE_NOOP("Menus", "Connects another client, which queues for the lock like the others."),
        needsRun},
    FaultEntry{
        Fault::removeClient, FaultGroup::session, "remove @", "fault.removeClient",
        QT_TRANSLATE_NOOP("Menus", "&Remove a Client"), "",
        QT_TRANSLATE_NOOP("Menus",
                          "The last client releases the lock or leaves the queue, then closes its session."),
        needsActiveClient},

    FaultEntry{Fault::slowLink, FaultGroup::link, "slow the link of @ by %1ms +- %2ms", "fault.slowLink",
               QT_TRANSLATE_NOOP("Menus", "&Slow Down the Connection of %1…"),
               QT_TRANSLATE_NOOP("Menus", "&Slow Down the Selected Client's Connection…"),
               QT_TRANSLATE_NOOP("Menus",
                                 "Delays all traffic between the client and ZooKeeper, each way. A "
                                 "handoff to the client takes longer, and so do the waits behind it."),
               kLink},
    FaultEntry{
        Fault::cutLink, FaultGroup::link, "cut the link of @ for %1ms", "fault.cutLink",
        QT_TRANSLATE_NOOP("Menus", "&Cut the Connection of %1…"),
        QT_TRANSLATE_NOOP("Menus", "&Cut the Selected Client's Connection…"),
        QT_TRANSLATE_NOOP("Menus",
                          "Resets the connection and refuses new ones. The client is suspended; its session "
                          "lives until the timeout."),
        kLink},
    FaultEntry{Fault::muteFromServer, FaultGroup::link, "mute the link of @ from the server",
               "fault.muteFromServer", QT_TRANSLATE_NOOP("Menus", "Block &Incoming Traffic of %1"),
               QT_TRANSLATE_NOOP("Menus", "Block &Incoming Traffic of the Selected Client"),
               QT_TRANSLATE_NOOP("Menus",
                                 "Replies and watch events from ZooKeeper no longer arrive. Requests "
                                 "of the client still do."),
               kLink},
    FaultEntry{Fault::muteToServer, FaultGroup::link, "mute the link of @ to the server",
               "fault.muteToServer", QT_TRANSLATE_NOOP("Menus", "Block &Outgoing Traffic of %1"),
               QT_TRANSLATE_NOOP("Menus", "Block &Outgoing Traffic of the Selected Client"),
               QT_TRANSLATE_NOOP("Menus",
                                 "Requests and heartbeats of the client no longer arrive: the server "
                                 "ends its session after the timeout."),
               kLink},
    FaultEntry{Fault::limitLink, FaultGroup::link, "limit the link of @ to %1 kB/s", "fault.limitLink",
               QT_TRANSLATE_NOOP("Menus", "Limit the &Bandwidth of %1…"),
               QT_TRANSLATE_NOOP("Menus", "Limit the Selected Client's &Bandwidth…"),
               QT_TRANSLATE_NOOP("Menus", "Limits the bandwidth; long child lists become slow."), kLink},
    FaultEntry{Fault::resetLink, FaultGroup::link, "reset the link of @", "fault.resetLink",
               QT_TRANSLATE_NOOP("Menus", "&Reset the Connection of %1"),
               QT_TRANSLATE_NOOP("Menus", "&Reset the Selected Client's Connection"),
               QT_TRANSLATE_NOOP("Menus", "Ends the connection once. The client reconnects with the same "
                                          "session and reads the queue again."),
               kLink},
    FaultEntry{Fault::halfOpenLink, FaultGroup::link, "half-open the link of @", "fault.halfOpenLink",
               QT_TRANSLATE_NOOP("Menus", "Make the Connection of %1 &Half-Open"),
               QT_TRANSLATE_NOOP("Menus", "Make the Selected Client's Connection &Half-Open"),
               QT_TRANSLATE_NOOP("Menus",
                                 "The server drops the connection while the client's end stays open: "
                                 "the client notices only when no reply comes."),
               kLink},
    FaultEntry{Fault::loseReply, FaultGroup::link, "lose the next reply to @", "fault.loseReply",
               QT_TRANSLATE_NOOP("Menus", "Lose the &Next Reply to %1"),
               QT_TRANSLATE_NOOP("Menus", "Lose the &Next Reply to the Selected Client"),
               QT_TRANSLATE_NOOP("Menus",
                                 "The request is executed, but its reply is lost with the connection: "
                                 "the client cannot know whether it took effect."),
               kLink},
    FaultEntry{
        Fault::loseCreateReply, FaultGroup::link, "lose the next create reply to @", "fault.loseCreateReply",
        QT_TRANSLATE_NOOP("Menus", "Lose the Reply to the Ne&xt Create of %1"),
        QT_TRANSLATE_NOOP("Menus", "Lose the Reply to the Selected Client's Ne&xt Create"),
        QT_TRANSLATE_NOOP("Menus", "The node is created, but the client does not learn of it. The client "
                                   "must find its own node, or the orphaned node blocks the queue."),
        kLink},
    FaultEntry{Fault::healLink, FaultGroup::link, "heal the link of @", "fault.healLink",
               QT_TRANSLATE_NOOP("Menus", "R&estore the Connection of %1"),
               QT_TRANSLATE_NOOP("Menus", "R&estore the Selected Client's Connection"),
               QT_TRANSLATE_NOOP("Menus", "All traffic passes again, at full speed."), kLink},
    FaultEntry{Fault::stopServer, FaultGroup::server, "stop the server for %1ms", "fault.stopServer",
               QT_TRANSLATE_NOOP("Menus", "&Pause ZooKeeper…"), "",
               QT_TRANSLATE_NOOP("Menus", "Suspends the server's process for a time. Clients notice that it "
                                          "does not answer; sessions may expire meanwhile."),
               needsOwnServer | needsSingle},
    FaultEntry{Fault::killServer, FaultGroup::server, "kill the server", "fault.killServer",
               QT_TRANSLATE_NOOP("Menus", "&Kill ZooKeeper"), "",
               QT_TRANSLATE_NOOP("Menus",
                                 "Ends the server's process at once and starts it again a moment later "
                                 "with its data."),
               needsOwnServer | needsSingle},
    FaultEntry{Fault::restartServer, FaultGroup::server, "restart the server", "fault.restartServer",
               QT_TRANSLATE_NOOP("Menus", "&Restart with Data"), "",
               QT_TRANSLATE_NOOP("Menus",
                                 "Restarts the server with all its nodes and sessions; in an ensemble, "
                                 "the server that is down."),
               needsOwnServer},
    FaultEntry{Fault::restartEmpty, FaultGroup::server, "restart the server without its data",
               "fault.restartEmpty", QT_TRANSLATE_NOOP("Menus", "R&estart without Data"), "",
               QT_TRANSLATE_NOOP("Menus",
                                 "Restarts the server without its nodes and sessions. In an ensemble, "
                                 "it copies them from the other servers."),
               needsOwnServer},
    FaultEntry{Fault::killLeader, FaultGroup::server, "kill the leader", "fault.killLeader",
               QT_TRANSLATE_NOOP("Menus", "Kill the &Leader"), "",
               QT_TRANSLATE_NOOP("Menus",
                                 "Ends the leader's process. The other servers elect a new leader, and "
                                 "its clients move there with their sessions."),
               needsOwnServer | needsEnsemble},
    FaultEntry{Fault::stopLeader, FaultGroup::server, "stop the leader for %1ms", "fault.stopLeader",
               QT_TRANSLATE_NOOP("Menus", "Pause &the Leader…"), "",
               QT_TRANSLATE_NOOP("Menus",
                                 "Suspends the leader's process for a time. The other servers elect a "
                                 "new leader; the old one learns of it when it continues."),
               needsOwnServer | needsEnsemble},
    FaultEntry{Fault::killMember, FaultGroup::server, "kill server %1", "fault.killMember",
               QT_TRANSLATE_NOOP("Menus", "Kill a &Server…"), "",
               QT_TRANSLATE_NOOP("Menus", "Ends the server's process until it is restarted. The locks keep "
                                          "working while a majority of the servers runs."),
               needsOwnServer | needsEnsemble},
    FaultEntry{Fault::stopMember, FaultGroup::server, "stop server %1 for %2ms", "fault.stopMember",
               QT_TRANSLATE_NOOP("Menus", "Pa&use a Server…"), "",
               QT_TRANSLATE_NOOP("Menus",
                                 "Suspends the server's process for a time. Its clients notice that it "
                                 "does not answer and move to another server."),
               needsOwnServer | needsEnsemble},
    FaultEntry{Fault::deleteNode, FaultGroup::data, "delete the node of @", "fault.deleteNode",
               QT_TRANSLATE_NOOP("Menus", "&Delete the Node of %1"),
               QT_TRANSLATE_NOOP("Menus", "&Delete the Selected Client's Node"),
               QT_TRANSLATE_NOOP("Menus",
                                 "Deletes the node as an administrator would. A holder loses the lock "
                                 "with its node, and the next client acquires it."),
               needsClient | needsNode},
    FaultEntry{Fault::writeNode, FaultGroup::data, "write to the node of @", "fault.writeNode",
               QT_TRANSLATE_NOOP("Menus", "&Write to the Node of %1"),
               QT_TRANSLATE_NOOP("Menus", "&Write to the Selected Client's Node"),
               QT_TRANSLATE_NOOP("Menus", "Writes foreign data to the node; its watchers wake for nothing."),
               needsClient | needsNode},
    FaultEntry{Fault::revoke, FaultGroup::data, "revoke @", "fault.revoke",
               QT_TRANSLATE_NOOP("Menus", "&Ask %1 to Release the Lock"),
               QT_TRANSLATE_NOOP("Menus", "&Ask the Selected Client to Release the Lock"),
               QT_TRANSLATE_NOOP("Menus",
                                 "Writes Curator's revocation request to the client's node. A holder "
                                 "that agrees releases the lock; other clients ignore it."),
               needsClient | needsNode | needsRevocable},
    FaultEntry{Fault::reap, FaultGroup::data, "reap the container", "fault.reap",
               QT_TRANSLATE_NOOP("Menus", "Remove the Lock's &Container"), "",
               QT_TRANSLATE_NOOP("Menus", "Deletes the lock's container node, as the server does with unused "
                                          "containers. Refused while the queue is not empty; the sequence "
                                          "numbers start at 0 again."),
               needsRun},
    FaultEntry{Fault::setLeases, FaultGroup::data, "set the leases to %1", "fault.setLeases",
               QT_TRANSLATE_NOOP("Menus", "Set the Number of &Leases…"), "",
               QT_TRANSLATE_NOOP("Menus", "Sets how many clients may have a lease at the same time. Waiting "
                                          "clients notice the change."),
               needsSemaphore}};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kEntries.size(); ++i)
        if (kEntries[i].fault != kFaults[i])
            return false;
    return kEntries.size() == kFaults.size();
}
static_assert(isInOrder());

const FaultEntry& faultEntry(Fault fault) { return kEntries[static_cast<std::size_t>(fault)]; }

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
    QString line = QString::fromLatin1(faultEntry(fault).line);
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

const char* nameOf(Fault fault) { return faultEntry(fault).command; }

FaultGroup groupOf(Fault fault) { return faultEntry(fault).group; }

bool needsSelectedClient(Fault fault) { return faultEntry(fault).requirements & needsClient; }

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
    const FaultEntry& entry = faultEntry(fault);
    const replay::ClientRow* client =
        entry.requirements & needsDepartedClient ? departedClient(now) : selectedClient(now);
    if (fault == Fault::freezeSelected && client && client->frozen) {
        return {
            MenuTexts::tr("Tha&w %1").arg(menuName(*client)),
            MenuTexts::tr("The client communicates with the server again. It learns only then whether its "
                          "session has expired."),
            runDisabledReason(now)};
    }
    const replay::NodeRow* node = entry.requirements & needsNode ? chosenNode(now) : nullptr;
    if (node && node->phase == replay::NodePhase::orphan) {
        const QString which = format::sequenceNumber(node->name);
        const QString text =
            fault == Fault::deleteNode
                ? MenuTexts::tr("&Delete Node %1, an Orphan of %2").arg(which, menuName(*client))
            : fault == Fault::writeNode
                ? MenuTexts::tr("&Write to Node %1, an Orphan of %2").arg(which, menuName(*client))
                : MenuTexts::tr(entry.text).arg(menuName(*client));
        return {text, MenuTexts::tr(entry.consequence), disabledReason(entry.requirements, now)};
    }
    const bool namesClient = *entry.textWithoutClient != '\0';
    const QString text = namesClient && client
                             ? MenuTexts::tr(entry.text).arg(menuName(*client))
                             : MenuTexts::tr(namesClient ? entry.textWithoutClient : entry.text);
    return {text, MenuTexts::tr(entry.consequence), disabledReason(entry.requirements, now)};
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
    if (const replay::NodeRow* node =
            faultEntry(fault).requirements & needsNode ? chosenNode(now) : nullptr) {
        all.action.node = std::string(now.state->lock(now.lock)->path) + "/" + std::string(node->name);
    }
    return all;
}

} // namespace lockscope::ui
