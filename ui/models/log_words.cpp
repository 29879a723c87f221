#include "ui/models/log_words.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {
struct LogTexts
{
    Q_DECLARE_TR_FUNCTIONS(Log)
};
} // namespace

QString words(trace::Outcome outcome)
{
    switch (outcome) {
    case trace::Outcome::ok:
        return LogTexts::tr("ok");
    case trace::Outcome::noNode:
        return LogTexts::tr("no such node");
    case trace::Outcome::nodeExists:
        return LogTexts::tr("node exists");
    case trace::Outcome::refused:
        return LogTexts::tr("refused");
    case trace::Outcome::unknown:
        return LogTexts::tr("outcome unknown");
    case trace::Outcome::sessionGone:
        return LogTexts::tr("session gone");
    }
    return {};
}

QString words(trace::FailReason reason)
{
    switch (reason) {
    case trace::FailReason::timedOut:
        return LogTexts::tr("timed out");
    case trace::FailReason::cancelled:
        return LogTexts::tr("cancelled");
    case trace::FailReason::sessionLost:
        return LogTexts::tr("session lost");
    case trace::FailReason::retriesExhausted:
        return LogTexts::tr("retries exhausted");
    case trace::FailReason::error:
        return LogTexts::tr("error");
    }
    return {};
}

QString words(trace::LostReason reason)
{
    switch (reason) {
    case trace::LostReason::sessionExpired:
        return LogTexts::tr("session expired");
    case trace::LostReason::sessionKilled:
        return LogTexts::tr("session killed");
    case trace::LostReason::sessionTimedOut:
        return LogTexts::tr("session timed out");
    case trace::LostReason::nodeDeleted:
        return LogTexts::tr("node deleted");
    case trace::LostReason::closed:
        return LogTexts::tr("closed");
    }
    return {};
}

QString words(trace::SessionPhase phase)
{
    switch (phase) {
    case trace::SessionPhase::connecting:
        return LogTexts::tr("connecting");
    case trace::SessionPhase::connected:
        return LogTexts::tr("connected");
    case trace::SessionPhase::suspended:
        return LogTexts::tr("suspended");
    case trace::SessionPhase::lost:
        return LogTexts::tr("lost");
    case trace::SessionPhase::closed:
        return LogTexts::tr("closed");
    }
    return {};
}

} // namespace lockscope::ui
