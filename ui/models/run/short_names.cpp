#include "ui/models/run/short_names.h"

#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

namespace lockscope::ui {

namespace {

constexpr int kWholeName = 120;
constexpr qsizetype kShortEnough = 12;

// A port is a word of its own: "10.1.2.3:2181" has two.
QStringList wordsOf(const QString& name)
{
    QStringList words;
    qsizetype from = 0;
    for (qsizetype i = 1; i < name.size(); ++i) {
        const bool port =
            name[i] == u':' && i + 1 < name.size() && name[i + 1].isDigit() && name[i - 1] != u' ';
        if (name[i] != u' ' && !port)
            continue;
        words << name.mid(from, i - from);
        from = port ? i : i + 1;
    }
    return words << name.mid(from);
}

// The end of the host's name that a name begins with; empty for a name without one, and for an address.
QString domainOf(const QString& name)
{
    const QString host = name.section(u' ', 0, 0);
    const auto dot = host.indexOf(u'.');
    const bool isAddress = dot < 0 || host.contains(u':') || host.back().isDigit();
    return dot <= 0 || isAddress ? QString() : host.mid(dot);
}

QString joined(const QStringList& words)
{
    QString name;
    for (const QString& word : words)
        name += name.isEmpty() ? word : u' ' + word;
    return name;
}

} // namespace

void ShortNames::update(const replay::RunState& state)
{
    quint64 stamp = state.clients.size();
    for (const replay::ClientRow& client : state.clients)
        stamp = qHashMulti(stamp, client.addedBy.value, client.name.data());
    if (stamp == m_stamp)
        return;
    *this = {};
    m_stamp = stamp;
    for (const replay::ClientRow& client : state.clients)
        add(format::plain(client.name, kWholeName));
}

void ShortNames::add(const QString& name)
{
    const QStringList words = wordsOf(name);
    ++m_last[words.back()];
    const QString domain = domainOf(name);
    if (m_count++ == 0) {
        m_common = words;
        m_domain = domain;
        return;
    }
    if (domain != m_domain)
        m_domain.clear();
    for (qsizetype i = 0; i < m_common.size(); ++i)
        if (i >= words.size() || words[i] != m_common[i])
            m_common[i] = QString();
}

QString ShortNames::variantsOf(const QString& name) const
{
    QStringList words = wordsOf(name);
    const bool hasNothingInCommon = m_domain.isEmpty() && (m_count < 2 || words.size() < 2);
    if (hasNothingInCommon || name.size() <= kShortEnough)
        return name;
    QStringList variants{name};
    const bool isShared = !m_domain.isEmpty() && words.front().endsWith(m_domain);
    const auto last = m_last.find(words.back());
    const bool isOnlyOne = last != m_last.end() && last->second == 1;
    QStringList own; // the words that not all names have
    for (qsizetype i = 0; i < words.size(); ++i)
        if (i >= m_common.size() || m_common[i].isNull())
            own << words[i];
    if (isShared) {
        for (QStringList* all : {&words, &own})
            if (!all->isEmpty() && all->front().endsWith(m_domain))
                all->front().chop(m_domain.size());
        variants << joined(words);
    }
    const auto offer = [&] {
        if (const QString shorter = joined(own); !own.isEmpty() && shorter.size() < variants.back().size())
            variants << shorter;
    };
    offer();
    if (isOnlyOne)
        for (; own.size() > 1; offer())
            own.removeFirst();
    return variants.join(kVariantSeparator);
}

QString lastWords(const QString& name, int most)
{
    if (name.size() <= most)
        return name;
    QStringList words = wordsOf(name);
    while (words.size() > 1 && joined(words).size() > most)
        words.removeFirst();
    return joined(words);
}

} // namespace lockscope::ui
