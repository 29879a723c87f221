// The core's messages in the window's language: the sentence is translated (context "Core"), the arguments
// are put into it. The sentences are found in the core's sources by resources/translations/update. Pure; any
// thread.
#pragma once

#include "core/base/error.h"
#include "core/trace/event.h"

#include <QString>

namespace lockscope::ui {

// Plain text. Each argument is capped to maxLength characters.
QString translateMessage(MessageView message, int maxLength = 300);
// A word of the core that may have a translation: "leader", "stock", the name of a finding. Other text stays
// unchanged.
QString translateCoreText(std::string_view text, int maxLength = 120);

struct ErrorText
{
    QString text; // both are plain and capped
    QString hint; // may be empty

    QString all() const { return hint.isEmpty() ? text : text + u' ' + hint; }
};

ErrorText errorText(const Error& error);

// "cut, 50 ms slower each way"; empty when nothing is wrong.
QString linkFaultText(const trace::LinkState& link);

} // namespace lockscope::ui
