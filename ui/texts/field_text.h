// The texts of watched locks in the current language; text from outside is capped and plain. Pure; GUI
// thread.
#pragma once

#include "core/field/snapshot.h"

#include <QString>
#include <QStringList>

namespace lockscope::ui {

QString stuckText(field::Diagnosis::Kind kind);             // "holder silent": a few words for a row
QString libraryText(const field::Participant& participant); // "Curator", "LockScope"
// The best known name: from its node's data, with its port, or its address, otherwise its session. What
// differs among the sessions of a process comes last: see ShortNames.
QString whoText(const field::Participant& participant);
QString stateText(const field::Participant& participant); // "holds", "waits behind 7731"
QString noHolderText(const field::LockStatus& lock);      // "free", "nobody holds it", "not known", "no lock"
QString spanText(std::int64_t ms);                        // for a cell: "31 min" from ten minutes on
QString sinceText(const field::Participant& participant, std::int64_t nowMs); // "18 min", "≥ 18 min"
QString silenceText(const field::Participant& participant);                   // "2.1–4.1 s of 10 s"
// Label and value, for the card of one participant.
QList<std::pair<QString, QString>> participantFacts(const field::Participant& participant,
                                                    std::int64_t nowMs);
QString watchStateText(const field::Snapshot& snapshot);
QString missedText(const field::Snapshot& snapshot); // "nothing missed", "2 gaps"
QString countsText(const field::Snapshot& snapshot);
QString endsText(const field::LockStatus& lock); // how its holds ended
QStringList watchProblems(const field::Snapshot& snapshot);

} // namespace lockscope::ui
