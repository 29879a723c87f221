#include "ui/texts/command_text.h"

#include "core/trace/command_verb.h"
#include "ui/models/style/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

using enum trace::CommandVerb;

struct CommandText
{
    Q_DECLARE_TR_FUNCTIONS(Commands)
};

struct Command
{
    trace::CommandVerb verb;
    const char* ofClient; // with the client's name
    const char* withoutClient;
    const char* done = nullptr; // for a mark, with the client's name
    const char* doneWithoutClient = nullptr;
};

constexpr std::array kCommands{
    Command{killSession, QT_TRANSLATE_NOOP("Commands", "kill the session of %1"),
            QT_TRANSLATE_NOOP("Commands", "kill a session"),
            QT_TRANSLATE_NOOP("Commands", "killed %1's session")},
    Command{killHolder, QT_TRANSLATE_NOOP("Commands", "kill the session of the holder, %1"),
            QT_TRANSLATE_NOOP("Commands", "kill the session of the holder"),
            QT_TRANSLATE_NOOP("Commands", "killed the holder's session: %1"),
            QT_TRANSLATE_NOOP("Commands", "killed the holder's session")},
    Command{closeSession, QT_TRANSLATE_NOOP("Commands", "close the session of %1"),
            QT_TRANSLATE_NOOP("Commands", "close a session")},
    Command{freeze, QT_TRANSLATE_NOOP("Commands", "freeze %1"),
            QT_TRANSLATE_NOOP("Commands", "freeze a client"), QT_TRANSLATE_NOOP("Commands", "froze %1")},
    Command{thaw, QT_TRANSLATE_NOOP("Commands", "thaw %1"), QT_TRANSLATE_NOOP("Commands", "thaw a client"),
            QT_TRANSLATE_NOOP("Commands", "thawed %1")},
    Command{removeClient, QT_TRANSLATE_NOOP("Commands", "remove %1"),
            QT_TRANSLATE_NOOP("Commands", "remove a client"),
            QT_TRANSLATE_NOOP("Commands", "asked %1 to leave"),
            QT_TRANSLATE_NOOP("Commands", "asked a client to leave")}, // the client releases first
    Command{rejoinClient, QT_TRANSLATE_NOOP("Commands", "reconnect %1 with a new session"),
            QT_TRANSLATE_NOOP("Commands", "reconnect a client with a new session")},
    Command{addClient, QT_TRANSLATE_NOOP("Commands", "add %1"), QT_TRANSLATE_NOOP("Commands", "add a client"),
            QT_TRANSLATE_NOOP("Commands", "added %1"), QT_TRANSLATE_NOOP("Commands", "added a client")},
    Command{pause, nullptr, QT_TRANSLATE_NOOP("Commands", "pause the run")},
    Command{resume, nullptr, QT_TRANSLATE_NOOP("Commands", "resume the run")},
    Command{pace, nullptr, QT_TRANSLATE_NOOP("Commands", "change the pace")},
    Command{setPace, nullptr, QT_TRANSLATE_NOOP("Commands", "change the pace")},
    Command{deleteNode, QT_TRANSLATE_NOOP("Commands", "delete the node of %1"),
            QT_TRANSLATE_NOOP("Commands", "delete a node")},
    Command{writeNode, QT_TRANSLATE_NOOP("Commands", "write to the node of %1"),
            QT_TRANSLATE_NOOP("Commands", "write to a node")},
    Command{revoke, QT_TRANSLATE_NOOP("Commands", "ask %1 to release the lock"),
            QT_TRANSLATE_NOOP("Commands", "ask the holder to release the lock")},
    Command{reap, nullptr, QT_TRANSLATE_NOOP("Commands", "remove the lock's container")},
    Command{setLeases, nullptr, QT_TRANSLATE_NOOP("Commands", "set the number of leases")},
    Command{stopServer, nullptr, QT_TRANSLATE_NOOP("Commands", "pause ZooKeeper for a time")},
    Command{continueServer, nullptr, QT_TRANSLATE_NOOP("Commands", "let ZooKeeper continue")},
    Command{killServer, nullptr, QT_TRANSLATE_NOOP("Commands", "kill ZooKeeper")},
    Command{restartServer, nullptr, QT_TRANSLATE_NOOP("Commands", "restart ZooKeeper")},
    Command{cutLink, QT_TRANSLATE_NOOP("Commands", "cut the connection of %1"),
            QT_TRANSLATE_NOOP("Commands", "cut a connection")},
    Command{slowLink, QT_TRANSLATE_NOOP("Commands", "slow down the connection of %1"),
            QT_TRANSLATE_NOOP("Commands", "slow down a connection")},
    Command{limitLink, QT_TRANSLATE_NOOP("Commands", "limit the bandwidth of %1"),
            QT_TRANSLATE_NOOP("Commands", "limit the bandwidth of a client")},
    Command{muteLink, QT_TRANSLATE_NOOP("Commands", "block the connection of %1 in one direction"),
            QT_TRANSLATE_NOOP("Commands", "block a connection in one direction")},
    Command{resetLink, QT_TRANSLATE_NOOP("Commands", "reset the connection of %1"),
            QT_TRANSLATE_NOOP("Commands", "reset a connection")},
    Command{halfOpenLink, QT_TRANSLATE_NOOP("Commands", "leave the connection of %1 half-open"),
            QT_TRANSLATE_NOOP("Commands", "leave a connection half-open")},
    Command{loseReply, QT_TRANSLATE_NOOP("Commands", "lose a reply to %1"),
            QT_TRANSLATE_NOOP("Commands", "lose a reply")},
    Command{healLink, QT_TRANSLATE_NOOP("Commands", "restore the connection of %1"),
            QT_TRANSLATE_NOOP("Commands", "restore a connection")},
    Command{hold, QT_TRANSLATE_NOOP("Commands", "stop %1 before a step"),
            QT_TRANSLATE_NOOP("Commands", "stop the clients before a step")},
    Command{step, QT_TRANSLATE_NOOP("Commands", "step %1"), QT_TRANSLATE_NOOP("Commands", "step a client")},
    Command{letGo, QT_TRANSLATE_NOOP("Commands", "let %1 continue"),
            QT_TRANSLATE_NOOP("Commands", "let the clients continue")},
    // From transaction logs.
    Command{create, QT_TRANSLATE_NOOP("Commands", "create a node of %1"),
            QT_TRANSLATE_NOOP("Commands", "create a node")},
    Command{remove, QT_TRANSLATE_NOOP("Commands", "delete the node of %1"),
            QT_TRANSLATE_NOOP("Commands", "delete a node")},
    Command{deletedByOther, QT_TRANSLATE_NOOP("Commands", "node of %1 deleted by another session"),
            QT_TRANSLATE_NOOP("Commands", "node deleted by another session")},
    Command{dataSet, QT_TRANSLATE_NOOP("Commands", "set the data of the node of %1"),
            QT_TRANSLATE_NOOP("Commands", "set the data of a node")},
    Command{sessionClosed, QT_TRANSLATE_NOOP("Commands", "session of %1 closed by its client"),
            QT_TRANSLATE_NOOP("Commands", "session closed by its client")},
    Command{sessionExpired, QT_TRANSLATE_NOOP("Commands", "session of %1 expired"),
            QT_TRANSLATE_NOOP("Commands", "session expired")},
    Command{folderDeleted, nullptr, QT_TRANSLATE_NOOP("Commands", "folder of the lock deleted by a session")},
    Command{gap, nullptr, QT_TRANSLATE_NOOP("Commands", "gap in the log or the trace")},
    Command{unconfirmedTail, nullptr,
            QT_TRANSLATE_NOOP("Commands", "entries before this are unconfirmed: the leader changed")},
    Command{clockWentBack, nullptr, QT_TRANSLATE_NOOP("Commands", "the leader's clock went back")},
    Command{finish, nullptr, QT_TRANSLATE_NOOP("Commands", "finish the run")}};

const Command* commandOf(trace::Text name)
{
    const trace::CommandVerb verb = trace::commandVerb(name);
    const auto* known = std::find_if(kCommands.begin(), kCommands.end(),
                                     [verb](const Command& one) { return one.verb == verb; });
    return known == kCommands.end() ? nullptr : known;
}

} // namespace

QString commandText(trace::Text name, const QString& whom)
{
    const Command* known = commandOf(name);
    if (!known) {
        const QString words = format::plain(name, 40).replace(u'_', u' ');
        return whom.isEmpty() ? words : CommandText::tr("%1 %2").arg(words, whom);
    }
    return whom.isEmpty() || !known->ofClient ? CommandText::tr(known->withoutClient)
                                              : CommandText::tr(known->ofClient).arg(whom);
}

QString commandDoneText(trace::Text name, const QString& whom)
{
    const Command* known = commandOf(name);
    if (known && known->done && !whom.isEmpty())
        return CommandText::tr(known->done).arg(whom);
    return known && known->doneWithoutClient && whom.isEmpty() ? CommandText::tr(known->doneWithoutClient)
                                                               : commandText(name, whom);
}

} // namespace lockscope::ui
