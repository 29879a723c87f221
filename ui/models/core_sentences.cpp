#include "ui/models/core_sentences.h"

#include "ui/models/core_phrases.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <initializer_list>
#include <optional>
#include <vector>

namespace lockscope::ui {

namespace {

constexpr const char* kContext = "Core";
constexpr const char* kParserContext = "Parser";

struct Pattern
{
    explicit Pattern(const char* text)
        : source(text)
    {
        const QString words = QString::fromUtf8(text);
        static const QRegularExpression place(QStringLiteral("%\\d"));
        const QStringList fixed = words.split(place);
        head = fixed.front();
        tail = fixed.back();
        endsInReason = fixed.size() > 1 && fixed[fixed.size() - 2].endsWith(QLatin1String(": "));
        QStringList escaped;
        for (const QString& each : fixed) {
            escaped << QRegularExpression::escape(each);
        }
        form.setPattern(QRegularExpression::anchoredPattern(escaped.join(QStringLiteral("(.+?)"))));
    }

    const char* source;
    QString head, tail;        // a quick look before the slow one
    bool endsInReason = false; // the last place stands behind a colon
    QRegularExpression form;
};

using Patterns = std::vector<Pattern>;

Patterns patternsOf(std::initializer_list<phrases::List> lists)
{
    Patterns all;
    for (const phrases::List& list : lists) {
        for (const char* each : list) {
            all.emplace_back(each);
        }
    }
    return all;
}

QString said(const char* source, const char* context = kContext)
{
    return QCoreApplication::translate(context, source);
}

QString filled(const QString& words, const QStringList& values)
{
    switch (values.size()) {
    case 0:
        return words;
    case 1:
        return words.arg(values[0]);
    case 2:
        return words.arg(values[0], values[1]);
    case 3:
        return words.arg(values[0], values[1], values[2]);
    default:
        return words.arg(values[0], values[1], values[2], values[3]);
    }
}

// "Structure needs cleaning", "java: Exec format error": what the system says and nobody here knows, told
// as its own words. What is to be typed and lists of names begin otherwise.
QString asSystemsWords(const QString& reason)
{
    static const QRegularExpression form(
        QRegularExpression::anchoredPattern(QStringLiteral("(?:\\S+: )?[A-Z][a-z]+[ /][ -~]*[^.]")));
    return form.match(reason).hasMatch()
               ? said(QT_TRANSLATE_NOOP("Core", "the system says \"%1\"")).arg(reason)
               : reason;
}

// %2 of one text may be a text of its own.
using Retell = QString (*)(const QString& text);

std::optional<QString> matched(const Patterns& patterns, const QString& text, Retell part,
                               const char* context = kContext)
{
    for (const Pattern& pattern : patterns) {
        if (!text.startsWith(pattern.head) || !text.endsWith(pattern.tail)) {
            continue;
        }
        const QRegularExpressionMatch found = pattern.form.match(text);
        if (!found.hasMatch()) {
            continue;
        }
        QStringList values;
        for (int i = 1; i <= found.lastCapturedIndex(); ++i) {
            const QString told = part(found.captured(i));
            const bool unknown = told == found.captured(i);
            values << (unknown && pattern.endsInReason && i == found.lastCapturedIndex()
                           ? asSystemsWords(told)
                           : told);
        }
        return filled(said(pattern.source, context), values);
    }
    return {};
}

const Patterns& sentences()
{
    static const Patterns all =
        patternsOf({phrases::told(), phrases::errorsOfLocks(), phrases::errorsOfFiles()});
    return all;
}

QString partRetold(const QString& text)
{
    static const Patterns parts = patternsOf({phrases::partsOfErrors(), phrases::partsOfTold()});
    if (const auto found = matched(parts, text, partRetold)) {
        return *found;
    }
    // An error that brought about another one.
    return text.endsWith('.') ? matched(sentences(), text, partRetold).value_or(text) : text;
}

QString parserPartRetold(const QString& text)
{
    static const Patterns parts = patternsOf({phrases::parser()});
    return matched(parts, text, parserPartRetold, kParserContext).value_or(text);
}

// "run.toml:3:5: Error while parsing array: encountered end-of-file.": what the parser of TOML says, by its
// kinds of mistakes; of one that is not known its own words, as such.
std::optional<QString> parserRetold(const QString& text)
{
    static const QRegularExpression form(QRegularExpression::anchoredPattern(
        QStringLiteral("(?:(.+:\\d+:\\d+): )?(?:Error while parsing ([a-z -]+): )?(.+)\\.")));
    const QRegularExpressionMatch found = form.match(text);
    const QString kind = found.captured(2), what = found.captured(3), told = parserPartRetold(what);
    if (!found.hasMatch() || (kind.isEmpty() && told == what)) {
        return {};
    }
    const QString words =
        told != what ? told : said(QT_TRANSLATE_NOOP("Core", "the parser says \"%1\"")).arg(what);
    const QString all =
        kind.isEmpty() ? words + said(QT_TRANSLATE_NOOP("Core", "."))
                       : said(QT_TRANSLATE_NOOP("Core", "in the %1, %2.")).arg(parserPartRetold(kind), words);
    return found.captured(1).isEmpty()
               ? all
               : said(QT_TRANSLATE_NOOP("Core", "%1: %2")).arg(found.captured(1), all);
}

// "bad.toml: The pace is over a minute a step." and "lock-7: the node does not exist.": what is told of
// something.
std::optional<QString> ofSomethingRetold(const QString& text)
{
    if (!text.endsWith('.')) {
        return {};
    }
    for (auto colon = text.indexOf(QStringLiteral(": ")); colon > 0;
         colon = text.indexOf(QStringLiteral(": "), colon + 1)) {
        const QString rest = text.mid(colon + 2);
        if (const auto sentence = matched(sentences(), rest, partRetold)) {
            return said(QT_TRANSLATE_NOOP("Core", "%1: %2")).arg(text.left(colon), *sentence);
        }
        if (const QString part = rest.chopped(1), told = partRetold(part); told != part) {
            return said(QT_TRANSLATE_NOOP("Core", "%1: %2.")).arg(text.left(colon), told);
        }
    }
    return {};
}

std::optional<QString> circleRetold(const QString& text)
{
    static const Patterns clauses = patternsOf({phrases::clauses()});
    if (!text.endsWith('.')) {
        return {};
    }
    QStringList all;
    for (const QString& each : text.chopped(1).split(QStringLiteral(", "))) {
        const auto clause = matched(clauses, each, partRetold);
        if (!clause) {
            return {};
        }
        all << *clause;
    }
    return all.join(said(QT_TRANSLATE_NOOP("Core", ", "))) + said(QT_TRANSLATE_NOOP("Core", "."));
}

// An error's message and its hint, and several of these, one behind the other.
std::optional<QString> allRetold(const QString& text)
{
    for (auto stop = text.indexOf(QStringLiteral(". ")); stop > 0;
         stop = text.indexOf(QStringLiteral(". "), stop + 1)) {
        const auto message = matched(sentences(), text.left(stop + 1), partRetold);
        if (!message) {
            continue;
        }
        const QString rest = text.mid(stop + 2);
        auto others = allRetold(rest);
        others = others ? others : matched(sentences(), rest, partRetold);
        if (others) {
            return *message + *others;
        }
    }
    return {};
}

} // namespace

QString retold(const QString& text)
{
    if (said(QT_TRANSLATE_NOOP("Core", ".")) == QLatin1String(".")) {
        return text; // English as it is
    }
    static const Patterns modes = patternsOf({phrases::modes()});
    if (const auto found = matched(modes, text, partRetold)) {
        return *found;
    }
    if (const auto found = allRetold(text)) {
        return *found;
    }
    if (const auto found = matched(sentences(), text, partRetold)) {
        return *found;
    }
    for (const auto known : {circleRetold, parserRetold, ofSomethingRetold}) {
        if (const auto found = known(text)) {
            return *found;
        }
    }
    return text;
}

namespace {

QStringList textsOf(std::initializer_list<phrases::List> lists)
{
    QStringList all;
    for (const phrases::List& list : lists) {
        for (const char* each : list) {
            all << QString::fromUtf8(each);
        }
    }
    return all;
}

} // namespace

QStringList knownSentences()
{
    return textsOf({phrases::told(), phrases::errorsOfLocks(), phrases::errorsOfFiles(), phrases::clauses()});
}

QStringList knownParts()
{
    return textsOf({phrases::partsOfTold(), phrases::partsOfErrors(), phrases::modes()});
}

} // namespace lockscope::ui
