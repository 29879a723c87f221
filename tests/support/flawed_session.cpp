#include "tests/support/flawed_session.h"

#include "core/lock/node_data.h"
#include "core/queue/number.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::tests {

namespace {

constexpr std::array<std::pair<std::string_view, bool Flaws::*>, 11> kFlaws{{
    {"noGuidSearch", &Flaws::noGuidSearch},
    {"existsInsteadOfGet", &Flaws::existsInsteadOfGet},
    {"noOwnerCheck", &Flaws::noOwnerCheck},
    {"forgetfulRelease", &Flaws::forgetfulRelease},
    {"wrongNeighbour", &Flaws::wrongNeighbour},
    {"announcesEarly", &Flaws::announcesEarly},
    {"acceptsAnySync", &Flaws::acceptsAnySync},
    {"unwatchedHold", &Flaws::unwatchedHold},
    {"acceptsOverflow", &Flaws::acceptsOverflow},
    {"noOwnWatch", &Flaws::noOwnWatch},
    {"grantsLostHold", &Flaws::grantsLostHold},
}};

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
    return std::ranges::any_of(kFlaws, [this](const auto& flaw) { return this->*flaw.second; });
}

std::optional<Flaws> flawNamed(std::string_view name)
{
    for (const auto& [flawName, member] : kFlaws)
        if (flawName == name) {
            Flaws flaws;
            flaws.*member = true;
            return flaws;
        }
    return std::nullopt;
}

std::vector<std::string> flawNames()
{
    std::vector<std::string> names;
    for (const auto& [name, member] : kFlaws)
        names.emplace_back(name);
    return names;
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
    if (!m_flaws.noGuidSearch && !m_flaws.wrongNeighbour && !m_flaws.acceptsOverflow) {
        m_inner->getChildren(path, std::move(visitor));
        return;
    }
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
        std::string& last = state->last[path];
        last.clear();
        const auto number = [](const std::string& name) { return name.substr(name.size() - queue::kDigits); };
        for (const std::string& name : names)
            if (path + "/" + name != state->newest && name.size() > queue::kDigits &&
                (last.empty() || number(name) >= number(last)))
                last = name;
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

} // namespace lockscope::tests
