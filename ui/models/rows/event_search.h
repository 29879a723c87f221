// The events that match a filter of the log, for the log, the search of the timeline and others
// that filter: one engine, EventMatches. EventSearch lets it read a whole run in slices of a few milliseconds
// from the event loop, independent of the cursor. Queries are binary searches. GUI thread.
#pragma once

#include <QObject>
#include <QTimer>

#include "ui/models/rows/log_filter.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/seen_names.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::ui {

// The logged events that pass a filter, among those read so far. A value.
class EventMatches
{
public:
    bool setFilter(const LogFilter& filter); // false: it is the same as before
    const LogFilter& filter() const { return m_filter; }
    bool filters() const { return !m_filter.matchesAll(); }
    void clear(); // of another run
    // Reads the events before `end`, until the deadline.
    void readUntil(const trace::TraceStore& store, std::size_t end, MonotonicTime deadline);
    std::size_t read() const { return m_read; } // events
    const std::vector<std::uint32_t>& found() const { return m_found; }
    // The first match that is this event or a later one; found().size() when there is none so far.
    std::size_t firstFrom(std::size_t event) const;

private:
    LogFilter m_filter;
    SeenNames m_names; // of the events read
    std::size_t m_read = 0;
    std::vector<std::uint32_t> m_found;
};

class EventSearch : public QObject
{
    Q_OBJECT
public:
    explicit EventSearch(RunModel* run, QObject* parent = nullptr);

    void setFilter(const LogFilter& filter); // a filter that matches all events ends the search
    bool active() const { return m_matches.filters(); }
    bool searching() const;

    std::size_t count() const { return m_matches.found().size(); } // so far
    EventIndex match(std::size_t number) const { return EventIndex{m_matches.found()[number]}; }
    TraceTime timeOf(std::size_t number) const;
    std::size_t firstFrom(std::size_t event) const { return m_matches.firstFrom(event); }
    std::size_t firstAt(TraceTime time) const; // the first match at or after this moment

signals:
    void changed(); // count() or searching() changed

private:
    void restart();
    void goOn();
    void work();

    RunModel* m_run;
    QTimer m_next;
    EventMatches m_matches;
};

} // namespace lockscope::ui
