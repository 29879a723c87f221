#include "core/workers/run_nodes.h"

#include "core/zk/pending.h"

#include <limits>

namespace lockscope::workers {

namespace {

using zk::Code;

constexpr Duration kTurn = std::chrono::milliseconds(20);
constexpr auto kOwnerOfContainers = std::numeric_limits<std::int64_t>::min(); // EphemeralType.CONTAINER

Code codeIn(Code code) { return code; }
template <class Reply>
Code codeIn(const Reply& reply)
{
    return reply.code;
}

Error refusedBy(Code code, const std::string& path)
{
    if (code == Code::nodeExists)
        return {ErrorCode::nodeExists, message("%1 exists already.", path), {}};
    if (code == Code::noAuth)
        return {ErrorCode::noAuth, message("No permission to create %1.", path),
                message("Choose another place with --runs-path.")};
    return {code == Code::noNode ? ErrorCode::noNode : ErrorCode::noServer,
            message("%1 cannot be created: %2.", path, describe(code)),
            {}};
}

} // namespace

Result<std::unique_ptr<RunNodes>> RunNodes::open(RunPlace place, const IsEnded& isEnded)
{
    std::unique_ptr<RunNodes> nodes(new RunNodes(std::move(place)));
    zk::HubOptions options = zk::HubOptions::ownProcess();
    options.adaptivePolling = false;
    options.security.context = nodes->m_place.tls;
    Result<std::unique_ptr<zk::Hub>> hub = zk::Hub::create(nodes->m_io, std::move(options));
    if (!hub)
        return hub.error();
    nodes->m_hub = std::move(*hub);
    auto session = nodes->connect(nodes->connectOptions(), isEnded);
    if (!session)
        return session.error();
    nodes->m_session = std::move(*session);
    return nodes;
}

zk::ConnectOptions RunNodes::connectOptions() const
{
    zk::ConnectOptions options{m_place.connect, m_place.sessionTimeout};
    options.credentials = m_place.credentials;
    if (!options.credentials.empty())
        options.acl = zk::creatorAllAcl();
    return options;
}

Result<std::shared_ptr<zk::HubSession>> RunNodes::connect(zk::ConnectOptions options, const IsEnded& isEnded)
{
    std::shared_ptr<zk::HubSession> session = m_hub->connect(std::move(options));
    while (session->phase() == zk::SessionPhase::connecting) {
        if (isEnded())
            return Error{ErrorCode::cancelled, message("Interrupted before there was a connection."), {}};
        serve(kTurn);
    }
    if (!isOver(session->phase()))
        return session;
    if (const std::optional<Error> why = session->notSecured())
        return *why;
    if (session->lossReason() == zk::LossReason::authFailed)
        return Error{ErrorCode::noAuth, message("The server refuses the credentials."),
                     message("Check the lines of --auth-file.")};
    return Error{ErrorCode::noServer, message("No ZooKeeper answers at %1.", m_place.connect),
                 message("Check the address.")};
}

RunNodes::~RunNodes()
{
    if (!m_session)
        return;
    m_watch.reset();
    m_session->close();
    bool closed = false;
    m_hub->whenClosed([&closed] { closed = true; });
    while (!closed)
        m_io.run_one_for(kTurn);
}

// A request of which it is not known whether it was executed is made again: each of them may be.
template <class Reply, class Ask>
Reply RunNodes::answer(const Ask& ask)
{
    for (;;) {
        zk::Pending<Reply> reply;
        ask(reply.handler());
        while (!reply.ready())
            m_io.run_one_for(kTurn);
        Reply taken = reply.take();
        if (codeIn(taken) != Code::unknown || isLost())
            return taken;
        m_io.run_one_for(kTurn);
    }
}

// With credentials the run's own folder is for those who have them, and no other user can have made it; the
// folders above are for everyone, as other runs are there, too.
Result<void> RunNodes::makeFolders(const IsEnded& isEnded)
{
    const bool restricted = !m_place.credentials.empty();
    std::shared_ptr<zk::HubSession> open = m_session;
    if (restricted) {
        zk::ConnectOptions options = connectOptions();
        options.acl.clear();
        auto session = connect(std::move(options), isEnded);
        if (!session)
            return session.error();
        open = std::move(*session);
    }
    const std::string path = m_place.path();
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const bool isOwn = end == std::string::npos;
        if (isOwn && restricted)
            open->close();
        const std::string folder = path.substr(0, end);
        const auto made = answer<zk::Created>([&](auto handler) {
            (isOwn ? m_session : open)->create(folder, {}, zk::CreateMode::container, std::move(handler));
        });
        if (made.code != Code::ok && (made.code != Code::nodeExists || (isOwn && restricted)))
            return refusedBy(made.code, folder);
        if (isOwn)
            return {};
    }
}

zk::StatReply RunNodes::look(const std::string& path)
{
    zk::WatchPtr unused;
    return answer<zk::StatReply>([&](auto handler) {
        unused = m_session->exists(
            path, [](zk::WatchKind) {}, std::move(handler));
    });
}

// Of a create whose first answer was lost.
bool RunNodes::isOwn(const std::string& path)
{
    const zk::StatReply seen = look(path);
    return seen.code == Code::ok && seen.stat.ephemeralOwner == m_session->id();
}

Result<void> RunNodes::create(const std::string& name, std::string_view data)
{
    const auto made = answer<zk::Created>([&](auto handler) {
        m_session->create(pathOf(name), data, zk::CreateMode::ephemeral, std::move(handler));
    });
    if (made.code == Code::ok || (made.code == Code::nodeExists && isOwn(pathOf(name))))
        return {};
    return isLost() ? lost() : refusedBy(made.code, pathOf(name));
}

std::optional<std::string> RunNodes::read(const std::string& name)
{
    auto data = answer<zk::Data>([&](auto handler) { m_session->getData(pathOf(name), std::move(handler)); });
    m_refused = data.code == Code::noAuth;
    return data.code == Code::ok ? std::optional(std::move(data.bytes)) : std::nullopt;
}

std::optional<std::vector<std::string>> RunNodes::names()
{
    struct List
    {
        Code code = Code::closed;
        std::vector<std::string> names{};
    };
    if (isLost())
        return std::nullopt;
    if (!m_changed)
        return m_names;
    m_changed = false;
    auto list = answer<List>([&](auto handler) {
        m_watch = m_session->getChildren(
            m_place.path(), [this](zk::WatchKind) { m_changed = true; },
            [this, done = std::make_shared<decltype(handler)>(std::move(handler))](
                Code code, zk::ChildNames names, const zk::Stat&) {
                m_hub->post([done, list = List{code, {names.begin(), names.end()}}] { (*done)(list); });
            });
    });
    m_changed = m_changed || list.code != Code::ok;
    m_names = list.code == Code::ok ? std::optional(std::move(list.names)) : std::nullopt;
    return m_names;
}

void RunNodes::remove(const std::string& name)
{
    answer<Code>([&](auto handler) { m_session->remove(pathOf(name), std::move(handler)); });
}

void RunNodes::removeFolders()
{
    for (std::string folder = m_place.path(); !folder.empty();
         folder = folder.substr(0, folder.find_last_of('/'))) {
        const zk::StatReply seen = look(folder);
        if (seen.code == Code::noNode)
            continue; // another process was faster
        if (seen.code != Code::ok || seen.stat.ephemeralOwner.value != kOwnerOfContainers ||
            seen.stat.numChildren > 0)
            return;
        answer<Code>([&](auto handler) { m_session->remove(folder, std::move(handler)); });
    }
}

void RunNodes::serve(Duration span) { m_io.run_for(span); }

void RunNodes::turn(Duration atMost)
{
    const MonotonicTime end = m_hub->now() + atMost;
    m_io.poll();
    for (MonotonicTime now = m_hub->now(); now < end && !m_changed && !isLost(); now = m_hub->now())
        m_io.run_one_for(end - now);
}

bool RunNodes::isLost() const { return isOver(m_session->phase()); }

Error RunNodes::lost() const
{
    return {ErrorCode::connectionLost,
            message("The connection to %1 was lost for longer than %2 s: the run is over.", m_place.connect,
                    std::chrono::ceil<std::chrono::seconds>(m_session->timeout()).count()),
            {}};
}

} // namespace lockscope::workers
