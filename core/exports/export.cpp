#include "core/exports/export.h"

#include "core/exports/chrome_trace.h"
#include "core/exports/html_report.h"
#include "core/exports/tables.h"

namespace lockscope::exports {

std::span<const KindRow> kinds()
{
    static const KindRow rows[] = {
        {Kind::chrome, "chrome", "opens in ui.perfetto.dev", "-perfetto", "json",
         message("&Trace for Perfetto…"),
         message("Saves the timeline as a file for ui.perfetto.dev and chrome://tracing."),
         message("json chrome"), message("Export the Trace"), message("Traces for Perfetto (*.json)"),
         chromeTrace},
        {Kind::handoffs, "csv", "the handoffs", "-handoffs", "csv", message("&Handoffs as CSV…"),
         message("A table with one row per handoff: both clients and the time of each step."),
         message("csv table"), message("Export the Handoffs"), message("Tables (*.csv)"), handoffsCsv},
        {Kind::clients, "clients", "the clients, as CSV", "-clients", "csv", message("&Clients as CSV…"),
         message("A table with one row per client: acquisitions, waiting times and holding times."),
         message("csv table"), message("Export the Clients"), message("Tables (*.csv)"), clientsCsv},
        {Kind::waits, "waits", "the waits, as CSV", "-waits", "csv", message("&Waits as CSV…"),
         message("A table with one row per wait, and where its time went."), message("csv table"),
         message("Export the Waits"), message("Tables (*.csv)"), waitsCsv},
        {Kind::report, "html", "a page that needs nothing else", "", "html", message("&Report as HTML…"),
         message("Saves findings, numbers and pictures as one self-contained HTML file."),
         message("html report page"), message("Export a Report"), message("Pages (*.html)"), htmlReport},
    };
    return rows;
}

} // namespace lockscope::exports
