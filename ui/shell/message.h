// Something the window has to tell its person: cause, what to do, and at most one thing to click. A plain
// value.
#pragma once

#include <QMetaType>
#include <QString>

#include <functional>

namespace lockscope::ui {

struct Message
{
    enum class Kind { info, warning, error, progress };

    QString key; // a message with the key of one that is shown takes its place
    Kind kind = Kind::info;
    QString text{};       // what happened
    QString hint{};       // what to do, may be empty
    QString actionText{}; // a button; empty = none
    std::function<void()> action{};
    int percent = -1;   // of a progress message; -1 = not known
    bool stays = false; // goes away only by itself: no close button, no time-out
};

} // namespace lockscope::ui

Q_DECLARE_METATYPE(lockscope::ui::Message)
