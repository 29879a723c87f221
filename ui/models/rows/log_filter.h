// The filter of the protocol log, parsed from what a person types: words that a line must contain, "quoted
// phrases", key:value (client, op, node, lock, kind, after, before; who is the log's own column), and a minus
// in front of a term that must not match. All terms must match. A plain value; any thread.
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "ui/texts/event_text.h"

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
    ClientId client = ClientId::none(); // only its events
    std::vector<LogTerm> terms;

    static LogFilter parse(const QString& text); // the terms that are valid
    bool matchesAll() const { return !client.valid() && terms.empty(); }
    bool operator==(const LogFilter&) const = default;
    // Formats the line only when a word must be searched in it.
    bool passes(const trace::Event& event, const replay::RunState& state) const;
};

// Where a filter is invalid, and what was expected there.
struct LogFilterError
{
    qsizetype at = 0; // the first wrong character, counted from 0
    qsizetype length = 1;
    QString text;
    QString message() const; // the text and its position
};

struct ParsedLogFilter
{
    LogFilter filter;
    std::optional<LogFilterError> fault; // the first one
};
ParsedLogFilter parseLogFilter(const QString& text);

// The words that may replace the one at the cursor, which begins at `from`.
struct LogFilterCompletions
{
    qsizetype from = 0;
    QStringList words;
};
LogFilterCompletions logFilterCompletions(const QString& text, qsizetype cursor,
                                          const replay::RunState& state);

} // namespace lockscope::ui
