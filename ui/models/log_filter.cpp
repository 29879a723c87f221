#include "ui/models/log_filter.h"

#include <algorithm>

namespace lockscope::ui {

LogFilter LogFilter::parse(const QString& text)
{
    LogFilter filter;
    for (const QString& word : text.simplified().split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype colon = word.indexOf(u':');
        const QStringView key = QStringView(word).left(std::max<qsizetype>(colon, 0));
        if (key == u"op" && colon + 1 < word.size())
            filter.op = word.mid(colon + 1);
        else if ((key == u"who" || key == u"owner") && colon + 1 < word.size())
            filter.who = word.mid(colon + 1);
        else
            filter.words.append(word);
    }
    return filter;
}

bool LogFilter::passes(const trace::Event& event, const replay::RunState& state) const
{
    if (client.valid() && event.client != client)
        return false;
    if (!op.isEmpty() && logVerb(event).compare(op, Qt::CaseInsensitive) != 0)
        return false;
    if (words.isEmpty() && who.isEmpty())
        return true;
    const LogLine line = logLine(event, state);
    if (!who.isEmpty() && line.who.compare(who, Qt::CaseInsensitive) != 0)
        return false;
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return line.text.contains(word, Qt::CaseInsensitive) || line.who.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace lockscope::ui
