#include "core/explore/flawed_session.h"

#include "core/lock/node_data.h"
#include "core/queue/number.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::explore {

namespace {

constexpr std::array kFlaws{
    FlawRow{"noGuidSearch", &Flaws::noGuidSearch, "makes a second node when its create's reply is lost"},
    FlawRow{"existsInsteadOfGet", &Flaws::existsInsteadOfGet,
            "watches with exists, which leaves watches behind"},
    FlawRow{"noOwnerCheck", &Flaws::noOwnerCheck, "takes the node of its last session for its own"},
    FlawRow{"forgetfulRelease", &Flaws::forgetfulRelease, "sends one delete and ignores what becomes of it"},
    FlawRow{"wrongNeighbour", &Flaws::wrongNeighbour, "watches the last node of the queue"},
    FlawRow{"announcesEarly", &Flaws::announcesEarly, "announces that it holds while it waits"},
    FlawRow{"acceptsAnySync", &Flaws::acceptsAnySync, "trusts a list after a sync that was refused"},
    FlawRow{"unwatchedHold", &Flaws::unwatchedHold, "watches its own node only once"},
    FlawRow{"acceptsOverflow", &Flaws::acceptsOverflow, "takes a number that has overflowed for a small one"},
    FlawRow{"noOwnWatch", &Flaws::noOwnWatch, "waits for an announced holder, its own node unwatched"},
    FlawRow{"grantsLostHold", &Flaws::grantsLostHold, "enters again though the hold is lost"},
    FlawRow{"ignoresDestruction", &Flaws::ignoresDestruction, "acquires though the lock was destroyed"},
    FlawRow{"trustsMissingNode", &Flaws::trustsMissingNode, "does not see that its own node is missing"},
    FlawRow{"ordersByName", &Flaws::ordersByName, "orders by the whole name instead of the number"},
    FlawRow{"overlooksFirst", &Flaws::overlooksFirst, "overlooks the first node of the queue"},
    FlawRow{"watchesFirst", &Flaws::watchesFirst, "watches the first node of the queue: a herd"},
    FlawRow{"readerOverlooksWriters", &Flaws::readerOverlooksWriters, "readers wait for nobody"},
    FlawRow{"writerOverlooksReaders", &Flaws::writerOverlooksReaders, "writers wait for writers only"},
};

// A recipe that does not search sees a node of its own that it does not know as that of another client.
constexpr std::string_view kProtected = "_c_";
constexpr std::string_view kHidden = "_x_";

bool isOver(zk::Code code) { return code == zk::Code::sessionLost || code == zk::Code::closed; }

std::string parentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

// Of a node whose number overflowed, a name with a small number; empty for other nodes.
std::string withSmallNumber(const std::string& path)
{
    const std::optional<queue::Number> number = queue::numberOf(path);
    if (!number || number->value >= 0)
        return {};
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "%010lld",
                  static_cast<long long>(std::int64_t{number->value} - INT32_MIN));
    return path.substr(0, number->at) + digits.data();
}

std::string digitsOf(const std::string& name)
{
    return name.size() < queue::kDigits ? std::string() : name.substr(name.size() - queue::kDigits);
}

// Empty when the node is not below this path.
std::string nameOf(const std::string& path, const std::string& node)
{
    return node.starts_with(path + "/") ? node.substr(path.size() + 1) : std::string();
}

bool isOf(const std::string& name, std::string_view word) { return name.find(word) != std::string::npos; }

// What a recipe with a mistake in its decision sees of a list.
void overlook(std::vector<std::string>& names, const std::string& own, const Flaws& flaws)
{
    if (own.empty())
        return;
    const bool there = std::ranges::find(names, own) != names.end();
    if (flaws.trustsMissingNode && !there)
        names.push_back(own);
    if (flaws.overlooksFirst && !names.empty()) {
        const auto first = std::ranges::min_element(names, {}, digitsOf);
        if (*first != own)
            names.erase(first);
    }
    if (flaws.ordersByName)
        std::erase_if(names, [&](const std::string& name) { return name > own; });
    if (flaws.readerOverlooksWriters && isOf(own, "__READ__"))
        std::erase_if(names, [](const std::string& name) { return isOf(name, "__WRIT__"); });
    if (flaws.writerOverlooksReaders && isOf(own, "__WRIT__"))
        std::erase_if(names, [](const std::string& name) { return isOf(name, "__READ__"); });
}

// Counts a watch while it exists.
template <class State>
class CountedWatch final : public zk::Watch
{
public:
    CountedWatch(zk::WatchPtr watch, std::shared_ptr<State> state)
        : m_watch(std::move(watch))
        , m_state(std::move(state))
    {
        ++m_state->waits;
    }
    ~CountedWatch() override { --m_state->waits; }
    CountedWatch(const CountedWatch&) = delete;
    CountedWatch& operator=(const CountedWatch&) = delete;

private:
    zk::WatchPtr m_watch;
    std::shared_ptr<State> m_state;
};

} // namespace

bool Flaws::any() const
{
    return std::ranges::any_of(kFlaws, [this](const FlawRow& flaw) { return this->*flaw.member; });
}

std::span<const FlawRow> allFlaws() { return kFlaws; }

std::optional<Flaws> flawNamed(std::string_view name)
{
    const auto row = std::ranges::find(kFlaws, name, &FlawRow::name);
    if (row == kFlaws.end())
        return std::nullopt;
    Flaws flaws;
    flaws.*row->member = true;
    return flaws;
}

FlawedSession::FlawedSession(zk::SessionPtr inner, Flaws flaws)
    : SessionDecorator(std::move(inner))
    , m_flaws(flaws)
{}

zk::SessionPtr FlawedSession::over(zk::SessionPtr inner, const Flaws& flaws)
{
    return flaws.any() ? std::make_shared<FlawedSession>(std::move(inner), flaws) : inner;
}

std::string FlawedSession::real(const std::string& path) const
{
    if (const std::size_t hidden = path.rfind(kHidden); m_flaws.noGuidSearch && hidden != std::string::npos)
        return std::string(path).replace(hidden, kHidden.size(), kProtected);
    const auto overflowed = m_state->numbers.find(path);
    return overflowed == m_state->numbers.end() ? path : overflowed->second;
}

void FlawedSession::create(const std::string& path, std::string_view data, zk::CreateMode mode,
                           UniqueFunction<void(zk::Created)> handler)
{
    m_state->prefixes.insert(path);
    m_inner->create(path, data, mode,
                    [state = m_state, accepts = m_flaws.acceptsOverflow, data = std::string(data),
                     handler = std::move(handler)](zk::Created created) mutable {
                        if (created.code == zk::Code::ok) {
                            if (std::string small = withSmallNumber(created.path);
                                accepts && !small.empty()) {
                                state->numbers.emplace(small, created.path);
                                created.path = std::move(small);
                            }
                            state->own[created.path] = Own{data};
                            state->newest = created.path;
                        }
                        handler(std::move(created));
                    });
}

void FlawedSession::remove(const std::string& path, UniqueFunction<void(zk::Code)> handler)
{
    m_inner->remove(real(path),
                    [forgets = m_flaws.forgetfulRelease, handler = std::move(handler)](
                        zk::Code code) mutable { handler(forgets && !isOver(code) ? zk::Code::ok : code); });
}

void FlawedSession::setData(const std::string& path, std::string_view data, std::int32_t version,
                            UniqueFunction<void(zk::StatReply)> handler)
{
    m_inner->setData(real(path), data, version, std::move(handler));
}

void FlawedSession::getChildren(const std::string& path, zk::ChildrenVisitor visitor)
{
    const auto alter = [state = m_state, flaws = m_flaws, path](std::vector<std::string>& names) {
        const auto isLost = [&](const std::string& name) {
            const std::string whole = path + "/" + name;
            return !state->own.contains(whole) &&
                   std::ranges::any_of(state->prefixes,
                                       [&](const std::string& prefix) { return whole.starts_with(prefix); });
        };
        for (std::string& name : names)
            if (flaws.noGuidSearch && isLost(name))
                name.replace(0, kProtected.size(), kHidden);
        for (std::string& name : names)
            for (const auto& [shown, overflowed] : state->numbers)
                if (overflowed == path + "/" + name)
                    name = shown.substr(path.size() + 1);
        overlook(names, nameOf(path, state->newest), flaws);
        std::string& first = state->first[path];
        std::string& last = state->last[path];
        first.clear();
        last.clear();
        for (const std::string& name : names) {
            if (path + "/" + name == state->newest || name.size() <= queue::kDigits)
                continue;
            if (last.empty() || digitsOf(name) >= digitsOf(last))
                last = name;
            if (first.empty() || digitsOf(name) < digitsOf(first))
                first = name;
        }
    };
    m_inner->getChildren(path, altered(std::move(visitor), alter));
}

void FlawedSession::getData(const std::string& path, UniqueFunction<void(zk::Data)> handler)
{
    m_inner->getData(real(path), [takesAny = m_flaws.noOwnerCheck, own = id(),
                                  handler = std::move(handler)](zk::Data data) mutable {
        if (takesAny)
            data.stat.ephemeralOwner = own;
        handler(std::move(data));
    });
}

zk::WatchPtr FlawedSession::getData(const std::string& path, zk::WatchHandler watch,
                                    UniqueFunction<void(zk::Data)> handler)
{
    if (m_state->own.contains(path))
        return watchOwn(path, std::move(watch), std::move(handler));
    if (m_flaws.announcesEarly && !m_state->newest.empty())
        setData(m_state->newest, lock::withAnnouncement(m_state->own[m_state->newest].data),
                [](const zk::StatReply&) {});
    std::string watched = path;
    if (const std::string& last = m_state->last[parentOf(path)]; m_flaws.wrongNeighbour && !last.empty())
        watched = parentOf(path) + "/" + last;
    if (const std::string& first = m_state->first[parentOf(path)]; m_flaws.watchesFirst && !first.empty())
        watched = parentOf(path) + "/" + first;
    zk::WatchPtr set;
    if (m_flaws.existsInsteadOfGet)
        set = m_inner->exists(real(watched), std::move(watch),
                              [handler = std::move(handler)](const zk::StatReply& reply) mutable {
                                  handler(zk::Data{reply.code, {}, reply.stat});
                              });
    else
        set = m_inner->getData(real(watched), std::move(watch), std::move(handler));
    return std::make_unique<CountedWatch<State>>(std::move(set), m_state);
}

// While its client waits, and while it holds.
zk::WatchPtr FlawedSession::watchOwn(const std::string& path, zk::WatchHandler watch,
                                     UniqueFunction<void(zk::Data)> handler)
{
    const bool waits = m_state->waits > 0;
    if (m_flaws.noOwnWatch && waits) {
        scheduler().post([handler = std::move(handler)]() mutable {
            handler(zk::Data{zk::Code::ok, {}, {}});
        });
        return nullptr;
    }
    if (m_flaws.unwatchedHold && !waits && std::exchange(m_state->own[path].watched, true))
        return nullptr; // the recipe believes that the answer is still to come
    return m_inner->getData(real(path), std::move(watch), std::move(handler));
}

void FlawedSession::sync(const std::string& path, UniqueFunction<void(zk::Code)> handler)
{
    m_inner->sync(path,
                  [trusts = m_flaws.acceptsAnySync, handler = std::move(handler)](zk::Code code) mutable {
                      const bool refused = code != zk::Code::unknown && !isOver(code);
                      handler(trusts && refused ? zk::Code::ok : code);
                  });
}

} // namespace lockscope::explore
