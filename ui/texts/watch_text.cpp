#include "ui/texts/watch_text.h"

#include "ui/models/style/format.h"
#include "ui/texts/texts.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

using replay::WatchVerdict;

// Why the server may not have the watch.
QString reasonOf(const replay::RunState& state, const replay::ClientRow& client, trace::Text node)
{
    if (client.lock.valid() && !state.node(client.lock, node))
        return client.frozen ? Texts::tr("it fired, but the client is frozen and reads nothing")
                             : Texts::tr("it fired, and the client has not received the event");
    if (client.session == trace::SessionPhase::suspended)
        return Texts::tr("its connection is lost, and so is the watch until it reconnects");
    if (client.frozen)
        return Texts::tr("its session has ended, and the client does not know yet");
    return {};
}

} // namespace

int urgency(WatchVerdict verdict)
{
    switch (verdict) {
    case WatchVerdict::stray:
    case WatchVerdict::missing:
        return 0;
    case WatchVerdict::underWay:
        return 1;
    case WatchVerdict::unknown:
        return 2;
    case WatchVerdict::foreign:
        return 3;
    case WatchVerdict::ownNode:
    case WatchVerdict::agrees:
        break;
    }
    return 4;
}

bool isDifference(WatchVerdict verdict) { return urgency(verdict) == 0; }

QString watcherName(const replay::RunState& state, SessionId session, ClientId id)
{
    const replay::ClientRow* client = state.client(id);
    if (!client && session.valid()) {
        const auto found =
            std::find_if(state.clients.begin(), state.clients.end(),
                         [session](const replay::ClientRow& row) { return row.sessionId == session; });
        client = found == state.clients.end() ? nullptr : &*found;
    }
    if (!client)
        return Texts::tr("session %1").arg(format::sessionShort(session));
    // Workers share their process's session, and its watches on the server.
    return !id.valid() && !client->process.empty() ? format::plain(client->process, 24)
                                                   : format::plain(client->name, 24);
}

QString watchDifference(const replay::RunState& state, const replay::WatchKey& key, ClientId id,
                        WatchVerdict verdict)
{
    const QString who = watcherName(state, key.session, id);
    const QString node = format::sequenceShort(key.node);
    if (verdict == WatchVerdict::stray)
        return Texts::tr("the server has a watch of %1 on %2 that no client relies on").arg(who, node);
    if (verdict != WatchVerdict::missing)
        return {};
    const replay::ClientRow* client = state.client(id);
    const QString reason = client ? reasonOf(state, *client, key.node) : QString();
    const QString text = Texts::tr("%1 relies on a watch on %2 that the server does not have").arg(who, node);
    return reason.isEmpty() ? text : Texts::tr("%1: %2").arg(text, reason);
}

std::size_t watchDifferenceCount(const replay::LockRow& lock)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(lock.watches.served, &replay::ServerWatch::stray) +
        std::ranges::count_if(lock.watches.believed, &replay::BelievedWatch::missing));
}

QStringList watchDifferences(const replay::RunState& state, const replay::LockRow& lock, int maxCount)
{
    QStringList all;
    for (const replay::ServerWatch& watch : lock.watches.served)
        if (watch.stray && all.size() < maxCount)
            all << watchDifference(state, watch.key, ClientId::none(), WatchVerdict::stray);
    for (const replay::BelievedWatch& watch : lock.watches.believed)
        if (watch.missing && all.size() < maxCount)
            all << watchDifference(state, watch.key, watch.client, WatchVerdict::missing);
    return all;
}

} // namespace lockscope::ui
