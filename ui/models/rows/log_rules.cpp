#include "ui/models/rows/log_rules.h"

#include "ui/models/run/logged_event.h"
#include "ui/models/style/format.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr std::size_t kMaxRules = 12;
// The names in the settings; a filter is kept there behind "filter ".
constexpr std::array<const char*, LogRules::kBuiltins.size()> kNames{"violations", "client", "kind"};
const QString kFilter = QStringLiteral("filter ");

bool isProof(EventIndex event, const replay::RunState& state)
{
    return std::any_of(state.findings.all.begin(), state.findings.all.end(), [event](const auto& finding) {
        return std::any_of(finding.violations.begin(), finding.violations.end(),
                           [event](const replay::Violation& one) { return one.at == event; });
    });
}

} // namespace

void LogRules::setOn(Builtin rule, bool on)
{
    if (std::exchange(m_on[static_cast<std::size_t>(rule)], on) != on)
        emit changed();
}

QStringList LogRules::filters() const
{
    QStringList all;
    for (const Rule& rule : m_rules)
        all << rule.text;
    return all;
}

bool LogRules::canAdd(const QString& filter) const
{
    const QString text = filter.simplified();
    const ParsedLogFilter parsed = parseLogFilter(text);
    return !parsed.fault && !parsed.filter.matchesAll() && !filters().contains(text) &&
           m_rules.size() < kMaxRules;
}

bool LogRules::add(const QString& filter)
{
    if (!canAdd(filter))
        return false;
    const QString text = filter.simplified();
    m_rules.push_back({text, LogFilter::parse(text)});
    emit changed();
    return true;
}

void LogRules::remove(const QString& filter)
{
    if (std::erase_if(m_rules, [&](const Rule& rule) { return rule.text == filter; }) > 0)
        emit changed();
}

std::optional<LogMatch> LogRules::match(EventIndex index, const trace::Event& event,
                                        const replay::RunState& state) const
{
    if (isOn(Builtin::violations) && isProof(index, state))
        return LogMatch{LogMatch::kViolation, tr("a finding is violated here")};
    for (std::size_t i = 0; i < m_rules.size(); ++i)
        if (m_rules[i].filter.passes(event, state))
            return LogMatch{static_cast<int>(i),
                            tr("rule: %1").arg(format::plain(m_rules[i].text.toStdString(), 60))};
    const replay::ClientRow* client = isOn(Builtin::client) ? state.client(event.client) : nullptr;
    if (client)
        return LogMatch{client->colour, tr("client: %1").arg(format::plain(client->name, 24))};
    if (isOn(Builtin::kind)) {
        const QLatin1String kind = logKind(event);
        const auto found = std::find(kLogKinds.begin(), kLogKinds.end(), kind);
        return LogMatch{static_cast<int>(found - kLogKinds.begin()), tr("kind: %1").arg(kind)};
    }
    return {};
}

QStringList LogRules::saved() const
{
    QStringList all;
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (m_on[i])
            all << QLatin1String(kNames[i]);
    for (const Rule& rule : m_rules)
        all << kFilter + rule.text;
    return all;
}

void LogRules::restore(const QStringList& saved)
{
    m_on = {};
    m_rules.clear();
    for (const QString& each : saved) {
        for (std::size_t i = 0; i < kNames.size(); ++i)
            m_on[i] = m_on[i] || each == QLatin1String(kNames[i]);
        if (each.startsWith(kFilter))
            add(each.mid(kFilter.size()));
    }
    emit changed();
}

} // namespace lockscope::ui

#include "moc_log_rules.cpp"
