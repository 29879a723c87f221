#include "ui/shell/command_map.h"

#include "ui/models/format.h"
#include "ui/shell/what_if_table.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct CommandMapWords // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CommandMap)
};

const replay::ClientRow* selectedClient(const Circumstances& now)
{
    return now.state && now.selected.valid() ? now.state->client(now.selected) : nullptr;
}

// Who comes back: the selected one if it left, else whoever left last.
const replay::ClientRow* absentClient(const Circumstances& now)
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

bool hasSession(const replay::ClientRow& client)
{
    return client.session == trace::SessionPhase::connected ||
           client.session == trace::SessionPhase::suspended;
}

bool hasNode(const replay::ClientRow& client)
{
    bool found = !client.node.empty();
    client.forEach([&](const replay::Engagement& one) { found = found || !one.node.empty(); });
    return found;
}

Obstacle obstacleOfRun(const Circumstances& now)
{
    if (!now.state || !now.live) {
        return {QT_TRANSLATE_NOOP("CommandMap", "There is no live run. Start one first.")};
    }
    if (now.watches) {
        return watchingObstacle();
    }
    if (now.state->phase == trace::RunPhase::starting) {
        return {QT_TRANSLATE_NOOP("CommandMap", "The run is still starting.")};
    }
    return {};
}

Obstacle obstacleOfSelected(const Circumstances& now, unsigned needs)
{
    const replay::ClientRow* client = selectedClient(now);
    if (!client) {
        return {QT_TRANSLATE_NOOP("CommandMap", "Select a client first.")};
    }
    const QString name = format::plain(client->name);
    if (client->phase == replay::ClientPhase::removed) {
        return {QT_TRANSLATE_NOOP("CommandMap", "%1 has left the run."), name};
    }
    // What is shown may be the past: only the present can say what there is not any more.
    if (now.atEnd && (needs & needsSession) && !hasSession(*client)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "%1 has no session at the moment."), name};
    }
    if (now.atEnd && (needs & needsNode) && !hasNode(*client)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "%1 has no node in the queue at the moment."), name};
    }
    return {};
}

Obstacle obstacleOfLinks(Links links)
{
    switch (links) {
    case Links::there:
        break;
    case Links::tooManyClients:
        return {QT_TRANSLATE_NOOP("CommandMap",
                                  "With more than %1 clients, connections can fail only when the scenario "
                                  "says links = true."),
                format::count(kMostLinks)};
    case Links::foreignServer:
        return {QT_TRANSLATE_NOOP(
            "CommandMap",
            "On a ZooKeeper of your own, connections can fail only when the scenario says links = true.")};
    case Links::notWanted:
        return {QT_TRANSLATE_NOOP("CommandMap",
                                  "This scenario connects its clients directly: it says links = false.")};
    }
    return {};
}

Obstacle obstacleOfServer(const Circumstances& now, unsigned needs)
{
    if (!now.ownServer) {
        return {QT_TRANSLATE_NOOP(
            "CommandMap", "This ZooKeeper was not started by LockScope, so LockScope leaves it alone.")};
    }
    const bool several = !now.state->server.members.empty();
    if ((needs & needsEnsemble) && !several) {
        return {
            QT_TRANSLATE_NOOP("CommandMap", "This run has one server. The scenario leader-loss has three.")};
    }
    if ((needs & needsSingle) && several) {
        return {QT_TRANSLATE_NOOP("CommandMap", "This run has several servers: say which one.")};
    }
    return {};
}

bool hasLeases(const replay::RunState& state)
{
    return std::any_of(state.locks.begin(), state.locks.end(),
                       [](const replay::LockRow& lock) { return lock.recipe.starts_with("semaphore"); });
}

Obstacle obstacleOf(unsigned needs, const Circumstances& now)
{
    if (const Obstacle run = obstacleOfRun(now); run.words) {
        return run;
    }
    if ((needs & needsLink) && now.links != Links::there) {
        return obstacleOfLinks(now.links);
    }
    if (needs & needsOwnServer) {
        return obstacleOfServer(now, needs);
    }
    if (needs & needsClient) {
        return obstacleOfSelected(now, needs);
    }
    if ((needs & needsSemaphore) && !hasLeases(*now.state)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "Only a semaphore has leases.")};
    }
    if ((needs & needsAbsent) && !absentClient(now)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "Nobody has left.")};
    }
    if ((needs & needsSomebody) && clientsTakingPart(*now.state) == 0) {
        return {QT_TRANSLATE_NOOP("CommandMap", "There is no client left to remove.")};
    }
    return {};
}

} // namespace

QString Obstacle::text() const
{
    if (!words) {
        return {};
    }
    const QString said = CommandMapWords::tr(words);
    return who.isEmpty() ? said : said.arg(who);
}

Obstacle watchingObstacle()
{
    return {QT_TRANSLATE_NOOP("CommandMap",
                              "This run only watches a lock of others: LockScope changes nothing there.")};
}

WhatIfGroup groupOf(WhatIf what) { return entryOf(what).group; }

Links linksFor(const sim::Scenario& scenario, bool foreign)
{
    if (sim::needsLinks(scenario)) {
        return Links::there;
    }
    if (scenario.links && !*scenario.links) {
        return Links::notWanted;
    }
    if (foreign) {
        return Links::foreignServer;
    }
    return sim::sessionCount(sim::participants(scenario)) > kMostLinks ? Links::tooManyClients : Links::there;
}

Offer offer(WhatIf what, const Circumstances& now)
{
    const WhatIfEntry& entry = entryOf(what);
    const replay::ClientRow* client = entry.needs & needsAbsent ? absentClient(now) : selectedClient(now);
    const QKeySequence key(QString::fromLatin1(entry.key));
    if (what == WhatIf::freezeSelected && client && client->frozen) {
        return {CommandMapWords::tr("&Thaw %1").arg(format::plain(client->name)),
                CommandMapWords::tr("It hears from the server again. If its session has expired by now, it learns it only "
                          "then."),
                obstacleOfRun(now), key};
    }
    const bool personal = *entry.nobody != '\0';
    const QString text = personal && client ? CommandMapWords::tr(entry.text).arg(format::plain(client->name))
                                            : CommandMapWords::tr(personal ? entry.nobody : entry.text);
    return {text, CommandMapWords::tr(entry.consequence), obstacleOf(entry.needs, now), key};
}

bool takesPart(const replay::ClientRow& client)
{
    return client.phase != replay::ClientPhase::removed && client.phase != replay::ClientPhase::finished;
}

std::uint32_t clientsTakingPart(const replay::RunState& state)
{
    return static_cast<std::uint32_t>(std::count_if(state.clients.begin(), state.clients.end(), takesPart));
}

} // namespace lockscope::ui
