// The only formatter of the durations, counts and ids that a person sees. Text from outside goes through
// plain().
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::ui::format {

// A wait among others: with enough digits to distinguish neighbors in a long queue.
QString waitTime(Duration value); // "17.31 ms", "2.449 412 s", "12.092 s"
QString duration(Duration value); // "0.24 ms", "112 ms", "1.2 s", "3 min 4 s"; three digits at most
// For durations that are shown side by side: one unit for all, and enough digits to distinguish them. A
// duration too short for three decimals is "<0.001".
struct Scale
{
    QString unit; // "ms"
    QStringList numbers;
};
Scale scale(const std::vector<Duration>& durations);
QString axisTime(TraceTime value, Duration step); // tick label: unit from the step: "100 ms", "1.2 s"
QString timestamp(TraceTime value);               // "1.006 312" seconds, microseconds grouped
QString moment(TraceTime value);                  // "1.006 312 s": a moment of the run in a sentence
QString defaultClientName(ClientId client);       // of a client without a name: "client 3" for the id 2
// By the wall clock, in local time. `zero` is time zero of the run by the wall clock; none: the trace does
// not contain it.
using WallTime = std::chrono::sys_time<Duration>;
QString wallTime(TraceTime value, WallTime zero);                    // "14:03:21.006 312"
QString axisWallTime(TraceTime value, Duration step, WallTime zero); // tick label: as exact as the step
QString wallMoment(TraceTime value,
                   std::optional<WallTime> zero); // with the date, or a note that it is unknown
QString momentTip(TraceTime value, std::optional<WallTime> zero); // moment() and wallMoment(), a line each
QString eventNumber(EventIndex event); // counted from 1, as "event 29,652 of 59,308" is; files count from 0
QString count(quint64 value);          // "18,204" by locale
QString zxid(Zxid value);              // "0x1f3"
QString session(SessionId value);      // all digits
QString sessionShort(SessionId value, int digits = 4); // "0x…93a1": its last digits
QString sequenceShort(std::string_view nodeName);      // "…0185"
QString sequenceNumber(std::string_view nodeName);     // "185"; the whole name, capped, when it has no number
QString nodeShort(std::string_view nodeName);          // "_c_258cf713…-lock-"
QString ratio(double value);                           // "0.98", "43.6", "182": three digits
QString decimal(double value, int digits);             // "1,234.50" by locale, with `digits` decimals
QString percent(double share);                         // 0.5 is "50 %"
// Text from outside: control and bidi characters made visible, length capped with an ellipsis.
QString plain(std::string_view text, int most = 120); // `most` UTF-16 units, the ellipsis included
inline constexpr int kMessageLength = 600;            // of text from outside in a message
QString fileName(const QString& path);                // without its folder
// All of it, for a copy: control, bidi and other hidden characters as "\u202E", a backslash as two.
QString escaped(std::string_view text);
// Escapes only hidden characters from U+007F on: for text that is right below it, for example JSON.
QString hiddenEscaped(const QString& text);
// For a tool tip: the text is shown literally, even if it looks like markup.
QString toolTip(const QString& text);
// "&Save as…" is "Save as…", and "另存为(&A)…" is "另存为…".
QString withoutMnemonic(QString text);

} // namespace lockscope::ui::format
