// The watcher: the reading of the whole tree, at the beginning and after each gap.
#include "core/field/lock_watcher.h"

#include <algorithm>
#include <utility>

namespace lockscope::field {

namespace {

using zk::Code;
using zk::SessionPhase;
using zk::wire::NodeReply;

constexpr std::size_t kMaxConcurrentReads = 256;
constexpr Duration kLongestRetry = std::chrono::seconds(3);

} // namespace

// A list's last change (pzxid) bounds a hold only if the server sets it at deletes too, as ZooKeeper does.
// ClickHouse Keeper does not.
void LockWatcher::askWhichServer()
{
    m_keepsLastChange = false;
    m_serverMode.clear();
    m_asksWhichServer = true;
    const auto done = guarded([](LockWatcher& self, const Result<std::string>& answer) {
        self.m_asksWhichServer = false;
        const auto status =
            answer ? server::parseServerStatus(*answer) : Result<server::ServerStatus>(answer.error());
        self.m_keepsLastChange = status && status->isZooKeeper;
        self.m_serverMode = status ? status->mode : "";
        self.m_dirty = true;
        if (self.m_tracker.isReading() && self.m_watching == WatchState::reading && self.m_watchesOpen == 0 &&
            !self.m_unanswered)
            self.readMore();
    });
    server::asyncFourLetterWord(m_scheduler.io(), m_session->server(), "srvr", kReasonLimit, done,
                                m_options.security);
}

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

} // namespace lockscope::field
