// What a history is told with in the window, in the language of now. Pure; GUI thread.
#pragma once

#include "core/history/history.h"

#include <QString>

namespace lockscope::ui {

QString words(history::Recipe recipe);
// "cannot be read: Permission denied"; with the file and the byte where that is known.
QString words(const history::Damage& damage);
QString words(const history::Gap& gap);
QString words(const history::HistoryReader::ClockJump& jump);
QString utc(std::int64_t timeMs);       // "2026-11-23 03:04:05.678"
QString localTime(std::int64_t timeMs); // "2026-11-23 04:04:05.678 CET"
QString ofMilliseconds(std::int64_t ms);
// That no client's belief is in it.
QString serversWordAlone();

} // namespace lockscope::ui
