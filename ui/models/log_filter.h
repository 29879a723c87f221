// What the protocol log shows, parsed from what a person types: words that a line must contain, "quoted
// phrases", key:value (client, op, node, lock, kind, after, before; who is the log's own column), and a minus
// in front of what must not be. All terms must hold. A plain value.
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "ui/models/log_line.h"

#include <optional>
#include <vector>

namespace lockscope::ui {

struct LogTerm
{
    enum class Key { word, client, who, op, node, lock, kind, after, before };
    Key key = Key::word;
    QString value;
    Duration time{}; // of after and before
    bool negated = false;
    bool operator==(const LogTerm&) const = default;
};

struct LogFilter
{
    ClientId client = ClientId::none(); // only this one's
    std::vector<LogTerm> terms;

    static LogFilter parse(const QString& text); // what of it can be understood
    bool matchesAll() const { return !client.valid() && terms.empty(); }
    bool operator==(const LogFilter&) const = default;
    // Cheap tests first: the line is made only when a word must be looked for.
    bool passes(const trace::Event& event, const replay::RunState& state) const;
};

// Where a filter cannot be understood, and what was expected there.
struct LogFilterError
{
    qsizetype at = 0; // the first wrong character, counted from 0
    qsizetype length = 1;
    QString text;
    QString words() const; // with where it is
};

struct ParsedLogFilter
{
    LogFilter filter;
    std::optional<LogFilterError> fault; // the first one
};
ParsedLogFilter parseLogFilter(const QString& text);

// What may stand instead of the word in which the cursor is: it begins at `from`.
struct LogFilterCompletions
{
    qsizetype from = 0;
    QStringList words;
};
LogFilterCompletions logFilterCompletions(const QString& text, qsizetype cursor, const replay::RunState& state);

} // namespace lockscope::ui
