#include "ui/texts/command_text.h"

#include "core/trace/command_verb.h"
#include "ui/models/style/fault_table.h"
#include "ui/models/style/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

struct CommandText
{
    Q_DECLARE_TR_FUNCTIONS(Commands)
};

const VerbText* commandOf(trace::Text name)
{
    const trace::CommandVerb verb = trace::commandVerb(name);
    const auto* known = std::find_if(kVerbTexts.begin(), kVerbTexts.end(),
                                     [verb](const VerbText& one) { return one.verb == verb; });
    return known == kVerbTexts.end() ? nullptr : known;
}

} // namespace

QString commandText(trace::Text name, const QString& whom)
{
    const VerbText* known = commandOf(name);
    if (!known) {
        const QString words = format::plain(name, 40).replace(u'_', u' ');
        return whom.isEmpty() ? words : CommandText::tr("%1 %2").arg(words, whom);
    }
    return whom.isEmpty() || !known->ofClient ? CommandText::tr(known->withoutClient)
                                              : CommandText::tr(known->ofClient).arg(whom);
}

QString commandDoneText(trace::Text name, const QString& whom)
{
    const VerbText* known = commandOf(name);
    if (known && known->done && !whom.isEmpty())
        return CommandText::tr(known->done).arg(whom);
    return known && known->doneWithoutClient && whom.isEmpty() ? CommandText::tr(known->doneWithoutClient)
                                                               : commandText(name, whom);
}

} // namespace lockscope::ui
