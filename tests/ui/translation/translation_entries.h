// The entries of the translation files (.ts), and a check for Chinese text. For tests.
#pragma once

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace lockscope::ui::test {

struct TranslationEntry
{
    QString context, source, translation;
    QString state; // empty when it is finished
    std::string name() const { return QStringLiteral("%1: %2").arg(context, source).toStdString(); }
};

std::vector<TranslationEntry> translationEntries(const QString& path);
// The entries of "lockscope_zh_CN.ts" or "lockscope_en.ts" after resources/translations/update has read the
// sources again, into a temporary folder. The script runs once in a process.
std::vector<TranslationEntry> updatedEntries(const QString& fileName);

// "%1" and "%n" in a text, sorted, as often as each occurs.
QStringList placesIn(const QString& text);

bool hasChinese(const QString& text);

} // namespace lockscope::ui::test
