#include "core/trace/clock_alignment.h"

#include "core/base/numbers.h"
#include "core/trace/command_verb.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace lockscope::trace {

namespace {

using Point = CausalPoints::Point;

constexpr std::uint64_t kOfNode = 0x9e3779b97f4a7c15u;

std::uint64_t mixed(std::uint64_t value) // the finalizer of SplitMix64
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

// Whether no two nodes can have this name: it has a GUID and a number.
bool isUnique(std::string_view name)
{
    constexpr std::size_t kGuid = 32, kNumber = 10;
    return name.size() >= kGuid + kNumber &&
           std::all_of(name.end() - kNumber, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "zxid=0x1f3 cxid=..." of the commands of a transaction log.
Zxid zxidIn(std::string_view argument)
{
    constexpr std::string_view kName = "zxid=0x";
    if (!argument.starts_with(kName))
        return Zxid::none();
    argument.remove_prefix(kName.size());
    return parseHex<Zxid>(argument.substr(0, argument.find(' '))).value_or(Zxid::none());
}

bool byKey(const Point& a, const Point& b) { return a.key < b.key; }

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;
constexpr bool isBounded(std::int64_t bound) { return bound < kUnbounded / 2; }

using Bounds = std::vector<std::vector<std::int64_t>>; // [i][j]: the most that offset i may exceed offset j

// The least time of an effect after a cause whose zxid is not above its own.
std::int64_t leastLater(const std::vector<Point>& causes, const std::vector<Point>& effects)
{
    std::int64_t least = kUnbounded;
    std::int64_t latest = -kUnbounded; // of the causes up to this zxid
    auto cause = causes.begin();
    for (const Point& effect : effects) {
        for (; cause != causes.end() && cause->key <= effect.key; ++cause)
            latest = std::max(latest, cause->time);
        if (latest > -kUnbounded)
            least = std::min(least, effect.time - latest);
    }
    return least;
}

// The same for causes and effects with the same key.
std::int64_t leastOfSame(const std::vector<Point>& causes, const std::vector<Point>& effects)
{
    std::int64_t least = kUnbounded;
    auto effect = effects.begin();
    for (const Point& cause : causes) {
        while (effect != effects.end() && effect->key < cause.key)
            ++effect;
        for (auto each = effect; each != effects.end() && each->key == cause.key; ++each)
            least = std::min(least, each->time - cause.time);
    }
    return least;
}

bool share(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b)
{
    for (auto one = a.begin(), other = b.begin(); one != a.end() && other != b.end();) {
        if (*one == *other)
            return true;
        *one < *other ? ++one : ++other;
    }
    return false;
}

// The least sum over all ways from i to j.
void close(Bounds& bounds)
{
    const std::size_t count = bounds.size();
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                if (isBounded(bounds[i][k]) && isBounded(bounds[k][j]))
                    bounds[i][j] = std::min(bounds[i][j], bounds[i][k] + bounds[k][j]);
}

// The two that contradict each other most, directly if any do.
std::optional<AlignedClocks::Contradiction> contradictionIn(const Bounds& bounds)
{
    Bounds closed = bounds;
    close(closed);
    std::optional<AlignedClocks::Contradiction> worst;
    for (std::size_t a = 0; a < bounds.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const std::int64_t room = bounds[a][b] + bounds[b][a];
            if (room < 0 && (!worst || -room > worst->by.count()))
                worst = AlignedClocks::Contradiction{b, a, TraceTime{-room}};
        }
    for (std::size_t a = 1; !worst && a < bounds.size(); ++a)
        if (closed[a][a] < 0) // by way of others
            worst = AlignedClocks::Contradiction{0, a, TraceTime{-closed[a][a]}};
    return worst;
}

void joinRelated(std::vector<std::vector<bool>>& related)
{
    const std::size_t count = related.size();
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                related[i][j] = related[i][j] || (related[i][k] && related[k][j]);
}

} // namespace

void CausalPoints::path(LockId lock, std::string_view path)
{
    if (m_paths.size() <= lock.value)
        m_paths.resize(std::size_t{lock.value} + 1);
    m_paths[lock.value] = std::hash<std::string_view>()(path);
}

std::uint64_t CausalPoints::keyOf(LockId lock, std::string_view node, std::uint64_t salt) const
{
    const std::uint64_t path = lock.value < m_paths.size() ? m_paths[lock.value] : 0;
    return mixed(mixed(path + salt) ^ std::hash<std::string_view>()(node));
}

void CausalPoints::node(LockId lock, std::string_view name, Zxid zxid)
{
    if (!zxid.valid() || zxid.value <= 0 || name.empty())
        return;
    const std::uint64_t key = keyOf(lock, name, static_cast<std::uint64_t>(zxid.value));
    if ((key & m_mask) == 0)
        m_nodes.push_back(key);
}

void CausalPoints::sent(Zxid zxid, TraceTime time)
{
    const auto key = static_cast<std::uint64_t>(zxid.value);
    if (zxid.valid() && zxid.value > 0 && (mixed(key) & m_mask) == 0)
        m_sent.push_back({key, time.count()});
}

// An older zxid that is learned of later bounds nothing that the newer one does not.
void CausalPoints::seen(Zxid zxid, TraceTime time)
{
    if (!zxid.valid() || zxid <= m_newestSeen)
        return;
    m_newestSeen = zxid;
    const auto key = static_cast<std::uint64_t>(zxid.value);
    if ((mixed(key) & m_mask) == 0)
        m_seen.push_back({key, time.count()});
}

void CausalPoints::note(std::vector<Point>& to, LockId lock, std::string_view name, TraceTime time)
{
    if (!isUnique(name))
        return;
    const std::uint64_t key = keyOf(lock, name, kOfNode);
    if ((key & m_mask) == 0)
        to.push_back({key, time.count()});
}

void CausalPoints::reply(const Event& event, const Reply& reply)
{
    const auto request = m_requests.find(event.cause.value);
    if (reply.outcome == Outcome::ok) {
        if (reply.op == Operation::create && request != m_requests.end())
            sent(reply.zxid, request->second);
        if (reply.op == Operation::remove && request != m_requests.end())
            note(m_ending, event.lock, reply.node, request->second);
        if (reply.op == Operation::remove)
            note(m_ended, event.lock, reply.node, event.at);
        else
            node(event.lock, reply.node, reply.zxid);
        seen(reply.zxid, event.at);
        if (reply.op == Operation::setData && request != m_requests.end())
            note(m_writing, event.lock, reply.node, request->second);
    } else if (reply.outcome == Outcome::noNode && reply.op != Operation::create) {
        note(m_ended, event.lock, reply.node, event.at);
    }
    if (request != m_requests.end())
        m_requests.erase(request);
}

void CausalPoints::add(const Event& event, std::uint64_t index)
{
    constexpr std::size_t kMostUnanswered = 1'000'000;
    const TraceTime made = event.at - (m_fromLog ? kLogTick : TraceTime{}); // at the earliest
    if (const auto* added = std::get_if<LockAdded>(&event.what)) {
        path(event.lock, added->path);
    } else if (const auto* request = std::get_if<Request>(&event.what)) {
        if (request->op != Operation::create && request->op != Operation::remove &&
            request->op != Operation::setData)
            return;
        if (m_requests.size() >= kMostUnanswered)
            m_requests.clear();
        m_requests.emplace(static_cast<std::uint32_t>(index), event.at);
    } else if (const auto* answer = std::get_if<Reply>(&event.what)) {
        reply(event, *answer);
    } else if (const auto* fired = std::get_if<WatchFired>(&event.what)) {
        if (fired->kind == WatchKind::deleted)
            note(m_ended, event.lock, fired->node, event.at);
        if (fired->kind == WatchKind::changed)
            note(m_written, event.lock, fired->node, event.at);
    } else if (const auto* there = std::get_if<NodeSeen>(&event.what)) {
        node(event.lock, there->node, there->czxid);
        if (!m_fromLog)
            seen(there->czxid, event.at);
    } else if (const auto* vanished = std::get_if<NodeVanished>(&event.what)) {
        if (m_fromLog)
            note(m_ending, event.lock, vanished->node, made);
        note(m_ended, event.lock, vanished->node, event.at);
    } else if (const auto* command = std::get_if<Command>(&event.what); command && m_fromLog) {
        const Zxid zxid = zxidIn(command->argument);
        sent(zxid, made);
        seen(zxid, event.at);
    }
    std::size_t points = m_nodes.size();
    for (const std::vector<Point>* each : {&m_sent, &m_seen, &m_ending, &m_ended, &m_writing, &m_written})
        points += each->size();
    if (points > kMostPoints)
        thin();
}

void CausalPoints::thin()
{
    m_mask = m_mask << 1 | 1;
    const auto byZxid = [this](const Point& point) { return (mixed(point.key) & m_mask) != 0; };
    const auto byNode = [this](const Point& point) { return (point.key & m_mask) != 0; };
    for (std::vector<Point>* points : {&m_sent, &m_seen})
        std::erase_if(*points, byZxid);
    for (std::vector<Point>* points : {&m_ending, &m_ended, &m_writing, &m_written})
        std::erase_if(*points, byNode);
    std::erase_if(m_nodes, [this](std::uint64_t key) { return (key & m_mask) != 0; });
}

void CausalPoints::finish()
{
    m_requests = {};
    for (std::vector<Point>* points : {&m_sent, &m_seen, &m_ending, &m_ended, &m_writing, &m_written})
        std::stable_sort(points->begin(), points->end(), byKey);
    const auto same = [](const Point& a, const Point& b) { return a.key == b.key; };
    m_writing.erase(std::unique(m_writing.begin(), m_writing.end(), same), m_writing.end());
    std::sort(m_nodes.begin(), m_nodes.end());
}

AlignedClocks alignClocks(const std::vector<CausalPoints>& traces,
                          const std::vector<std::pair<std::size_t, std::size_t>>& sameClock)
{
    const std::size_t count = traces.size();
    AlignedClocks result;
    result.clocks.resize(count);
    result.related.assign(count, std::vector<bool>(count));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            result.related[i][j] = result.related[j][i] = share(traces[i].nodes(), traces[j].nodes());
    for (const auto& [i, j] : sameClock)
        result.related[i][j] = result.related[j][i] = true;
    joinRelated(result.related);

    // What is sure, and with what is likely besides.
    Bounds sure(count, std::vector<std::int64_t>(count, kUnbounded));
    Bounds likely = sure;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) {
            if (i == j)
                sure[i][i] = likely[i][i] = 0;
            if (i == j || !result.related[i][j])
                continue;
            // A cause is not at the same time either.
            sure[i][j] = std::min(leastLater(traces[i].sent(), traces[j].seen()),
                                  leastOfSame(traces[i].ending(), traces[j].ended())) -
                         1;
            likely[i][j] = std::min(sure[i][j], leastOfSame(traces[i].writing(), traces[j].written()) - 1);
        }
    for (const auto& [i, j] : sameClock)
        sure[i][j] = sure[j][i] = likely[i][j] = likely[j][i] = 0;
    result.contradiction = contradictionIn(sure);
    if (result.contradiction)
        return result;
    if (contradictionIn(likely))
        likely = sure;
    close(sure);
    close(likely);
    for (std::size_t i = 0; i < count; ++i) {
        if (!isBounded(sure[i][0]) || !isBounded(sure[0][i]))
            continue;
        // Rounded down for all, so that the middles still meet all bounds.
        const std::int64_t sum = likely[i][0] - likely[0][i];
        const std::int64_t middle = sum / 2 - (sum % 2 < 0 ? 1 : 0);
        result.clocks[i] = {TraceTime{middle}, TraceTime{std::max(sure[i][0] - middle, middle + sure[0][i])}};
        for (std::size_t j = 0; j < i; ++j)
            if (result.clocks[j].offset)
                result.certainAfter = std::max(result.certainAfter, TraceTime{sure[i][j] + sure[j][i]});
    }
    return result;
}

} // namespace lockscope::trace
