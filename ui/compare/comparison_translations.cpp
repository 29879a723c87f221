#include "ui/compare/comparison_translations.h"

#include <QCoreApplication>

#include <array>

namespace lockscope::ui {

namespace {

constexpr std::array kComparison{
    QT_TRANSLATE_NOOP("Comparison", "clients woken per release, mean of the run"),
    QT_TRANSLATE_NOOP("Comparison", "requests per acquisition"),
    QT_TRANSLATE_NOOP("Comparison", "handoff p50"),
    QT_TRANSLATE_NOOP("Comparison", "handoff p99"),
    QT_TRANSLATE_NOOP("Comparison", "wait p50"),
    QT_TRANSLATE_NOOP("Comparison", "wait p99"),
    QT_TRANSLATE_NOOP("Comparison", "acquisitions"),
    QT_TRANSLATE_NOOP("Comparison", "duration"),
    QT_TRANSLATE_NOOP("Comparison", "fairness (Jain)"),
    QT_TRANSLATE_NOOP("Comparison", "overtakings of one wait, at most"),
    QT_TRANSLATE_NOOP("Comparison", "waits that timed out"),
    QT_TRANSLATE_NOOP("Comparison", "findings"),
    QT_TRANSLATE_NOOP("Comparison", "too many holders at once"),
    QT_TRANSLATE_NOOP("Comparison", "order not kept"),
    QT_TRANSLATE_NOOP("Comparison", "a herd"),
    QT_TRANSLATE_NOOP("Comparison", "an orphan node"),
    QT_TRANSLATE_NOOP("Comparison", "a lost wake-up"),
    QT_TRANSLATE_NOOP("Comparison", "tokens that do not increase"),
    QT_TRANSLATE_NOOP("Comparison", "belief against the server"),
    QT_TRANSLATE_NOOP("Comparison", "a deadlock"),
    QT_TRANSLATE_NOOP("Comparison", "a stray watch"),
    QT_TRANSLATE_NOOP("Comparison", "all hold"),
    QT_TRANSLATE_NOOP("Comparison", "%1 × longer"),
    QT_TRANSLATE_NOOP("Comparison", "%1 × shorter"),
    QT_TRANSLATE_NOOP("Comparison", "%1 × more"),
    QT_TRANSLATE_NOOP("Comparison", "%1 × fewer"),
    QT_TRANSLATE_NOOP("Comparison", "%1 more"),
    QT_TRANSLATE_NOOP("Comparison", "%1 fewer"),
    QT_TRANSLATE_NOOP("Comparison", "%1 more violated"),
    QT_TRANSLATE_NOOP("Comparison", "%1 fewer violated"),
    QT_TRANSLATE_NOOP("Comparison", "as many violated"),
    QT_TRANSLATE_NOOP("Comparison", "%1 higher"),
    QT_TRANSLATE_NOOP("Comparison", "%1 lower"),
    QT_TRANSLATE_NOOP("Comparison", "equal"),
    QT_TRANSLATE_NOOP("Comparison", "not compared")};

QString translatePhrase(const char* context, const trace::Phrase& phrase)
{
    if (!phrase.source)
        return QString::fromStdString(phrase.text);
    const QString words = QCoreApplication::translate(context, phrase.source);
    switch (phrase.values.size()) {
    case 0:
        return words;
    case 1:
        return words.arg(translatePhrase(context, phrase.values[0]));
    case 2:
        return words.arg(translatePhrase(context, phrase.values[0]), translatePhrase(context, phrase.values[1]));
    default:
        return words.arg(translatePhrase(context, phrase.values[0]), translatePhrase(context, phrase.values[1]),
                         translatePhrase(context, phrase.values[2]));
    }
}

} // namespace

QString translateComparison(const trace::Phrase& phrase) { return translatePhrase("Comparison", phrase); }
std::span<const char* const> comparisonSources() { return kComparison; }

} // namespace lockscope::ui
