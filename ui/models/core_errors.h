// What failed, and what is wrong with a connection, in the person's language. The core says both in English;
// here they are said by their kinds, and what only the English sentence knows follows as the hint. Pure; any
// thread.
#pragma once

#include "core/base/error.h"
#include "core/trace/event.h"

#include <QString>

namespace lockscope::ui {

struct ErrorWords
{
    QString text; // plain and capped, both
    QString hint; // may be empty

    QString all() const { return hint.isEmpty() ? text : text + u' ' + hint; }
};

ErrorWords errorWords(const Error& error);

// "cut, 50 ms slower each way"; empty when nothing is wrong.
QString linkFaultWords(const trace::LinkState& link);

} // namespace lockscope::ui
