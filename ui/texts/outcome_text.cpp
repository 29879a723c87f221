#include "ui/texts/outcome_text.h"

#include <QCoreApplication>

namespace lockscope::ui {

namespace {
struct OutcomeText
{
    Q_DECLARE_TR_FUNCTIONS(Log)
};
} // namespace

QString outcomeText(trace::Outcome outcome)
{
    switch (outcome) {
    case trace::Outcome::ok:
        //: the outcome of a request
        return OutcomeText::tr("ok");
    case trace::Outcome::noNode:
        return OutcomeText::tr("no such node");
    case trace::Outcome::nodeExists:
        return OutcomeText::tr("node exists");
    case trace::Outcome::refused:
        //: the outcome of a request
        return OutcomeText::tr("refused");
    case trace::Outcome::unknown:
        return OutcomeText::tr("outcome unknown");
    case trace::Outcome::sessionGone:
        return OutcomeText::tr("session ended");
    }
    return {};
}

QString outcomeText(trace::FailReason reason)
{
    switch (reason) {
    case trace::FailReason::timedOut:
        return OutcomeText::tr("timed out");
    case trace::FailReason::cancelled:
        //: why a wait for the lock failed
        return OutcomeText::tr("canceled");
    case trace::FailReason::sessionLost:
        return OutcomeText::tr("session lost");
    case trace::FailReason::retriesExhausted:
        return OutcomeText::tr("retries exhausted");
    case trace::FailReason::error:
        //: why a wait for the lock failed
        return OutcomeText::tr("error");
    }
    return {};
}

QString outcomeText(trace::LostReason reason)
{
    switch (reason) {
    case trace::LostReason::sessionExpired:
        return OutcomeText::tr("session expired");
    case trace::LostReason::sessionKilled:
        return OutcomeText::tr("session killed");
    case trace::LostReason::sessionTimedOut:
        return OutcomeText::tr("session timed out");
    case trace::LostReason::nodeDeleted:
        return OutcomeText::tr("node deleted");
    case trace::LostReason::closed:
        return OutcomeText::tr("session closed");
    }
    return {};
}

QString outcomeText(trace::SessionPhase phase)
{
    switch (phase) {
    case trace::SessionPhase::connecting:
        //: of a session
        return OutcomeText::tr("connecting");
    case trace::SessionPhase::connected:
        //: of a session
        return OutcomeText::tr("connected");
    case trace::SessionPhase::suspended:
        //: of a session: without contact with the server
        return OutcomeText::tr("suspended");
    case trace::SessionPhase::lost:
        //: of a session
        return OutcomeText::tr("lost");
    case trace::SessionPhase::closed:
        //: of a session: ended by its client
        return OutcomeText::tr("closed");
    }
    return {};
}

} // namespace lockscope::ui
