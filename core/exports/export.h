// The kinds of exports, one row for each: the command line, its page of help and the window derive from it.
#pragma once

#include "core/exports/export_sink.h"
#include "core/exports/html_report.h"

#include <array>
#include <string_view>
#include <vector>

namespace lockscope::exports {

enum class Kind { handoffs, clients, chrome, report };

struct KindRow
{
    Kind kind;
    std::string_view name;   // on the command line
    std::string_view does;   // for its page of help
    std::string_view ending; // of a file's name, behind that of the run
    std::string_view suffix; // of a file, without the dot
};

inline constexpr std::array<KindRow, 4> kKinds{
    {{Kind::chrome, "chrome", "opens in ui.perfetto.dev", "-perfetto", "json"},
     {Kind::handoffs, "csv", "the handoffs", "-handoffs", "csv"},
     {Kind::clients, "clients", "the clients, as CSV", "-clients", "csv"},
     {Kind::report, "html", "a page that needs nothing else", "", "html"}}};

// `pictures` are used only in the report.
bool write(Kind kind, const ExportSource& source, const std::vector<Picture>& pictures,
           const ExportSink& out);

} // namespace lockscope::exports
