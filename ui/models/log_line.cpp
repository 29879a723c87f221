#include "ui/models/log_line.h"

#include "ui/models/client_status.h"
#include "ui/models/command_text.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/logged_event.h"
#include "ui/models/outcome_text.h"
#include "ui/models/trace_name.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {

// A sequential node's name is asked for up to where the server puts the number: "lock-", "__READ__".
QString createMode(trace::Text name)
{
    const bool sequential = !name.empty() && (name.back() == '-' || name.back() == '_');
    return sequential ? QStringLiteral(" EPHEMERAL_SEQUENTIAL") : QStringLiteral(" EPHEMERAL");
}

struct LogLineText
{
    Q_DECLARE_TR_FUNCTIONS(Log)
};

// Fills the line from one kind of event. One call per event.
class LogLineBuilder
{
public:
    LogLineBuilder(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store,
              LogLine& line)
        : m_event(event)
        , m_state(state)
        , m_store(store)
        , m_line(line)
    {}

    void operator()(const trace::Request& e)
    {
        QString target;
        if (e.op == trace::Op::create)
            target = path() + u'/' + format::nodeShort(e.node) + createMode(e.node);
        else if (e.op == trace::Op::getChildren || e.op == trace::Op::sync)
            target = path();
        else
            target = format::sequenceShort(e.node);
        QString text = traceName(e.op) + u' ' + target;
        if (e.watch)
            text += QStringLiteral(" +watch");
        if (m_store && watchesOwnNode(m_event, *m_store))
            text += QStringLiteral("   ") + LogLineText::tr("(its own node)");
        if (e.together)
            text += QStringLiteral("   ") + LogLineText::tr("(sent together)");
        put(LogArrow::toServer, text, Tone::plain);
    }
    void operator()(const trace::Reply& e)
    {
        if (e.outcome == trace::Outcome::ok && e.op == trace::Op::create)
            return put(LogArrow::fromServer, LogLineText::tr("created %1").arg(format::sequenceShort(e.node)),
                       Tone::plain);
        QString what = traceName(e.op);
        if (!e.node.empty()) // a failed create has no node name
            what += u' ' + format::sequenceShort(e.node);
        put(LogArrow::fromServer, what + QStringLiteral(": ") + outcomeText(e.outcome),
            e.outcome == trace::Outcome::ok ? Tone::plain : Tone::stale);
    }
    void operator()(const trace::Decided& e)
    {
        const QString children = format::count(e.count);
        if (e.position == 0)
            return put(LogArrow::fromServer, LogLineText::tr("first of %1").arg(children), Tone::plain);
        const QString place = format::count(quint64{e.position} + 1);
        put(LogArrow::fromServer,
            e.ahead.empty() // a lease stands behind none
                ? LogLineText::tr("%1 of %2").arg(place, children)
                : LogLineText::tr("%1 of %2, behind %3").arg(place, children, format::sequenceShort(e.ahead)),
            Tone::plain);
    }
    void operator()(const trace::WatchFired& e)
    {
        const QString to = name(m_event.client);
        server(LogArrow::watch,
               traceName(e.kind) + u' ' + (e.node.empty() ? path() : format::sequenceShort(e.node)) +
                   QStringLiteral(" → ") + to,
               Tone::wake);
    }
    void operator()(const trace::AcquireCalled& e)
    {
        put(LogArrow::none,
            e.timeout == kForever ? LogLineText::tr("acquire")
                                  : LogLineText::tr("acquire, at most %1").arg(format::duration(e.timeout)),
            Tone::muted);
    }
    void operator()(const trace::Acquired& e)
    {
        put(LogArrow::gained, LogLineText::tr("acquired, token %1").arg(format::zxid(e.token)), Tone::holds);
    }
    void operator()(const trace::Reentered& e)
    {
        put(LogArrow::gained, LogLineText::tr("entered again, ×%1").arg(e.depth), Tone::holds);
    }
    void operator()(const trace::ReleaseCalled& e)
    {
        put(LogArrow::none, e.depth > 1 ? LogLineText::tr("release, from ×%1").arg(e.depth) : LogLineText::tr("release"),
            Tone::muted);
    }
    void operator()(const trace::Released& e)
    {
        put(LogArrow::released,
            e.depth > 0 ? LogLineText::tr("released to ×%1").arg(e.depth) : LogLineText::tr("released"), Tone::muted);
    }
    void operator()(const trace::AcquireFailed& e)
    {
        QString text = LogLineText::tr("not acquired: %1").arg(outcomeText(e.reason));
        if (!e.detail.empty())
            text += QStringLiteral(", ") + translateMessage(e.detail, 120);
        put(LogArrow::fault, text, Tone::stale);
    }
    void operator()(const trace::StartedOver& e)
    {
        put(LogArrow::fault, LogLineText::tr("starts over: %1").arg(translateMessage(e.why, 120)), Tone::stale);
    }
    void operator()(const trace::HoldLost& e)
    {
        put(LogArrow::fault, LogLineText::tr("lost the lock: %1").arg(outcomeText(e.reason)), Tone::stale);
    }
    void operator()(const trace::ResourceUse& e)
    {
        put(LogArrow::fault,
            e.action == trace::ResourceAction::refused
                ? LogLineText::tr("token %1 refused by the resource").arg(format::zxid(e.token))
                : LogLineText::tr("two in the protected section at once"),
            Tone::stale);
    }
    void operator()(const trace::SessionState& e)
    {
        const bool bad = e.phase == trace::SessionPhase::lost || e.phase == trace::SessionPhase::suspended;
        put(bad ? LogArrow::fault : LogArrow::none,
            LogLineText::tr("session %1 %2").arg(format::sessionShort(e.session), outcomeText(e.phase)),
            bad ? Tone::stale : Tone::muted);
    }
    void operator()(const trace::SessionGone& e)
    {
        server(LogArrow::fault,
               LogLineText::tr("session %1 ended, its nodes are gone").arg(format::sessionShort(e.session)),
               Tone::stale);
    }
    void operator()(const trace::NodeSeen& e)
    {
        if (m_event.client.valid()) // out of a transaction log
            return put(LogArrow::fromServer, LogLineText::tr("queued with %1").arg(format::sequenceShort(e.node)), Tone::plain);
        server(LogArrow::none, LogLineText::tr("foreign node %1").arg(format::plain(e.node, 60)), Tone::muted);
    }
    void operator()(const trace::PathState& e)
    {
        server(LogArrow::none,
               e.kind == trace::PathKind::missing ? LogLineText::tr("%1 does not exist").arg(path())
               : e.kind == trace::PathKind::folder
                   ? LogLineText::tr("%1 is a folder of %2 locks").arg(path(), format::count(e.locks))
                   : LogLineText::tr("%1 exists").arg(path()),
               Tone::muted);
    }
    void operator()(const trace::Command& e) { command(e.verb, format::plain(e.argument), LogArrow::none, Tone::plain); }
    void operator()(const trace::CommandRefused& e)
    {
        command(e.verb, translateMessage(e.reason, 120), LogArrow::fault, Tone::stale);
    }
    void operator()(const trace::LinkState& e)
    {
        put(e.whole() ? LogArrow::none : LogArrow::fault,
            e.whole() ? LogLineText::tr("link works again") : LogLineText::tr("link: %1").arg(linkFaultText(e)),
            e.whole() ? Tone::muted : Tone::stale);
    }
    void operator()(const trace::StepHeld& e) { put(LogArrow::none, stoppedAtText(e.step), Tone::muted); }
    void operator()(const trace::StepTaken& e)
    {
        put(LogArrow::none, LogLineText::tr("step: %1").arg(gateStepText(e.step)), Tone::muted);
    }
    void operator()(const trace::ResourceValue& e)
    {
        const QString text = translateCoreText(e.name, 40) + u' ' + format::plain(e.value, 60);
        put(LogArrow::none,
            e.fault.empty() ? text : text + QStringLiteral(": ") + translateMessage(e.fault, 120),
            e.fault.empty() ? Tone::muted : Tone::stale);
    }
    void operator()(const trace::Notice& e)
    {
        put(e.severity == trace::Severity::info ? LogArrow::none : LogArrow::fault,
            translateMessage(e.text, 120),
            e.severity == trace::Severity::info ? Tone::muted : Tone::stale);
    }
    template <class E>
    void operator()(const E&)
    {}

private:
    void put(LogArrow arrow, const QString& text, Tone tone)
    {
        m_line.arrow = arrow;
        m_line.text = text;
        m_line.tone = tone;
        if (const replay::ClientRow* client = m_state.client(m_event.client)) {
            m_line.who = format::plain(client->name, 24);
            m_line.colour = client->colour;
        } else {
            m_line.who = m_event.client.valid() ? name(m_event.client) : LogLineText::tr("zk");
        }
    }
    void server(LogArrow arrow, const QString& text, Tone tone)
    {
        m_line = {LogLineText::tr("zk"), std::nullopt, arrow, text, tone};
    }
    void command(trace::Text verb, const QString& more, LogArrow arrow, Tone tone)
    {
        const QString target = m_event.client.valid() ? name(m_event.client) : QString();
        QString text = commandText(verb, target);
        if (!more.isEmpty() && more != target)
            text += QStringLiteral(": ") + more;
        const bool logged = more.startsWith(u"zxid=") || more.startsWith(u"after=") || more.startsWith(u"back_ms=");
        m_line = {logged ? LogLineText::tr("zk") : LogLineText::tr("you"), std::nullopt, arrow, text, tone};
    }
    QString name(ClientId id) const
    {
        if (const replay::ClientRow* client = m_state.client(id))
            return format::plain(client->name, 24);
        return id.valid() ? format::defaultClientName(id) : LogLineText::tr("a client");
    }
    QString path() const
    {
        const replay::LockRow* lock = m_state.lock(m_event.lock);
        return lock ? format::plain(lock->path, 60) : QString();
    }

    const trace::Event& m_event;
    const replay::RunState& m_state;
    const trace::TraceStore* m_store;
    LogLine& m_line;
};

} // namespace

QString arrowText(LogArrow arrow)
{
    switch (arrow) {
    case LogArrow::none:
        return QStringLiteral("·");
    case LogArrow::toServer:
        return QStringLiteral("→");
    case LogArrow::fromServer:
        return QStringLiteral("←");
    case LogArrow::watch:
        return QStringLiteral("⚡");
    case LogArrow::gained:
        return QStringLiteral("●");
    case LogArrow::released:
        return QStringLiteral("○");
    case LogArrow::fault:
        return QStringLiteral("!");
    }
    return {};
}

LogLine logLine(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store)
{
    LogLine line;
    std::visit(LogLineBuilder(event, state, store, line), event.what);
    return line;
}

} // namespace lockscope::ui
