#include "ui/editor/script_completions.h"

#include "core/sim/script/script_text.h"

namespace lockscope::ui {

namespace {

constexpr std::size_t kMaxNames = 30;

QStringList namesOf(const sim::Scenario& scenario)
{
    QStringList names;
    for (const sim::Participant& one : sim::participants(scenario)) {
        if (names.size() >= static_cast<qsizetype>(kMaxNames)) {
            break;
        }
        names += QString::fromStdString(one.name);
    }
    return names;
}

QStringList filled(const QStringList& forms, const QStringList& names)
{
    QStringList all;
    for (const QString& form : forms) {
        if (!form.contains('@')) {
            all += form;
            continue;
        }
        for (const QString& name : names) {
            all += QString(form).replace('@', name);
        }
    }
    return all;
}

} // namespace

QStringList conditionCompletions(const sim::Scenario& scenario)
{
    static const QStringList forms{"at 2s",          "after 3 handoffs",           "when @ waits",
                                   "when @ holds",   "when @ has released",        "when @ is lost",
                                   "when @ is away", "when @ stands before watch", "when hold_lost happens"};
    return filled(forms, QStringList{"anybody"} + namesOf(scenario));
}

QStringList actionCompletions(const sim::Scenario& scenario)
{
    QStringList forms;
    for (const std::string& example : sim::actionExamples())
        forms += QString::fromStdString(example);
    return filled(forms, QStringList{"the holder", "the first waiter"} + namesOf(scenario));
}

} // namespace lockscope::ui
