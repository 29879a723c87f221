// The watcher: the changes in the order of the server, by watches or by listing the paths again.
#include "core/field/lock_watcher.h"

#include "core/field/wall_clock.h"
#include "core/history/history.h"

#include <algorithm>
#include <utility>

namespace lockscope::field {

namespace {

using std::chrono::milliseconds;
using zk::Code;
using zk::SessionPhase;
using zk::wire::NodeEvent;
using zk::wire::NodeReply;

// New nodes that are behind others are read together, some turns before their own: each request costs the
// server as much as one of a client. (A reply with this many nodes of 1 MB, the largest possible, is below
// the limit.)
constexpr std::size_t kMaxReadTogether = 32, kReadWhenAhead = 4;
constexpr Duration kLatestRead = milliseconds(200);
constexpr Duration kSettleLimit = std::chrono::seconds(1);
constexpr Duration kListDelay = milliseconds(50);
constexpr std::uint32_t kMaxRefusals = 10; // of the reading of one new node

} // namespace

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

} // namespace lockscope::field
