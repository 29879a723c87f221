#include "ui/texts/outcome_text.h"

#include "ui/texts/texts.h"

namespace lockscope::ui {

QString outcomeText(trace::Outcome outcome)
{
    static constexpr const char* kOutcomes[]{
        //: the outcome of a request
        QT_TRANSLATE_NOOP("Texts", "ok"), QT_TRANSLATE_NOOP("Texts", "no such node"),
        QT_TRANSLATE_NOOP("Texts", "node exists"),
        //: the outcome of a request
        QT_TRANSLATE_NOOP("Texts", "refused"), QT_TRANSLATE_NOOP("Texts", "outcome unknown"),
        QT_TRANSLATE_NOOP("Texts", "session ended")};
    return enumText<trace::Outcome::sessionGone>(kOutcomes, outcome);
}

QString outcomeText(trace::FailReason reason)
{
    static constexpr const char* kReasons[]{QT_TRANSLATE_NOOP("Texts", "timed out"),
                                            //: why a wait for the lock failed
                                            QT_TRANSLATE_NOOP("Texts", "canceled"),
                                            QT_TRANSLATE_NOOP("Texts", "session lost"),
                                            QT_TRANSLATE_NOOP("Texts", "retries exhausted"),
                                            //: why a wait for the lock failed
                                            QT_TRANSLATE_NOOP("Texts", "error")};
    return enumText<trace::FailReason::error>(kReasons, reason);
}

QString outcomeText(trace::LostReason reason)
{
    static constexpr const char* kReasons[]{
        QT_TRANSLATE_NOOP("Texts", "session expired"), QT_TRANSLATE_NOOP("Texts", "session killed"),
        QT_TRANSLATE_NOOP("Texts", "session timed out"), QT_TRANSLATE_NOOP("Texts", "node deleted"),
        QT_TRANSLATE_NOOP("Texts", "session closed")};
    return enumText<trace::LostReason::closed>(kReasons, reason);
}

QString outcomeText(trace::SessionPhase phase)
{
    static constexpr const char* kPhases[]{//: of a session
                                           QT_TRANSLATE_NOOP("Texts", "connecting"),
                                           //: of a session
                                           QT_TRANSLATE_NOOP("Texts", "connected"),
                                           //: of a session: without contact with the server
                                           QT_TRANSLATE_NOOP("Texts", "suspended"),
                                           //: of a session
                                           QT_TRANSLATE_NOOP("Texts", "lost"),
                                           //: of a session: ended by its client
                                           QT_TRANSLATE_NOOP("Texts", "closed")};
    return enumText<trace::SessionPhase::closed>(kPhases, phase);
}

} // namespace lockscope::ui
