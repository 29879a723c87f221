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
using zk::wire::NodeReply;

constexpr std::size_t kMaxConcurrentReads = 256;
// New nodes that are behind others are read together, some turns before their own: each request costs the
// server as much as one of a client. (A reply with this many nodes of 1 MB, the largest possible, is below
// the limit.)
constexpr std::size_t kMaxReadTogether = 32, kReadWhenAhead = 4;
constexpr Duration kLatestRead = milliseconds(200);
constexpr Duration kSettleLimit = std::chrono::seconds(1);
constexpr std::uint32_t kMaxUnanswered = 3;
constexpr Duration kMaxPublishInterval = std::chrono::seconds(1); // of snapshots, when nothing changes
constexpr Duration kTick = milliseconds(250);
constexpr Duration kListDelay = milliseconds(50);
constexpr Duration kReconnectDelay = milliseconds(500);
constexpr Duration kRetryReading = milliseconds(300), kLongestRetry = std::chrono::seconds(3);
constexpr std::uint32_t kMaxRefusals = 10; // of the reading of one new node
constexpr Duration kMostWatchAgain = std::chrono::minutes(10);
constexpr Duration kReasonAfter = std::chrono::seconds(1), kReasonsEvery = std::chrono::seconds(2),
                   kReasonLimit = std::chrono::seconds(1);
constexpr Duration kSlowAfter = std::chrono::seconds(2);
// News are confirmed by a sync, which also shows that the server has a leader: each second, and late after
// this time.
constexpr Duration kConfirmEvery = std::chrono::seconds(1), kLateAfter = milliseconds(2500),
                   kOftenLate = milliseconds(700);
constexpr std::size_t kMaxGaps = 1'000;
constexpr std::int32_t kSaslRequired = -124, kUnimplemented = -6; // ZooKeeper's numbers of errors

std::string below(const std::string& path, const std::string& name)
{
    return path == "/" ? "/" + name : path + "/" + name;
}

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
    m_poller = std::make_shared<SessionPoller>(
        SessionPoller::Setup{m_scheduler.io(), m_scheduler, splitHosts(m_options.hosts), m_options.chroot,
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

template <class Function>
auto LockWatcher::guarded(Function function)
{
    return [weak = weak_from_this(), turn = m_turn, function = std::move(function)](auto&&... given) mutable {
        if (const auto self = weak.lock(); self && self->m_turn == turn && !self->m_stopped)
            function(*self, std::forward<decltype(given)>(given)...);
    };
}

// A node that was created shows a lower bound of how far the server's clock is ahead.
std::int64_t LockWatcher::serverMs(MonotonicTime at) const
{
    std::int64_t ahead = m_aheadByPoll.value_or(m_aheadByCreates.value_or(0));
    if (m_aheadByCreates)
        ahead = std::max(ahead, *m_aheadByCreates);
    return wallMs() + ahead - std::chrono::duration_cast<milliseconds>(m_scheduler.now() - at).count();
}

LockWatcher::Root* LockWatcher::rootAt(std::string_view path)
{
    const auto root =
        std::find_if(m_roots.begin(), m_roots.end(), [&](const Root& one) { return one.path == path; });
    return root == m_roots.end() ? nullptr : &*root;
}

// ---- contact -------------------------------------------------------------------------------------------

void LockWatcher::connect()
{
    if (m_stopped)
        return;
    zk::wire::ObserverOptions options;
    options.hosts = m_options.hosts + m_options.chroot;
    options.timeout = m_options.sessionTimeout;
    options.connectTimeout = m_options.connectTimeout;
    options.credentials = m_options.credentials;
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
                m_trouble.value_or(server::noSession(server::NoSession::unreachable, m_options.hosts)));
        return;
    }
    m_watching = WatchState::connecting;
    m_scheduler.after(kReconnectDelay, guarded([](LockWatcher& self) { self.connect(); }));
}

Error LockWatcher::authError() const
{
    if (m_session->lastError() == kSaslRequired)
        return {ErrorCode::noAuth, message("The server requires SASL, which LockScope does not have."),
                message("Ask the server's administrator for access without it.")};
    std::string schemes;
    for (const zk::wire::WireCredential& one : m_options.credentials)
        schemes += (schemes.empty() ? "" : ", ") + one.scheme;
    return {ErrorCode::noAuth, message("The server refuses the credentials (scheme: %1).", schemes),
            message("Check their scheme and format: servers know \"digest\" with USER:PASSWORD, and other "
                    "schemes only with "
                    "an authProvider.")};
}

// ---- without contact: why -------------------------------------------------------------------------------

// Asks each server by other means, once in a while. A server that looks for its leader answers now this, now
// that: what says most is kept.
void LockWatcher::seekReason()
{
    const MonotonicTime now = m_scheduler.now();
    if (m_reasonsOpen > 0 || now - m_outSince < kReasonAfter ||
        (m_reasonsSought != MonotonicTime{} && now - m_reasonsSought < kReasonsEvery))
        return;
    m_reasonsSought = now;
    for (const std::string& server : splitHosts(m_options.hosts)) {
        ++m_reasonsOpen;
        server::asyncWhyNoSession(
            m_scheduler.io(), server, kReasonLimit, [weak = weak_from_this(), server](server::NoSession why) {
                const auto self = weak.lock();
                if (!self || self->m_stopped)
                    return;
                if (!self->m_reason || self->m_reason->first < why)
                    self->m_reason = std::pair(why, server);
                if (--self->m_reasonsOpen > 0 ||
                    (self->m_session && self->m_session->phase() == SessionPhase::connected))
                    return;
                const auto& [worst, at] = *self->m_reason;
                if (worst == server::NoSession::slow && self->m_trouble)
                    return; // what is known already says more
                self->m_trouble = server::noSession(
                    worst, worst == server::NoSession::unreachable ? self->m_options.hosts : at);
                self->m_dirty = true;
            });
    }
}

// ---- whether our news are new ----------------------------------------------------------------------------

bool LockWatcher::isInContact() const
{
    return (m_watching == WatchState::everyChange || m_watching == WatchState::byListing) && !m_lateSince;
}

std::int64_t LockWatcher::knownMs() const { return hasNews() ? serverMs() : serverMs(m_lastNews); }

// Whether what is shown can be judged: an answer came lately, and none is late. (We may have been stopped
// ourselves.)
bool LockWatcher::isFresh() const
{
    const MonotonicTime now = m_scheduler.now();
    return hasNews() && now - m_lastConfirmed < kConfirmEvery + kOftenLate &&
           !(m_asked && now - *m_asked > kOftenLate);
}

void LockWatcher::confirmNews()
{
    const MonotonicTime now = m_scheduler.now();
    if (now - (m_asked ? *m_asked : m_lastConfirmed + kConfirmEvery) >= kLateAfter)
        newsAreLate();
    if (m_asked || now - std::max(m_lastConfirmed, m_lastAsked) < kConfirmEvery)
        return;
    m_asked = m_lastAsked = now;
    m_session->sync("/", guarded([now](LockWatcher& self, Code code) {
                        if (code == Code::unknown || code == Code::throttled)
                            self.m_asked.reset(); // no answer
                        else
                            self.onConfirmed(now);
                    }));
}

void LockWatcher::newsAreLate()
{
    if (m_lateSince)
        return;
    m_lateSince = m_lastConfirmed;
    beginGap(*m_lateSince);
}

void LockWatcher::onConfirmed(MonotonicTime asked)
{
    const MonotonicTime now = m_scheduler.now();
    m_asked.reset();
    if (now - asked >= kLateAfter)
        newsAreLate();
    m_lastNews = m_lastConfirmed = now;
    if (!m_lateSince)
        return;
    m_lateSince.reset();
    const std::int64_t toMs = serverMs(), fromMs = std::exchange(m_gapFromMs, std::nullopt).value_or(toMs);
    if (!m_gaps.empty())
        m_gaps.back().toMs = toMs;
    if (m_gapListener)
        m_gapListener(fromMs, toMs);
    if (m_recording)
        m_recording->inContactAgain(fromMs, toMs);
    m_tracker.newsAgain(fromMs, toMs);
    m_dirty = true;
}

// Since when what arrives now may have happened, if it arrives late: not before the last answer.
std::optional<std::int64_t> LockWatcher::lateSinceMs() const
{
    const MonotonicTime now = m_scheduler.now();
    const bool late = m_lateSince || now - m_lastConfirmed >= 2 * kConfirmEvery ||
                      (m_asked && now - *m_asked >= kOftenLate);
    return late && m_everRead ? std::optional(serverMs(m_lateSince.value_or(m_lastConfirmed))) : std::nullopt;
}

void LockWatcher::beginGap(MonotonicTime from)
{
    if (!m_everRead || isLosing())
        return;
    m_gapFromMs = serverMs(from);
    if (!m_gaps.empty() && m_gaps.back().toMs)
        m_gapFromMs = std::max(*m_gapFromMs, *m_gaps.back().toMs);
    m_gaps.push_back({*m_gapFromMs, std::nullopt});
    if (m_gaps.size() > kMaxGaps)
        m_gaps.erase(m_gaps.begin());
    if (m_recording)
        m_recording->outOfContact(*m_gapFromMs);
    m_dirty = true;
}

void LockWatcher::contactLost()
{
    ++m_turn;
    m_watching = m_hadContact ? WatchState::outOfContact : WatchState::connecting;
    m_outSince = m_scheduler.now();
    m_reasonsSought = {};
    m_reason.reset();
    if (m_hadContact && !m_trouble)
        m_trouble = Error{ErrorCode::noServer, message("The connection to the server was lost."),
                          message("It is being made again.")};
    beginGap(m_lastNews);
    m_asked.reset();
    m_lateSince.reset();
    // Changes before the loss are known, but nodes that are not read yet never will be.
    for (const auto& change : m_changes)
        change->answered = true;
    applyChanges();
    if (m_everRead)
        m_tracker.beginReading(); // no change is applied until the tree has been read again
    m_toRead.clear();
    m_readsOpen = 0;
    m_unread.clear();
    m_readPlanned = m_lateReadPlanned = false;
    m_listWatches.clear();
    m_listPlanned.clear();
    m_lastChanges.clear();
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

// ---- the server's software -------------------------------------------------------------------------------

// A list's last change (pzxid) bounds a hold only if the server sets it at deletes too, as ZooKeeper does.
// ClickHouse Keeper does not.
void LockWatcher::askWhichServer()
{
    m_keepsLastChange = false;
    m_asksWhichServer = true;
    const auto done = guarded([](LockWatcher& self, const Result<std::string>& answer) {
        self.m_asksWhichServer = false;
        const auto status =
            answer ? server::parseServerStatus(*answer) : Result<server::ServerStatus>(answer.error());
        self.m_keepsLastChange = status && status->isZooKeeper;
        if (self.m_tracker.isReading() && self.m_watching == WatchState::reading && self.m_watchesOpen == 0 &&
            !self.m_unanswered)
            self.readMore();
    });
    server::asyncFourLetterWord(m_scheduler.io(), m_session->server(), "srvr", kReasonLimit, done);
}

// ---- the whole tree ------------------------------------------------------------------------------------

void LockWatcher::beginReading()
{
    m_watching = WatchState::reading;
    m_tracker.tick(knownMs());
    m_tracker.beginReading();
    m_toRead.clear();
    m_readsOpen = 0;
    m_unreadable = 0;
    m_answers = 0;
    m_lastAnswer = m_scheduler.now();
    m_unanswered.reset();
    m_unpermittedFolders.clear();
    m_lastChanges.clear();
    for (Root& root : m_roots) {
        root.read = PathStatus::Kind::missing;
        root.created = Zxid::none();
        m_toRead.emplace_back(root.path, false);
    }
    readMore();
}

void LockWatcher::readMore()
{
    while (m_readsOpen < kMaxConcurrentReads && !m_toRead.empty()) {
        const auto [path, list] = std::move(m_toRead.front());
        m_toRead.pop_front();
        ++m_readsOpen;
        list ? readChildren(path) : readNode(path);
    }
    if (m_readsOpen > 0 || !m_toRead.empty())
        return;
    if (!m_unanswered) {
        if (!m_asksWhichServer)
            endReading();
        return;
    }
    const Duration pause = std::min(kRetryReading * (1 + m_failedReadings++), kLongestRetry);
    m_scheduler.after(pause, guarded([](LockWatcher& self) {
                          if (self.m_watching == WatchState::reading)
                              self.beginReading();
                      }));
}

// A node is there, is not, or may not be read. Anything else is no answer.
bool LockWatcher::isAnswer(const std::string& path, Code code)
{
    if (code == Code::ok || code == Code::noNode || code == Code::noAuth) {
        m_mostAnswers = std::max(m_mostAnswers, ++m_answers);
        m_lastAnswer = m_scheduler.now();
        return true;
    }
    const bool connected = m_session->phase() == SessionPhase::connected;
    const Message why =
        connected ? message("it answers with the error %1 instead", m_session->lastError()) : describe(code);
    if (!m_unanswered)
        m_unanswered =
            Error{ErrorCode::noServer,
                  message("The server at %1 does not answer what is at %2: %3.",
                          connected ? m_session->server() : m_options.hosts, path,
                          code == Code::throttled ? describe(code) : why),
                  code == Code::throttled ? message("It is asked again. Ask another server, or later.")
                                          : message("It is asked again.")};
    m_trouble = m_unanswered;
    m_dirty = true;
    return false;
}

void LockWatcher::readDone()
{
    --m_readsOpen;
    if (m_tracker.isReading())
        readMore();
}

void LockWatcher::readNode(const std::string& path)
{
    m_session->getNode(
        path, guarded([path](LockWatcher& self, const NodeReply& reply) { self.onNode(path, reply); }));
}

void LockWatcher::onNode(const std::string& path, const NodeReply& reply)
{
    Root* root = rootAt(path);
    if (!isAnswer(path, reply.code))
        return readDone();
    if (reply.code == Code::ok) {
        if (root) {
            root->read = PathStatus::Kind::there;
            root->created = reply.node.stat.czxid;
        }
        m_tracker.read(path, {reply.node, reply.bytes});
        if (reply.node.stat.numChildren > 0)
            m_lastChanges[path] = reply.node.stat.pzxid;
        if (reply.node.stat.numChildren > 0 || (m_listing && !reply.node.stat.ephemeralOwner.valid()))
            m_toRead.emplace_back(path, true);
    } else if (reply.code == Code::noAuth) {
        ++m_unreadable;
        if (root)
            root->read = PathStatus::Kind::notPermitted;
        if (root && !root->shown)
            m_unpermittedFolders.insert(path);
        if (!root)
            return readUnpermitted(path);
    } else if (root && m_listing && reply.code == Code::noNode) {
        awaitRoot(path);
    }
    readDone();
}

// The Stat of a node whose data may not be read: who owns it is mostly permitted.
void LockWatcher::readUnpermitted(const std::string& path)
{
    m_session->getStat(path, guarded([path](LockWatcher& self, const NodeReply& reply) {
                           if (reply.code == Code::ok) {
                               self.m_tracker.read(path, {reply.node, {}, true});
                               if (!reply.node.stat.ephemeralOwner.valid())
                                   self.m_unpermittedFolders.insert(path);
                           } else if (reply.code == Code::noAuth) {
                               self.m_tracker.readUnpermitted(path);
                               self.m_unpermittedFolders.insert(path);
                           } else {
                               self.isAnswer(path, reply.code);
                           }
                           self.readDone();
                       }));
}

void LockWatcher::readChildren(const std::string& path)
{
    auto visitor = guarded([path](LockWatcher& self, Code code, zk::ChildNames names, const zk::Stat& stat) {
        if (!self.isAnswer(path, code))
            return self.readDone();
        Root* root = self.rootAt(path);
        if (code == Code::noAuth) {
            if (root)
                root->read = PathStatus::Kind::notPermitted;
            if (!root || !root->shown)
                self.m_unpermittedFolders.insert(path);
        } else if (code == Code::noNode && root) {
            root->read = PathStatus::Kind::missing;
            if (self.m_listing)
                self.m_scheduler.post(self.guarded([path](LockWatcher& later) { later.awaitRoot(path); }));
        }
        for (const char* name : names)
            self.m_toRead.emplace_back(below(path, name), false);
        if (code == Code::ok) {
            // A list that is older than its own Stat: the server does not set the last change as ZooKeeper
            // does.
            const auto before = self.m_lastChanges.find(path);
            const bool keeps = before == self.m_lastChanges.end() || before->second <= stat.pzxid;
            self.m_tracker.readList(path, stat, keeps && self.m_keepsLastChange);
        }
        self.readDone();
    });
    if (!m_listing)
        return m_session->getChildren(path, std::move(visitor));
    m_listWatches[path] = m_session->getChildren(
        path, guarded([path](LockWatcher& self, zk::WatchKind) { self.listSoon(path); }), std::move(visitor));
}

void LockWatcher::endReading()
{
    applyChanges();
    for (Root& root : m_roots)
        root.kind = root.read;
    const std::int64_t now = serverMs();
    if (m_gapListener && m_gapFromMs)
        m_gapListener(*m_gapFromMs, now);
    if (m_recording && m_gapFromMs)
        m_recording->inContactAgain(*m_gapFromMs, now);
    m_tracker.endReading(now, m_gapFromMs);
    m_gapFromMs.reset();
    m_trouble.reset();
    m_failedReadings = 0;
    m_lastChanges.clear();
    m_lastNews = m_lastConfirmed = m_scheduler.now();
    if (!m_gaps.empty() && !m_gaps.back().toMs)
        m_gaps.back().toMs = now;
    if (!std::exchange(m_everRead, true))
        m_sinceMs = now;
    m_watching = m_listing ? WatchState::byListing : WatchState::everyChange;
    m_poller->pollSoon();
    publish();
}

// ---- changes -------------------------------------------------------------------------------------------

void LockWatcher::onEvent(const NodeEvent& event)
{
    if (Root* root = rootAt(event.path); root && root->created.valid() && !m_tracker.isReading())
        if (event.type != WatchKind::changed)
            checkNames(root->path, root->created);
    if (event.type == WatchKind::created)
        nodeCreated(std::string(event.path));
    else if (event.type == WatchKind::deleted)
        nodeDeleted(std::string(event.path));
}

// An event says that the watched path itself was deleted, or created though it is there. ClickHouse Keeper
// sends such events for the nodes below it, without their names.
void LockWatcher::checkNames(const std::string& root, Zxid created)
{
    m_session->getStat(
        root, guarded([created](LockWatcher& self, const NodeReply& reply) {
            if (reply.code != Code::ok || reply.node.stat.czxid != created || self.m_listing)
                return;
            self.m_listing = self.m_listingForGood = true;
            self.m_whyByListing =
                message("its events do not name the node, as with ClickHouse Keeper").english();
            self.beginGap(self.m_lastConfirmed);
            self.beginReading();
        }));
}

void LockWatcher::nodeCreated(const std::string& path)
{
    if (Root* root = rootAt(path))
        root->kind = root->read = PathStatus::Kind::there;
    const auto change = std::make_shared<Change>();
    const std::string parent(history::parentOf(path));
    change->created = true;
    change->path = path;
    change->arrivedMs = wallMs();
    change->sinceMs = lateSinceMs();
    m_lastNews = m_scheduler.now();
    change->ms = serverMs();
    change->ahead = nodesBelow(parent);
    ++m_unapplied[parent];
    m_changes.push_back(change);
    if (!m_listing) {
        m_unread.push_back(change);
        return planRead(*change);
    }
    m_session->getNode(path, guarded([change](LockWatcher& self, NodeReply reply) {
                           self.onNewNode(change, std::move(reply));
                           if (change->facts && !change->facts->stat.stat.ephemeralOwner.valid())
                               self.listAgain(change->path);
                           self.applyChanges();
                       }));
}

void LockWatcher::nodeDeleted(const std::string& path)
{
    if (Root* root = rootAt(path))
        root->kind = root->read = PathStatus::Kind::missing;
    const auto change = std::make_shared<Change>();
    const std::string_view parent = history::parentOf(path);
    change->answered = true;
    change->path = path;
    change->ms = serverMs();
    change->sinceMs = lateSinceMs();
    m_lastNews = m_scheduler.now();
    --m_unapplied[std::string(parent)];
    m_changes.push_back(change);
    for (const auto& unread : m_unread) {
        if (unread->path == path) {
            unread->answered = true; // there is nothing left to read
        } else if (unread->ahead > 0 && history::parentOf(unread->path) == parent) {
            --unread->ahead;
            planRead(*unread);
        }
    }
    std::erase_if(m_unread, [](const auto& unread) { return unread->answered; });
    applyChanges();
}

std::size_t LockWatcher::nodesBelow(const std::string& parent) const
{
    const auto open = m_unapplied.find(parent);
    const std::int64_t count = static_cast<std::int64_t>(m_tracker.childCount(parent)) +
                               (open == m_unapplied.end() ? 0 : open->second);
    return static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
}

// Reads once the events that arrived with this one are handled; after kLatestRead at most if many nodes are
// ahead.
void LockWatcher::planRead(const Change& change)
{
    if (change.ahead <= kReadWhenAhead || m_unread.size() >= kMaxReadTogether || m_tracker.isReading()) {
        if (!std::exchange(m_readPlanned, true))
            m_scheduler.post(guarded([](LockWatcher& self) { self.readNew(); }));
    } else if (!m_readPlanned && !std::exchange(m_lateReadPlanned, true)) {
        m_scheduler.after(kLatestRead, guarded([](LockWatcher& self) {
                              self.m_lateReadPlanned = false;
                              self.readNew();
                          }));
    }
}

void LockWatcher::readNew()
{
    m_readPlanned = false;
    const std::vector<std::shared_ptr<Change>> unread = std::exchange(m_unread, {});
    for (std::size_t from = 0; from < unread.size(); from += kMaxReadTogether) {
        const std::size_t to = std::min(from + kMaxReadTogether, unread.size());
        const std::vector<std::shared_ptr<Change>> together(unread.begin() +
                                                                static_cast<std::ptrdiff_t>(from),
                                                            unread.begin() + static_cast<std::ptrdiff_t>(to));
        std::vector<std::string> paths;
        for (const auto& change : together)
            paths.push_back(change->path);
        m_session->getNodes(std::move(paths),
                            guarded([together](LockWatcher& self, std::vector<NodeReply> replies) {
                                for (std::size_t i = 0; i < together.size(); ++i) {
                                    self.onNewNode(together[i], std::move(replies[i]));
                                }
                                self.applyChanges();
                            }));
    }
}

void LockWatcher::onNewNode(const std::shared_ptr<Change>& given, NodeReply reply)
{
    Change& change = *given;
    if (reply.code == Code::noAuth && !change.unpermitted) { // who owns it is mostly permitted
        ++m_unreadable;
        change.unpermitted = true;
        return m_session->getStat(change.path, guarded([given](LockWatcher& self, NodeReply stat) {
                                      self.onNewNode(given, std::move(stat));
                                      self.applyChanges();
                                  }));
    }
    const bool answer = reply.code == Code::ok || reply.code == Code::noNode || reply.code == Code::noAuth;
    if (!answer && !m_listing && ++change.refusals < kMaxRefusals) {
        m_unread.push_back(given);
        if (!std::exchange(m_lateReadPlanned, true))
            m_scheduler.after(kRetryReading, guarded([](LockWatcher& self) {
                                  self.m_lateReadPlanned = false;
                                  self.readNew();
                              }));
        return;
    }
    change.answered = true;
    if (reply.code == Code::ok) {
        // The server's clock is ahead of ours by at least this, since the event took some time to arrive.
        const std::int64_t ahead = reply.node.createdMs - change.arrivedMs;
        m_aheadByCreates = std::max(m_aheadByCreates.value_or(ahead), ahead);
        change.facts = NodeFacts{reply.node, std::move(reply.bytes), change.unpermitted};
        change.ms = reply.node.createdMs;
    }
}

// In order: a change behind a node whose Stat has not arrived yet waits for it.
void LockWatcher::applyChanges()
{
    bool ended = false;
    m_dirty = m_dirty || !m_changes.empty();
    while (!m_changes.empty() && m_changes.front()->answered) {
        const std::shared_ptr<Change> change = std::move(m_changes.front());
        m_changes.pop_front();
        if (const auto open = m_unapplied.find(std::string(history::parentOf(change->path)));
            open != m_unapplied.end() && (open->second -= change->created ? 1 : -1) == 0)
            m_unapplied.erase(open);
        if (!change->created) {
            const bool isLockNode = m_tracker.deleted(change->path, change->ms, change->sinceMs);
            m_deleted += isLockNode ? 1 : 0;
            ended = ended || isLockNode;
            continue;
        }
        if (m_tracker.created(change->path, change->facts ? &*change->facts : nullptr, change->ms)) {
            ++m_created;
            m_statUnknown += change->facts ? 0 : 1;
        }
    }
    if (ended)
        m_poller->pollSoon();
    checkSettled();
}

void LockWatcher::settle(std::function<void()> done)
{
    m_settled = std::move(done);
    // A server that does not answer at present will not do so now either.
    m_synced = !m_session || m_session->phase() != SessionPhase::connected || !isInContact();
    if (!m_synced)
        m_session->sync("/", guarded([](LockWatcher& self, Code) {
                            self.m_synced = true;
                            self.readNew();
                            self.checkSettled();
                        }));
    m_scheduler.after(kSettleLimit, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            if (const auto settled = std::exchange(self->m_settled, {}))
                settled();
    });
    checkSettled();
}

void LockWatcher::checkSettled()
{
    const bool waits = m_session && m_session->phase() == SessionPhase::connected && isInContact() &&
                       (!m_synced || !m_changes.empty() || m_tracker.isReading());
    if (m_settled && !waits)
        std::exchange(m_settled, {})();
}

// ---- by listing ----------------------------------------------------------------------------------------

void LockWatcher::listSoon(const std::string& path)
{
    if (!m_listPlanned.insert(path).second)
        return;
    m_scheduler.after(kListDelay, guarded([path](LockWatcher& self) {
                          self.m_listPlanned.erase(path);
                          self.listAgain(path);
                      }));
}

void LockWatcher::listAgain(const std::string& path)
{
    m_listWatches[path] = m_session->getChildren(
        path, guarded([path](LockWatcher& self, zk::WatchKind) { self.listSoon(path); }),
        guarded([path](LockWatcher& self, Code code, zk::ChildNames names, const zk::Stat& stat) {
            if (code == Code::ok)
                self.m_tracker.readList(path, stat);
            self.onListAgain(path, code, {names.begin(), names.end()});
        }));
}

void LockWatcher::onListAgain(const std::string& path, Code code, const std::set<std::string>& names)
{
    if (code == Code::noNode) {
        m_listWatches.erase(path);
        if (rootAt(path)) {
            nodeDeleted(path);
            awaitRoot(path);
        }
    }
    if (code != Code::ok && code != Code::noNode)
        return;
    std::set<std::string> known;
    for (const std::string& name : m_tracker.childrenOf(path))
        known.insert(name);
    for (const auto& change : m_changes) // not applied yet
        if (change->created && change->path.starts_with(path == "/" ? path : path + "/"))
            known.insert(change->path.substr(path == "/" ? 1 : path.size() + 1));
    for (const std::string& name : known)
        if (!names.contains(name) && m_tracker.knows(below(path, name)))
            nodeDeleted(below(path, name));
    for (const std::string& name : names)
        if (!known.contains(name))
            nodeCreated(below(path, name));
}

void LockWatcher::awaitRoot(const std::string& path)
{
    m_listWatches[path] = m_session->exists(path, guarded([path](LockWatcher& self, zk::WatchKind) {
                                                if (!self.m_tracker.knows(path))
                                                    self.nodeCreated(path);
                                            }),
                                            guarded([path](LockWatcher& self, const zk::StatReply& reply) {
                                                if (reply.code == Code::ok && !self.m_tracker.knows(path))
                                                    self.nodeCreated(path);
                                            }));
}

// ---- snapshots -------------------------------------------------------------------------------------------

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
        m_tracker.setNews(isFresh());
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
