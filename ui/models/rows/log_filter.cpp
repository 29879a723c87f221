#include "ui/models/rows/log_filter.h"

#include "core/trace/event_fields.h"
#include "ui/models/run/logged_event.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lockscope::ui {

namespace {

struct LogFilterText // lives only to give the texts of this file a translation context
{
    Q_DECLARE_TR_FUNCTIONS(LogFilter)
};

using Key = LogTerm::Key;

struct KeyName
{
    QLatin1String name;
    Key key;
};
constexpr std::array<KeyName, 9> kKeys{{{QLatin1String("client"), Key::client},
                                        {QLatin1String("op"), Key::op},
                                        {QLatin1String("node"), Key::node},
                                        {QLatin1String("lock"), Key::lock},
                                        {QLatin1String("kind"), Key::kind},
                                        {QLatin1String("after"), Key::after},
                                        {QLatin1String("before"), Key::before},
                                        {QLatin1String("who"), Key::who},
                                        {QLatin1String("owner"), Key::who}}};
constexpr std::size_t kCompletedKeys = 7; // only these are offered; the others are accepted too

QString text(std::string_view from) { return QString::fromUtf8(from); }

bool holds(const LogTerm& term, const trace::Event& event, const replay::RunState& state)
{
    const auto in = [&](const QString& where) { return where.contains(term.value, Qt::CaseInsensitive); };
    switch (term.key) {
    case Key::after:
        return event.at >= term.time;
    case Key::before:
        return event.at < term.time;
    case Key::op:
        return logVerb(event).compare(term.value, Qt::CaseInsensitive) == 0;
    case Key::kind:
        return logKind(event).compare(term.value, Qt::CaseInsensitive) == 0;
    case Key::node:
        return in(logNode(event));
    case Key::lock: {
        const replay::LockRow* lock = event.lock.valid() ? state.lock(event.lock) : nullptr;
        return lock && in(text(lock->path));
    }
    case Key::client: {
        const replay::ClientRow* client = event.client.valid() ? state.client(event.client) : nullptr;
        return client && text(client->name).compare(term.value, Qt::CaseInsensitive) == 0;
    }
    case Key::who:
        return logLine(event, state).who.compare(term.value, Qt::CaseInsensitive) == 0;
    case Key::word:
        break;
    }
    const LogLine line = logLine(event, state);
    return in(line.text) || in(line.who);
}

// "1.2s", "250ms", "30us"; a number alone is seconds.
std::optional<Duration> timeFrom(const QString& value)
{
    struct Unit
    {
        QLatin1String name;
        double nanoseconds;
    };
    constexpr std::array<Unit, 5> kUnits{{{QLatin1String("ns"), 1},
                                          {QLatin1String("us"), 1e3},
                                          {QLatin1String("ms"), 1e6},
                                          {QLatin1String("min"), 60e9},
                                          {QLatin1String("s"), 1e9}}};
    QStringView number = value;
    double factor = 1e9;
    for (const Unit& unit : kUnits)
        if (value.endsWith(unit.name)) {
            number.chop(unit.name.size());
            factor = unit.nanoseconds;
            break;
        }
    bool good = false;
    const double amount = number.toDouble(&good);
    if (!good || !(amount >= 0) || amount * factor > 9e18)
        return {};
    return Duration(static_cast<Duration::rep>(amount * factor + 0.5));
}

class Parser
{
public:
    explicit Parser(const QString& typed)
        : m_text(typed)
    {}
    ParsedLogFilter parse()
    {
        while (skipSpace())
            term();
        return std::move(m_parsed);
    }

private:
    bool skipSpace()
    {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
        return m_at < m_text.size();
    }
    void fault(qsizetype at, qsizetype length, const QString& words)
    {
        if (!m_parsed.fault)
            m_parsed.fault = LogFilterError{at, std::max<qsizetype>(1, length), words};
    }
    void term();
    std::optional<QString> value();
    bool fill(LogTerm& term, const QString& name, qsizetype nameAt);

    const QString& m_text;
    qsizetype m_at = 0;
    ParsedLogFilter m_parsed;
};

// Up to the next space, or a quoted phrase without its quotes; nothing when its end is missing.
std::optional<QString> Parser::value()
{
    if (m_at < m_text.size() && m_text[m_at] == u'"') {
        const qsizetype begin = m_at + 1, end = m_text.indexOf(u'"', begin);
        if (end < 0) {
            fault(m_at, 1, LogFilterText::tr("this quotation mark is not closed."));
            m_at = m_text.size();
            return {};
        }
        m_at = end + 1;
        return m_text.mid(begin, end - begin);
    }
    const qsizetype begin = m_at;
    while (m_at < m_text.size() && !m_text[m_at].isSpace())
        ++m_at;
    return m_text.mid(begin, m_at - begin);
}

void Parser::term()
{
    LogTerm term;
    if (m_text[m_at] == u'-') {
        term.negated = true;
        const qsizetype minus = m_at++;
        if (m_at >= m_text.size() || m_text[m_at].isSpace()) {
            fault(minus, 1,
                  LogFilterText::tr("expected a term after the minus: what a line must not contain."));
            return;
        }
    }
    // A key is of letters only: an address such as 127.0.0.1:2181 is a word.
    qsizetype colon = m_at;
    while (colon < m_text.size() && m_text[colon].isLetter())
        ++colon;
    if (colon > m_at && colon < m_text.size() && m_text[colon] == u':') {
        const qsizetype nameAt = m_at;
        const QString name = m_text.mid(m_at, colon - m_at);
        m_at = colon + 1;
        if (fill(term, name, nameAt))
            m_parsed.filter.terms.push_back(std::move(term));
        return;
    }
    if (const std::optional<QString> word = value(); word && !word->isEmpty()) {
        term.value = *word;
        m_parsed.filter.terms.push_back(std::move(term));
    }
}

bool Parser::fill(LogTerm& term, const QString& name, qsizetype nameAt)
{
    const qsizetype valueAt = m_at;
    const std::optional<QString> given = value();
    if (!given)
        return false;
    const auto key = std::find_if(kKeys.begin(), kKeys.end(), [&](const KeyName& one) {
        return name.compare(one.name, Qt::CaseInsensitive) == 0;
    });
    if (key == kKeys.end()) {
        fault(
            nameAt, name.size(),
            LogFilterText::tr("unknown key. Expected client, op, node, lock, kind, after or before; put text "
                              "with a colon in quotation marks."));
        return false;
    }
    if (given->isEmpty()) {
        fault(valueAt - 1, 1, LogFilterText::tr("expected a value after the colon."));
        return false;
    }
    term.key = key->key;
    term.value = *given;
    if (term.key == Key::after || term.key == Key::before) {
        const std::optional<Duration> time = timeFrom(*given);
        if (!time) {
            fault(valueAt, given->size(), LogFilterText::tr("expected a time such as 1.2s or 250ms."));
            return false;
        }
        term.time = *time;
    }
    if (term.key == Key::kind && std::none_of(kLogKinds.begin(), kLogKinds.end(), [&](QLatin1String kind) {
            return given->compare(kind, Qt::CaseInsensitive) == 0;
        })) {
        fault(valueAt, given->size(),
              LogFilterText::tr("expected request, reply, watch, lock, session or run."));
        return false;
    }
    return true;
}

QString quotedIfNeeded(const QString& value) { return value.contains(u' ') ? u'"' + value + u'"' : value; }

QStringList valuesOf(Key key, const replay::RunState& state)
{
    constexpr std::size_t kMaxCompletions = 200;
    QStringList values;
    if (key == Key::client)
        for (std::size_t i = 0; i < std::min(kMaxCompletions, state.clients.size()); ++i)
            values << quotedIfNeeded(text(state.clients[i].name));
    else if (key == Key::lock)
        for (const replay::LockRow& lock : state.locks)
            values << quotedIfNeeded(text(lock.path));
    else if (key == Key::kind)
        for (const QLatin1String kind : kLogKinds)
            values << kind;
    else if (key == Key::op)
        for (const std::string_view op : enumNames(Operation{}))
            values << text(op);
    return values;
}

} // namespace

QString LogFilterError::message() const
{
    return LogFilterText::tr("Character %1: %2").arg(QString::number(at + 1), text);
}

LogFilter LogFilter::parse(const QString& text) { return parseLogFilter(text).filter; }

ParsedLogFilter parseLogFilter(const QString& text) { return Parser(text).parse(); }

bool LogFilter::passes(const trace::Event& event, const replay::RunState& state) const
{
    if (client.valid() && event.client != client)
        return false;
    const auto isCheap = [](const LogTerm& term) { return term.key != Key::word && term.key != Key::who; };
    for (const bool cheap : {true, false})
        for (const LogTerm& term : terms)
            if (isCheap(term) == cheap && holds(term, event, state) == term.negated)
                return false;
    return true;
}

LogFilterCompletions logFilterCompletions(const QString& text, qsizetype cursor,
                                          const replay::RunState& state)
{
    qsizetype from = std::clamp<qsizetype>(cursor, 0, text.size());
    while (from > 0 && !text[from - 1].isSpace())
        --from;
    QString word = text.mid(from, cursor - from);
    if (word.startsWith(u'-')) {
        word.remove(0, 1);
        ++from;
    }
    LogFilterCompletions offers{from, {}};
    const qsizetype colon = word.indexOf(u':');
    QStringList all;
    if (colon < 0) {
        for (std::size_t i = 0; i < kCompletedKeys; ++i)
            all << kKeys[i].name + u':';
    } else {
        for (const KeyName& one : kKeys)
            if (word.left(colon).compare(one.name, Qt::CaseInsensitive) == 0)
                for (const QString& value : valuesOf(one.key, state))
                    all << one.name + u':' + value;
    }
    for (const QString& each : all)
        if (!word.isEmpty() && each.startsWith(word, Qt::CaseInsensitive) && each != word)
            offers.words << each;
    return offers;
}

} // namespace lockscope::ui
