// The watcher: whether our news are new, the gaps, and why there is no contact.
#include "core/field/lock_watcher.h"

#include "core/base/host_port.h"
#include "core/field/wall_clock.h"

#include <algorithm>
#include <utility>

namespace lockscope::field {

namespace {

using std::chrono::milliseconds;
using zk::Code;
using zk::SessionPhase;

constexpr Duration kReasonAfter = std::chrono::seconds(1), kReasonsEvery = std::chrono::seconds(2);
// News are confirmed by a sync, which also shows that the server has a leader: each second, and late after
// this time.
constexpr Duration kConfirmEvery = std::chrono::seconds(1), kLateAfter = milliseconds(2500),
                   kOftenLate = milliseconds(700);
constexpr std::size_t kMaxGaps = 1'000;
constexpr std::int32_t kSaslRequired = -124; // ZooKeeper's number of an error

} // namespace

// A node that was created shows a lower bound of how far the server's clock is ahead.
std::int64_t LockWatcher::serverMs(MonotonicTime at) const
{
    std::int64_t ahead = m_aheadByPoll.value_or(m_aheadByCreates.value_or(0));
    if (m_aheadByCreates)
        ahead = std::max(ahead, *m_aheadByCreates);
    return wallMs() + ahead - std::chrono::duration_cast<milliseconds>(m_scheduler.now() - at).count();
}

Error LockWatcher::authError() const
{
    if (const std::optional<Error>& trouble = m_session->authTrouble())
        return *trouble;
    if (m_session->lastError() == kSaslRequired)
        return {ErrorCode::noAuth,
                m_options.sasl.mechanism
                    ? message("The server demands another authentication than SASL.")
                    : message("The server demands that clients authenticate, by SASL as a rule."),
                m_options.sasl.mechanism
                    ? message("Give what its zookeeper.enforce.auth.schemes names: a certificate (x509), or "
                              "--auth-file with digest USER:PASSWORD.")
                    : message("Give --sasl digest-md5 with --sasl-file, or --sasl gssapi with a Kerberos "
                              "ticket. Where zookeeper.enforce.auth.schemes names x509 or digest, a "
                              "certificate or --auth-file does.")};
    std::string schemes;
    for (const zk::wire::WireCredential& one : m_options.credentials)
        schemes += (schemes.empty() ? "" : ", ") + one.scheme;
    return {ErrorCode::noAuth, message("The server refuses the credentials (scheme: %1).", schemes),
            message("Check their scheme and format: servers know \"digest\" with USER:PASSWORD, and other "
                    "schemes only with an authProvider. SASL is not given there, but with --sasl.")};
}

// Asks each server by other means, once in a while. A server that looks for its leader answers now this, now
// that: what says most is kept.
void LockWatcher::seekReason()
{
    const MonotonicTime now = m_scheduler.now();
    if (m_reasonsOpen > 0 || now - m_outSince < kReasonAfter ||
        (m_reasonsSought != MonotonicTime{} && now - m_reasonsSought < kReasonsEvery))
        return;
    m_reasonsSought = now;
    if (m_session && m_session->authTrouble()) {
        m_trouble = m_session->authTrouble();
        m_dirty = true;
        return;
    }
    for (const std::string& server : splitHosts(m_options.hosts)) {
        ++m_reasonsOpen;
        server::asyncWhyNoSession(
            m_scheduler.io(), server, m_options.security, kReasonLimit,
            [weak = weak_from_this(), server](const server::WhyNoSession& why) {
                const auto self = weak.lock();
                if (!self || self->m_stopped)
                    return;
                if (!self->m_reason || self->m_reason->first.what < why.what)
                    self->m_reason = std::pair(why, server);
                if (--self->m_reasonsOpen > 0 ||
                    (self->m_session && self->m_session->phase() == SessionPhase::connected))
                    return;
                const auto& [worst, at] = *self->m_reason;
                if (worst.what == server::NoSession::slow && self->m_trouble)
                    return; // what is known already says more
                self->m_trouble = server::noSession(
                    worst, worst.what == server::NoSession::unreachable ? self->m_options.hosts : at,
                    self->m_options.security.hostOf(at));
                self->m_dirty = true;
            });
    }
}

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

} // namespace lockscope::field
