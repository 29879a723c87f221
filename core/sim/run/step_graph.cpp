#include "core/sim/run/step_graph.h"

#include "core/lock/naming.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

namespace lockscope::sim {

namespace {

constexpr std::size_t kMaxLookAhead = 10'000;
constexpr std::size_t kMaxLookBack =
    64; // nodes before the own node of a list that may just have been deleted

std::int64_t sequenceIn(std::string_view node) { return lock::sequenceOf(node).value_or(-1); }

// A step with a reply from the server.
bool isRequest(GateStep step)
{
    return step == GateStep::create || step == GateStep::list || step == GateStep::watch ||
           step == GateStep::remove;
}

bool isReader(std::string_view node) { return node.find("__READ__") != std::string_view::npos; }

} // namespace

StepGraph::StepGraph(const trace::TraceStore& store, std::size_t events)
    : m_store(store)
{
    for (std::size_t i = 0; i < events; ++i)
        read(i);
    readPendingReplies(events);
    orderCreates();
    orderLists();
    orderWatches();
}

// ---- the steps -------------------------------------------------------------------------------

void StepGraph::read(std::size_t index)
{
    const trace::Event& event = m_store.at(index);
    if (const auto* gone = std::get_if<trace::NodeVanished>(&event.what)) {
        Node& node = m_nodes[{event.lock, std::string(gone->node)}];
        node.gone = std::min(node.gone, index);
    }
    if (!event.client.valid())
        return;
    const std::uint32_t client = event.client.value;
    if (m_progress.size() <= client)
        m_progress.resize(client + 1);
    ClientProgress& place = m_progress[client];
    if (const auto* added = std::get_if<trace::ClientAdded>(&event.what)) {
        place.name = std::string(added->name);
    } else if (const auto* taken = std::get_if<trace::StepTaken>(&event.what)) {
        onManualStep(place, client, taken->step, index);
    } else if (const auto* held = std::get_if<trace::StepHeld>(&event.what)) {
        Step* last = place.last == kNone ? nullptr : &m_steps[place.last];
        if (last && last->assumed && last->step == held->step) // it has not slept yet
            rollBackTo(place, last->after.front());
        else if (last && last->step == GateStep::list && held->step == GateStep::created)
            postponeList(*last);
    } else if (const auto* request = std::get_if<trace::Request>(&event.what)) {
        onRequest(place, client, event.lock, *request, index);
    } else if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
        onReply(place, client, event.lock, *reply, event, index);
    } else if (const auto* decided = std::get_if<trace::Decided>(&event.what)) {
        if (place.last != kNone && m_steps[place.last].step == GateStep::list) {
            m_lists.push_back({place.last, event.lock, *decided});
            if (std::exchange(m_steps[place.last].unread, false))
                m_steps[place.last].at = index;
        }
    } else if (const auto* fired = std::get_if<trace::WatchFired>(&event.what)) {
        if (fired->kind != trace::WatchKind::deleted)
            return;
        NodeKey key{event.lock, std::string(fired->node)};
        m_nodes[key].gone = std::min(m_nodes[key].gone, index);
        place.wokenBy.push_back(m_fired.size());
        m_fired.push_back({kNone, std::move(key)});
    } else if (std::holds_alternative<trace::Acquired>(event.what)) {
        effect(place, client, GateStep::acquired, index);
    } else if (std::holds_alternative<trace::Reentered>(event.what)) {
        effect(place, client, GateStep::reenter, index);
    } else if (const auto* released = std::get_if<trace::Released>(&event.what)) {
        effect(place, client, released->depth > 0 ? GateStep::release : GateStep::gone, index);
    }
}

void StepGraph::add(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index)
{
    const std::size_t self = m_steps.size();
    m_steps.push_back({client, step, index, index});
    if (place.last != kNone)
        before(place.last, self);
    place.last = self;
    place.awaitsEffect = false;
    for (const std::size_t fired : std::exchange(place.wokenBy, {}))
        m_fired[fired].step = self;
}

// Adds the steps between the client's last step and this one, which are known only by their effects.
void StepGraph::addImpliedSteps(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index)
{
    const auto last = [&] { return place.last == kNone ? GateStep::gone : m_steps[place.last].step; };
    const bool inside = step == GateStep::list || step == GateStep::decide || step == GateStep::watch ||
                        step == GateStep::acquired;
    if (inside && last() == GateStep::create)
        add(place, client, GateStep::created, index);
    if (inside && last() == GateStep::sleep)
        add(place, client, GateStep::woken, index);
    // A client alone in the queue acquires without a list; a list would have had the same result.
    if (step != GateStep::list && inside && (last() == GateStep::created || last() == GateStep::woken))
        add(place, client, GateStep::list, index);
    if ((step == GateStep::watch || step == GateStep::acquired) && last() == GateStep::list)
        add(place, client, GateStep::decide, index);
    if (step == GateStep::woken && last() == GateStep::watch)
        add(place, client, GateStep::sleep, index);
}

void StepGraph::onManualStep(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index)
{
    Step* last = place.last == kNone ? nullptr : &m_steps[place.last];
    if (last && last->unread && step == GateStep::created)
        last = &m_steps[last->after.front()]; // the list that was sent already comes after it
    const bool again = last && last->step == step &&
                       (step == GateStep::create || step == GateStep::created || last->assumed);
    if (!again) { // again: a create that found no path is sent again
        addImpliedSteps(place, client, step, index);
        add(place, client, step, index);
        last = &m_steps[place.last];
    }
    last->asked = last->manualEvent = index;
    last->at = isRequest(step) ? kNone : index;
    last->assumed = false;
    place.awaitsEffect = true;
}

// The list was sent with the create, so "created" was assumed. The client takes both steps when it continues;
// the server answered the list long before, and orderLists() finds its place by its content.
void StepGraph::postponeList(Step& list)
{
    Step& created = m_steps[list.after.front()];
    if (created.step != GateStep::created || created.manualEvent != kNone)
        return;
    created.at = kNone;
    list.at = kNone;
    list.unread = true;
}

void StepGraph::effect(ClientProgress& place, std::uint32_t client, GateStep step, std::size_t index)
{
    if (place.last != kNone && place.awaitsEffect && m_steps[place.last].step == step) {
        place.awaitsEffect = false;
        return;
    }
    addImpliedSteps(place, client, step, index);
    add(place, client, step, index);
}

// Drops the client's steps after this one.
void StepGraph::rollBackTo(ClientProgress& place, std::size_t step)
{
    while (place.last != step && place.last != kNone) {
        m_steps[place.last].dropped = true;
        std::erase_if(m_asked, [&](const auto& asked) { return asked.second == place.last; });
        place.last = m_steps[place.last].after.empty() ? kNone : m_steps[place.last].after.front();
    }
}

void StepGraph::onRequest(ClientProgress& place, std::uint32_t client, LockId lock, const trace::Request& e,
                          std::size_t index)
{
    const auto own = m_own.find({client, lock});
    const bool isOwn = own != m_own.end() && own->second == e.node;
    std::optional<GateStep> step;
    if (e.op == Operation::create)
        step = GateStep::create;
    else if (e.op == Operation::getChildren)
        step = GateStep::list;
    else if ((e.op == Operation::getData || e.op == Operation::exists) && e.watch && !isOwn)
        step = GateStep::watch;
    else if (e.op == Operation::remove && isOwn)
        step = GateStep::remove;
    if (!step)
        return;
    const Step* last = place.last == kNone ? nullptr : &m_steps[place.last];
    const bool again = last && last->step == *step && !place.awaitsEffect &&
                       (*step == GateStep::create || *step == GateStep::list);
    const std::size_t known = m_steps.size();
    if (!again) // again: the path was missing, or the list is requested again
        effect(place, client, *step, index);
    // Only the reply proves this step and the steps that lead to it.
    for (std::size_t i = known; i < m_steps.size(); ++i)
        m_steps[i].at = kNone;
    m_steps[place.last].at = kNone;
    m_steps[place.last].asked = index;
    m_asked[index] = place.last;
    if (*step == GateStep::remove)
        m_nodes[{lock, std::string(e.node)}].remove = place.last;
}

void StepGraph::onReply(ClientProgress& place, std::uint32_t client, LockId lock, const trace::Reply& e,
                        const trace::Event& event, std::size_t index)
{
    const auto asked = event.cause.valid() ? m_asked.find(event.cause.value) : m_asked.end();
    if (asked == m_asked.end())
        return;
    const std::size_t self = asked->second;
    m_asked.erase(asked);
    Step& step = m_steps[self];
    const bool ok = e.outcome == trace::Outcome::ok;
    if (!step.unread && (step.step != GateStep::create || ok))
        step.at = std::min(step.manualEvent, index);
    if (step.step == GateStep::create && !ok)
        rollBackTo(place, self); // also the list that was sent with it
    if (step.step == GateStep::create && ok) {
        m_nodes[{lock, std::string(e.node)}].create = self;
        m_own[{client, lock}] = std::string(e.node);
        m_creates.emplace_back(e.zxid, self);
    }
    if (step.step == GateStep::watch) {
        m_watches.push_back({self, {lock, std::string(e.node)}, ok});
        if (ok && place.last == self) {
            add(place, client, GateStep::sleep, index);
            m_steps[place.last].assumed = true;
        }
    }
}

// ---- the order --------------------------------------------------------------------------------------

void StepGraph::before(std::size_t earlier, std::size_t later)
{
    if (earlier != kNone && later != kNone && earlier != later)
        m_steps[later].after.push_back(earlier);
}

const StepGraph::Node* StepGraph::node(LockId lock, std::string_view name) const
{
    const auto found = m_nodes.find({lock, std::string(name)});
    return found == m_nodes.end() ? nullptr : &found->second;
}

// The later reply to a create that is pending at that moment shows its zxid and node, and so what came before
// it.
void StepGraph::readPendingReplies(std::size_t events)
{
    const std::size_t end = std::min(m_store.count(), events + kMaxLookAhead);
    for (std::size_t i = events; i < end && !m_asked.empty(); ++i) {
        const trace::Event& event = m_store.at(i);
        const auto* reply = std::get_if<trace::Reply>(&event.what);
        const auto asked = reply && event.cause.valid() ? m_asked.find(event.cause.value) : m_asked.end();
        if (asked == m_asked.end())
            continue;
        if (reply->op == Operation::create && reply->outcome == trace::Outcome::ok) {
            m_nodes[{event.lock, std::string(reply->node)}].create = asked->second;
            m_creates.emplace_back(reply->zxid, asked->second);
        }
        m_asked.erase(asked);
    }
}

void StepGraph::orderCreates()
{
    std::stable_sort(m_creates.begin(), m_creates.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < m_creates.size(); ++i)
        if (m_creates[i - 1].first < m_creates[i].first)
            before(m_creates[i - 1].second, m_creates[i].second);
}

// When a list was read, its predecessor existed, and the nodes that would have been the predecessor instead
// were deleted. The predecessor in a mutex, or of a writer, is the last node before its own; that of a reader
// is the first writer.
void StepGraph::orderLists()
{
    using Key = std::pair<LockId, std::int64_t>;
    std::multimap<Key, std::string_view> byNumber;
    for (const auto& [key, node] : m_nodes)
        byNumber.emplace(Key{key.first, sequenceIn(key.second)}, key.second);
    for (const List& list : m_lists) {
        const bool first = list.decided.ahead.empty();
        if (const Node* ahead = first ? nullptr : node(list.lock, list.decided.ahead)) {
            before(ahead->create, list.step);
            before(list.step, ahead->remove);
        }
        const bool reads = isReader(list.decided.node);
        auto in = byNumber.lower_bound(
            {list.lock, sequenceIn(reads && !first ? list.decided.ahead : list.decided.node)});
        for (std::size_t back = 0; back < kMaxLookBack && in != byNumber.begin(); ++back) {
            --in;
            if (in->first.first != list.lock || (!reads && in->second == list.decided.ahead))
                break;
            if (!reads || !isReader(in->second))
                before(node(list.lock, in->second)->remove, list.step);
        }
    }
}

void StepGraph::orderWatches()
{
    for (const Watch& watch : m_watches)
        if (const Node* watched = node(watch.node.first, watch.node.second)) {
            before(watched->create, watch.step);
            before(watch.found ? watch.step : watched->remove, watch.found ? watched->remove : watch.step);
        }
    for (const Fired& fired : m_fired)
        if (const Node* watched = node(fired.node.first, fired.node.second))
            before(watched->remove, fired.step);
    // A watch or the observer may show a delete before its reply does.
    for (const auto& [key, node] : m_nodes)
        if (Step* remove = node.remove == kNone ? nullptr : &m_steps[node.remove])
            remove->at =
                std::min(remove->at, node.gone == kNone ? kNone : std::min(node.gone, remove->manualEvent));
}

// The steps that an event proves, and all steps before them.
std::vector<bool> StepGraph::taken() const
{
    std::vector<bool> taken(m_steps.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        if (m_steps[i].at != kNone && !m_steps[i].dropped)
            open.push_back(i);
    while (!open.empty()) {
        const std::size_t one = open.back();
        open.pop_back();
        if (taken[one])
            continue;
        taken[one] = true;
        open.insert(open.end(), m_steps[one].after.begin(), m_steps[one].after.end());
    }
    return taken;
}

std::vector<TakenStep> StepGraph::inOrder() const
{
    const std::vector<bool> in = taken();
    std::vector<std::vector<std::size_t>> next(m_steps.size());
    std::vector<std::size_t> left(m_steps.size());
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        for (const std::size_t earlier : in[i] ? m_steps[i].after : std::vector<std::size_t>()) {
            next[earlier].push_back(i);
            ++left[i];
        }
    using Entry = std::pair<std::size_t, std::size_t>; // the event, the step
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const auto add = [&](std::size_t step) {
        ready.emplace(m_steps[step].at == kNone ? m_steps[step].asked : m_steps[step].at, step);
    };
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        if (in[i] && left[i] == 0)
            add(i);
    std::vector<TakenStep> order;
    while (!ready.empty()) {
        const Step& step = m_steps[ready.top().second];
        order.push_back({m_progress[step.client].name, step.step});
        const std::size_t self = ready.top().second;
        ready.pop();
        for (const std::size_t later : next[self])
            if (--left[later] == 0)
                add(later);
    }
    return order;
}

} // namespace lockscope::sim
