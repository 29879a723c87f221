// The texts of a history in the current language. Pure; GUI thread.
#pragma once

#include "core/history/history.h"

#include <QString>

namespace lockscope::ui {

QString toText(history::Recipe recipe);
QString toText(const history::Gap& gap);
QString toText(const history::NeverConfirmed& transactions);
QString toText(const history::RuleFinding& finding);
QString toText(const history::HistoryReader::ClockJump& jump);
QString utcText(std::int64_t timeMs);       // "2026-11-23 03:04:05.678"
QString localTimeText(std::int64_t timeMs); // "2026-11-23 04:04:05.678 CET"
QString millisecondsText(std::int64_t ms);
// States that a log does not contain the beliefs of clients.
QString serverViewOnlyText();

} // namespace lockscope::ui
