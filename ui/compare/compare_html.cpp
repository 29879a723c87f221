#include "ui/compare/compare_html.h"

#include "ui/models/style/palette.h"
#include "ui/texts/compare_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <numeric>
#include <vector>

namespace lockscope::ui {

namespace {

struct ComparePageText // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(ComparePage)
};

// The page has the colors of its pictures, whatever the reader's browser prefers.
QString coloursOf(bool dark)
{
    const Palette palette = dark ? Palette::darkTheme() : Palette::light();
    return QStringLiteral(
               "\n:root { color-scheme: %1; --ink: %2; --muted: %3; --line: %4; --page: %5; --card: %6;\n"
               "        --good: %7; --bad: %8; --differs: %9; }")
        .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"), palette.text.name(),
             palette.textMuted.name(), palette.cardBorder.name(), palette.window.name(), palette.card.name(),
             palette.holdsText.name(), palette.staleText.name(), palette.waitsText.name());
}

const char* const kStyle = R"(
body { font: 15px/1.45 Inter, "Segoe UI", sans-serif; font-feature-settings: "calt" 0; color: var(--ink); background: var(--page); margin: 24px auto;
       max-width: 1280px; padding: 0 16px; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin: 0; } p { margin: 4px 0; color: var(--muted); }
.runs { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px; margin-bottom: 14px; }
img { max-width: 100%; height: auto; margin-top: 8px; }
table { border-collapse: collapse; width: 100%; } td, th { padding: 5px 10px; border-bottom: 1px solid var(--line); }
td, th { text-align: right; } td:first-child, th:first-child { text-align: left; font-weight: normal; white-space: nowrap; }
thead th { color: var(--muted); } .better { color: var(--good); font-weight: 600; } .violated { color: var(--bad); }
.differs { color: var(--differs); }
li { margin: 2px 0; }
)";

QString escaped(const QString& text) { return text.toHtmlEscaped(); }

QString image(const QByteArray& png, const QString& words)
{
    return QStringLiteral("<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
        .arg(escaped(words), QString::fromLatin1(png.toBase64()));
}

QString sideHtml(const ComparePageSide& side)
{
    QString html =
        QStringLiteral("<section>\n<h2>%1</h2>\n<p>%2</p>\n").arg(escaped(side.label), escaped(side.facts));
    html += image(side.chain, ComparePageText::tr("The queue of %1: %2").arg(side.label, side.sentence));
    html += image(side.lanes, ComparePageText::tr("The handoff timeline of %1").arg(side.label));
    return html + QStringLiteral("</section>\n");
}

QString cell(const QString& words, bool better, bool violated)
{
    return better     ? QStringLiteral("<td class=\"better\">✓ %1</td>").arg(escaped(words))
           : violated ? QStringLiteral("<td class=\"violated\">%1</td>").arg(escaped(words))
                      : QStringLiteral("<td>%1</td>").arg(escaped(words));
}

QString tableHtml(const ComparePage& page)
{
    QString html =
        QStringLiteral("<section>\n<h2>%1</h2>\n<table>\n<thead><tr><th></th><th>%2</th><th>%3</th>"
                       "<th>%4</th></tr></thead>\n<tbody>\n")
            //: heading of the table that compares two runs
            .arg(escaped(ComparePageText::tr("Verdict")), escaped(page.sides[0].brief),
                 escaped(page.sides[1].brief), escaped(ComparePageText::tr("left compared with right")));
    const replay::Comparison comparison = replay::withoutWorkloadEffects(page.comparison, page.load.match);
    for (const replay::ComparisonRow& row : comparison.rows) {
        const auto sideCell = [&](replay::Better side, const std::vector<replay::FindingKind>& violated) {
            return cell(compare_words::value(comparison, row, side),
                        !row.displaysEqual() && row.better == side,
                        row.measure == replay::Measure::findings && !violated.empty());
        };
        html +=
            QStringLiteral("<tr><th scope=\"row\">%1</th>").arg(escaped(compare_words::title(row.measure))) +
            sideCell(replay::Better::a, comparison.violatedA) +
            sideCell(replay::Better::b, comparison.violatedB) +
            QStringLiteral("<td>%1</td></tr>\n").arg(escaped(compare_words::ratio(row, page.load.match)));
    }
    return html + QStringLiteral("</tbody>\n</table>\n</section>\n");
}

QString findingsHtml(const ComparePageSide& side)
{
    QString html = QStringLiteral("<section>\n<h2>%1</h2>\n<ul>\n")
                       .arg(escaped(ComparePageText::tr("Findings of %1").arg(side.brief)));
    std::vector<std::size_t> order(replay::kFindingKinds);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return !side.findings.all[i].ok(); });
    for (const std::size_t i : order) {
        const replay::Finding& finding = side.findings.all[i];
        //: of a finding: it is not kept
        const QString verdict = !finding.ok() ? ComparePageText::tr("VIOLATED") + QStringLiteral(" · ")
                                //: of a finding: it is kept
                                : finding.checked > 0 ? ComparePageText::tr("holds") + QStringLiteral(" · ")
                                                      : QString(); // the sentence contains the verdict
        html += QStringLiteral("<li class=\"%1\">%2: %3%4</li>\n")
                    .arg(finding.ok() ? QStringLiteral("holds") : QStringLiteral("violated"),
                         escaped(compare_words::finding(finding.kind)), escaped(verdict),
                         escaped(side.sentences[i]));
    }
    return html + QStringLiteral("</ul>\n</section>\n");
}

} // namespace

QByteArray compareHtml(const ComparePage& page)
{
    const QString title =
        ComparePageText::tr("LockScope: %1 and %2").arg(page.sides[0].brief, page.sides[1].brief);
    QString html =
        QStringLiteral(
            "<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width\">\n<title>")
            .arg(QLocale().bcp47Name());
    html += escaped(title) + QStringLiteral("</title>\n<style>") + coloursOf(page.dark) +
            QString::fromLatin1(kStyle) + QStringLiteral("</style>\n</head>\n<body>\n<h1>") + escaped(title) +
            QStringLiteral("</h1>\n<p>") + escaped(page.subtitle) +
            QStringLiteral("</p>\n<p class=\"differs\">") + escaped(page.load.words) +
            QStringLiteral("</p>\n<div class=\"runs\">\n") + sideHtml(page.sides[0]) +
            sideHtml(page.sides[1]) + QStringLiteral("</div>\n") + tableHtml(page) +
            QStringLiteral("<div class=\"runs\">\n") + findingsHtml(page.sides[0]) +
            findingsHtml(page.sides[1]) + QStringLiteral("</div>\n</body>\n</html>\n");
    return html.toUtf8();
}

} // namespace lockscope::ui
