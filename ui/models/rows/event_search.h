// All events of a run that match a log filter, independent of the cursor. Reads the run in slices of a few
// milliseconds from the event loop; searching() is true until it has read all. Queries are binary searches.
// GUI thread.
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

class EventSearch : public QObject
{
    Q_OBJECT
public:
    explicit EventSearch(RunModel* run, QObject* parent = nullptr);

    void setFilter(const LogFilter& filter); // a filter that matches all events ends the search
    bool active() const { return !m_filter.matchesAll(); }
    bool searching() const;

    std::size_t count() const { return m_matches.size(); } // found so far
    EventIndex match(std::size_t number) const { return EventIndex{m_matches[number]}; }
    TraceTime timeOf(std::size_t number) const;
    // The first match that is this event or a later one; count() when there is none so far.
    std::size_t firstFrom(std::size_t event) const;
    std::size_t firstAt(TraceTime time) const; // the first match at or after this moment

signals:
    void changed(); // count() or searching() changed

private:
    void restart();
    void goOn();
    void work();

    RunModel* m_run;
    QTimer m_next;
    LogFilter m_filter;
    SeenNames m_names;
    std::size_t m_read = 0; // events
    std::vector<std::uint32_t> m_matches;
};

} // namespace lockscope::ui
