#include "ui/chain/next_step.h"

#include "ui/chain/chain_text.h"
#include "ui/chain/recipe_kind.h"
#include "ui/models/format.h"

#include <QCoreApplication>

namespace lockscope::ui {

using chain::RecipeKind;
using replay::ClientPhase;
using trace::GateStep;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(NextStep)
};

bool isWokenByWatch(const replay::ClientRow& client) { return client.phase == ClientPhase::waiting; }

bool readsOnly(const replay::RunState& state, const replay::ClientRow& client)
{
    const replay::NodeRow* own = client.node.empty() ? nullptr : state.node(client.lock, client.node);
    return own && own->reads;
}

QString watchClause(RecipeKind kind, const replay::ClientRow& client)
{
    if (kind == RecipeKind::herd)
        return Words::tr("watches the one node");
    return client.ahead.empty() ? Words::tr("watches the node in front")
                                : Words::tr("watches %1").arg(format::sequenceNumber(client.ahead));
}

QString acquiredClause(const replay::RunState& state, RecipeKind kind, const replay::ClientRow& client)
{
    if (kind == RecipeKind::leases)
        return Words::tr("takes its lease");
    if (kind == RecipeKind::entrance)
        return Words::tr("takes its turn at the entrance");
    return readsOnly(state, client) ? Words::tr("takes the lock for reading") : Words::tr("takes the lock");
}

QString whyCreate(RecipeKind kind)
{
    switch (kind) {
    case RecipeKind::herd:
        return Words::tr("It wants the lock: the client that creates the one node holds it.");
    case RecipeKind::leases:
        return Words::tr("It wants a lease: each lease that is out has a node.");
    default:
        return Words::tr("It wants the lock: its node will be its place in the queue.");
    }
}

QString whyList(RecipeKind kind, const replay::ClientRow& client)
{
    if (isWokenByWatch(client))
        return kind == RecipeKind::leases
                   ? Words::tr("Its watch fired: a lease may have come back.")
                   : Words::tr("Its watch fired, and it must learn whether it is first now.");
    if (kind == RecipeKind::leases)
        return Words::tr("It must learn how many leases are out.");
    return client.node.empty() ? Words::tr("It must learn its place in the queue.")
                               : Words::tr("Its node is created, and it must learn its place.");
}

QString why(const replay::ClientRow& client, RecipeKind kind, GateStep step)
{
    switch (step) {
    case GateStep::create:
        return whyCreate(kind);
    case GateStep::created:
        return Words::tr("The server has answered that its node is created.");
    case GateStep::list:
        return whyList(kind, client);
    case GateStep::decide:
        return kind == RecipeKind::leases
                   ? Words::tr("It has the list: if few enough are out, it may take one.")
                   : Words::tr("It has the list, and looks for who is in front of its node.");
    case GateStep::watch:
        return kind == RecipeKind::herd
                   ? Words::tr("Another client has created it, and the watch tells when it goes.")
               : kind == RecipeKind::leases
                   ? Words::tr("Too few leases are left, and the watch tells when one comes back.")
                   : Words::tr("That node is in front of its own, and the watch tells when it goes.");
    case GateStep::sleep:
        return Words::tr("Its watch is set: there is nothing to do until it fires.");
    case GateStep::woken:
        return Words::tr("Its watch fired: it must look at the queue again.");
    case GateStep::acquired:
        return kind == RecipeKind::herd ? Words::tr("It has created the one node.")
                                        : Words::tr("Nobody is in its way.");
    case GateStep::reenter:
        return Words::tr("It holds the lock already: only its own count goes up.");
    case GateStep::release:
        return Words::tr("It has entered more than once: only its own count goes down.");
    case GateStep::remove:
        return client.holds() ? Words::tr("It is done with the lock: deleting the node passes it on.")
                              : Words::tr("It gives up: its node must not block the others.");
    case GateStep::gone:
        break;
    }
    return Words::tr("The server has answered that its node is deleted.");
}

} // namespace

QString stepClause(const replay::RunState& state, const replay::ClientRow& client, GateStep step)
{
    const RecipeKind kind = chain::recipeKind(state, client.lock);
    switch (step) {
    case GateStep::create:
        return kind == RecipeKind::herd ? Words::tr("tries to create the one node")
                                        : Words::tr("creates its node");
    case GateStep::created:
        return Words::tr("goes on with its new node");
    case GateStep::list:
        return kind == RecipeKind::leases ? Words::tr("lists the leases") : Words::tr("lists the children");
    case GateStep::decide:
        return kind == RecipeKind::leases ? Words::tr("counts the leases") : Words::tr("checks its place");
    case GateStep::watch:
        return kind == RecipeKind::leases ? Words::tr("watches the list of leases")
                                          : watchClause(kind, client);
    case GateStep::sleep:
        return Words::tr("goes to sleep");
    case GateStep::woken:
        return Words::tr("wakes up");
    case GateStep::acquired:
        return acquiredClause(state, kind, client);
    case GateStep::reenter:
        return Words::tr("enters the lock again");
    case GateStep::release:
        return Words::tr("gives one entry back");
    case GateStep::remove:
        return Words::tr("deletes its node");
    case GateStep::gone:
        break;
    }
    return Words::tr("goes on without its node");
}

Explanation explainNextStep(const replay::RunState& state, const replay::ClientRow& client, GateStep step)
{
    return {Words::tr("%1 is stopped: next it %2.")
                .arg(chain::ChainText::clientName(state, client.id), stepClause(state, client, step)),
            why(client, chain::recipeKind(state, client.lock), step)};
}

} // namespace lockscope::ui
