// A message to the user: cause, remedy, and at most one button. A plain value.
#pragma once

#include <QMetaType>
#include <QString>

#include "ui/models/style/retranslate.h"

#include <functional>

namespace lockscope {
struct Error;
}

namespace lockscope::ui {

struct UserMessage
{
    enum class Kind { info, warning, error, progress };

    QString key; // a new message replaces the one with the same key
    Kind kind = Kind::info;
    TextProvider text{};       // what happened
    TextProvider hint{};       // what to do; may be empty
    TextProvider actionText{}; // the button's text; empty: no button
    std::function<void()> action{};
    int percent = -1;        // for a progress message; -1 = not known
    bool persistent = false; // stays until it is dismissed by the program: no close button, no time-out
};

// What failed, and what can be done about it.
UserMessage errorMessage(const QString& key, const Error& error);

} // namespace lockscope::ui

Q_DECLARE_METATYPE(lockscope::ui::UserMessage)
