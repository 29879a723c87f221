#include "ui/compare/compare_words.h"

#include "core/replay/comparison_words.h"
#include "ui/compare/phrases.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockscope::ui::compare_words {

namespace {

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

} // namespace

QString title(replay::Measure measure) { return comparisonWords({replay::measureTitle(measure), {}, {}}); }

QString value(replay::Measure measure, const std::optional<double>& value)
{
    return QString::fromStdString(replay::valueText(measure, value));
}

QString ratio(const replay::ComparisonRow& row, const replay::LoadMatch& load)
{
    return comparisonWords(replay::standing(row, load));
}

QString finding(replay::FindingKind kind)
{
    const std::string_view title = replay::findingTitle(kind);
    return QCoreApplication::translate("Findings",
                                       QByteArray(title.data(), static_cast<qsizetype>(title.size())));
}

QString broken(replay::FindingKind kind) { return comparisonWords({replay::brokenWords(kind), {}, {}}); }

QString findings(const std::vector<replay::FindingKind>& violated)
{
    if (violated.empty()) {
        return comparisonWords({replay::noneBrokenWords(), {}, {}});
    }
    QStringList names;
    for (const replay::FindingKind kind : violated) {
        names.append(broken(kind));
    }
    return QStringLiteral("✗ ") + names.join(Words::tr(", "));
}

} // namespace lockscope::ui::compare_words
