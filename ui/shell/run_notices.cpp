#include "ui/shell/run_notices.h"

#include "core/base/error.h"
#include "ui/models/core_sentences.h"
#include "ui/models/format.h"
#include "ui/models/run_model.h"

#include <utility>
#include <variant>

namespace lockscope::ui {

namespace {

const QString kFailureKey = QStringLiteral("failure");
const QString kServerKey = QStringLiteral("server");

Message::Kind kindOf(trace::Severity severity)
{
    switch (severity) {
    case trace::Severity::info:
        return Message::Kind::info;
    case trace::Severity::warning:
        return Message::Kind::warning;
    case trace::Severity::error:
        return Message::Kind::error;
    }
    return Message::Kind::info;
}

} // namespace

RunNotices::RunNotices(RunModel* model, QObject* parent)
    : QObject(parent)
    , m_model(model)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(kSilenceMs);
    connect(&m_patience, &QTimer::timeout, this, &RunNotices::sayServerDown);
    connect(model, &RunModel::runChanged, this, &RunNotices::newRun);
    connect(model, &RunModel::phaseChanged, this, &RunNotices::lookAtPhase);
    connect(model, &RunModel::stateChanged, this, &RunNotices::lookAtState);
}

void RunNotices::newRun()
{
    m_lastSeen = EventIndex::none();
    m_failed = false;
    m_serverDown = false;
    m_patience.stop();
    dropRefusals();
    emit unsaid(kFailureKey);
    emit unsaid(kServerKey);
}

void RunNotices::lookAtPhase()
{
    engine::Engine* engine = m_model->engine();
    if (!engine || engine->phase() != engine::Phase::failed || m_failed) {
        return;
    }
    m_failed = true;
    m_patience.stop();
    emit unsaid(kServerKey);
    const Error error = engine->failure().value_or(Error{ErrorCode::internal, "The run failed.", ""});
    Message failure = errorMessage(kFailureKey, error);
    failure.actionText = [] { return tr("Try again"); };
    failure.action = [this] { emit tryAgain(); };
    emit said(failure);
}

void RunNotices::lookAtState()
{
    if (!m_model->isLive() || !m_model->following()) {
        if (m_serverDown && !m_model->isLive()) {
            m_serverDown = false;
            m_patience.stop();
            emit unsaid(kServerKey);
        }
        return;
    }
    lookAtServer();
    const std::uint64_t grants = m_model->state().statistics.acquired;
    if (grants != m_grantsBefore)
        dropRefusals();
    for (const replay::NoticeRow& notice : m_model->state().notices) {
        if (m_lastSeen.valid() && notice.event <= m_lastSeen) {
            continue;
        }
        m_lastSeen = notice.event;
        const QString text = format::plain(notice.text, format::kMessageLength);
        const QString key = QStringLiteral("notice:") + text;
        if (std::holds_alternative<trace::CommandRefused>(m_model->store()->at(notice.event).what)) {
            m_refusals << key;
            m_grantsBefore = grants;
        }
        emit said({.key = key, .kind = kindOf(notice.severity), .text = [text] { return retold(text); }});
    }
}

// What was refused is soon no longer so.
void RunNotices::dropRefusals()
{
    for (const QString& key : std::exchange(m_refusals, {})) {
        emit unsaid(key);
    }
}

void RunNotices::lookAtServer()
{
    const bool down = m_model->state().server.phase == trace::ServerPhase::down;
    if (down == m_serverDown) {
        return;
    }
    m_serverDown = down;
    if (down) {
        m_patience.start();
    } else {
        m_patience.stop();
        emit unsaid(kServerKey);
    }
}

void RunNotices::sayServerDown()
{
    const QString address = format::plain(m_model->state().server.address);
    const auto hint = [] {
        return tr("Clients are suspended; they go on or lose their sessions when it comes back.");
    };
    emit said({.key = kServerKey,
               .kind = Message::Kind::warning,
               .text = [address] { return tr("ZooKeeper at %1 does not answer.").arg(address); },
               .hint = hint,
               .stays = true});
}

} // namespace lockscope::ui
