// The entries of a file of translations (.ts), and what language a text is in, for tests.
#pragma once

#include <QString>

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

bool hasChinese(const QString& text);

} // namespace lockscope::ui::test
