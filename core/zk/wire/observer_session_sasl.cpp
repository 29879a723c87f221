// ObserverSession: SASL, between the reply to the connect request and every other request.
#include "core/zk/wire/observer_session_impl.h"

#include <utility>

namespace lockscope::zk::wire {

namespace {

constexpr std::size_t kMaxSaslToken = std::size_t{64} * 1024;
constexpr int kMaxSaslRounds = 10; // GSSAPI takes three, DIGEST-MD5 two
// Until Kerberos has a ticket; it has limits of its own for each KDC.
constexpr Duration kSaslLimit = std::chrono::minutes(1), kSaslAnswerLimit = std::chrono::seconds(5);

} // namespace

Error ObserverSession::Impl::saslError(SaslFault fault) const
{
    return describe(fault, options.sasl, server, options.security.hostOf(server));
}

// Asked before the server hears of the session, whose time would go by while Kerberos looks for a ticket.
void ObserverSession::Impl::beginSasl()
{
    m_sasl = std::make_shared<Sasl>(options.sasl, options.security.hostOf(server));
    askSasl({});
}

void ObserverSession::Impl::askSasl(std::string challenge)
{
    m_sasl->isAsked = true;
    authTrouble = saslError(SaslFault::pending);
    m_attemptDeadline = deadlineAfter(now(), kSaslLimit);
    const Result<void> started = m_background.start(
        [weak = weak_from_this(), sasl = m_sasl, challenge = std::move(challenge)]() mutable {
            Result<SaslExchange::Step> step = sasl->exchange.next(challenge);
            return [weak, sasl = std::move(sasl), step = std::move(step)] {
                if (const auto self = weak.lock(); self && self->m_sasl == sasl)
                    self->onSaslStep(step);
            };
        });
    if (!started)
        failSasl(started.error());
}

void ObserverSession::Impl::onSaslStep(const Result<SaslExchange::Step>& step)
{
    m_sasl->isAsked = false;
    authTrouble.reset();
    if (!step)
        return failSasl(step.error());
    m_sasl->step = *step;
    m_attemptDeadline = deadlineAfter(now(), kSaslAnswerLimit);
    scheduleTick(now()); // the limit is nearer than it was
    m_handshakeDone ? sendSasl() : sendHello();
}

void ObserverSession::Impl::sendSasl()
{
    const SaslExchange::Step& step = m_sasl->step;
    if (!step.token)
        return open();
    authTrouble = saslError(SaslFault::unanswered);
    m_sasl->xid = nextXid();
    m_connection->send(saslRequest(m_sasl->xid, *step.token));
}

void ObserverSession::Impl::onSaslReply(const ReplyHeader& head, jute::Reader& body)
{
    Sasl& sasl = *m_sasl;
    const bool isFirst = sasl.rounds++ == 0;
    if (sasl.isAsked || head.xid != sasl.xid || sasl.rounds > kMaxSaslRounds)
        return failSasl(saslError(SaslFault::violated));
    if (head.error != 0) {
        lastError = head.error;
        return failSasl(saslError(isFirst ? SaslFault::refusedFirst : SaslFault::refused));
    }
    const std::string_view token = body.buffer();
    if (!body.ok() || token.size() > kMaxSaslToken)
        return failSasl(saslError(SaslFault::violated));
    if (sasl.step.complete)
        return open();
    // Without SASL, and also where clients that fail may stay (zookeeper.allowSaslFailedClients).
    if (token.empty())
        return failSasl(saslError(isFirst ? SaslFault::absent : SaslFault::refused));
    askSasl(std::string(token));
}

void ObserverSession::Impl::failSasl(Error why)
{
    authTrouble = std::move(why);
    lose(LossReason::authFailed);
}

} // namespace lockscope::zk::wire
