// What the window says of each fault that it can inject into a run, and of each command of a run: the entry
// of the menu with its keys and its line in a script, and the verb of each command. Tables; any thread.
#pragma once

#include "core/trace/command_verb.h"

#include <QtGlobal>

#include <array>
#include <cstddef>

namespace lockscope::ui {

// The order is that of the menus.
enum class Fault {
    killHolder,
    killSelected,
    closeSelected,
    freezeSelected,
    removeSelected,
    rejoin,
    addClient,
    removeClient,
    slowLink,
    cutLink,
    muteFromServer,
    muteToServer,
    limitLink,
    resetLink,
    halfOpenLink,
    loseReply,
    loseCreateReply,
    healLink,
    stopServer,
    killServer,
    restartServer,
    restartEmpty,
    killLeader,
    stopLeader,
    killMember,
    stopMember,
    deleteNode,
    writeNode,
    revoke,
    reap,
    setLeases
};
enum class FaultGroup { session, link, server, data };

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

struct FaultRow
{
    Fault fault;
    FaultGroup group;
    const char* line;              // in a script: "@" is the selected client, "%1" the first parameter
    const char* command;           // its name in the table of commands
    const char* keys;              // there
    const char* text;              // "%1" is the selected client's name
    const char* textWithoutClient; // while no client is selected; empty: `text` names no client
    const char* consequence;       // a sentence
    unsigned needs;                // of Requirement
};

inline constexpr unsigned kLinkNeeds = needsClient | needsLink;

inline constexpr std::array kFaultRows{
    FaultRow{
        Fault::killHolder, FaultGroup::session, "kill the holder", "fault.killHolder", "K",
        QT_TRANSLATE_NOOP("Menus", "Kill the &Holder's Session"), "",
        QT_TRANSLATE_NOOP(
            "Menus",
            "Ends the holder's session at the server. Its node is deleted, and the next client wakes. On "
            "LockScope's own server the old holder learns of it only half a second or six steps later: "
            "until then it believes that it holds."),
        needsRun},
    FaultRow{Fault::killSelected, FaultGroup::session, "kill @", "fault.killSelected", "Shift+K",
             QT_TRANSLATE_NOOP("Menus", "&Kill the Session of %1"),
             QT_TRANSLATE_NOOP("Menus", "&Kill the Selected Client's Session"),
             QT_TRANSLATE_NOOP(
                 "Menus", "Ends the session at the server. Its node in the queue is deleted; the client that "
                          "watches it wakes and reads the queue again."),
             needsClient | needsSession},
    FaultRow{Fault::closeSelected, FaultGroup::session, "close the session of @", "fault.closeSelected",
             "Shift+C", QT_TRANSLATE_NOOP("Menus", "&Close the Session of %1"),
             QT_TRANSLATE_NOOP("Menus", "&Close the Selected Client's Session"),
             QT_TRANSLATE_NOOP(
                 "Menus", "The client closes its session, which deletes its nodes at once, and connects with "
                          "a new one."),
             needsClient | needsSession},
    FaultRow{Fault::freezeSelected, FaultGroup::session, "freeze @", "fault.freezeSelected", "Shift+F",
             QT_TRANSLATE_NOOP("Menus", "&Freeze %1"),
             QT_TRANSLATE_NOOP("Menus", "&Freeze or Thaw the Selected Client"),
             QT_TRANSLATE_NOOP(
                 "Menus",
                 "The client stops sending heartbeats. The server ends its session after the timeout; a "
                 "frozen holder still believes that it holds the lock."),
             needsClient | needsSession},
    FaultRow{Fault::removeSelected, FaultGroup::session, "remove @", "fault.removeSelected", "Shift+R",
             QT_TRANSLATE_NOOP("Menus", "&Disconnect %1 Gracefully"),
             QT_TRANSLATE_NOOP("Menus", "&Disconnect the Selected Client Gracefully"),
             QT_TRANSLATE_NOOP("Menus",
                               "The client releases the lock or leaves the queue, then closes its session."),
             needsClient},
    FaultRow{Fault::rejoin, FaultGroup::session, "rejoin @", "fault.rejoin", "Shift+J",
             QT_TRANSLATE_NOOP("Menus", "Reconnec&t %1"),
             QT_TRANSLATE_NOOP("Menus", "Reconnec&t a Client That Left"),
             QT_TRANSLATE_NOOP("Menus",
                               "A client that left connects under its old name with a new session, and "
                               "queues at the end."),
             needsDepartedClient},
    FaultRow{
        Fault::addClient, FaultGroup::session, "add a client", "fault.addClient", "Alt++",
        QT_TRANSLATE_NOOP("Menus", "&Add a Client"), "",
        QT_TRANSLATE_NOOP("Menus", "Connects another client, which queues for the lock like the others."),
        needsRun},
    FaultRow{Fault::removeClient, FaultGroup::session, "remove @", "fault.removeClient", "Alt+-",
             QT_TRANSLATE_NOOP("Menus", "&Remove a Client"), "",
             QT_TRANSLATE_NOOP(
                 "Menus", "The last client releases the lock or leaves the queue, then closes its session."),
             needsActiveClient},

    FaultRow{Fault::slowLink, FaultGroup::link, "slow the link of @ by %1ms +- %2ms", "fault.slowLink",
             "L, S", QT_TRANSLATE_NOOP("Menus", "&Slow Down the Connection of %1…"),
             QT_TRANSLATE_NOOP("Menus", "&Slow Down the Selected Client's Connection…"),
             QT_TRANSLATE_NOOP("Menus", "Delays all traffic between the client and ZooKeeper, each way. A "
                                        "handoff to the client takes longer, and so do the waits behind it."),
             kLinkNeeds},
    FaultRow{Fault::cutLink, FaultGroup::link, "cut the link of @ for %1ms", "fault.cutLink", "L, C",
             QT_TRANSLATE_NOOP("Menus", "&Cut the Connection of %1…"),
             QT_TRANSLATE_NOOP("Menus", "&Cut the Selected Client's Connection…"),
             QT_TRANSLATE_NOOP(
                 "Menus", "Resets the connection and refuses new ones. The client is suspended; its session "
                          "lives until the timeout."),
             kLinkNeeds},
    FaultRow{Fault::muteFromServer, FaultGroup::link, "mute the link of @ from the server",
             "fault.muteFromServer", "L, I", QT_TRANSLATE_NOOP("Menus", "Block &Incoming Traffic of %1"),
             QT_TRANSLATE_NOOP("Menus", "Block &Incoming Traffic of the Selected Client"),
             QT_TRANSLATE_NOOP("Menus", "Replies and watch events from ZooKeeper no longer arrive. Requests "
                                        "of the client still do."),
             kLinkNeeds},
    FaultRow{Fault::muteToServer, FaultGroup::link, "mute the link of @ to the server", "fault.muteToServer",
             "L, O", QT_TRANSLATE_NOOP("Menus", "Block &Outgoing Traffic of %1"),
             QT_TRANSLATE_NOOP("Menus", "Block &Outgoing Traffic of the Selected Client"),
             QT_TRANSLATE_NOOP("Menus", "Requests and heartbeats of the client no longer arrive: the server "
                                        "ends its session after the timeout."),
             kLinkNeeds},
    FaultRow{Fault::limitLink, FaultGroup::link, "limit the link of @ to %1 kB/s", "fault.limitLink", "L, B",
             QT_TRANSLATE_NOOP("Menus", "Limit the &Bandwidth of %1…"),
             QT_TRANSLATE_NOOP("Menus", "Limit the Selected Client's &Bandwidth…"),
             QT_TRANSLATE_NOOP("Menus", "Limits the bandwidth; long child lists become slow."), kLinkNeeds},
    FaultRow{Fault::resetLink, FaultGroup::link, "reset the link of @", "fault.resetLink", "L, R",
             QT_TRANSLATE_NOOP("Menus", "&Reset the Connection of %1"),
             QT_TRANSLATE_NOOP("Menus", "&Reset the Selected Client's Connection"),
             QT_TRANSLATE_NOOP("Menus", "Ends the connection once. The client reconnects with the same "
                                        "session and reads the queue again."),
             kLinkNeeds},
    FaultRow{Fault::halfOpenLink, FaultGroup::link, "half-open the link of @", "fault.halfOpenLink", "L, H",
             QT_TRANSLATE_NOOP("Menus", "Make the Connection of %1 &Half-Open"),
             QT_TRANSLATE_NOOP("Menus", "Make the Selected Client's Connection &Half-Open"),
             QT_TRANSLATE_NOOP("Menus", "The server drops the connection while the client's end stays open: "
                                        "the client notices only when no reply comes."),
             kLinkNeeds},
    FaultRow{Fault::loseReply, FaultGroup::link, "lose the next reply to @", "fault.loseReply", "L, N",
             QT_TRANSLATE_NOOP("Menus", "Lose the &Next Reply to %1"),
             QT_TRANSLATE_NOOP("Menus", "Lose the &Next Reply to the Selected Client"),
             QT_TRANSLATE_NOOP("Menus", "The request is executed, but its reply is lost with the connection: "
                                        "the client cannot know whether it took effect."),
             kLinkNeeds},
    FaultRow{
        Fault::loseCreateReply, FaultGroup::link, "lose the next create reply to @", "fault.loseCreateReply",
        "L, M", QT_TRANSLATE_NOOP("Menus", "Lose the Reply to the Ne&xt Create of %1"),
        QT_TRANSLATE_NOOP("Menus", "Lose the Reply to the Selected Client's Ne&xt Create"),
        QT_TRANSLATE_NOOP("Menus", "The node is created, but the client does not learn of it. The client "
                                   "must find its own node, or the orphaned node blocks the queue."),
        kLinkNeeds},
    FaultRow{Fault::healLink, FaultGroup::link, "heal the link of @", "fault.healLink", "L, E",
             QT_TRANSLATE_NOOP("Menus", "R&estore the Connection of %1"),
             QT_TRANSLATE_NOOP("Menus", "R&estore the Selected Client's Connection"),
             QT_TRANSLATE_NOOP("Menus", "All traffic passes again, at full speed."), kLinkNeeds},
    FaultRow{Fault::stopServer, FaultGroup::server, "stop the server for %1ms", "fault.stopServer", "Z, S",
             QT_TRANSLATE_NOOP("Menus", "&Pause ZooKeeper…"), "",
             QT_TRANSLATE_NOOP("Menus", "Suspends the server's process for a time. Clients notice that it "
                                        "does not answer; sessions may expire meanwhile."),
             needsOwnServer | needsSingle},
    FaultRow{Fault::killServer, FaultGroup::server, "kill the server", "fault.killServer", "Z, K",
             QT_TRANSLATE_NOOP("Menus", "&Kill ZooKeeper"), "",
             QT_TRANSLATE_NOOP("Menus",
                               "Ends the server's process at once and starts it again a moment later "
                               "with its data."),
             needsOwnServer | needsSingle},
    FaultRow{Fault::restartServer, FaultGroup::server, "restart the server", "fault.restartServer", "Z, R",
             QT_TRANSLATE_NOOP("Menus", "&Restart with Data"), "",
             QT_TRANSLATE_NOOP("Menus",
                               "Restarts the server with all its nodes and sessions; in an ensemble, "
                               "the server that is down."),
             needsOwnServer},
    FaultRow{Fault::restartEmpty, FaultGroup::server, "restart the server without its data",
             "fault.restartEmpty", "Z, E", QT_TRANSLATE_NOOP("Menus", "R&estart without Data"), "",
             QT_TRANSLATE_NOOP("Menus", "Restarts the server without its nodes and sessions. In an ensemble, "
                                        "it copies them from the other servers."),
             needsOwnServer},
    FaultRow{Fault::killLeader, FaultGroup::server, "kill the leader", "fault.killLeader", "Z, L",
             QT_TRANSLATE_NOOP("Menus", "Kill the &Leader"), "",
             QT_TRANSLATE_NOOP("Menus",
                               "Ends the leader's process. The other servers elect a new leader, and "
                               "its clients move there with their sessions."),
             needsOwnServer | needsEnsemble},
    FaultRow{Fault::stopLeader, FaultGroup::server, "stop the leader for %1ms", "fault.stopLeader", "Z, P",
             QT_TRANSLATE_NOOP("Menus", "Pause &the Leader…"), "",
             QT_TRANSLATE_NOOP("Menus", "Suspends the leader's process for a time. The other servers elect a "
                                        "new leader; the old one learns of it when it continues."),
             needsOwnServer | needsEnsemble},
    FaultRow{Fault::killMember, FaultGroup::server, "kill server %1", "fault.killMember", "Z, M",
             QT_TRANSLATE_NOOP("Menus", "Kill a &Server…"), "",
             QT_TRANSLATE_NOOP("Menus", "Ends the server's process until it is restarted. The locks keep "
                                        "working while a majority of the servers runs."),
             needsOwnServer | needsEnsemble},
    FaultRow{Fault::stopMember, FaultGroup::server, "stop server %1 for %2ms", "fault.stopMember", "Z, N",
             QT_TRANSLATE_NOOP("Menus", "Pa&use a Server…"), "",
             QT_TRANSLATE_NOOP("Menus",
                               "Suspends the server's process for a time. Its clients notice that it "
                               "does not answer and move to another server."),
             needsOwnServer | needsEnsemble},
    FaultRow{Fault::deleteNode, FaultGroup::data, "delete the node of @", "fault.deleteNode", "N, D",
             QT_TRANSLATE_NOOP("Menus", "&Delete the Node of %1"),
             QT_TRANSLATE_NOOP("Menus", "&Delete the Selected Client's Node"),
             QT_TRANSLATE_NOOP("Menus", "Deletes the node as an administrator would. A holder loses the lock "
                                        "with its node, and the next client acquires it."),
             needsClient | needsNode},
    FaultRow{Fault::writeNode, FaultGroup::data, "write to the node of @", "fault.writeNode", "N, W",
             QT_TRANSLATE_NOOP("Menus", "&Write to the Node of %1"),
             QT_TRANSLATE_NOOP("Menus", "&Write to the Selected Client's Node"),
             QT_TRANSLATE_NOOP("Menus", "Writes foreign data to the node; its watchers wake for nothing."),
             needsClient | needsNode},
    FaultRow{Fault::revoke, FaultGroup::data, "revoke @", "fault.revoke", "N, V",
             QT_TRANSLATE_NOOP("Menus", "&Ask %1 to Release the Lock"),
             QT_TRANSLATE_NOOP("Menus", "&Ask the Selected Client to Release the Lock"),
             QT_TRANSLATE_NOOP("Menus", "Writes Curator's revocation request to the client's node. A holder "
                                        "that agrees releases the lock; other clients ignore it."),
             needsClient | needsNode | needsRevocable},
    FaultRow{Fault::reap, FaultGroup::data, "reap the container", "fault.reap", "N, C",
             QT_TRANSLATE_NOOP("Menus", "Remove the Lock's &Container"), "",
             QT_TRANSLATE_NOOP("Menus", "Deletes the lock's container node, as the server does with unused "
                                        "containers. Refused while the queue is not empty; the sequence "
                                        "numbers start at 0 again."),
             needsRun},
    FaultRow{Fault::setLeases, FaultGroup::data, "set the leases to %1", "fault.setLeases", "N, L",
             QT_TRANSLATE_NOOP("Menus", "Set the Number of &Leases…"), "",
             QT_TRANSLATE_NOOP("Menus", "Sets how many clients may have a lease at the same time. Waiting "
                                        "clients notice the change."),
             needsSemaphore}};

// All of them, in the order of the menus.
inline constexpr auto kFaults = [] {
    std::array<Fault, kFaultRows.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = kFaultRows[i].fault;
    return all;
}();
constexpr const FaultRow& faultRow(Fault fault) { return kFaultRows[static_cast<std::size_t>(fault)]; }
static_assert([] {
    for (std::size_t i = 0; i < kFaults.size(); ++i)
        if (kFaults[i] != static_cast<Fault>(i))
            return false;
    return kFaults.back() == Fault::setLeases;
}());

// How a command is said: in the log, and as the mark of what was done.
struct VerbText
{
    trace::CommandVerb verb;
    const char* ofClient; // with the client's name
    const char* withoutClient;
    const char* done = nullptr; // for a mark, with the client's name
    const char* doneWithoutClient = nullptr;
};

inline constexpr std::array kVerbTexts{
    VerbText{trace::CommandVerb::killSession, QT_TRANSLATE_NOOP("Commands", "kill the session of %1"),
             QT_TRANSLATE_NOOP("Commands", "kill a session"),
             QT_TRANSLATE_NOOP("Commands", "killed %1's session")},
    VerbText{trace::CommandVerb::killHolder,
             QT_TRANSLATE_NOOP("Commands", "kill the session of the holder, %1"),
             QT_TRANSLATE_NOOP("Commands", "kill the session of the holder"),
             QT_TRANSLATE_NOOP("Commands", "killed the holder's session: %1"),
             QT_TRANSLATE_NOOP("Commands", "killed the holder's session")},
    VerbText{trace::CommandVerb::closeSession, QT_TRANSLATE_NOOP("Commands", "close the session of %1"),
             QT_TRANSLATE_NOOP("Commands", "close a session")},
    VerbText{trace::CommandVerb::freeze, QT_TRANSLATE_NOOP("Commands", "freeze %1"),
             QT_TRANSLATE_NOOP("Commands", "freeze a client"), QT_TRANSLATE_NOOP("Commands", "froze %1")},
    VerbText{trace::CommandVerb::thaw, QT_TRANSLATE_NOOP("Commands", "thaw %1"),
             QT_TRANSLATE_NOOP("Commands", "thaw a client"), QT_TRANSLATE_NOOP("Commands", "thawed %1")},
    VerbText{trace::CommandVerb::removeClient, QT_TRANSLATE_NOOP("Commands", "remove %1"),
             QT_TRANSLATE_NOOP("Commands", "remove a client"),
             QT_TRANSLATE_NOOP("Commands", "asked %1 to leave"),
             QT_TRANSLATE_NOOP("Commands", "asked a client to leave")}, // the client releases first
    VerbText{trace::CommandVerb::rejoinClient,
             QT_TRANSLATE_NOOP("Commands", "reconnect %1 with a new session"),
             QT_TRANSLATE_NOOP("Commands", "reconnect a client with a new session")},
    VerbText{trace::CommandVerb::addClient, QT_TRANSLATE_NOOP("Commands", "add %1"),
             QT_TRANSLATE_NOOP("Commands", "add a client"), QT_TRANSLATE_NOOP("Commands", "added %1"),
             QT_TRANSLATE_NOOP("Commands", "added a client")},
    VerbText{trace::CommandVerb::pause, nullptr, QT_TRANSLATE_NOOP("Commands", "pause the run")},
    VerbText{trace::CommandVerb::resume, nullptr, QT_TRANSLATE_NOOP("Commands", "resume the run")},
    VerbText{trace::CommandVerb::pace, nullptr, QT_TRANSLATE_NOOP("Commands", "change the pace")},
    VerbText{trace::CommandVerb::setPace, nullptr, QT_TRANSLATE_NOOP("Commands", "change the pace")},
    VerbText{trace::CommandVerb::deleteNode, QT_TRANSLATE_NOOP("Commands", "delete the node of %1"),
             QT_TRANSLATE_NOOP("Commands", "delete a node")},
    VerbText{trace::CommandVerb::writeNode, QT_TRANSLATE_NOOP("Commands", "write to the node of %1"),
             QT_TRANSLATE_NOOP("Commands", "write to a node")},
    VerbText{trace::CommandVerb::revoke, QT_TRANSLATE_NOOP("Commands", "ask %1 to release the lock"),
             QT_TRANSLATE_NOOP("Commands", "ask the holder to release the lock")},
    VerbText{trace::CommandVerb::reap, nullptr, QT_TRANSLATE_NOOP("Commands", "remove the lock's container")},
    VerbText{trace::CommandVerb::setLeases, nullptr,
             QT_TRANSLATE_NOOP("Commands", "set the number of leases")},
    VerbText{trace::CommandVerb::stopServer, nullptr,
             QT_TRANSLATE_NOOP("Commands", "pause ZooKeeper for a time")},
    VerbText{trace::CommandVerb::continueServer, nullptr,
             QT_TRANSLATE_NOOP("Commands", "let ZooKeeper continue")},
    VerbText{trace::CommandVerb::killServer, nullptr, QT_TRANSLATE_NOOP("Commands", "kill ZooKeeper")},
    VerbText{trace::CommandVerb::restartServer, nullptr, QT_TRANSLATE_NOOP("Commands", "restart ZooKeeper")},
    VerbText{trace::CommandVerb::cutLink, QT_TRANSLATE_NOOP("Commands", "cut the connection of %1"),
             QT_TRANSLATE_NOOP("Commands", "cut a connection")},
    VerbText{trace::CommandVerb::slowLink, QT_TRANSLATE_NOOP("Commands", "slow down the connection of %1"),
             QT_TRANSLATE_NOOP("Commands", "slow down a connection")},
    VerbText{trace::CommandVerb::limitLink, QT_TRANSLATE_NOOP("Commands", "limit the bandwidth of %1"),
             QT_TRANSLATE_NOOP("Commands", "limit the bandwidth of a client")},
    VerbText{trace::CommandVerb::muteLink,
             QT_TRANSLATE_NOOP("Commands", "block the connection of %1 in one direction"),
             QT_TRANSLATE_NOOP("Commands", "block a connection in one direction")},
    VerbText{trace::CommandVerb::resetLink, QT_TRANSLATE_NOOP("Commands", "reset the connection of %1"),
             QT_TRANSLATE_NOOP("Commands", "reset a connection")},
    VerbText{trace::CommandVerb::halfOpenLink,
             QT_TRANSLATE_NOOP("Commands", "leave the connection of %1 half-open"),
             QT_TRANSLATE_NOOP("Commands", "leave a connection half-open")},
    VerbText{trace::CommandVerb::loseReply, QT_TRANSLATE_NOOP("Commands", "lose a reply to %1"),
             QT_TRANSLATE_NOOP("Commands", "lose a reply")},
    VerbText{trace::CommandVerb::healLink, QT_TRANSLATE_NOOP("Commands", "restore the connection of %1"),
             QT_TRANSLATE_NOOP("Commands", "restore a connection")},
    VerbText{trace::CommandVerb::hold, QT_TRANSLATE_NOOP("Commands", "stop %1 before a step"),
             QT_TRANSLATE_NOOP("Commands", "stop the clients before a step")},
    VerbText{trace::CommandVerb::step, QT_TRANSLATE_NOOP("Commands", "step %1"),
             QT_TRANSLATE_NOOP("Commands", "step a client")},
    VerbText{trace::CommandVerb::letGo, QT_TRANSLATE_NOOP("Commands", "let %1 continue"),
             QT_TRANSLATE_NOOP("Commands", "let the clients continue")},
    // From transaction logs.
    VerbText{trace::CommandVerb::create, QT_TRANSLATE_NOOP("Commands", "create a node of %1"),
             QT_TRANSLATE_NOOP("Commands", "create a node")},
    VerbText{trace::CommandVerb::remove, QT_TRANSLATE_NOOP("Commands", "delete the node of %1"),
             QT_TRANSLATE_NOOP("Commands", "delete a node")},
    VerbText{trace::CommandVerb::deletedByOther,
             QT_TRANSLATE_NOOP("Commands", "node of %1 deleted by another session"),
             QT_TRANSLATE_NOOP("Commands", "node deleted by another session")},
    VerbText{trace::CommandVerb::dataSet, QT_TRANSLATE_NOOP("Commands", "set the data of the node of %1"),
             QT_TRANSLATE_NOOP("Commands", "set the data of a node")},
    VerbText{trace::CommandVerb::sessionClosed,
             QT_TRANSLATE_NOOP("Commands", "session of %1 closed by its client"),
             QT_TRANSLATE_NOOP("Commands", "session closed by its client")},
    VerbText{trace::CommandVerb::sessionExpired, QT_TRANSLATE_NOOP("Commands", "session of %1 expired"),
             QT_TRANSLATE_NOOP("Commands", "session expired")},
    VerbText{trace::CommandVerb::folderDeleted, nullptr,
             QT_TRANSLATE_NOOP("Commands", "folder of the lock deleted by a session")},
    VerbText{trace::CommandVerb::gap, nullptr, QT_TRANSLATE_NOOP("Commands", "gap in the log or the trace")},
    VerbText{trace::CommandVerb::unconfirmedTail, nullptr,
             QT_TRANSLATE_NOOP("Commands", "entries before this are unconfirmed: the leader changed")},
    VerbText{trace::CommandVerb::clockWentBack, nullptr,
             QT_TRANSLATE_NOOP("Commands", "the leader's clock went back")},
    VerbText{trace::CommandVerb::finish, nullptr, QT_TRANSLATE_NOOP("Commands", "finish the run")}};

} // namespace lockscope::ui
