// The kinds of exports, one row for each: the command line, its page of help, and the window's menu derive
// from it.
#pragma once

#include "core/base/message.h"
#include "core/exports/folded_trace.h"

#include <span>
#include <string_view>

namespace lockscope::exports {

enum class Kind { chrome, handoffs, clients, waits, report };

struct KindRow
{
    Kind kind;
    std::string_view name;   // on the command line
    std::string_view does;   // for its page of help
    std::string_view ending; // of a file's name, behind that of the run
    std::string_view suffix; // of a file, without the dot
    Message entry;           // of the window's menu
    Message explanation;
    Message keywords;
    Message title; // of the question for the file
    Message files; // "Tables (*.csv)"
    bool (*write)(const ExportSource& source, const ExportSink& out);
};

std::span<const KindRow> kinds(); // in the order of Kind
inline const KindRow& rowOf(Kind kind) { return kinds()[static_cast<std::size_t>(kind)]; }

} // namespace lockscope::exports
