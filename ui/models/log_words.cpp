#include "ui/models/log_words.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {
struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Log)
};
} // namespace

QString words(trace::Outcome outcome)
{
    switch (outcome) {
    case trace::Outcome::ok:
        return Words::tr("ok");
    case trace::Outcome::noNode:
        return Words::tr("no such node");
    case trace::Outcome::nodeExists:
        return Words::tr("node exists");
    case trace::Outcome::refused:
        return Words::tr("refused");
    case trace::Outcome::unknown:
        return Words::tr("outcome unknown");
    case trace::Outcome::sessionGone:
        return Words::tr("session gone");
    }
    return {};
}

QString words(trace::FailReason reason)
{
    switch (reason) {
    case trace::FailReason::timedOut:
        return Words::tr("timed out");
    case trace::FailReason::cancelled:
        return Words::tr("cancelled");
    case trace::FailReason::sessionLost:
        return Words::tr("session lost");
    case trace::FailReason::retriesExhausted:
        return Words::tr("retries exhausted");
    case trace::FailReason::error:
        return Words::tr("error");
    }
    return {};
}

QString words(trace::LostReason reason)
{
    switch (reason) {
    case trace::LostReason::sessionExpired:
        return Words::tr("session expired");
    case trace::LostReason::sessionKilled:
        return Words::tr("session killed");
    case trace::LostReason::sessionTimedOut:
        return Words::tr("session timed out");
    case trace::LostReason::nodeDeleted:
        return Words::tr("node deleted");
    case trace::LostReason::closed:
        return Words::tr("closed");
    }
    return {};
}

QString words(trace::SessionPhase phase)
{
    switch (phase) {
    case trace::SessionPhase::connecting:
        return Words::tr("connecting");
    case trace::SessionPhase::connected:
        return Words::tr("connected");
    case trace::SessionPhase::suspended:
        return Words::tr("suspended");
    case trace::SessionPhase::lost:
        return Words::tr("lost");
    case trace::SessionPhase::closed:
        return Words::tr("closed");
    }
    return {};
}

} // namespace lockscope::ui
