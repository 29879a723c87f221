// The output of a history: the report (JSON), the table of its locks and the list of their queue entries, as
// text and CSV. Pure.
#pragma once

#include "core/history/claims.h"
#include "core/history/history.h"
#include "core/history/lock_order.h"
#include "core/history/participant_names.h"
#include "core/queue/wait_parts.h"
#include "core/trace/session_names.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::app {

// How session ids are written into a file: a real one is as good as a password.
class SessionNames
{
public:
    explicit SessionNames(std::shared_ptr<const trace::SessionNames> names = nullptr) // null: the real ids
        : m_names(std::move(names))
    {}
    std::string operator()(SessionId session) const; // empty for none
    std::string inText(std::string_view text) const; // node names of ZooKeeper's recipe contain session ids

private:
    std::shared_ptr<const trace::SessionNames> m_names;
};

std::string utc(std::int64_t timeMs);                   // "2026-11-23T03:04:05.678Z"
std::string spanText(std::int64_t ms);                  // "1 min 05 s"
boost::json::value textOrNull(const std::string& text); // null if empty
boost::json::object endsJson(const history::EndCounts& ends);

// Where the time of a wait went. `holder`: by its number in the split; its fields or its name.
void addWait(boost::json::object& document, const queue::WaitSplit& split,
             const std::function<boost::json::object(std::size_t)>& holder);
std::string waitText(const queue::WaitSplit& split, const std::function<std::string(std::size_t)>& holder);

// Locks that are taken in both orders: a sentence, and for a report.
std::string orderText(const history::OrderInversion& found, const SessionNames& sessions);
boost::json::array ordersJson(const std::vector<history::OrderInversion>& found,
                              const SessionNames& sessions);

// What programs believed of their holds beside the server's log: what differs, and for a report all of it.
std::string claimsTable(const history::ClaimedHolds& claims, const SessionNames& sessions);
boost::json::object claimsJson(const history::ClaimedHolds& claims, const SessionNames& sessions);

struct ReportContext
{
    // All damage: it is taken out of the history as it occurs.
    const std::vector<history::Damage>& damage;
    const SessionNames& sessions;
    const history::ParticipantNames& participants;
    const std::vector<history::OrderInversion>& orders;
    const history::ClaimedHolds* claims = nullptr; // null: none were given
    bool realSessionIds = false, withData = false; // the report has them, and states it
    bool worth = false;                            // it says what the locks cost their clients
};
// In pieces: a history may have a million locks.
void writeReport(const history::History& history, const ReportContext& context,
                 const std::function<void(std::string_view)>& write);
void writeCsv(const history::History& history, const SessionNames& sessions,
              const std::function<void(std::string_view)>& write);
std::string locksTable(const history::History& history);
// One line for each queue entry: the participant, the times, and why it ended.
std::string queueEntriesTable(const history::History& history, const SessionNames& sessions,
                              const history::ParticipantNames& participants);
std::string findingsTable(const history::History& history);
// Of each chosen lock the longest wait, and where all its waits went.
std::string waitsTable(const history::History& history, const SessionNames& sessions);
// What the chosen locks cost their clients, and what would be won by shorter holds or by a split.
std::string worthTable(const history::History& history);

} // namespace lockscope::app
