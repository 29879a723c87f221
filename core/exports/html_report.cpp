#include "core/exports/html_report.h"

#include "core/exports/drawings.h"
#include "core/exports/text_format.h"
#include "core/replay/findings/wording.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>

namespace lockscope::exports {

namespace {

using replay::wording::counted;
using replay::wording::duration;
using replay::wording::groupDigits;

constexpr double kFoldingForHtml = 0.9;
constexpr std::size_t kMaxClients = 200, kMaxMarks = 100;

constexpr std::string_view kStyle = R"(<style>
:root { color-scheme: light dark; --page:#f6f7f9; --card:#fff; --line:#dcdfe4; --text:#1b1f24; --quiet:#5d6672;
  --hold:#2f8f5b; --wait:#e0a93a; --wake:#6d4bd0; --cold:#3d7fc4; --bad:#c8362f; }
@media (prefers-color-scheme: dark) { :root { --page:#14171b; --card:#1d2126; --line:#363c44; --text:#e6e9ed;
  --quiet:#9aa4b0; --hold:#4cb47c; --wait:#d9a441; --wake:#a48cf0; --cold:#6aa6e6; --bad:#f0746c; } }
body { margin:0 auto; max-width:64rem; padding:1.5rem; background:var(--page); color:var(--text);
  font:15px/1.5 Inter,system-ui,sans-serif; font-feature-settings:"calt" 0; }
h1 { font-size:1.5rem; margin:0 0 .2rem; } h2 { font-size:1.05rem; margin:0 0 .6rem; }
section { background:var(--card); border:1px solid var(--line); border-radius:8px; padding:1rem 1.2rem; margin:1rem 0; }
table { border-collapse:collapse; width:100%; } th,td { text-align:left; padding:.3rem .8rem .3rem 0; vertical-align:top;
  border-top:1px solid var(--line); overflow-wrap:anywhere; } tr:first-child > * { border-top:0; } td:first-child { white-space:nowrap; }
section p:last-child { margin-bottom:0; }
th { font-weight:600; } @media (min-width:40rem) { th { white-space:nowrap; } }
td.n,th.n { text-align:right; font-variant-numeric:tabular-nums; } .quiet { color:var(--quiet); fill:var(--quiet); }
.ok { color:var(--hold); font-weight:600; white-space:nowrap; } .bad { color:var(--bad); font-weight:600; white-space:nowrap; }
.scroll { overflow-x:auto; } svg { width:100%; height:auto; font:12px Inter,system-ui,sans-serif; font-feature-settings:"calt" 0; } svg text { fill:var(--text); } svg text.quiet { fill:var(--quiet); }
.waiting { fill:var(--wait); opacity:.75; } .holding { fill:var(--hold); } .releasing { fill:var(--hold); opacity:.45; } .bar { fill:var(--cold); } .tick { stroke:var(--quiet); } .grid { stroke:var(--line); }
.suspended { fill:none; stroke:var(--quiet); stroke-dasharray:3 2; } .frozen { fill:var(--cold); opacity:.55; stroke:var(--cold); }
.stale { fill:url(#hatch); stroke:var(--bad); } .hatch { fill:var(--bad); } img { max-width:100%; height:auto; border:1px solid var(--line); border-radius:6px; }
ul.key { list-style:none; padding:0; margin:.4rem 0 0; display:flex; gap:1.2rem; flex-wrap:wrap; } ul.key svg { width:22px; height:12px; vertical-align:-1px; }
</style>
)";

constexpr std::string_view kKey =
    R"(<ul class="key"><li><svg viewBox="0 0 22 12"><rect class="waiting" y="3" width="22" height="6"/></svg> waits</li>
<li><svg viewBox="0 0 22 12"><rect class="holding" width="22" height="12"/></svg> holds</li>
<li><svg viewBox="0 0 22 12"><rect class="releasing" y="3" width="22" height="6"/></svg> waits for the answer to its release</li>
<li><svg viewBox="0 0 22 12"><rect class="stale" x="1" y="1" width="20" height="10"/></svg> believes to hold and does not</li>
<li><svg viewBox="0 0 22 12"><rect class="frozen" x="1" y="1" width="20" height="10"/></svg> frozen</li>
<li><svg viewBox="0 0 22 12"><rect class="suspended" x="1" y="1" width="20" height="10"/></svg> without contact</li></ul>
)";

class Page
{
public:
    Page(const ExportSource& source, const FoldedTrace& folded, std::string& text)
        : m_source(source)
        , m_folded(folded)
        , m_text(text)
    {}

    void head();
    void findings();
    void numbers();
    void drawings();
    void clients();
    void marks();
    void picture(const Picture& picture);

private:
    template <class... T>
    void put(fmt::format_string<T...> format, T&&... values)
    {
        fmt::format_to(std::back_inserter(m_text), format, std::forward<T>(values)...);
    }
    void row(std::string_view name, const std::string& value)
    {
        put("<tr><th>{}</th><td class=\"n\">{}</td></tr>\n", name, html(value));
    }
    // Goes below a table that has only the first rows.
    void noteIfCut(std::size_t shown, std::size_t all)
    {
        if (all > shown)
            put("<p class=\"quiet\">The first {} of {}.</p>\n", shown, groupDigits(all));
    }

    const ExportSource& m_source;
    const FoldedTrace& m_folded;
    std::string& m_text;
};

std::string wallClock(std::int64_t nanoseconds)
{
    using namespace std::chrono;
    const sys_seconds at(floor<seconds>(Duration(nanoseconds)));
    const auto day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss time(at - day);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count());
}

void Page::head()
{
    const trace::Header& header = m_source.store.header();
    const replay::RunState& state = m_folded.state;
    const std::string name = !header.title.empty()     ? header.title
                             : header.scenario.empty() ? "A run"
                                                       : header.scenario;
    // The scenario's title may name another number of clients than the run had.
    const std::string title = name + " \u00b7 " + counted(state.clients.size(), "client", "clients");
    put("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n",
        html(title + " - LockScope"));
    m_text += kStyle;
    put("</head><body>\n<h1>{}</h1>\n<p class=\"quiet\">", html(title));
    std::string facts = counted(m_source.count, "event", "events") + ", " + duration(m_folded.took);
    for (const replay::LockRow& lock : state.locks)
        facts += ". " + plain(lock.path) + ": " + plain(lock.recipe) +
                 (lock.handoff.empty() ? "" : ", handoff " + plain(lock.handoff));
    if (!state.server.version.empty())
        facts += ". ZooKeeper " + plain(state.server.version);
    m_text += html(facts, 600) + ".";
    put("<br>Scenario {}, seed {}.", html(header.scenario.empty() ? "unknown" : header.scenario),
        header.seed);
    if (header.wallNanoseconds > 0)
        put(" Recorded {}.", wallClock(header.wallNanoseconds));
    m_text += "</p>\n";
}

void Page::findings()
{
    const auto& all = m_folded.state.findings.all;
    const auto bad =
        std::count_if(all.begin(), all.end(), [](const replay::Finding& one) { return !one.ok(); });
    const auto used =
        std::count_if(all.begin(), all.end(), [](const replay::Finding& one) { return one.checked > 0; });
    put("<section><h2>Findings: {}</h2>\n<table>\n", bad > 0
                                                         ? fmt::format("{} of {} violated", bad, all.size())
                                                     : used > 0 ? fmt::format("{} checked, all hold", used)
                                                                : std::string("nothing to check"));
    std::vector<const replay::Finding*> rows;
    for (const replay::Finding& finding : all)
        rows.push_back(&finding);
    std::stable_partition(rows.begin(), rows.end(), [](const replay::Finding* one) { return !one->ok(); });
    for (const replay::Finding* finding : rows) {
        const bool open = finding->ok() && finding->checked == 0;
        put("<tr><td class=\"{}\">{}</td><th>{}</th><td>{}",
            open            ? "quiet"
            : finding->ok() ? "ok"
                            : "bad",
            open            ? "\u2013 not checked"
            : finding->ok() ? "\u2713 holds"
                            : "\u2717 violated",
            html(trace::findingRule(finding->kind).title.english()), html(finding->detail().english()));
        if (!finding->ok())
            put("<br><span class=\"quiet\">{} of {} checked, first at {}</span>",
                counted(finding->violated, "time", "times"), groupDigits(finding->checked),
                finding->violations.empty() ? "an unknown time" : duration(finding->violations.front().time));
        m_text += "</td></tr>\n";
    }
    m_text += "</table></section>\n";
}

void Page::numbers()
{
    const replay::Statistics& all = m_folded.state.statistics;
    m_text += "<section><h2>Numbers</h2>\n<table>\n";
    row("Acquisitions", groupDigits(all.acquired));
    row("Re-entries", groupDigits(all.reentered));
    row("Timed out", groupDigits(all.timedOut));
    row("Failed otherwise", groupDigits(all.failed));
    const auto times = [](const replay::Histogram& one) {
        return one.count() == 0 ? std::string("none")
                                : fmt::format("p50 {}, p90 {}, p99 {}, longest {}",
                                              duration(one.percentile(50)), duration(one.percentile(90)),
                                              duration(one.percentile(99)), duration(one.max()));
    };
    row("Handoff, from release to the next holder", times(all.handoff));
    row("Wait, from the call to the lock", times(all.wait));
    row("Clients woken per release", fmt::format("{:.2f}", all.wakeUpsPerRelease()));
    row("Requests per acquisition", fmt::format("{:.2f}", all.requestsPerAcquisition()));
    row("Fairness (Jain's index, 1 = equal shares)", fmt::format("{:.3f}", all.fairness()));
    row("Longest overtaking of one acquire", groupDigits(all.longestOvertaking));
    m_text += "</table></section>\n";
}

void Page::drawings()
{
    const std::size_t clients = m_folded.state.clients.size();
    m_text += "<section><h2>Timeline</h2>\n";
    m_text += lanesDrawing(m_folded) + std::string(kKey);
    if (clients > kMaxLanes)
        put("<p class=\"quiet\">The first {} of {} clients.</p>\n", kMaxLanes, groupDigits(clients));
    m_text += "</section>\n";
    if (const std::string bars = handoffDrawing(m_folded.state.statistics.handoff); !bars.empty())
        put("<section><h2>Handoff times</h2>\n{}<p class=\"quiet\">How many handoffs took how long; the "
            "slowest hundredth may lie beyond the axis.</p></section>\n",
            bars);
}

void Page::clients()
{
    const auto& rows = m_folded.state.clients;
    const bool processes =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.process.empty(); });
    put("<section><h2>Clients</h2>\n<table>\n<tr><th>Name</th><th class=\"n\">Acquired</th>"
        "<th class=\"n\">Failed</th>{}</tr>\n",
        processes ? "<th>Process</th>" : "");
    for (std::size_t i = 0; i < std::min(rows.size(), kMaxClients); ++i) {
        put("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>",
            html(clientName(m_folded.state, rows[i].id)), groupDigits(rows[i].acquired),
            groupDigits(rows[i].failed));
        if (processes)
            put("<td>{}</td>", html(rows[i].process));
        m_text += "</tr>\n";
    }
    m_text += "</table>\n";
    noteIfCut(kMaxClients, rows.size());
    m_text += "</section>\n";
}

void Page::marks()
{
    std::vector<replay::Mark> marks;
    m_folded.timeline.marks(TraceTime::zero(), kForever, m_source.count + 1, marks);
    if (marks.empty())
        return;
    m_text += "<section><h2>What was done to the run</h2>\n<table>\n";
    for (const replay::Mark& mark : std::span(marks).first(std::min(marks.size(), kMaxMarks)))
        put("<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n", duration(mark.at), html(mark.name()),
            html(clientName(m_folded.state, mark.client)));
    m_text += "</table>\n";
    noteIfCut(kMaxMarks, marks.size());
    m_text += "</section>\n";
}

void Page::picture(const Picture& picture)
{
    put("<section><h2>{0}</h2>\n<img alt=\"{0}\" src=\"data:{1};base64,", html(picture.title),
        html(picture.mime));
    m_text += base64(picture.bytes) + "\"></section>\n";
}

} // namespace

bool htmlReport(const ExportSource& source, const ExportSink& out)
{
    const std::optional<FoldedTrace> folded = foldTrace(source, out, kFoldingForHtml);
    if (!folded)
        return false;
    ExportWriter writer(out);
    Page page(source, *folded, writer.text());
    page.head();
    page.findings();
    page.numbers();
    page.drawings();
    for (const Picture& picture : source.pictures) {
        page.picture(picture);
        if (!writer.step(kFoldingForHtml))
            return false;
    }
    page.clients();
    page.marks();
    writer.text() += "</body></html>\n";
    return writer.finish();
}

} // namespace lockscope::exports
