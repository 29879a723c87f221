#include "ui/shell/command_map.h"

#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct Words // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(CommandMap)
};

const replay::ClientRow* selectedClient(const Circumstances& now)
{
    return now.state && now.selected.valid() ? now.state->client(now.selected) : nullptr;
}

bool hasSession(const replay::ClientRow& client)
{
    return client.session == trace::SessionPhase::connected ||
           client.session == trace::SessionPhase::suspended;
}

QString obstacleOfRun(const Circumstances& now)
{
    if (!now.state || !now.live) {
        return Words::tr("There is no live run. Start one first.");
    }
    if (now.state->phase == trace::RunPhase::starting) {
        return Words::tr("The run is still starting.");
    }
    return {};
}

QString obstacleOfSelected(const Circumstances& now)
{
    if (const QString run = obstacleOfRun(now); !run.isEmpty()) {
        return run;
    }
    const replay::ClientRow* client = selectedClient(now);
    if (!client) {
        return Words::tr("Select a client first.");
    }
    const QString name = format::plain(client->name);
    if (client->phase == replay::ClientPhase::removed) {
        return Words::tr("%1 has left the run.").arg(name);
    }
    // What is shown may be the past: only the present can say that there is no session any more.
    if (now.atEnd && !hasSession(*client)) {
        return Words::tr("%1 has no session at the moment.").arg(name);
    }
    return {};
}

Offer ofHolder(const Circumstances& now)
{
    return {
        Words::tr("Kill the &holder's session"),
        Words::tr(
            "Ends the holder's session at the server. Its node vanishes, the next in line is woken, and the "
            "old holder is told that it lost the lock."),
        obstacleOfRun(now), QKeySequence(Qt::Key_K)};
}

Offer ofSelected(const Circumstances& now)
{
    const replay::ClientRow* client = selectedClient(now);
    const QString text = client ? Words::tr("Kill &session of %1").arg(format::plain(client->name))
                                : Words::tr("Kill the selected client's &session");
    return {
        text,
        Words::tr(
            "Ends the session at the server. Its node in the queue vanishes; whoever watches it is woken and "
            "looks again."),
        obstacleOfSelected(now), QKeySequence(Qt::SHIFT | Qt::Key_K)};
}

Offer ofFreeze(const Circumstances& now)
{
    const replay::ClientRow* client = selectedClient(now);
    const QString name = client ? format::plain(client->name) : QString();
    const QKeySequence key(Qt::SHIFT | Qt::Key_F);
    if (client && client->frozen) {
        return {
            Words::tr("&Thaw %1").arg(name),
            Words::tr(
                "It hears from the server again. If its session has expired by now, it learns it only then."),
            obstacleOfRun(now), key};
    }
    return {
        client ? Words::tr("&Freeze %1").arg(name) : Words::tr("&Freeze or thaw the selected client"),
        Words::tr("It sends no heartbeats any more. The server ends its session after the session timeout; a "
                  "frozen holder still believes that it holds."),
        obstacleOfSelected(now), key};
}

Offer ofAdd(const Circumstances& now)
{
    return {Words::tr("&Add a client"),
            Words::tr("Connects one more client, which queues for the lock like the others."),
            obstacleOfRun(now), QKeySequence(Qt::Key_Plus)};
}

Offer ofRemove(const Circumstances& now)
{
    QString obstacle = obstacleOfRun(now);
    if (obstacle.isEmpty() && clientsTakingPart(*now.state) == 0) {
        obstacle = Words::tr("There is no client left to remove.");
    }
    return {Words::tr("&Remove a client"),
            Words::tr(
                "The last client leaves in an orderly way: it releases or leaves the queue, then closes its "
                "session."),
            obstacle, QKeySequence(Qt::Key_Minus)};
}

} // namespace

Offer offer(WhatIf what, const Circumstances& circumstances)
{
    switch (what) {
    case WhatIf::killHolder:
        return ofHolder(circumstances);
    case WhatIf::killSelected:
        return ofSelected(circumstances);
    case WhatIf::freezeSelected:
        return ofFreeze(circumstances);
    case WhatIf::addClient:
        return ofAdd(circumstances);
    case WhatIf::removeClient:
        return ofRemove(circumstances);
    }
    return {};
}

std::optional<engine::EngineCommand> command(WhatIf what, const Circumstances& circumstances)
{
    if (!offer(what, circumstances).possible()) {
        return std::nullopt;
    }
    const replay::ClientRow* client = selectedClient(circumstances);
    switch (what) {
    case WhatIf::killHolder:
        return engine::KillHolder{};
    case WhatIf::killSelected:
        return engine::KillSession{client->id};
    case WhatIf::freezeSelected:
        return client->frozen ? engine::EngineCommand(engine::Thaw{client->id})
                              : engine::EngineCommand(engine::Freeze{client->id});
    case WhatIf::addClient:
        return engine::AddClient{};
    case WhatIf::removeClient:
        return engine::RemoveClient{};
    }
    return std::nullopt;
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
