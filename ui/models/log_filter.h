// What the protocol log shows: words that a line must contain, "who:" and "op:" that must match, and possibly
// one client alone. Parsed from what a person types. A plain value.
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/ids.h"
#include "ui/models/log_line.h"

namespace lockscope::ui {

struct LogFilter
{
    ClientId client = ClientId::none(); // only this one's
    QStringList words;
    QString who; // "who:bo", also "owner:bo"
    QString op;  // "op:getData"

    static LogFilter parse(const QString& text);
    bool everything() const { return !client.valid() && words.isEmpty() && who.isEmpty() && op.isEmpty(); }
    bool operator==(const LogFilter&) const = default;
    // Cheap tests first: the line is made only when a word must be looked for.
    bool passes(const trace::Event& event, const replay::RunState& state) const;
};

} // namespace lockscope::ui
