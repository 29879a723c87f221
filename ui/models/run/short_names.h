// Names of clients for places that are too narrow for them: what all names have in common is left out first.
// A name says the most common part first: "HOST PID PROGRAM :PORT". Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>
#include <QStringList>

#include <map>

namespace lockscope::ui {

class ShortNames
{
public:
    ShortNames() = default;
    explicit ShortNames(const replay::RunState& state) { update(state); }
    void update(const replay::RunState& state); // the names of its clients; cheap if they are the same
    void add(const QString& name);
    // The name and shorter variants of it, separated by kVariantSeparator: without the domain that all names
    // share, without the words that all share, and then only its last words, if its last word tells it from
    // the others.
    QString variantsOf(const QString& name) const;

private:
    int m_count = 0;
    quint64 m_stamp = 0;           // of the clients whose names these are
    QString m_domain;              // of the hosts that the names begin with; empty if they differ
    QStringList m_common;          // the words of the names; null where they differ
    std::map<QString, int> m_last; // how many names end with this word
};

// The last words of a name that are no longer than this.
QString lastWords(const QString& name, int most);

} // namespace lockscope::ui
