#include "ui/shell/messages/run_notices.h"

#include "core/base/error.h"
#include "core/replay/findings/claims.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"
#include "ui/texts/core_messages.h"

#include <utility>
#include <variant>

namespace lockscope::ui {

namespace {

const QString kFailureKey = QStringLiteral("failure");
const QString kServerKey = QStringLiteral("server");

UserMessage::Kind kindOf(trace::Severity severity)
{
    switch (severity) {
    case trace::Severity::info:
        return UserMessage::Kind::info;
    case trace::Severity::warning:
        return UserMessage::Kind::warning;
    case trace::Severity::error:
        return UserMessage::Kind::error;
    }
    return UserMessage::Kind::info;
}

} // namespace

RunNotices::RunNotices(RunModel* model, QObject* parent)
    : QObject(parent)
    , m_model(model)
{
    m_serverTimer.setSingleShot(true);
    m_serverTimer.setInterval(kServerGraceMs);
    connect(&m_serverTimer, &QTimer::timeout, this, &RunNotices::postServerDown);
    connect(model, &RunModel::runChanged, this, &RunNotices::newRun);
    connect(model, &RunModel::phaseChanged, this, &RunNotices::checkPhase);
    connect(model, &RunModel::stateChanged, this, &RunNotices::checkState);
}

void RunNotices::newRun()
{
    m_lastSeen = EventIndex::none();
    m_failed = false;
    m_serverDown = false;
    m_serverTimer.stop();
    m_refusals.clear();
    for (const QString& key : std::exchange(m_posted, {})) {
        emit messageDismissed(key);
    }
    emit messageDismissed(kFailureKey);
    emit messageDismissed(kServerKey);
}

void RunNotices::checkPhase()
{
    engine::Engine* engine = m_model->engine();
    if (!engine || engine->phase() != engine::Phase::failed || m_failed) {
        return;
    }
    m_failed = true;
    m_serverTimer.stop();
    emit messageDismissed(kServerKey);
    const Error error =
        engine->failure().value_or(Error{ErrorCode::internal, message("The run failed."), {}});
    UserMessage failure = errorMessage(kFailureKey, error);
    failure.actionText = [] { return tr("Try Again"); };
    failure.action = [this] { emit retryRequested(); };
    emit messagePosted(failure);
}

void RunNotices::checkState()
{
    if (!m_model->isLive() || !m_model->following()) {
        if (m_serverDown && !m_model->isLive()) {
            m_serverDown = false;
            m_serverTimer.stop();
            emit messageDismissed(kServerKey);
        }
        return;
    }
    checkServer();
    const std::uint64_t grants = m_model->state().statistics.acquired;
    if (grants != m_grantsBefore)
        dismissRefusals();
    for (const replay::NoticeRow& notice : m_model->state().notices) {
        if (m_lastSeen.valid() && notice.event <= m_lastSeen) {
            continue;
        }
        m_lastSeen = notice.event;
        const trace::Payload& what = m_model->store()->at(notice.event).what;
        const auto* coded = std::get_if<trace::Notice>(&what);
        if (coded &&
            (coded->code.starts_with(replay::kFaultMet) || coded->code.starts_with(replay::kFaultMissed)))
            continue; // the log has the plan of a judged program
        const lockscope::Message text(notice.text);
        const QString key = QStringLiteral("notice:") + format::plain(text.english(), format::kMessageLength);
        if (!m_posted.contains(key))
            m_posted << key;
        if (std::holds_alternative<trace::CommandRefused>(what)) {
            m_refusals << key;
            m_grantsBefore = grants;
        }
        emit messagePosted({.key = key, .kind = kindOf(notice.severity), .text = [text] {
                                return translateMessage(text, format::kMessageLength);
                            }});
    }
}

// A refusal may no longer apply after the run has changed.
void RunNotices::dismissRefusals()
{
    for (const QString& key : std::exchange(m_refusals, {})) {
        emit messageDismissed(key);
    }
}

// Ignores watch-only runs: the watch panel reports a lost connection, and other clients' connections are
// unknown.
void RunNotices::checkServer()
{
    const replay::RunState& state = m_model->state();
    const bool down = state.server.phase == trace::ServerPhase::down && !replay::onlyWatches(state);
    if (down == m_serverDown) {
        return;
    }
    m_serverDown = down;
    if (down) {
        m_serverTimer.start();
    } else {
        m_serverTimer.stop();
        emit messageDismissed(kServerKey);
    }
}

void RunNotices::postServerDown()
{
    const QString address = format::plain(m_model->state().server.address);
    const auto hint = [] {
        return tr("Clients are suspended until it answers again; by then their sessions may have expired.");
    };
    emit messagePosted({.key = kServerKey,
                        .kind = UserMessage::Kind::warning,
                        .text = [address] { return tr("ZooKeeper at %1 does not answer.").arg(address); },
                        .hint = hint,
                        .persistent = true});
}

} // namespace lockscope::ui

#include "moc_run_notices.cpp"
