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

constexpr std::array kLoad{
    QT_TRANSLATE_NOOP("ComparedLoad", "hold"),
    QT_TRANSLATE_NOOP("ComparedLoad", "think"),
    QT_TRANSLATE_NOOP("ComparedLoad", "cycles"),
    QT_TRANSLATE_NOOP("ComparedLoad", "run time"),
    QT_TRANSLATE_NOOP("ComparedLoad", "re-entries"),
    QT_TRANSLATE_NOOP("ComparedLoad", "waits at most"),
    QT_TRANSLATE_NOOP("ComparedLoad", "permits"),
    QT_TRANSLATE_NOOP("ComparedLoad", "arrival"),
    QT_TRANSLATE_NOOP("ComparedLoad", "pace"),
    QT_TRANSLATE_NOOP("ComparedLoad", "locks"),
    QT_TRANSLATE_NOOP("ComparedLoad", "servers"),
    QT_TRANSLATE_NOOP("ComparedLoad", "deeds of the script"),
    QT_TRANSLATE_NOOP("ComparedLoad", "writes"),
    QT_TRANSLATE_NOOP("ComparedLoad", "what single clients do"),
    QT_TRANSLATE_NOOP("ComparedLoad", "clients"),
    QT_TRANSLATE_NOOP("ComparedLoad", "%1 %2 against %3"),
    QT_TRANSLATE_NOOP("ComparedLoad", "no limit"),
    QT_TRANSLATE_NOOP("ComparedLoad", "%1 on average"),
    QT_TRANSLATE_NOOP("ComparedLoad", "at once"),
    QT_TRANSLATE_NOOP("ComparedLoad", "all together"),
    QT_TRANSLATE_NOOP("ComparedLoad", "%1 together"),
    QT_TRANSLATE_NOOP("ComparedLoad", "one every %1"),
    QT_TRANSLATE_NOOP("ComparedLoad", "one every %1 on average"),
    QT_TRANSLATE_NOOP("ComparedLoad", "Not the same load: %1."),
    QT_TRANSLATE_NOOP("ComparedLoad", "A trace does not say what its load was: it may not be the same.")};

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
QString workloadNotice(const trace::Phrase& phrase) { return translatePhrase("ComparedLoad", phrase); }
std::span<const char* const> comparisonSources() { return kComparison; }
std::span<const char* const> loadSources() { return kLoad; }

} // namespace lockscope::ui
