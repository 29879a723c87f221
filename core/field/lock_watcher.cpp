// The watcher: its session and its watches, and the snapshots that it publishes.
#include "core/field/lock_watcher.h"

#include "core/base/host_port.h"
#include "core/field/wall_clock.h"
#include "core/history/history.h"
#include "core/queue/words.h"

#include <algorithm>
#include <utility>

namespace lockscope::field {

namespace {

using std::chrono::milliseconds;
using zk::Code;
using zk::SessionPhase;
using zk::wire::NodeEvent;

constexpr std::uint32_t kMaxUnanswered = 3;
constexpr Duration kMaxPublishInterval = std::chrono::seconds(1); // of snapshots, when nothing changes
constexpr Duration kTick = milliseconds(250);
constexpr Duration kReconnectDelay = milliseconds(500);
constexpr Duration kMostWatchAgain = std::chrono::minutes(10);
constexpr Duration kSlowAfter = std::chrono::seconds(2);
constexpr std::int32_t kUnimplemented = -6; // ZooKeeper's number of an error

} // namespace

LockWatcher::LockWatcher(zk::wire::IoScheduler& scheduler, WatchOptions options)
    : m_scheduler(scheduler)
    , m_options(std::move(options))
    , m_tracker(m_options.cleanedAfter)
{
    while (m_options.chroot.ends_with('/'))
        m_options.chroot.pop_back();
    for (const std::string& path : m_options.paths) {
        m_roots.push_back({path});
        m_tracker.request(path);
    }
    const auto readBeside = [this](std::string_view path, std::string_view suffix) {
        const std::string beside = std::string(path).append(suffix);
        if (std::none_of(m_roots.begin(), m_roots.end(),
                         [&](const Root& root) { return history::isAtOrBelow(beside, root.path); }))
            m_roots.push_back({beside, PathStatus::Kind::missing, false});
    };
    for (const std::string& path : m_options.paths) {
        if (path != "/") // the acquire mutex of a kazoo semaphore is beside it
            readBeside(path, queue::kKazooMutexSuffix);
        // One part of Curator's semaphore does not show what is in the other.
        if (path.ends_with(queue::kLeasesSuffix))
            readBeside(history::parentOf(path), queue::kMutexSuffix);
        else if (path.ends_with(queue::kMutexSuffix))
            readBeside(history::parentOf(path), queue::kLeasesSuffix);
    }
}

void LockWatcher::start()
{
    m_poller = std::make_shared<SessionPoller>(SessionPoller::Setup{
        m_scheduler.io(), m_scheduler, splitHosts(m_options.hosts), m_options.security, m_options.chroot,
        [weak = weak_from_this()](const SessionPoll& poll) {
            if (const auto self = weak.lock())
                self->onSessionPoll(poll);
        },
        [weak = weak_from_this()](const Error& error) {
            if (const auto self = weak.lock())
                self->m_notPermitted.push_back(error.all());
        }});
    m_sinceMs = wallMs();
    m_outSince = m_lastNews = m_scheduler.now();
    if (m_listener || m_recording)
        m_tracker.listen(
            [this](const history::LockEvent& event) {
                if (m_listener)
                    m_listener(event);
                if (m_recording)
                    m_recording->add(event);
            },
            [this] {
                if (m_applied)
                    m_applied();
                if (m_recording)
                    m_recording->endTransaction();
            },
            [this](std::uint32_t lock) {
                if (m_recording)
                    m_recording->forget(lock);
            });
    connect();
    tick();
}

void LockWatcher::stop()
{
    m_stopped = true;
    ++m_turn;
    m_listWatches.clear();
    if (m_poller)
        m_poller->stop();
    if (m_session)
        m_session->close();
}

LockWatcher::Root* LockWatcher::rootAt(std::string_view path)
{
    const auto root =
        std::find_if(m_roots.begin(), m_roots.end(), [&](const Root& one) { return one.path == path; });
    return root == m_roots.end() ? nullptr : &*root;
}

void LockWatcher::connect()
{
    if (m_stopped)
        return;
    zk::wire::ObserverOptions options;
    options.hosts = m_options.hosts + m_options.chroot;
    options.security = m_options.security;
    options.timeout = m_options.sessionTimeout;
    options.connectTimeout = m_options.connectTimeout;
    options.credentials = m_options.credentials;
    options.sasl = m_options.sasl;
    m_session = zk::wire::ObserverSession::connect(m_scheduler, std::move(options));
    const auto weak = weak_from_this();
    const auto* const session = m_session.get();
    m_session->onEvent([weak, session](const NodeEvent& event) {
        if (const auto self = weak.lock(); self && self->m_session.get() == session && !self->m_stopped)
            self->onEvent(event);
    });
    m_session->addListener([weak, session](SessionPhase phase) {
        if (const auto self = weak.lock(); self && self->m_session.get() == session && !self->m_stopped)
            self->onPhase(phase);
    });
}

void LockWatcher::onPhase(SessionPhase phase)
{
    m_dirty = true;
    if (phase == SessionPhase::connected) {
        ++m_turn;
        const bool newSession = !m_hadContact || m_watchesOpen > 0 || m_watching == WatchState::connecting;
        m_hadContact = true;
        m_reason.reset();
        m_aheadByCreates.reset(); // it may be another server's clock now
        m_poller->setOwn({m_session->id(), m_session->timeout(), m_scheduler.now()});
        m_watching = WatchState::reading;
        m_watchesOpen = 0;
        m_lastAnswer = m_scheduler.now();
        askWhichServer();
        if (m_listing && !m_listingForGood) {
            m_listing = false;
            m_watchesUnanswered = kMaxUnanswered - 1;
        }
        if ((!newSession && m_watchesUnanswered == 0) || m_listing)
            return beginReading(); // the session has set its watches again
        return watchAll();
    }
    contactLost();
    if (phase != SessionPhase::lost)
        return;
    const bool auth = m_session->lossReason() == zk::LossReason::authFailed;
    if (auth)
        m_trouble = authError();
    if (!m_hadContact || (auth && !m_everRead)) {
        if (m_onFailure)
            m_onFailure(
                m_trouble.value_or(server::noSession({server::NoSession::unreachable}, m_options.hosts)));
        return;
    }
    m_watching = WatchState::connecting;
    m_scheduler.after(kReconnectDelay, guarded([](LockWatcher& self) { self.connect(); }));
}

void LockWatcher::watchAll()
{
    if (!m_options.persistentWatches)
        return byListing(Code::ok, true);
    if (++m_watchesUnanswered > kMaxUnanswered) // the server keeps closing the connection at this request
        return byListing(Code::unknown, false);
    m_watchesOpen = m_roots.size();
    for (const Root& root : m_roots)
        m_session->addWatch(root.path, zk::wire::WatchMode::persistentRecursive,
                            guarded([](LockWatcher& self, Code code) { self.onWatched(code); }));
}

void LockWatcher::onWatched(Code code)
{
    if (m_listing || m_watchesOpen == 0)
        return;
    // A server before 3.6 answers that it does not know the request, and closes the connection.
    if (code == Code::refused || code == Code::badArguments || code == Code::noAuth)
        return byListing(code, code != Code::refused || m_session->lastError() == kUnimplemented);
    if (code == Code::throttled) {
        m_watchesOpen = 0;
        --m_watchesUnanswered;
        isAnswer(m_options.paths.front(), code);
        m_scheduler.after(kRetryReading, guarded([](LockWatcher& self) {
                              if (self.m_watchesOpen == 0 && self.m_watching == WatchState::reading)
                                  self.watchAll();
                          }));
        return;
    }
    if (code != Code::ok)
        return; // the contact is lost
    if (--m_watchesOpen > 0)
        return;
    m_watchesUnanswered = 0;
    beginReading();
}

void LockWatcher::byListing(Code code, bool forGood)
{
    m_listing = true;
    m_watchesOpen = 0;
    m_whyByListing = code == Code::ok ? std::string("as asked for") : describe(code).english();
    m_listingForGood = forGood;
    if (!forGood) // neither no answer nor any error is a proof
        m_scheduler.after(m_watchAgainAfter, guarded([](LockWatcher& self) { self.watchAgain(); }));
    beginReading();
}

// Some requests for the watches failed: it may have been by chance.
void LockWatcher::watchAgain()
{
    m_watchAgainAfter = std::min(m_watchAgainAfter * 2, kMostWatchAgain);
    ++m_turn;
    m_asked.reset();
    beginGap(m_scheduler.now());
    m_lateSince.reset();
    m_listing = false;
    m_listWatches.clear();
    m_listPlanned.clear();
    m_changes.clear();
    m_unapplied.clear();
    m_unread.clear();
    m_readPlanned = m_lateReadPlanned = false;
    m_watching = WatchState::reading;
    m_watchesUnanswered = kMaxUnanswered - 1;
    watchAll();
}

void LockWatcher::onSessionPoll(const SessionPoll& poll)
{
    if (poll.clockAheadMs)
        m_aheadByPoll = poll.clockAheadMs;
    ++m_pollCount;
    m_tracker.take(poll, knownMs());
    if (m_recording)
        m_recording->takeAddresses(poll.sessions);
    m_poller->setPreferredTime(nextPollTime(poll));
    publish();
}

// There is little time between a silence too long for a pause and the end of the session: one poll should
// fall into it.
MonotonicTime LockWatcher::nextPollTime(const SessionPoll& poll) const
{
    constexpr Duration kSoon = std::chrono::seconds(2), kLate = std::chrono::seconds(4);
    MonotonicTime next{};
    if (m_lastPublished)
        for (const LockStatus& row : m_lastPublished->locks) {
            if (!row.holder)
                continue;
            const auto facts = poll.sessions.find(row.holder->session);
            if (facts == poll.sessions.end() || !facts->second.silence || facts->second.timeout <= Duration{})
                continue;
            const Duration left =
                silentAfter(facts->second.timeout) - facts->second.silence->least + milliseconds(50);
            if (left > kSoon && left < kLate)
                next = next == MonotonicTime{} ? poll.begun + left : std::min(next, poll.begun + left);
        }
    return next;
}

void LockWatcher::tick()
{
    if (m_stopped)
        return;
    m_scheduler.after(kTick, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->tick();
    });
    const bool connected = m_session && m_session->phase() == SessionPhase::connected;
    if (!connected)
        seekReason();
    else if (m_watching == WatchState::everyChange || m_watching == WatchState::byListing)
        confirmNews();
    else if (m_watching == WatchState::reading && !m_trouble &&
             m_scheduler.now() - m_lastAnswer >= kSlowAfter)
        m_trouble = Error{ErrorCode::noServer,
                          message("The server at %1 has made a session, but does not answer what is at %2.",
                                  m_session->server(), m_options.paths.front()),
                          message("It may be paused or overloaded, or the network is stalled.")};
    if (m_dirty || m_scheduler.now() - m_published >= kMaxPublishInterval)
        publish();
}

void LockWatcher::publish()
{
    m_dirty = false;
    m_published = m_scheduler.now();
    const SnapshotPtr published = snapshot(LockTracker::Rows::present);
    const bool anything =
        std::any_of(published->locks.begin(), published->locks.end(),
                    [](const LockStatus& row) { return row.holders > 0 || row.waiting > 0; });
    m_poller->wantWatches(m_tracker.wantsWatches());
    if (m_hadContact && isInContact() && (anything || m_tracker.hasOpenEnds()))
        m_poller->pollSoon();
    m_lastPublished = published;
    if (m_onSnapshot)
        m_onSnapshot(published);
}

SnapshotPtr LockWatcher::snapshot(LockTracker::Rows rows)
{
    auto taken = std::make_shared<Snapshot>();
    taken->watching = m_watching;
    if (m_session) {
        taken->server = m_session->server();
        taken->mode = m_serverMode;
        taken->session = m_session->id();
    }
    taken->atMs = std::max(serverMs(), m_tracker.latestMs());
    if (!hasNews())
        taken->noNewsSinceMs = std::max(knownMs(), m_tracker.latestMs());
    taken->trouble = m_trouble;
    taken->answers = m_mostAnswers;
    taken->readOnly = m_session && m_session->isReadOnly();
    taken->sinceMs = m_sinceMs;
    taken->clockAheadMs = m_aheadByPoll ? m_aheadByPoll : m_aheadByCreates;
    taken->nodesCreated = m_created;
    taken->nodesDeleted = m_deleted;
    taken->statUnknown = m_statUnknown;
    taken->unreadable = m_unreadable;
    taken->gaps = m_gaps;
    for (const Root& root : m_roots)
        if (root.shown && m_everRead)
            taken->paths.push_back(m_tracker.statusOf(root.path, root.kind, m_options.everyNode));
    taken->foldersNotPermitted.assign(m_unpermittedFolders.begin(), m_unpermittedFolders.end());
    if (m_everRead) {
        m_tracker.setNews(isFresh(), m_gapFromMs);
        m_tracker.tick(taken->knownMs());
        m_tracker.fill(*taken, m_detailed, m_options.everyDetail, rows);
    }
    taken->whyByListing = m_whyByListing;
    taken->listsForNow = m_listing && !m_listingForGood;
    taken->notPermitted = m_notPermitted;
    taken->sessionPolls = m_pollCount;
    return taken;
}

} // namespace lockscope::field
