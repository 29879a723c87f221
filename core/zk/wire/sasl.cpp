#include "core/zk/wire/sasl.h"

#include "core/zk/access.h"

#include <sasl/sasl.h>

#include <locale.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>

namespace lockscope::zk::wire {

namespace {

// ZooKeeper's servers and clients agree on this name instead of the host's, as the realm too.
constexpr const char* kDigestHost = "zk-sasl-md5";
constexpr const char* kDigestService = "zookeeper";

constexpr std::array<SaslMechanismName, 2> kMechanisms{{
    {SaslMechanism::digestMd5, "digest-md5", "DIGEST-MD5", "libsasl2-modules"},
    {SaslMechanism::gssapi, "gssapi", "GSSAPI", "libsasl2-modules-gssapi-mit"},
}};

template <class Function>
int (*callback(Function* function))()
{
    return reinterpret_cast<int (*)()>(reinterpret_cast<void (*)()>(function));
}

// Without one the library writes to the system's log.
int logNothing(void*, int, const char*) { return SASL_OK; }

const sasl_callback_t kLog{SASL_CB_LOG, callback(logNothing), nullptr};
constexpr sasl_callback_t kLast{SASL_CB_LIST_END, nullptr, nullptr};

// Several exchanges may be under way, each on a thread of its own.
int beginLibrary()
{
    sasl_set_mutex([]() -> void* { return new std::mutex; },
                   [](void* mutex) {
                       static_cast<std::mutex*>(mutex)->lock();
                       return SASL_OK;
                   },
                   [](void* mutex) {
                       static_cast<std::mutex*>(mutex)->unlock();
                       return SASL_OK;
                   },
                   [](void* mutex) { delete static_cast<std::mutex*>(mutex); });
    static const sasl_callback_t callbacks[] = {kLog, kLast};
    return sasl_client_init(callbacks);
}

// The causes are known by the English texts of Kerberos, which speaks the language of the thread otherwise.
class English
{
public:
    English()
        : m_before(::uselocale(locale()))
    {}
    ~English() { ::uselocale(m_before); }
    English(const English&) = delete;
    English& operator=(const English&) = delete;

private:
    static locale_t locale()
    {
        static const locale_t english = ::newlocale(LC_ALL_MASK, "C", nullptr);
        return english;
    }
    locale_t m_before;
};

// `detail`: "SASL(-1): generic failure: GSSAPI Error: ... (No Kerberos credentials available)".
Error kerberosError(std::string detail, const std::string& principal)
{
    if (const std::size_t cause = detail.find(" ("); detail.ends_with(')') && cause != std::string::npos)
        detail = detail.substr(cause + 2, detail.size() - cause - 3);
    const auto says = [&](const char* text) { return detail.find(text) != std::string::npos; };
    if (says("not found in Kerberos database"))
        return {ErrorCode::noAuth, message("The KDC does not know the server as %1.", principal),
                message("Name the server as its principal does, or the service with --sasl-service.")};
    if (says("Clock skew"))
        return {ErrorCode::noAuth, message("The clocks of this computer and of the KDC are too far apart."),
                message("Set them by the same time server.")};
    if (says("xpired"))
        return {ErrorCode::noAuth, message("The Kerberos ticket has expired."),
                message("Get a new one with kinit.")};
    if (says("redential"))
        return {ErrorCode::noAuth, message("There is no Kerberos ticket: %1.", detail),
                message("Get one with kinit; klist shows it.")};
    if (says("KDC") || says("realm"))
        return {ErrorCode::noServer, message("Kerberos finds no KDC for %1: %2.", principal, detail),
                message("Check the realm and its KDC in krb5.conf, and that the KDC is up.")};
    return {ErrorCode::noAuth, message("Kerberos gives no ticket for %1: %2.", principal, detail),
            message("Check krb5.conf, and the ticket with klist.")};
}

} // namespace

std::span<const SaslMechanismName> saslMechanisms() { return kMechanisms; }

const SaslMechanismName& nameOf(SaslMechanism mechanism)
{
    return *std::ranges::find(kMechanisms, mechanism, &SaslMechanismName::mechanism);
}

std::optional<SaslMechanism> saslMechanismFrom(std::string_view option)
{
    for (const SaslMechanismName& one : kMechanisms)
        if (option == one.option)
            return one.mechanism;
    return std::nullopt;
}

Result<void> checkSasl(const SaslOptions& options)
{
    if (options.mechanism != SaslMechanism::digestMd5)
        return {};
    if (options.file.empty())
        return Error{ErrorCode::badUsage,
                     message("SASL DIGEST-MD5 needs a file whose first line is USER:PASSWORD (--sasl-file)."),
                     {}};
    Result<std::string> line = Credential::digestFile(options.file).proof();
    if (!line)
        return line.error();
    overwriteSecret(*line);
    return {};
}

struct SaslExchange::Impl
{
    SaslOptions options;
    std::string host;
    std::string user{};
    std::unique_ptr<sasl_secret_t, void (*)(void*)> password{nullptr, ::free};
    std::array<sasl_callback_t, 5> callbacks{};
    sasl_conn_t* connection = nullptr;

    ~Impl()
    {
        sasl_dispose(&connection);
        if (password)
            ::explicit_bzero(password->data, password->len);
    }
    const SaslMechanismName& name() const { return nameOf(*options.mechanism); }
    bool isDigest() const { return options.mechanism == SaslMechanism::digestMd5; }
    Result<void> readPassword();
    Result<void> begin();
    Error error(int code) const;
    static int giveUser(void* self, int id, const char** user, unsigned* length);
    static int givePassword(sasl_conn_t*, void* self, int, sasl_secret_t** password);
};

Result<void> SaslExchange::Impl::readPassword()
{
    Result<std::string> line = Credential::digestFile(options.file).proof();
    if (!line)
        return line.error();
    const std::size_t colon = line->find(':'), length = line->size() - colon - 1;
    user = line->substr(0, colon);
    password.reset(static_cast<sasl_secret_t*>(::calloc(1, sizeof(sasl_secret_t) + length)));
    if (!password)
        throw std::bad_alloc();
    password->len = length;
    std::memcpy(password->data, line->data() + colon + 1, length);
    overwriteSecret(*line);
    return {};
}

// Who is authenticated is also who is authorized: that name stays empty.
int SaslExchange::Impl::giveUser(void* self, int id, const char** user, unsigned* length)
{
    const std::string& name = static_cast<const Impl*>(self)->user;
    *user = id == SASL_CB_AUTHNAME ? name.c_str() : "";
    if (length)
        *length = static_cast<unsigned>(std::strlen(*user));
    return SASL_OK;
}

int SaslExchange::Impl::givePassword(sasl_conn_t*, void* self, int, sasl_secret_t** password)
{
    *password = static_cast<const Impl*>(self)->password.get();
    return *password ? SASL_OK : SASL_FAIL;
}

Error SaslExchange::Impl::error(int code) const
{
    if (code == SASL_NOMECH)
        return {ErrorCode::badUsage, message("This system has no %1 for SASL.", name().name),
                message("Install the package %1.", name().package)};
    std::string detail = connection ? sasl_errdetail(connection) : sasl_errstring(code, nullptr, nullptr);
    while (detail.ends_with('.') || detail.ends_with(' '))
        detail.pop_back();
    if (!isDigest())
        return kerberosError(std::move(detail), options.service + "/" + host);
    return {ErrorCode::noAuth,
            message("The exchange of SASL with the server at %1 failed: %2.", host, detail),
            {}};
}

Result<void> SaslExchange::Impl::begin()
{
    static const int begun = beginLibrary();
    if (begun != SASL_OK)
        return error(begun);
    if (isDigest())
        if (Result<void> read = readPassword(); !read)
            return read;
    callbacks = {{{SASL_CB_USER, callback(giveUser), this},
                  {SASL_CB_AUTHNAME, callback(giveUser), this},
                  {SASL_CB_PASS, callback(givePassword), this},
                  kLog,
                  kLast}};
    int code = sasl_client_new(isDigest() ? kDigestService : options.service.c_str(),
                               isDigest() ? kDigestHost : host.c_str(), nullptr, nullptr, callbacks.data(), 0,
                               &connection);
    // ZooKeeper sends what follows in plain text, or by TLS: no layer of SASL's own.
    const sasl_security_properties_t noLayer{};
    if (code == SASL_OK)
        code = sasl_setprop(connection, SASL_SEC_PROPS, &noLayer);
    if (code != SASL_OK)
        return error(code);
    return {};
}

SaslExchange::SaslExchange(SaslOptions options, std::string host)
    : m_impl(new Impl{std::move(options), std::move(host)})
{}

SaslExchange::~SaslExchange() = default;

Result<SaslExchange::Step> SaslExchange::next(std::string_view challenge)
{
    const English english;
    Impl& impl = *m_impl;
    const bool isFirst = impl.connection == nullptr;
    const char* token = nullptr;
    unsigned length = 0;
    int code = SASL_OK;
    if (isFirst) {
        if (Result<void> begun = impl.begin(); !begun)
            return begun.error();
        code = sasl_client_start(impl.connection, impl.name().name, nullptr, &token, &length, nullptr);
        // The library remembers servers and proposes to go on with what was agreed; Java's DIGEST-MD5 takes
        // nothing but the beginning.
        if (impl.isDigest())
            length = 0;
    } else {
        code = sasl_client_step(impl.connection, challenge.data(), static_cast<unsigned>(challenge.size()),
                                nullptr, &token, &length);
    }
    if (code != SASL_OK && code != SASL_CONTINUE)
        return impl.error(code);
    Step step;
    step.complete = code == SASL_OK;
    if (length > 0 || !step.complete)
        step.token = std::string(token ? token : "", token ? length : 0);
    return step;
}

Error describe(SaslFault fault, const SaslOptions& options, const std::string& server,
               const std::string& host)
{
    const bool isDigest = options.mechanism == SaslMechanism::digestMd5;
    const std::string principal = options.service + "/" + host;
    switch (fault) {
    case SaslFault::pending:
        return {ErrorCode::noServer, message("Kerberos has not answered yet: no ticket for %1.", principal),
                message("Check the KDC in krb5.conf, and that it is up.")};
    case SaslFault::absent:
        return {ErrorCode::noAuth, message("The server at %1 has no SASL.", server),
                message("Connect without --sasl, or give the server a section Server in its JAAS file "
                        "(java.security.auth.login.config). From ZooKeeper 3.9.4 on, DIGEST-MD5 also needs "
                        "zookeeper.fips-mode=false.")};
    case SaslFault::refusedFirst:
        if (isDigest)
            return {ErrorCode::noAuth, message("The server at %1 does not speak DIGEST-MD5.", server),
                    message("Use --sasl gssapi if its JAAS file names Kerberos; from ZooKeeper 3.9.4 on, "
                            "DIGEST-MD5 needs zookeeper.fips-mode=false.")};
        [[fallthrough]];
    case SaslFault::refused:
        if (isDigest)
            return {ErrorCode::noAuth,
                    message("The server at %1 refuses the user or the password (SASL DIGEST-MD5).", server),
                    message("Compare the first line of %1 with user_NAME=\"PASSWORD\" in the server's JAAS "
                            "file.",
                            options.file)};
        return {ErrorCode::noAuth,
                message("The server at %1 refuses the Kerberos ticket for %2.", server, principal),
                message("Its log says why: its keytab has another key than the KDC, the clocks are too far "
                        "apart, or its JAAS file names no Kerberos (--sasl digest-md5).")};
    case SaslFault::violated:
        return {ErrorCode::noServer,
                message("What the server at %1 answers to SASL cannot be understood.", server),
                message("Check that it is a ZooKeeper of 3.4 or later.")};
    case SaslFault::unanswered:
        break;
    }
    return {ErrorCode::noServer, message("The server at %1 does not answer SASL.", server),
            message("Its log may say why; it must be a ZooKeeper of 3.4 or later.")};
}

} // namespace lockscope::zk::wire
