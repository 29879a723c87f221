// Follows the locks of other programs on a live ensemble, with a session that cannot write: one persistent
// recursive watch for each path, so that every create and delete is seen. New nodes are read in batches
// before their turn comes. The whole tree is read at the beginning and after each loss of contact, which is a
// gap. Only answers count: a reading in which the server has refused, throttled or lost one is repeated, and
// says why in Snapshot::trouble. A sync each second shows that our news are new; while it is not answered
// nothing is claimed, which is a gap too. On a server that lacks such watches (before 3.6) or refuses them,
// the paths are listed again after each change, and quick changes are missed. I/O thread.
#pragma once

#include "core/field/lock_recording.h"
#include "core/field/lock_tracker.h"
#include "core/field/session_poller.h"
#include "core/field/snapshot.h"
#include "core/field/watch_options.h"
#include "core/server/probe/session_probe.h"
#include "core/zk/wire/observer_session.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::field {

class LockWatcher : public std::enable_shared_from_this<LockWatcher>
{
public:
    LockWatcher(zk::wire::IoScheduler& scheduler, WatchOptions options);

    // Call before start(). `applied`: called after all events of one change. `gap`: called when a loss of
    // contact is over, before the events of the changes in it.
    void listen(history::LockListener listener, std::function<void()> applied, GapListener gap)
    {
        m_listener = std::move(listener);
        m_applied = std::move(applied);
        m_gapListener = std::move(gap);
    }
    void onNode(LockTracker::NodeListener listener) { m_tracker.onNode(std::move(listener)); }
    void record(std::shared_ptr<LockRecording> recording) { m_recording = std::move(recording); }
    void onSnapshot(std::function<void(SnapshotPtr)> listener) { m_onSnapshot = std::move(listener); }
    void onFailure(std::function<void(const Error&)> listener)
    {
        m_onFailure = std::move(listener);
    } // called if no contact was ever made, or the server refuses our credentials

    void start();
    // Calls `done` once: when all changes made on the server up to now have been seen and read, after a
    // second at the latest.
    void settle(std::function<void()> done);
    void stop(); // closes the session; publishes no more
    void showDetails(const std::set<std::string>& locks) { m_detailed = locks; }
    zk::SessionPhase phase() const { return m_session ? m_session->phase() : zk::SessionPhase::connecting; }
    SnapshotPtr snapshot(LockTracker::Rows rows = LockTracker::Rows::all);

private:
    static constexpr Duration kRetryReading = std::chrono::milliseconds(300);
    static constexpr Duration kReasonLimit = std::chrono::seconds(1); // for an answer to a four-letter word
    struct Change                                                     // in the order of the server
    {
        bool created = false;
        bool answered = false;
        std::string path;
        std::optional<NodeFacts> facts;
        std::int64_t ms = 0;
        std::int64_t arrivedMs = 0; // by our clock
        std::size_t ahead = 0;      // number of nodes below its parent at that time, less those deleted since
        std::uint32_t refusals = 0; // answers that were none
        bool unpermitted = false;   // its data may not be read
        std::optional<std::int64_t> sinceMs{}; // it arrived late: it happened between this and `ms`
    };
    struct Root
    {
        std::string path;
        PathStatus::Kind kind = PathStatus::Kind::missing;
        bool shown = true;                                 // requested; false: beside a requested path
        PathStatus::Kind read = PathStatus::Kind::missing; // result of the current reading
        Zxid created{};                                    // of the path itself; none: not there
    };

    void connect();
    void onPhase(zk::SessionPhase phase);
    void watchAll();
    void onWatched(zk::Code code);
    void byListing(zk::Code code, bool forGood);
    void watchAgain();
    void beginGap(MonotonicTime from);
    void seekReason();
    Error authError() const;
    void askWhichServer();
    void confirmNews();
    void newsAreLate();
    bool isFresh() const;
    void onConfirmed(MonotonicTime asked);
    bool isInContact() const; // what is known is new
    bool hasNews() const { return isInContact() && !m_session->isReadOnly(); }
    std::int64_t knownMs() const;
    std::int64_t serverMs(MonotonicTime at) const;
    std::optional<std::int64_t> lateSinceMs() const;
    void checkNames(const std::string& root, Zxid created);
    void onEvent(const zk::wire::NodeEvent& event);
    void nodeCreated(const std::string& path);
    void nodeDeleted(const std::string& path);
    void planRead(const Change& change);
    void readNew();
    void onNewNode(const std::shared_ptr<Change>& change, zk::wire::NodeReply reply);
    std::size_t nodesBelow(const std::string& parent) const; // including unapplied changes
    void checkSettled();
    void applyChanges();
    void beginReading();
    void readMore();
    void readNode(const std::string& path);
    void onNode(const std::string& path, const zk::wire::NodeReply& reply);
    void readChildren(const std::string& path);
    void readUnpermitted(const std::string& path);
    bool isAnswer(const std::string& path, zk::Code code); // notes why not
    void readDone();
    void endReading();
    void listSoon(const std::string& path);
    void listAgain(const std::string& path);
    void onListAgain(const std::string& path, zk::Code code, const std::set<std::string>& names);
    void awaitRoot(const std::string& path);
    void contactLost();
    void tick();
    void publish();
    void onSessionPoll(const SessionPoll& poll);
    MonotonicTime nextPollTime(const SessionPoll& poll) const;
    Root* rootAt(std::string_view path);
    std::int64_t serverMs() const { return serverMs(m_scheduler.now()); }
    bool isLosing() const { return m_gapFromMs.has_value(); }
    static std::string below(const std::string& path, const std::string& name)
    {
        return path == "/" ? "/" + name : path + "/" + name;
    }
    template <class Function>
    auto guarded(Function function) // does nothing once this contact has ended, or after stop()
    {
        return [weak = weak_from_this(), turn = m_turn,
                function = std::move(function)](auto&&... given) mutable {
            if (const auto self = weak.lock(); self && self->m_turn == turn && !self->m_stopped)
                function(*self, std::forward<decltype(given)>(given)...);
        };
    }

    zk::wire::IoScheduler& m_scheduler;
    WatchOptions m_options;
    LockTracker m_tracker;
    std::shared_ptr<SessionPoller> m_poller;
    std::shared_ptr<zk::wire::ObserverSession> m_session;
    std::vector<Root> m_roots;
    history::LockListener m_listener;
    std::function<void()> m_applied;
    GapListener m_gapListener;
    std::shared_ptr<LockRecording> m_recording; // may be null
    std::function<void(SnapshotPtr)> m_onSnapshot;
    std::function<void(const Error&)> m_onFailure;
    std::set<std::string> m_detailed;
    SnapshotPtr m_lastPublished;
    WatchState m_watching = WatchState::connecting;
    bool m_listing = false, m_stopped = false, m_hadContact = false, m_everRead = false;
    bool m_dirty = false; // changed since the last snapshot
    MonotonicTime m_published{};
    std::uint64_t m_turn = 0; // number of the contact: answers from an earlier one are ignored
    std::size_t m_watchesOpen = 0;
    std::uint32_t m_watchesUnanswered = 0;
    bool m_listingForGood = false; // the server has refused the watches
    Duration m_watchAgainAfter = std::chrono::seconds(5);
    std::set<std::string> m_unpermittedFolders;

    std::optional<Error> m_trouble;                 // why the paths cannot be read at present
    std::optional<Error> m_unanswered;              // the first request of this reading without an answer
    std::uint64_t m_answers = 0, m_mostAnswers = 0; // of this reading, of any reading
    MonotonicTime m_outSince{}, m_lastAnswer{};     // of the contact; of this reading
    std::uint32_t m_failedReadings = 0;
    std::size_t m_reasonsOpen = 0;
    MonotonicTime m_reasonsSought{};
    std::optional<std::pair<server::WhyNoSession, std::string>> m_reason;
    bool m_asksWhichServer = false, m_keepsLastChange = false;
    std::string m_serverMode; // of the server that we are connected to; empty: not known
    boost::unordered_flat_map<std::string, Zxid> m_lastChanges; // pzxid by path, in this reading

    std::optional<MonotonicTime> m_asked;          // the sync that is not answered
    MonotonicTime m_lastNews{}, m_lastConfirmed{}; // an event or an answer to a sync; the latter
    MonotonicTime m_lastAsked{};
    std::optional<MonotonicTime> m_lateSince; // no news since: the sync is not answered

    std::deque<std::shared_ptr<Change>> m_changes;
    std::vector<std::shared_ptr<Change>> m_unread;           // created nodes that are not requested yet
    boost::unordered_flat_map<std::string, int> m_unapplied; // by parent: created less deleted in m_changes
    bool m_readPlanned = false, m_lateReadPlanned = false;
    std::function<void()> m_settled;
    bool m_synced = false;
    std::deque<std::pair<std::string, bool>> m_toRead; // a path; whether to list its children
    std::size_t m_readsOpen = 0;
    std::map<std::string, zk::WatchPtr> m_listWatches; // by path, for WatchState::byListing
    std::set<std::string> m_listPlanned;

    std::uint64_t m_created = 0, m_deleted = 0, m_statUnknown = 0, m_unreadable = 0, m_pollCount = 0;
    std::vector<WatchGap> m_gaps;
    std::optional<std::int64_t> m_gapFromMs;
    std::int64_t m_sinceMs = 0;
    std::optional<std::int64_t> m_aheadByPoll, m_aheadByCreates;
    std::string m_whyByListing;
    std::vector<Message> m_notPermitted;
};

} // namespace lockscope::field
