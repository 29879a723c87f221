// The color rules of the log: three built-in ones, and filters in the log's own language. The first rule
// that matches a line applies. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/models/rows/log_filter.h"

#include <array>
#include <optional>
#include <vector>

namespace lockscope::ui {

struct LogMatch
{
    static constexpr int kViolation = -1;
    int colour = kViolation; // an index of the client colors, or kViolation
    QString why;             // the rule in words, for a person
};

class LogRules : public QObject
{
    Q_OBJECT
public:
    enum class Builtin { violations, client, kind };
    static constexpr std::array<Builtin, 3> kBuiltins{Builtin::violations, Builtin::client, Builtin::kind};
    using QObject::QObject;

    bool isOn(Builtin rule) const { return m_on[static_cast<std::size_t>(rule)]; }
    void setOn(Builtin rule, bool on);
    QStringList filters() const;
    // False for a filter that is invalid, matches all lines or exists already, and when there are too many.
    bool canAdd(const QString& filter) const;
    bool add(const QString& filter); // returns canAdd()
    void remove(const QString& filter);

    std::optional<LogMatch> match(EventIndex index, const trace::Event& event,
                                  const replay::RunState& state) const;

    QStringList saved() const;
    void restore(const QStringList& saved); // skips invalid entries

signals:
    void changed();

private:
    struct Rule
    {
        QString text;
        LogFilter filter;
    };
    std::array<bool, kBuiltins.size()> m_on{};
    std::vector<Rule> m_rules;
};

} // namespace lockscope::ui
