// Narrates one event: it gives the line and its shorter forms first, and the sentences only when they are
// asked for: they cost more, and the log builds many lines. There is an overload for each kind of event, so
// that a new kind does not compile without its texts. Pure; any thread.
#pragma once

#include "ui/models/run/lock_role.h"
#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"
#include "ui/texts/event_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>
#include <variant>

namespace lockscope::ui {

// Two sentences of a table: what happened, and why; null: nothing.
struct Said
{
    const char* what;
    const char* why = nullptr;
};

struct EventText
{
    LogLine line;
    QStringList labels;
    Explanation sentences;
};

class EventNarrator
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    EventNarrator(const trace::Event& event, const replay::RunState& state, const trace::TraceStore* store,
                  bool explains)
        : m_event(event)
        , m_state(state)
        , m_store(store)
        , m_explains(explains)
        , m_row(state.client(event.client))
        , m_lock(state.lock(event.lock))
        , m_name(event.client.valid() ? clientName(state, event.client) : QString())
        , m_role(explains ? lockRole(state, event.lock) : LockRole::queue)
    {}
    EventText text() &&
    {
        std::visit(*this, m_event.what);
        return std::move(m_text);
    }

    // the run and its clients: event_narrator_run.cpp
    void operator()(const trace::RunPhaseChanged&);
    void operator()(const trace::ServerState&);
    void operator()(const trace::LockAdded&);
    void operator()(const trace::ClientAdded&);
    void operator()(const trace::ClientRemoved&);
    void operator()(const trace::Command&);
    void operator()(const trace::CommandRefused&);
    void operator()(const trace::PaceChanged&);
    void operator()(const trace::Notice&);
    void operator()(const trace::SessionState&);
    void operator()(const trace::SessionGone&);
    void operator()(const trace::Thinks&);
    void operator()(const trace::ResourceUse&);
    void operator()(const trace::ClientFinished&);
    void operator()(const trace::MemberState&);
    void operator()(const trace::LockLimit&);
    void operator()(const trace::LinkState&);
    void operator()(const trace::StepHeld&);
    void operator()(const trace::StepTaken&);
    void operator()(const trace::ResourceValue&);
    // the recipe: event_narrator_recipe.cpp
    void operator()(const trace::AcquireCalled&);
    void operator()(const trace::Decided&);
    void operator()(const trace::Acquired&);
    void operator()(const trace::Reentered&);
    void operator()(const trace::AcquireFailed&);
    void operator()(const trace::StartedOver&);
    void operator()(const trace::ReleaseCalled&);
    void operator()(const trace::Released&);
    void operator()(const trace::HoldLost&);
    // the protocol, and what the server reports: event_narrator_protocol.cpp
    void operator()(const trace::Request&);
    void operator()(const trace::Reply&);
    void operator()(const trace::WatchFired&);
    void operator()(const trace::NodeSeen&);
    void operator()(const trace::NodeVanished&);
    void operator()(const trace::Observed&);
    void operator()(const trace::PathState&);
    void operator()(const trace::WatchSeen&);
    void operator()(const trace::WatchVanished&);
    void operator()(const trace::WatchesRead&);

private:
    // `labels`: from the longest to the shortest; none: the line is short enough.
    void say(LogArrow arrow, Tone tone, const QString& line, const QStringList& labels = {})
    {
        //: short for ZooKeeper, as the author of a line of the log
        m_text.line = {m_event.client.valid() ? m_name : tr("zk"), {}, arrow, line, tone};
        if (m_row)
            m_text.line.colour = m_row->colour;
        m_text.labels = labels.isEmpty() ? QStringList{line} : labels;
    }
    // Names ZooKeeper as the cause, not the client.
    void byServer()
    {
        m_text.line.who = tr("zk");
        m_text.line.colour.reset();
    }
    void command(trace::Text verb, const QString& more, LogArrow arrow, Tone tone);
    void explain(const QString& what, const QString& why = {}) { m_text.sentences = {what, why}; }
    // The same from a table in the order of the enum, in which %1 is the client and `more` follows.
    template <auto kLast, std::size_t N>
    void ofClient(const Said (&rows)[N], decltype(kLast) value, const QStringList& more = {})
    {
        static_assert(N == static_cast<std::size_t>(kLast) + 1);
        const Said& row = rows[std::min(static_cast<std::size_t>(value), N - 1)];
        const QStringList words = QStringList{m_name} + more;
        explain(filled(row.what, words), filled(row.why, words));
    }
    // Of events that no client caused.
    template <auto kLast, std::size_t N>
    void ofNobody(const Said (&rows)[N], decltype(kLast) value, const QStringList& words = {})
    {
        static_assert(N == static_cast<std::size_t>(kLast) + 1);
        const Said& row = rows[std::min(static_cast<std::size_t>(value), N - 1)];
        explain(withWhom(filled(row.what, words)), filled(row.why, words));
    }
    // As many of the words as the text has places for.
    static QString filled(const char* source, const QStringList& words)
    {
        const QString text = source ? tr(source) : QString();
        return text.contains(u"%3")   ? text.arg(words[0], words[1], words[2])
               : text.contains(u"%2") ? text.arg(words[0], words[1])
               : text.contains(u"%1") ? text.arg(words[0])
                                      : text;
    }

    // The lock's handoff uses announcements.
    bool announced() const { return m_lock && m_lock->announcesHandoff(); }
    bool ownNode(replay::Text node) const { return m_row && !node.empty() && m_row->node == node; }
    bool reads() const // the client's node is a reader's
    {
        const replay::NodeRow* own =
            m_row && !m_row->node.empty() ? m_state.node(m_event.lock, m_row->node) : nullptr;
        return own && own->reads;
    }
    QString path() const { return m_lock ? format::plain(m_lock->path, 60) : QString(); }
    // "ada: text" for events that the client did not cause
    QString withWhom(const QString& text) const
    {
        return m_name.isEmpty() ? text : tr("%1: %2").arg(m_name, text);
    }

    // A decision by which no node blocks the client.
    void decidedAlone(const trace::Decided&);
    // A successful reply.
    void answered(const trace::Reply&);
    void wokenByGone(const trace::WatchFired&);

    const trace::Event& m_event;
    const replay::RunState& m_state;
    const trace::TraceStore* m_store;
    bool m_explains;
    const replay::ClientRow* m_row; // null: the event has no client
    const replay::LockRow* m_lock;  // null: the event has no lock, or the state does not know it
    QString m_name;
    LockRole m_role; // for the sentences
    EventText m_text;
};

} // namespace lockscope::ui
