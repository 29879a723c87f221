#include "ui/shell/run/faults.h"

#include "ui/models/format.h"
#include "ui/shell/run/fault_table.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct FaultTexts // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CommandMap)
};

const replay::ClientRow* selectedClient(const CommandContext& now)
{
    return now.state && now.selected.valid() ? now.state->client(now.selected) : nullptr;
}

// Who comes back: the selected one if it left, else whoever left last.
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

DisabledReason runDisabledReason(const CommandContext& now)
{
    if (!now.state || !now.live) {
        return {QT_TRANSLATE_NOOP("CommandMap", "There is no live run. Start one first.")};
    }
    if (now.watches) {
        return watchOnlyReason();
    }
    if (now.state->phase == trace::RunPhase::starting) {
        return {QT_TRANSLATE_NOOP("CommandMap", "The run is still starting.")};
    }
    return {};
}

DisabledReason selectionDisabledReason(const CommandContext& now, unsigned requirements)
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
    if (now.atEnd && (requirements & needsSession) && !hasSession(*client)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "%1 has no session at the moment."), name};
    }
    if (now.atEnd && (requirements & needsNode) && !hasNode(*client)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "%1 has no node in the queue at the moment."), name};
    }
    return {};
}

DisabledReason linkDisabledReason(LinkSupport links)
{
    switch (links) {
    case LinkSupport::available:
        break;
    case LinkSupport::tooManyClients:
        return {QT_TRANSLATE_NOOP("CommandMap",
                                  "With more than %1 clients, connections can fail only when the scenario "
                                  "says links = true."),
                format::count(kMaxLinks)};
    case LinkSupport::externalServer:
        return {QT_TRANSLATE_NOOP(
            "CommandMap",
            "On a ZooKeeper of your own, connections can fail only when the scenario says links = true.")};
    case LinkSupport::disabled:
        return {QT_TRANSLATE_NOOP("CommandMap",
                                  "This scenario connects its clients directly: it says links = false.")};
    }
    return {};
}

DisabledReason serverDisabledReason(const CommandContext& now, unsigned requirements)
{
    if (!now.ownServer) {
        return {QT_TRANSLATE_NOOP(
            "CommandMap", "This ZooKeeper was not started by LockScope, so LockScope leaves it alone.")};
    }
    const bool several = !now.state->server.members.empty();
    if ((requirements & needsEnsemble) && !several) {
        return {
            QT_TRANSLATE_NOOP("CommandMap", "This run has one server. The scenario leader-loss has three.")};
    }
    if ((requirements & needsSingle) && several) {
        return {QT_TRANSLATE_NOOP("CommandMap", "This run has several servers: say which one.")};
    }
    return {};
}

bool hasLeases(const replay::RunState& state)
{
    return std::any_of(state.locks.begin(), state.locks.end(),
                       [](const replay::LockRow& lock) { return lock.recipe.starts_with("semaphore"); });
}

DisabledReason disabledReason(unsigned requirements, const CommandContext& now)
{
    if (const DisabledReason run = runDisabledReason(now); run.words) {
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
        return {QT_TRANSLATE_NOOP("CommandMap", "Only a semaphore has leases.")};
    }
    if ((requirements & needsDepartedClient) && !departedClient(now)) {
        return {QT_TRANSLATE_NOOP("CommandMap", "Nobody has left.")};
    }
    if ((requirements & needsActiveClient) && activeClientCount(*now.state) == 0) {
        return {QT_TRANSLATE_NOOP("CommandMap", "There is no client left to remove.")};
    }
    return {};
}

} // namespace

QString DisabledReason::text() const
{
    if (!words) {
        return {};
    }
    const QString said = FaultTexts::tr(words);
    return who.isEmpty() ? said : said.arg(who);
}

DisabledReason watchOnlyReason()
{
    return {QT_TRANSLATE_NOOP("CommandMap",
                              "This run only watches a lock of others: LockScope changes nothing there.")};
}

FaultGroup groupOf(Fault what) { return faultEntry(what).group; }

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
    return sim::sessionCount(sim::participants(scenario)) > kMaxLinks ? LinkSupport::tooManyClients : LinkSupport::available;
}

CommandState commandState(Fault what, const CommandContext& now)
{
    const FaultEntry& entry = faultEntry(what);
    const replay::ClientRow* client = entry.requirements & needsDepartedClient ? departedClient(now) : selectedClient(now);
    const QKeySequence key(QString::fromLatin1(entry.key));
    if (what == Fault::freezeSelected && client && client->frozen) {
        return {FaultTexts::tr("&Thaw %1").arg(format::plain(client->name)),
                FaultTexts::tr("It hears from the server again. If its session has expired by now, it learns it only "
                          "then."),
                runDisabledReason(now), key};
    }
    const bool namesClient = *entry.textWithoutClient != '\0';
    const QString text = namesClient && client ? FaultTexts::tr(entry.text).arg(format::plain(client->name))
                                            : FaultTexts::tr(namesClient ? entry.textWithoutClient : entry.text);
    return {text, FaultTexts::tr(entry.consequence), disabledReason(entry.requirements, now), key};
}

bool isActiveClient(const replay::ClientRow& client)
{
    return client.phase != replay::ClientPhase::removed && client.phase != replay::ClientPhase::finished;
}

std::uint32_t activeClientCount(const replay::RunState& state)
{
    return static_cast<std::uint32_t>(std::count_if(state.clients.begin(), state.clients.end(), isActiveClient));
}

} // namespace lockscope::ui
