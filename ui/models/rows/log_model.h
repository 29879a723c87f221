// The protocol log up to the cursor: one row for each event that is logged and passes the filter. The row
// index is built in slices of a few milliseconds a frame; building() is true until it is complete. GUI
// thread.
#pragma once

#include <QTimer>

#include "ui/models/rows/columns_model.h"
#include "ui/models/rows/event_search.h"
#include "ui/models/rows/log_rules.h"
#include "ui/models/run/run_model.h"

#include <optional>
#include <vector>

namespace lockscope::ui {

class LogModel : public ColumnsModel
{
    Q_OBJECT
public:
    enum Column { Time, Who, Arrow, What, Latency, Number, Lock, ColumnCount };
    explicit LogModel(RunModel* run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;

    void setWallClock(bool on); // shows wall clock times, if the run has them
    void setFilter(const LogFilter& filter);
    const LogFilter& filter() const { return m_matches.filter(); }
    bool building() const;                              // rows are still to come
    std::size_t eventsLogged() const;                   // up to the cursor, without the filter
    std::size_t position() const { return m_position; } // the cursor that rows are shown for

    EventIndex eventAt(int row) const;
    ClientId client(int row) const;
    LogLine line(int row) const;
    // The color rules; they outlive the model.
    void setRules(const LogRules* rules) { m_rules = rules; }
    std::optional<LogMatch> matchAt(int row) const;
    std::optional<Duration> latency(int row) const; // of a request that was answered before the cursor
    int rowOf(EventIndex event) const; // of this event, or of the request that it answers; -1: not shown

signals:
    void buildProgressed(); // eventsLogged() or building() changed

private:
    QVariant cell(int row, int column, int role) const override;
    struct Entry
    {
        std::uint32_t event;
        std::uint32_t reply; // none: EventIndex::none().value
    };
    void restart();
    void work();
    void indexUntil(std::size_t until);
    void showUpToCursor();
    void setRowCount(std::size_t count);
    const Entry& entry(int row) const;
    std::size_t entriesBefore(std::size_t event) const;
    std::size_t shownBefore(std::size_t position) const;
    void noteReply(std::uint32_t request, std::uint32_t reply);

    RunModel* m_run;
    QTimer m_again;               // continues in the next turn of the event loop
    std::vector<Entry> m_entries; // every logged event, in order
    std::size_t m_indexed = 0;    // events looked at for m_entries
    EventMatches m_matches;       // those that pass the filter; not read without one
    bool m_wallClock = false;
    const LogRules* m_rules = nullptr;
    std::size_t m_rows = 0;     // rows shown
    std::size_t m_position = 0; // the cursor they are shown for
    bool m_working = false;     // building() as last notified
};

} // namespace lockscope::ui
