#include "core/sim/teaching/flawed_mutex.h"

#include "core/lock/internal/lock_node_client.h"
#include "core/lock/internal/recipe_hooks.h"
#include "core/sim/teaching/session_decorator.h"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>

namespace lockscope::lock {

namespace {

// The observer of a recipe on an altered session. It has the hooks of the one that it reports to.
class AlteredObserver : public RecipeHooks
{
public:
    explicit AlteredObserver(std::shared_ptr<Observer> outer)
        : m_outer(std::move(outer))
    {
        hooks = RecipeHooks::of(m_outer.get());
    }
    EventIndex onEvent(const std::string& path, const Event& event, EventIndex cause) override
    {
        return m_outer ? m_outer->onEvent(path, event, cause) : EventIndex::none();
    }

private:
    std::shared_ptr<Observer> m_outer;
};

// ---- exists ----

// The nodes that a client created, as far as it got a reply.
using OwnNodes = std::set<std::string, std::less<>>;

class ExistsSession final : public SessionDecorator
{
public:
    ExistsSession(zk::SessionPtr inner, std::shared_ptr<OwnNodes> own)
        : SessionDecorator(std::move(inner))
        , m_own(std::move(own))
    {}
    using SessionDecorator::getData;
    // A client reads its own node to learn of its loss: that watch is no part of the mistake.
    zk::WatchPtr getData(const std::string& path, zk::WatchHandler watch,
                         UniqueFunction<void(zk::Data)> handler) override
    {
        if (m_own->contains(childName(path)))
            return m_inner->getData(path, std::move(watch), std::move(handler));
        return m_inner->exists(path, std::move(watch),
                               [handler = std::move(handler)](const zk::StatReply& reply) mutable {
                                   handler(zk::Data{reply.code, {}, reply.stat});
                               });
    }

private:
    std::shared_ptr<OwnNodes> m_own;
};

class ExistsObserver final : public AlteredObserver
{
public:
    ExistsObserver(std::shared_ptr<Observer> outer, std::shared_ptr<OwnNodes> own)
        : AlteredObserver(std::move(outer))
        , m_own(std::move(own))
    {}
    EventIndex onEvent(const std::string& path, const Event& event, EventIndex cause) override
    {
        Event sent = event;
        if (auto* request = std::get_if<event::RequestSent>(&sent))
            request->operation = really(request->operation, request->watch, request->node);
        if (auto* reply = std::get_if<event::ReplyReceived>(&sent)) {
            if (reply->operation == Operation::create && reply->code == zk::Code::ok)
                m_own->emplace(reply->node);
            reply->operation = really(reply->operation, true, reply->node);
        }
        return AlteredObserver::onEvent(path, sent, cause);
    }

private:
    Operation really(Operation operation, bool watches, std::string_view node) const
    {
        return operation == Operation::getData && watches && !m_own->contains(node) ? Operation::exists
                                                                                    : operation;
    }
    std::shared_ptr<OwnNodes> m_own;
};

// ---- no protection ----

// The recipe sees its nodes as `_c_GUID-lock-N`, as far as it got a reply to their create; they are `lock-N`.
constexpr std::string_view kProtection = "_c_";
constexpr std::size_t kProtectionSize = 3 + 36 + 1; // with the GUID and the dash

std::string_view withoutProtection(std::string_view node)
{
    return node.starts_with(kProtection) && node.size() >= kProtectionSize ? node.substr(kProtectionSize)
                                                                           : node;
}

class UnprotectedSession final : public SessionDecorator
{
public:
    using SessionDecorator::getChildren;
    using SessionDecorator::getData;
    using SessionDecorator::SessionDecorator;

    void create(const std::string& path, std::string_view data, zk::CreateMode mode,
                UniqueFunction<void(zk::Created)> handler) override
    {
        const std::string_view name = childName(path);
        const std::string prefix(name.substr(0, name.size() - withoutProtection(name).size()));
        m_inner->create(real(path), data, mode,
                        [shown = m_shown, prefix, handler = std::move(handler)](zk::Created created) mutable {
                            if (created.code == zk::Code::ok && !prefix.empty()) {
                                const std::string node(childName(created.path));
                                shown->insert_or_assign(node, prefix + node);
                                created.path.insert(created.path.size() - node.size(), prefix);
                            }
                            handler(std::move(created));
                        });
    }
    void getChildren(const std::string& path, zk::ChildrenVisitor visitor) override
    {
        m_inner->getChildren(path, altered(std::move(visitor), [shown = m_shown](Names& names) {
                                 for (std::string& name : names)
                                     if (const auto own = shown->find(name); own != shown->end())
                                         name = own->second;
                             }));
    }
    void getData(const std::string& path, UniqueFunction<void(zk::Data)> handler) override
    {
        m_inner->getData(real(path), std::move(handler));
    }
    zk::WatchPtr getData(const std::string& path, zk::WatchHandler watch,
                         UniqueFunction<void(zk::Data)> handler) override
    {
        return m_inner->getData(real(path), std::move(watch), std::move(handler));
    }
    void setData(const std::string& path, std::string_view data, std::int32_t version,
                 UniqueFunction<void(zk::StatReply)> handler) override
    {
        m_inner->setData(real(path), data, version, std::move(handler));
    }
    void remove(const std::string& path, UniqueFunction<void(zk::Code)> handler) override
    {
        m_inner->remove(real(path), std::move(handler));
    }

private:
    static std::string real(const std::string& path)
    {
        const std::string_view name = childName(path);
        return path.substr(0, path.size() - name.size()).append(withoutProtection(name));
    }
    std::shared_ptr<std::map<std::string, std::string>> m_shown =
        std::make_shared<std::map<std::string, std::string>>(); // by the real name
};

class UnprotectedObserver final : public AlteredObserver
{
public:
    using AlteredObserver::AlteredObserver;
    EventIndex onEvent(const std::string& path, const Event& event, EventIndex cause) override
    {
        return std::visit(
            [&](auto what) {
                if constexpr (requires { what.node; })
                    what.node = withoutProtection(what.node);
                if constexpr (requires { what.predecessor; })
                    what.predecessor = withoutProtection(what.predecessor);
                return AlteredObserver::onEvent(path, Event(what), cause);
            },
            event);
    }
};

} // namespace

MutexParts existsWatching(MutexParts parts)
{
    const auto own = std::make_shared<OwnNodes>();
    return {std::make_shared<ExistsSession>(std::move(parts.session), own),
            std::make_shared<ExistsObserver>(std::move(parts.observer), own)};
}

MutexParts unprotected(MutexParts parts)
{
    return {std::make_shared<UnprotectedSession>(std::move(parts.session)),
            std::make_shared<UnprotectedObserver>(std::move(parts.observer))};
}

} // namespace lockscope::lock
