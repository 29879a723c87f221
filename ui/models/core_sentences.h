// The core says what it has to tell in English sentences: proofs of violations, notices, reasons of refusals. Traces
// keep them so. Here those that are known are said in the person's language; any other stays as it is. Pure; any thread.
#pragma once

#include <QStringList>

namespace lockscope::ui {

// `text` as the core said it, already plain and capped.
QString retold(const QString& text);

// "%1 still sleeps on %2, which is gone: its watch never fired.": all that can be said otherwise, for tests.
QStringList knownSentences();
QStringList knownParts(); // what stands in them in place of %1 and its like, where it is words and not a name

} // namespace lockscope::ui
