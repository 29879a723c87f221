#include "ui/texts/outcome_text.h"

#include "ui/texts/texts.h"

namespace lockscope::ui {

QString outcomeText(trace::Outcome outcome)
{
    switch (outcome) {
    case trace::Outcome::ok:
        //: the outcome of a request
        return Texts::tr("ok");
    case trace::Outcome::noNode:
        return Texts::tr("no such node");
    case trace::Outcome::nodeExists:
        return Texts::tr("node exists");
    case trace::Outcome::refused:
        //: the outcome of a request
        return Texts::tr("refused");
    case trace::Outcome::unknown:
        return Texts::tr("outcome unknown");
    case trace::Outcome::sessionGone:
        return Texts::tr("session ended");
    }
    return {};
}

QString outcomeText(trace::FailReason reason)
{
    switch (reason) {
    case trace::FailReason::timedOut:
        return Texts::tr("timed out");
    case trace::FailReason::cancelled:
        //: why a wait for the lock failed
        return Texts::tr("canceled");
    case trace::FailReason::sessionLost:
        return Texts::tr("session lost");
    case trace::FailReason::retriesExhausted:
        return Texts::tr("retries exhausted");
    case trace::FailReason::error:
        //: why a wait for the lock failed
        return Texts::tr("error");
    }
    return {};
}

QString outcomeText(trace::LostReason reason)
{
    switch (reason) {
    case trace::LostReason::sessionExpired:
        return Texts::tr("session expired");
    case trace::LostReason::sessionKilled:
        return Texts::tr("session killed");
    case trace::LostReason::sessionTimedOut:
        return Texts::tr("session timed out");
    case trace::LostReason::nodeDeleted:
        return Texts::tr("node deleted");
    case trace::LostReason::closed:
        return Texts::tr("session closed");
    }
    return {};
}

QString outcomeText(trace::SessionPhase phase)
{
    switch (phase) {
    case trace::SessionPhase::connecting:
        //: of a session
        return Texts::tr("connecting");
    case trace::SessionPhase::connected:
        //: of a session
        return Texts::tr("connected");
    case trace::SessionPhase::suspended:
        //: of a session: without contact with the server
        return Texts::tr("suspended");
    case trace::SessionPhase::lost:
        //: of a session
        return Texts::tr("lost");
    case trace::SessionPhase::closed:
        //: of a session: ended by its client
        return Texts::tr("closed");
    }
    return {};
}

} // namespace lockscope::ui
