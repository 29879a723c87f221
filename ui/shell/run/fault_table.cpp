#include "ui/shell/run/fault_table.h"

#include <algorithm>

#include <QtGlobal>

namespace lockscope::ui {

namespace {

// A key of two strokes begins with the group: L the link, Z ZooKeeper, N the nodes.
constexpr std::array kSession{
    FaultEntry{
        Fault::killHolder, FaultGroup::session, "K",
        QT_TRANSLATE_NOOP("CommandMap", "Kill the &holder's session"), "",
        QT_TRANSLATE_NOOP("CommandMap",
                          "Ends the holder's session at the server. Its node vanishes, the next in line is "
                          "woken, and the old holder is told that it lost the lock."),
        needsRun},
    FaultEntry{Fault::killSelected, FaultGroup::session, "Shift+K",
                QT_TRANSLATE_NOOP("CommandMap", "&Kill session of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "&Kill the selected client's session"),
                QT_TRANSLATE_NOOP("CommandMap",
                                  "Ends the session at the server. Its node in the queue vanishes; "
                                  "whoever watches it is woken and looks again."),
                needsClient | needsSession},
    FaultEntry{Fault::closeSelected, FaultGroup::session, "Shift+C",
                QT_TRANSLATE_NOOP("CommandMap", "&Close session of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "&Close the selected client's session"),
                QT_TRANSLATE_NOOP("CommandMap",
                                  "The client closes its session itself, which deletes its nodes at "
                                  "once, and comes back with a new one."),
                needsClient | needsSession},
    FaultEntry{
        Fault::freezeSelected, FaultGroup::session, "Shift+F",
        QT_TRANSLATE_NOOP("CommandMap", "&Freeze %1"),
        QT_TRANSLATE_NOOP("CommandMap", "&Freeze or thaw the selected client"),
        QT_TRANSLATE_NOOP("CommandMap",
                          "It sends no heartbeats any more. The server ends its session after the session "
                          "timeout; a frozen holder still believes that it holds."),
        needsClient | needsSession},
    FaultEntry{Fault::removeSelected, FaultGroup::session, "Shift+R",
                QT_TRANSLATE_NOOP("CommandMap", "&Let %1 leave"),
                QT_TRANSLATE_NOOP("CommandMap", "&Let the selected client leave"),
                QT_TRANSLATE_NOOP("CommandMap",
                                  "The client leaves in an orderly way: it releases or leaves the "
                                  "queue, then closes its session."),
                needsClient},
    FaultEntry{
        Fault::rejoin, FaultGroup::session, "Shift+J", QT_TRANSLATE_NOOP("CommandMap", "Let %1 come &back"),
        QT_TRANSLATE_NOOP("CommandMap", "Let a client that left come &back"),
        QT_TRANSLATE_NOOP("CommandMap", "A client that left connects again under its old name, with a new "
                                        "session, and queues at the end."),
        needsDepartedClient},
    FaultEntry{Fault::addClient, FaultGroup::session, "Alt++",
                QT_TRANSLATE_NOOP("CommandMap", "&Add a client"), "",
                QT_TRANSLATE_NOOP("CommandMap",
                                  "Connects one more client, which queues for the lock like the others."),
                needsRun},
    FaultEntry{Fault::removeClient, FaultGroup::session, "Alt+-",
                QT_TRANSLATE_NOOP("CommandMap", "&Remove a client"), "",
                QT_TRANSLATE_NOOP("CommandMap",
                                  "The last client leaves in an orderly way: it releases or leaves "
                                  "the queue, then closes its session."),
                needsActiveClient}};

constexpr unsigned kLink = needsClient | needsLink;
constexpr std::array kLinks{
    FaultEntry{Fault::slowLink, FaultGroup::link, "L, S",
                QT_TRANSLATE_NOOP("CommandMap", "&Slow down the link of %1…"),
                QT_TRANSLATE_NOOP("CommandMap", "&Slow down the selected client's link…"),
                QT_TRANSLATE_NOOP("CommandMap", "Everything between the client and ZooKeeper takes longer, each way. "
                                                "A handoff to it is late; nobody else notices."),
                kLink},
    FaultEntry{Fault::cutLink, FaultGroup::link, "L, C",
                QT_TRANSLATE_NOOP("CommandMap", "&Cut the link of %1…"),
                QT_TRANSLATE_NOOP("CommandMap", "&Cut the selected client's link…"),
                QT_TRANSLATE_NOOP("CommandMap",
                                  "Its connection is reset and no new one can be made. Its session lives until the "
                                  "timeout; until then the client is suspended."),
                kLink},
    FaultEntry{Fault::muteFromServer, FaultGroup::link, "L, I",
                QT_TRANSLATE_NOOP("CommandMap", "Nothing comes &in to %1"),
                QT_TRANSLATE_NOOP("CommandMap", "Nothing comes &in to the selected client"),
                QT_TRANSLATE_NOOP("CommandMap", "What ZooKeeper sends does not arrive any more: no reply, no watch "
                                                "event. What the client sends does."),
                kLink},
    FaultEntry{Fault::muteToServer, FaultGroup::link, "L, O",
                QT_TRANSLATE_NOOP("CommandMap", "Nothing goes &out from %1"),
                QT_TRANSLATE_NOOP("CommandMap", "Nothing goes &out from the selected client"),
                QT_TRANSLATE_NOOP("CommandMap", "What the client sends does not arrive any more, heartbeats "
                                                "neither: the server ends its session after the timeout."),
                kLink},
    FaultEntry{Fault::limitLink, FaultGroup::link, "L, B",
                QT_TRANSLATE_NOOP("CommandMap", "Limit the &bandwidth of %1…"),
                QT_TRANSLATE_NOOP("CommandMap", "Limit the selected client's &bandwidth…"),
                QT_TRANSLATE_NOOP("CommandMap",
                                  "So many bytes a second pass, no more: long lists of children take long."),
                kLink},
    FaultEntry{Fault::resetLink, FaultGroup::link, "L, R",
                QT_TRANSLATE_NOOP("CommandMap", "&Reset the connection of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "&Reset the selected client's connection"),
                QT_TRANSLATE_NOOP("CommandMap", "The connection ends once. The client connects again with the same "
                                                "session and looks at the queue anew."),
                kLink},
    FaultEntry{Fault::halfOpenLink, FaultGroup::link, "L, H",
                QT_TRANSLATE_NOOP("CommandMap", "Make the connection of %1 &half-open"),
                QT_TRANSLATE_NOOP("CommandMap", "Make the selected client's connection &half-open"),
                QT_TRANSLATE_NOOP("CommandMap", "The server forgets the connection, the client's end stays open: it "
                                                "finds out only when nothing answers any more."),
                kLink},
    FaultEntry{Fault::loseReply, FaultGroup::link, "L, N",
                QT_TRANSLATE_NOOP("CommandMap", "Lose the &next reply to %1"),
                QT_TRANSLATE_NOOP("CommandMap", "Lose the &next reply to the selected client"),
                QT_TRANSLATE_NOOP("CommandMap", "The request is carried out, its reply is lost with the connection: "
                                                "the client cannot know whether it happened."),
                kLink},
    FaultEntry{Fault::loseCreateReply, FaultGroup::link, "L, M",
                QT_TRANSLATE_NOOP("CommandMap", "Lose the reply to the next create of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "Lose the reply to the selected client's next create"),
                QT_TRANSLATE_NOOP("CommandMap", "The node is made and the client is not told. It has to find its own "
                                                "node again, or the orphaned node blocks the queue."),
                kLink},
    FaultEntry{Fault::healLink, FaultGroup::link, "L, E",
                QT_TRANSLATE_NOOP("CommandMap", "M&end the link of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "M&end the selected client's link"),
                QT_TRANSLATE_NOOP("CommandMap", "Everything passes again, at full speed."), kLink}};

constexpr std::array kServers{
    FaultEntry{Fault::stopServer, FaultGroup::server, "Z, S",
                QT_TRANSLATE_NOOP("CommandMap", "&Stop ZooKeeper for a time…"), "",
                QT_TRANSLATE_NOOP("CommandMap", "The server's process stands still, then goes on. Clients notice the "
                                                "silence; sessions may expire meanwhile."),
                needsOwnServer | needsSingle},
    FaultEntry{Fault::killServer, FaultGroup::server, "Z, K",
                QT_TRANSLATE_NOOP("CommandMap", "&Kill ZooKeeper"), "",
                QT_TRANSLATE_NOOP("CommandMap", "The server's process ends at once, and is started again a moment "
                                                "later with its data."),
                needsOwnServer | needsSingle},
    FaultEntry{Fault::restartServer, FaultGroup::server, "Z, R",
                QT_TRANSLATE_NOOP("CommandMap", "&Restart with its data"), "",
                QT_TRANSLATE_NOOP("CommandMap", "Starts the server anew with all nodes and sessions that it had; of "
                                                "several servers, the one that is down."),
                needsOwnServer},
    FaultEntry{Fault::restartEmpty, FaultGroup::server, "Z, E",
                QT_TRANSLATE_NOOP("CommandMap", "Restart &empty"), "",
                QT_TRANSLATE_NOOP("CommandMap", "Starts the server anew without its data: no node and no session is "
                                                "left. One of several servers learns all from the others."),
                needsOwnServer},
    FaultEntry{Fault::killLeader, FaultGroup::server, "Z, L",
                QT_TRANSLATE_NOOP("CommandMap", "Kill the &leader"), "",
                QT_TRANSLATE_NOOP("CommandMap", "The leader's process ends. The others elect a new one, and its "
                                                "clients move over with their sessions."),
                needsOwnServer | needsEnsemble},
    FaultEntry{Fault::stopLeader, FaultGroup::server, "Z, P",
                QT_TRANSLATE_NOOP("CommandMap", "Stop the leader for a &time…"), "",
                QT_TRANSLATE_NOOP("CommandMap", "The leader's process stands still. The others elect a new one; the "
                                                "old one finds out when it goes on."),
                needsOwnServer | needsEnsemble},
    FaultEntry{Fault::killMember, FaultGroup::server, "Z, M",
                QT_TRANSLATE_NOOP("CommandMap", "Kill a server by its &number…"), "",
                QT_TRANSLATE_NOOP("CommandMap", "The server's process ends and stays away until it is restarted. As "
                                                "long as most of the servers run, the locks go on."),
                needsOwnServer | needsEnsemble},
    FaultEntry{Fault::stopMember, FaultGroup::server, "Z, N",
                QT_TRANSLATE_NOOP("CommandMap", "Stop a server by its n&umber…"), "",
                QT_TRANSLATE_NOOP("CommandMap", "The server's process stands still for a time. Its clients notice "
                                                "the silence and move to another server."),
                needsOwnServer | needsEnsemble}};

constexpr std::array kData{
    FaultEntry{Fault::deleteNode, FaultGroup::data, "N, D",
                QT_TRANSLATE_NOOP("CommandMap", "&Delete the node of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "&Delete the selected client's node"),
                QT_TRANSLATE_NOOP("CommandMap", "As an administrator would. A holder whose node goes holds nothing "
                                                "any more, and the next one comes in."),
                needsClient | needsNode},
    FaultEntry{Fault::writeNode, FaultGroup::data, "N, W",
                QT_TRANSLATE_NOOP("CommandMap", "&Write to the node of %1"),
                QT_TRANSLATE_NOOP("CommandMap", "&Write to the selected client's node"),
                QT_TRANSLATE_NOOP("CommandMap", "Writes other data into the node: whoever watches it is woken for "
                                                "nothing and looks again."),
                needsClient | needsNode},
    FaultEntry{Fault::revoke, FaultGroup::data, "N, V",
                QT_TRANSLATE_NOOP("CommandMap", "&Ask %1 to give the lock up"),
                QT_TRANSLATE_NOOP("CommandMap", "&Ask the selected client to give the lock up"),
                QT_TRANSLATE_NOOP("CommandMap", "Writes Curator's request for revocation into its node. A holder "
                                                "that agrees releases; others go on as before."),
                needsClient | needsNode},
    FaultEntry{Fault::reap, FaultGroup::data, "N, C",
                QT_TRANSLATE_NOOP("CommandMap", "Remove the lock's &container"), "",
                QT_TRANSLATE_NOOP("CommandMap", "As the server does with containers that are not used. Refused while "
                                                "somebody is in the queue; the numbers begin at 0 again."),
                needsRun},
    FaultEntry{Fault::setLeases, FaultGroup::data, "N, L",
                QT_TRANSLATE_NOOP("CommandMap", "Set the &leases…"), "",
                QT_TRANSLATE_NOOP("CommandMap", "How many may have a lease at once. Waiting clients notice by "
                                                "themselves."),
                needsSemaphore}};

} // namespace

const FaultEntry& faultEntry(Fault what)
{
    const FaultEntry* found = &kSession.front();
    const auto look = [&](const auto& entries) {
        const auto at = std::find_if(entries.begin(), entries.end(),
                                     [what](const FaultEntry& entry) { return entry.what == what; });
        if (at != entries.end()) {
            found = &*at;
        }
    };
    look(kSession);
    look(kLinks);
    look(kServers);
    look(kData);
    return *found;
}

} // namespace lockscope::ui
