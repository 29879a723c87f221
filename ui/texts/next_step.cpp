#include "ui/texts/next_step.h"

#include "ui/models/run/lock_role.h"
#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"
#include "ui/texts/texts.h"

namespace lockscope::ui {

using replay::ClientPhase;

namespace {

bool isWokenByWatch(const replay::ClientRow& client) { return client.phase == ClientPhase::waiting; }

bool readsOnly(const replay::RunState& state, const replay::ClientRow& client)
{
    const replay::NodeRow* own = client.node.empty() ? nullptr : state.node(client.lock, client.node);
    return own && own->reads;
}

QString watchClause(LockRole role, const replay::ClientRow& client)
{
    if (role == LockRole::herd)
        return Texts::tr("watches the one node");
    return client.ahead.empty() ? Texts::tr("watches the node in front")
                                : Texts::tr("watches %1").arg(format::sequenceNumber(client.ahead));
}

QString acquiredClause(const replay::RunState& state, LockRole role, const replay::ClientRow& client)
{
    if (role == LockRole::leases)
        return Texts::tr("takes its lease");
    if (role == LockRole::entrance)
        return Texts::tr("takes its turn at the entrance");
    return readsOnly(state, client) ? Texts::tr("takes the lock for reading") : Texts::tr("takes the lock");
}

QString whyCreate(LockRole role)
{
    switch (role) {
    case LockRole::herd:
        return Texts::tr("It wants the lock: the client that creates the one node holds it.");
    case LockRole::leases:
        return Texts::tr("It wants a lease: each lease that is out has a node.");
    default:
        return Texts::tr("It wants the lock: its node will be its place in the queue.");
    }
}

QString whyList(LockRole role, const replay::ClientRow& client)
{
    if (isWokenByWatch(client))
        return role == LockRole::leases
                   ? Texts::tr("Its watch fired: a lease may have been returned.")
                   : Texts::tr("Its watch fired, and it must learn whether it is first now.");
    if (role == LockRole::leases)
        return Texts::tr("It must learn how many leases are out.");
    return client.node.empty() ? Texts::tr("It must learn its place in the queue.")
                               : Texts::tr("Its node is created, and it must learn its place.");
}

QString why(const replay::ClientRow& client, LockRole role, GateStep step)
{
    switch (step) {
    case GateStep::create:
        return whyCreate(role);
    case GateStep::created:
        return Texts::tr("The server has answered that its node is created.");
    case GateStep::list:
        return whyList(role, client);
    case GateStep::decide:
        return role == LockRole::leases
                   ? Texts::tr("It has the list: if a lease is free, it may take it.")
                   : Texts::tr("It has the list and checks which nodes are in front of its own.");
    case GateStep::watch:
        return role == LockRole::herd
                   ? Texts::tr("Another client has created it; the watch fires when it is deleted.")
               : role == LockRole::leases
                   ? Texts::tr("Too few leases are left; the watch fires when one is returned.")
                   : Texts::tr(
                         "That node is in front of its own; the watch fires when that node is deleted.");
    case GateStep::sleep:
        return Texts::tr("Its watch is set: there is nothing to do until it fires.");
    case GateStep::woken:
        return Texts::tr("Its watch fired: it must look at the queue again.");
    case GateStep::acquired:
        return role == LockRole::herd ? Texts::tr("It has created the one node.")
                                      : Texts::tr("No earlier request blocks it.");
    case GateStep::reenter:
        return Texts::tr("It holds the lock already: only its own count goes up.");
    case GateStep::release:
        return client.depth > 1 ? Texts::tr("It has entered more than once: only its own count goes down.")
                                : Texts::tr("It holds until its next step: then it is done with the lock.");
    case GateStep::remove:
        return client.holds() ? Texts::tr("It is done with the lock: deleting the node passes it on.")
                              : Texts::tr("It gives up: its node must not block the others.");
    case GateStep::gone:
        break;
    }
    return Texts::tr("The server has answered that its node is deleted.");
}

} // namespace

QString stepClause(const replay::RunState& state, const replay::ClientRow& client, GateStep step)
{
    const LockRole role = lockRole(state, client.lock);
    switch (step) {
    case GateStep::create:
        return role == LockRole::herd ? Texts::tr("tries to create the one node")
                                      : Texts::tr("creates its node");
    case GateStep::created:
        return Texts::tr("continues with its new node");
    case GateStep::list:
        return role == LockRole::leases ? Texts::tr("lists the leases") : Texts::tr("lists the children");
    case GateStep::decide:
        return role == LockRole::leases ? Texts::tr("counts the leases") : Texts::tr("checks its place");
    case GateStep::watch:
        return role == LockRole::leases ? Texts::tr("watches the list of leases") : watchClause(role, client);
    case GateStep::sleep:
        return Texts::tr("goes to sleep");
    case GateStep::woken:
        return Texts::tr("wakes up");
    case GateStep::acquired:
        return acquiredClause(state, role, client);
    case GateStep::reenter:
        return Texts::tr("enters the lock again");
    case GateStep::release:
        return client.depth > 1 ? Texts::tr("gives back one level") : Texts::tr("releases the lock");
    case GateStep::remove:
        return Texts::tr("deletes its node");
    case GateStep::gone:
        break;
    }
    return Texts::tr("continues without its node");
}

QString firstStepText(const replay::RunState& state, LockId lock)
{
    const replay::LockRow* row = state.lock(lock);
    switch (lockRole(state, lock)) {
    case LockRole::readWrite:
        return Texts::tr(
            "It will create a numbered node, to read or to write, and check which nodes block it.");
    case LockRole::herd:
        return Texts::tr("It will try to create the one node that all clients want: the client that "
                         "creates it holds the lock.");
    case LockRole::herdReadWrite:
        return Texts::tr("It will create a numbered node and read the list with a watch on all of it.");
    case LockRole::leases:
    case LockRole::entrance:
        return Texts::tr("It will queue at the entrance, and look for a lease when it is first there.");
    case LockRole::several:
        return Texts::tr("It will take the locks one after another, with a numbered node in each.");
    case LockRole::none:
        return Texts::tr("No client takes a lock here: it uses the resource without one.");
    case LockRole::queue:
        break;
    }
    if (row && row->kind() == Recipe::unprotectedMutex)
        return Texts::tr("It will create a numbered node without an id of its own in the name, and "
                         "check which nodes are in front.");
    return Texts::tr("It will create a numbered node and check which nodes are in front.");
}

Explanation explainNextStep(const replay::RunState& state, const replay::ClientRow& client, GateStep step)
{
    return {Texts::tr("%1 is stopped: next it %2.")
                .arg(clientName(state, client.id), stepClause(state, client, step)),
            why(client, lockRole(state, client.lock), step)};
}

} // namespace lockscope::ui
