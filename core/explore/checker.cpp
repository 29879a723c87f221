#include "core/explore/checker.h"

#include <algorithm>

namespace lockscope::explore {

using zk::memory::MemorySession;
using zk::memory::MessageKind;
using zk::memory::ServerMessage;

namespace {

std::size_t placeOf(const Queue& queue, const Contender* contender)
{
    return static_cast<std::size_t>(std::find(queue.begin(), queue.end(), contender) - queue.begin());
}

} // namespace

Checker::Checker(const Recipe& recipe, const std::string& queuePath, const zk::memory::Ensemble& ensemble,
                 ScheduleLog& scheduleLog)
    : m_recipe(recipe)
    , m_ensemble(ensemble)
    , m_log(scheduleLog)
    , m_history(queuePath,
                [&recipe](std::string_view one, std::string_view other) { return recipe.before(one, other); })
{}

void Checker::violated(std::string invariant, Message what)
{
    if (!m_violation)
        m_violation = Violation{std::move(invariant), std::move(what)};
}

Message Checker::shown(const Queue& queue) const
{
    std::string names;
    for (const Contender* contender : queue)
        names += (names.empty() ? "" : ", ") + shown(*contender);
    return names.empty() ? message("no client") : Message(names);
}

// ---- grants ----

void Checker::granted(const ThreadRef& who, const SessionPtr& session, lock::Lock& lock,
                      const lock::Grant& grant)
{
    m_history.follow(m_ensemble.log());
    m_beliefsChanged = true;
    // A multi-lock says no nodes, but tokens; of nodes with the same name the token says which.
    const Contender* contender = m_history.find(grant.token.value_or(Zxid::none()));
    if (!grant.node.empty() && (!contender || contender->name != grant.node))
        contender = m_history.find(grant.node);
    const Belief belief{session, &lock, contender};
    m_beliefs[who] = belief;
    checkGrant(who, belief, grant);
    if (!belief.contender)
        return;
    const bool isExcused = excused(belief);
    if (!isExcused)
        checkOrder(who, belief, grant);
    m_grants.push_back(Granted{belief.contender, grant.token.value_or(Zxid::none()), isExcused});
}

void Checker::dropped(const ThreadRef& who)
{
    m_beliefsChanged = m_beliefs.erase(who) > 0 || m_beliefsChanged;
    m_atRest.erase(who);
}

std::vector<std::pair<ThreadRef, const Contender*>> Checker::holders() const
{
    std::vector<std::pair<ThreadRef, const Contender*>> all;
    for (const auto& [who, belief] : m_beliefs)
        if (belief.contender && placeOf(m_history.queue(), belief.contender) < m_history.queue().size())
            all.emplace_back(who, belief.contender);
    return all;
}

// Its session has ended, which it cannot know without contact; or its node was taken from it.
bool Checker::excused(const Belief& belief) const
{
    return belief.contender->deletedByOthers || !m_ensemble.alive(belief.session->id());
}

// Another thread of its client has held with this node.
bool Checker::isPassedOn(const Belief& belief) const
{
    return m_recipe.threads() > 1 && std::ranges::any_of(m_grants, [&](const Granted& earlier) {
               return earlier.contender == belief.contender;
           });
}

// A grant must follow from the messages that the client had received by then.
void Checker::checkGrant(const ThreadRef& who, const Belief& belief, const lock::Grant& grant)
{
    if (!belief.contender) {
        violated("S2", message("%1 was granted the lock with the node \"%2\", which never was.", said(who),
                               m_log.nodeName(grant.node)));
        return;
    }
    if (belief.contender->owner != belief.session->id()) {
        violated("S2", message("%1 was granted the lock with %2, a node of another session.", said(who),
                               shown(*belief.contender)));
        return;
    }
    if (belief.contender->made != grant.token)
        violated("S3", message("%1 was granted the lock with a token that is not the czxid of %2.", said(who),
                               shown(*belief.contender)));
    // A part of a multi-lock, or a node that is passed on, was granted before: what has become of it since
    // then is as of any hold.
    const bool grantedBefore = grant.node.empty() || isPassedOn(belief);
    if (m_lazy || (grantedBefore && excused(belief)))
        return;
    const Queue queue = m_history.queueAt(belief.session->lastSeenZxid());
    const std::size_t place = placeOf(queue, belief.contender);
    if (place == queue.size() || !m_recipe.holds(queue, place))
        violated("S2", message("%1 was granted the lock with %2, but by the messages it had received the "
                               "queue was: %3.",
                               said(who), shown(*belief.contender), shown(queue)));
    for (const Contender* other : queue)
        if (other->made < belief.contender->made && !m_recipe.compatible({other, belief.contender}))
            violated("S4", message("%1 was granted the lock with %2 before %3.", said(who),
                                   shown(*belief.contender), shown(*other)));
}

void Checker::checkOrder(const ThreadRef& who, const Belief& belief, const lock::Grant& grant)
{
    for (const Granted& earlier : m_grants)
        if (!earlier.excused && earlier.token >= grant.token &&
            !(isPassedOn(belief) && earlier.contender == belief.contender) &&
            !m_recipe.compatible({earlier.contender, belief.contender}))
            violated("S3", message("%1 was granted the lock with %2 after %3, whose token is not smaller.",
                                   said(who), shown(*belief.contender), shown(*earlier.contender)));
}

// ---- after every step ----

void Checker::afterStep()
{
    m_history.follow(m_ensemble.log());
    if (m_beliefs.empty())
        return;
    Queue holders;
    for (const auto& [who, belief] : m_beliefs)
        if (belief.contender && !excused(belief))
            holders.push_back(belief.contender);
    if (!m_recipe.compatible(holders)) {
        std::vector<Message> all;
        for (const auto& [who, belief] : m_beliefs)
            if (belief.contender && !excused(belief))
                all.push_back(said(who));
        violated("S1", message("They all believe that they hold the lock: %1.", listed(all)));
    }
    for (const auto& [who, belief] : m_beliefs)
        checkBelief(who, belief);
}

void Checker::checkBelief(const ThreadRef& who, const Belief& belief)
{
    auto& process = static_cast<zk::memory::VirtualScheduler&>(belief.session->scheduler());
    if (process.isPaused() || !belief.contender)
        return;
    if (isOver(belief.session->phase()))
        violated("S2",
                 message("%1 still believes that it holds the lock though its session is over.", said(who)));
    if (belief.lock->depth(OwnerId{who.thread}) == 0)
        violated("S2", message("%1 was not notified that its hold is gone.", said(who)));
    if (excused(belief)) {
        if (!belief.contender->deletedByOthers && m_ensemble.inContact(belief.session->index()))
            violated("S2",
                     message("%1 believes that it holds the lock and has contact to its server, but its "
                             "session has ended.",
                             said(who)));
        return;
    }
    const Queue& queue = m_history.queue();
    const std::size_t place = placeOf(queue, belief.contender);
    if (place == queue.size() || !m_recipe.holds(queue, place))
        violated("S2", message("%1 believes that it holds the lock with %2, but the queue is: %3.", said(who),
                               shown(*belief.contender), shown(queue)));
}

// Whatever it could hear of it has come, and nothing keeps it from asking.
bool Checker::isAtRest(const Belief& belief) const
{
    const std::uint32_t session = belief.session->index();
    bool known = true;
    for (std::uint32_t server = 0; server < m_ensemble.serverCount(); ++server)
        known = known && m_ensemble.treeOf(server).applied() >= belief.contender->gone;
    return known && m_ensemble.inContact(session) && belief.session->phase() == zk::SessionPhase::connected &&
           m_ensemble.requestsUnderWay(session) == 0 && m_ensemble.messagesUnderWay(session) == 0 &&
           m_ensemble.refusalsLeft(session) == 0;
}

void Checker::beforeTimePasses(MonotonicTime now, MonotonicTime next)
{
    if (!m_recipe.noticesDeletion())
        return;
    constexpr Duration kLongEnough = std::chrono::milliseconds(1500); // tries are a second apart at most
    for (const auto& [who, belief] : m_beliefs) {
        if (!belief.contender || !belief.contender->deletedByOthers || !isAtRest(belief)) {
            m_atRest.erase(who);
            continue;
        }
        const MonotonicTime since = m_atRest.try_emplace(who, now).first->second;
        if (next - since > kLongEnough)
            violated("S2", message("%1 goes on believing that it holds the lock with %2, which an "
                                   "administrator has deleted.",
                                   said(who), shown(*belief.contender)));
    }
}

// Of the grants only those whose tokens a later one may fail to exceed.
void Checker::appendState(std::string& text, Zxid since) const
{
    const auto number = [&](std::int64_t value) {
        text.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    m_history.appendState(text, since);
    Zxid oldest = m_history.now();
    for (const Contender* contender : m_history.queue())
        oldest = std::min(oldest, contender->made);
    for (const auto& [who, belief] : m_beliefs) {
        number(std::int64_t{who.client} * 16 + who.thread);
        number(belief.session->index());
        number(belief.contender ? belief.contender->made.value : 0);
    }
    for (const auto& [who, began] : m_atRest) {
        number(std::int64_t{who.client} * 16 + who.thread);
        number(began.time_since_epoch().count());
    }
    for (const Granted& granted : m_grants)
        if (granted.token >= oldest && (!granted.excused || m_recipe.threads() > 1))
            number(granted.excused ? -granted.token.value : granted.token.value);
    std::int64_t woken = 0;
    for (const auto& [contender, count] : m_woken)
        if (contender->gone >= since)
            woken += contender->made.value * static_cast<std::int64_t>(count); // in no order
    number(woken);
}

// ---- wake-ups ----

void Checker::beforeDelivery(const MemorySession& session, const ServerMessage& message)
{
    if (message.kind != MessageKind::event || message.watch != zk::WatchKind::deleted ||
        !m_history.isContender(message.path) || !session.awaits(message.path, zk::WatchKind::deleted))
        return;
    m_history.follow(m_ensemble.log());
    const Contender* contender = m_history.find(zk::memory::nameOf(message.path));
    if (!contender || contender->owner == session.id() || contender->overflowed)
        return;
    // A client whose own node was deleted is woken, too, when it does not know that yet: it has to
    // start over.
    if (m_history.wasDeletedByOthers(session.id()))
        return;
    const Queue before = m_history.queueAt(Zxid{contender->gone.value - 1});
    const std::size_t woken = ++m_woken[contender];
    if (woken > m_recipe.mayWake(before, placeOf(before, contender)))
        violated("S6", lockscope::message("%1 sessions were woken when %2 went.", woken, shown(*contender)));
}

// ---- the end ----

void Checker::atStandstill(const std::vector<BusyThread>& busy)
{
    m_history.follow(m_ensemble.log());
    for (const Contender* contender : m_history.queue()) {
        const auto owns = [&](const Contender* other) { return other->owner == contender->owner; };
        const auto works = [&](const BusyThread& thread) { return thread.session == contender->owner; };
        const auto nodes = std::count_if(m_history.queue().begin(), m_history.queue().end(), owns);
        if (nodes > std::count_if(busy.begin(), busy.end(), works))
            violated("S5", message("One of the nodes of the session of %1 belongs to no client any more; "
                                   "the queue is: %2.",
                                   shown(*contender), shown(m_history.queue())));
    }
    std::vector<Message> waiting;
    for (const BusyThread& thread : busy)
        waiting.push_back(said(thread.who));
    violated("S7", message("Nothing can happen any more, but these wait: %1; the queue is: %2.",
                           listed(waiting), shown(m_history.queue())));
}

void Checker::atEnd(const std::vector<SessionPtr>& sessions)
{
    m_history.follow(m_ensemble.log());
    if (!m_history.queue().empty())
        violated("S5", message("All is done, but these nodes are left: %1.", shown(m_history.queue())));
    if (const Contender* left = m_history.overflowedNow())
        violated("S5", message("All is done, but these nodes are left: %1.", shown(*left)));
    for (const std::string& path : m_ensemble.serverWatches())
        if (m_history.isContender(path))
            violated("S8", message("All is done, but a server keeps a watch on %1.", m_log.shortened(path)));
    for (const SessionPtr& session : sessions) {
        const zk::memory::WatchSet kept = session->keptWatches();
        for (const auto* paths : {&kept.data, &kept.exists, &kept.children})
            for (const std::string& path : *paths)
                if (m_history.isContender(path))
                    violated("S8", message("All is done, but a client keeps a watch on %1.",
                                           m_log.shortened(path)));
    }
}

} // namespace lockscope::explore
