// Collects everything known about one selected item at one moment from replay's state, without searching
// events. Lives for one call of make(). Invariant: the same kind of item has the same rows in the same order,
// so that rows keep their places. Pure; any thread.
#pragma once

#include <QCoreApplication>

#include "core/replay/state/run_state.h"
#include "core/replay/timeline/timeline.h"
#include "ui/models/style/format.h"
#include "ui/texts/client_status.h"
#include "ui/texts/fact.h"

#include <algorithm>

namespace lockscope::ui {

struct InspectorSources
{
    const replay::RunState* state = nullptr;
    const replay::Timeline* timeline = nullptr;
    const trace::TraceStore* store = nullptr; // null: no run
    TraceTime now{};
    std::size_t position = 0;
};

class InspectionBuilder
{
    Q_DECLARE_TR_FUNCTIONS(Inspector)
public:
    InspectionBuilder(const InspectorSources& from, const Selected& what);
    Inspection make();

private:
    // ---- rows ----
    void section(const QString& id, const QString& title);
    Fact& add(const char* id, const QString& label, const QString& value, const QJsonValue& exact = {});
    Fact& addOutside(const char* id, const QString& label, trace::Text text);
    Fact& addClient(const char* id, const QString& label, ClientId client);
    Fact& addNode(const char* id, const QString& label, LockId lock, trace::Text node);
    Fact& addLock(const char* id, const QString& label, LockId lock);
    Fact& addCount(const char* id, const QString& label, std::uint64_t count, EventIndex last);
    Fact& addLength(const char* id, const QString& label, std::optional<Duration> length,
                    QString (*written)(Duration) = format::duration);
    Fact& addWaited(std::optional<Duration> length);
    // The time of this event.
    Fact& addMoment(const char* id, const QString& label, EventIndex event);
    Fact& addMoment(const char* id, const QString& label, TraceTime at, EventIndex event);
    Fact& addSession(const char* id, const QString& label, SessionId session);
    Fact& addYesNo(const char* id, const QString& label, bool yes);
    void addPlace(LockId lock, trace::Text node, EventIndex listed);

    static QString none();
    QString moment(TraceTime at) const;
    Duration since(TraceTime then) const { return std::max(m_from.now - then, Duration::zero()); }
    // How long something lasts or lasted: without the pauses of the run.
    Duration lasting(TraceTime begin) const { return m_state.pauses.without(begin, m_from.now); }
    const trace::Event* event(EventIndex index) const;
    QString eventWords(EventIndex index) const; // "bo: getData …0185 +watch"

    // ---- client ----
    void client(const replay::ClientRow& row);
    void session(const replay::ClientRow& row);
    void lockUse(const QString& id, const QString& title, const replay::LockUse& one);
    void lockTimes(const replay::LockUse& one, bool waits, bool holds);
    void totals(const replay::ClientRow& row);
    QString sumText(Duration sum, std::uint32_t parts) const;

    // ---- node ----
    void node();
    void nodeHead(trace::Text name, LockId lock, std::int64_t sequence, EventIndex createdBy);
    void nodeThere(const replay::LockRow& lock, const replay::NodeRow& row);
    void nodeGone(const replay::DeletedNode& gone);
    void watchers(const replay::NodeRow& row);
    QString nodeKind(const replay::LockRow& lock, const replay::NodeRow& row) const;

    // ---- handoff ----
    void handoff();
    void handoffParts(const replay::Handoff& one);

    // ---- event ----
    void event();
    void payload(const trace::Event& one);
    void transaction(EventIndex index);
    template <class F>
    void field(const trace::Event& one, std::string_view named, const F& value);

    const InspectorSources& m_from;
    const replay::RunState& m_state;
    Inspection m_inspection;
    QString m_section;
};

} // namespace lockscope::ui
