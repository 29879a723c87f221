// A message of the window for the user: cause, remedy, and at most one button. A plain
// value.
#pragma once

#include <QMetaType>
#include <QString>

#include "ui/models/retranslate.h"

#include <functional>

namespace lockscope {
struct Error;
}

namespace lockscope::ui {

struct UserMessage
{
    enum class Kind { info, warning, error, progress };

    QString key; // a message with the key of one that is shown takes its place
    Kind kind = Kind::info;
    TextProvider text{};       // what happened
    TextProvider hint{};       // what to do, may be missing
    TextProvider actionText{}; // a button; none without it
    std::function<void()> action{};
    int percent = -1;        // of a progress message; -1 = not known
    bool persistent = false; // goes away only by itself: no close button, no time-out
};

// What failed, and what can be done about it.
UserMessage errorMessage(const QString& key, const Error& error);

} // namespace lockscope::ui

Q_DECLARE_METATYPE(lockscope::ui::UserMessage)
