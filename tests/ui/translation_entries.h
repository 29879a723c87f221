// The entries of a file of translations (.ts), for tests.
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

} // namespace lockscope::ui::test
