// All texts of the protocol: on arrows, in notes, folds and tool tips. Text from outside is plain and capped.
// Pure; any thread.
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include "core/replay/protocol/protocol.h"
#include "core/replay/timeline/timeline.h"
#include "ui/models/style/format.h"
#include "ui/texts/event_text.h"

namespace lockscope::ui {

class RunModel;

class ProtocolText
{
    Q_DECLARE_TR_FUNCTIONS(Texts)
public:
    static EventLabel label(const trace::TraceStore& store, const replay::ProtocolMessage& message);
    static EventLabel note(const trace::TraceStore& store, const replay::ProtocolNote& note);
    static QString lost();
    // Of a quiet stretch and a pause of the run in it, those that are worth a word; zero: it is not.
    static QString fold(Duration quiet, Duration pause, TraceTime until, bool known); // known: not estimated
    static QString foldUpToNow(Duration quiet, Duration pause);

    static QString messageTip(const trace::TraceStore& store, const replay::ProtocolMessage& message,
                              const QString& who);
    static QString noteTip(const trace::TraceStore& store, const replay::ProtocolNote& note,
                           const QString& who);
    static QString barTip(const replay::Span& span, const QString& who, TraceTime now);
    static QString handoffTip(const replay::Handoff& handoff, const QString& from, const QString& to);

    static QString server();
    // `help`: how to see the hidden lanes.
    static QString caption(std::size_t lanes, std::size_t hidden, TraceTime end, bool following,
                           bool help = true);
    static QString emptyText(const RunModel& run); // why there is nothing to see

private:
    static QString withPause(const QString& text, Duration pause);
};

} // namespace lockscope::ui
