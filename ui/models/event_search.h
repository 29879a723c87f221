// All events of a run that pass a filter of the log, wherever the cursor is. Looks through the run in slices of a few
// milliseconds, between which the window goes on; searching() says whether it is behind. What is shown of the result
// is asked for by binary search. GUI thread.
#pragma once

#include <QObject>
#include <QTimer>

#include "ui/models/log_filter.h"
#include "ui/models/run_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::ui {

class EventSearch : public QObject
{
    Q_OBJECT
public:
    explicit EventSearch(RunModel* run, QObject* parent = nullptr);

    void setFilter(const LogFilter& filter); // one that lets everything pass ends the search
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
    void learnNames(const trace::Event& event);

    RunModel* m_run;
    QTimer m_next;
    LogFilter m_filter;
    replay::RunState m_names; // nothing but the clients and locks that were met: the filter asks for names
    std::size_t m_read = 0;   // events looked at
    std::vector<std::uint32_t> m_matches;
};

} // namespace lockscope::ui
