#include "ui/editor/script_completions.h"

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
    static const QStringList ofClients{"kill @",
                                       "freeze @ for 4s",
                                       "thaw @",
                                       "close the session of @",
                                       "remove @",
                                       "rejoin @",
                                       "delete the node of @",
                                       "write to the node of @",
                                       "revoke @",
                                       "cut the link of @ for 2s",
                                       "slow the link of @ by 50ms +- 20ms",
                                       "limit the link of @ to 10 kB/s",
                                       "mute the link of @ from the server",
                                       "mute the link of @ to the server",
                                       "reset the link of @",
                                       "half-open the link of @",
                                       "lose the next reply to @",
                                       "lose the next create reply to @",
                                       "heal the link of @",
                                       "hold @ before watch",
                                       "step @",
                                       "let @ go"};
    static const QStringList ofRun{"stop the server for 2s",
                                   "kill the server",
                                   "kill the leader",
                                   "kill server 2",
                                   "restart the server",
                                   "restart server 2 without its data",
                                   "reap the container",
                                   "set the leases to 5",
                                   "add a client",
                                   "step the next",
                                   "pause",
                                   "resume",
                                   "finish"};
    return filled(ofClients, QStringList{"the holder", "the first waiter"} + namesOf(scenario)) + ofRun;
}

} // namespace lockscope::ui
