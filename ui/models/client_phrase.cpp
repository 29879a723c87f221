#include "ui/models/client_phrase.h"

#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

using replay::ClientPhase;
using replay::NodePhase;
using trace::SessionPhase;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Client)
};

QString waits(std::optional<std::size_t> place)
{
    if (!place)
        return Words::tr("waits");
    if (*place == 0)
        return Words::tr("waits · first");
    if (*place == 1)
        return Words::tr("waits · next");
    return Words::tr("waits · %1").arg(ordinal(*place));
}

QString holds(std::uint16_t depth)
{
    return depth > 1 ? Words::tr("holds ×%1").arg(depth) : Words::tr("holds");
}

TraceTime sinceThen(TraceTime now, TraceTime then) { return std::max(now - then, TraceTime::zero()); }

} // namespace

QString ordinal(std::size_t place)
{
    const auto n = static_cast<qulonglong>(place);
    const QString digits = format::count(n);
    if (n % 100 >= 11 && n % 100 <= 13)
        return Words::tr("%1th").arg(digits);
    switch (n % 10) {
    case 1:
        return Words::tr("%1st").arg(digits);
    case 2:
        return Words::tr("%1nd").arg(digits);
    case 3:
        return Words::tr("%1rd").arg(digits);
    default:
        return Words::tr("%1th").arg(digits);
    }
}

Phrase clientPhrase(const replay::ClientRow& client, std::optional<std::size_t> place)
{
    if (client.serverSaysGone)
        return {Words::tr("believes it holds"), Tone::stale};
    if (client.phase == ClientPhase::lost || client.session == SessionPhase::lost)
        return {Words::tr("session lost"), Tone::stale};
    if (client.frozen)
        return {client.phase == ClientPhase::holding ? Words::tr("holds · frozen") : Words::tr("frozen"),
                Tone::frozen};
    if (client.session == SessionPhase::suspended)
        return {Words::tr("suspended"), Tone::frozen};
    switch (client.phase) {
    case ClientPhase::connecting:
        return {Words::tr("connects"), Tone::muted};
    case ClientPhase::idle:
        return {Words::tr("idle"), Tone::faint};
    case ClientPhase::thinking:
        return {Words::tr("thinks"), Tone::faint};
    case ClientPhase::joining:
        return {Words::tr("joins"), Tone::muted};
    case ClientPhase::waiting:
        return {waits(place), Tone::waits};
    case ClientPhase::holding:
        return {holds(client.depth), Tone::holds};
    case ClientPhase::releasing:
        return {Words::tr("releases"), Tone::holds};
    case ClientPhase::lost:
        break; // above
    case ClientPhase::finished:
        return {Words::tr("done"), Tone::faint};
    case ClientPhase::removed:
        return {Words::tr("removed"), Tone::faint};
    }
    return {};
}

Phrase clientDetail(const replay::ClientRow& client, TraceTime now, std::optional<TraceTime> quietSince)
{
    if (client.serverSaysGone) {
        return {Words::tr("the server dropped it %1 ago")
                    .arg(format::duration(sinceThen(now, client.staleSince))),
                Tone::stale};
    }
    if (client.frozen) {
        return {quietSince
                    ? Words::tr("no heartbeat for %1").arg(format::duration(sinceThen(now, *quietSince)))
                    : Words::tr("no heartbeat"),
                Tone::muted};
    }
    if (client.session == SessionPhase::suspended) {
        return {quietSince ? Words::tr("no answer for %1").arg(format::duration(sinceThen(now, *quietSince)))
                           : Words::tr("no answer from the server"),
                Tone::muted};
    }
    if (client.session == SessionPhase::connecting || !client.sessionId.valid())
        return {Words::tr("no session yet"), Tone::muted};
    const QString session = format::sessionShort(client.sessionId);
    const QString acquired = format::count(client.acquired);
    if (client.failed > 0) {
        return {Words::tr("session %1 · %2 acquired, %3 not")
                    .arg(session, acquired, format::count(client.failed)),
                Tone::muted};
    }
    return {Words::tr("session %1 · %2 acquired").arg(session, acquired), Tone::muted};
}

bool detailTicks(const replay::ClientRow& client)
{
    return client.serverSaysGone || client.frozen || client.session == SessionPhase::suspended;
}

Phrase nodePhrase(const replay::NodeRow& node)
{
    switch (node.phase) {
    case NodePhase::joining:
        return {Words::tr("joins"), node.ownerFrozen ? Tone::frozen : Tone::muted};
    case NodePhase::waits:
        return node.ownerFrozen ? Phrase{Words::tr("frozen"), Tone::frozen}
                                : Phrase{Words::tr("waits"), Tone::waits};
    case NodePhase::holds:
        return node.ownerFrozen ? Phrase{Words::tr("holds · frozen"), Tone::frozen}
                                : Phrase{Words::tr("holds"), Tone::holds};
    case NodePhase::releasing:
        return {Words::tr("releases"), Tone::holds};
    case NodePhase::orphan:
        return {Words::tr("orphan"), Tone::stale};
    case NodePhase::foreign:
        return {Words::tr("foreign"), Tone::muted};
    }
    return {};
}

} // namespace lockscope::ui
