// The what-ifs as a table: where each stands in the menu, its key, its words and what it needs. Plain data, any
// thread.
#pragma once

#include "ui/shell/run/faults.h"

namespace lockscope::ui {

// What must be there for a what-if. Several go together.
enum Requirement : unsigned {
    needsRun = 0,
    needsClient = 1,     // a selected one that takes part
    needsSession = 2,    // which has a session at the moment
    needsLink = 4,       // whose connection can be harmed
    needsOwnServer = 8,  // that LockScope started
    needsSingle = 16,    // one server, not several
    needsEnsemble = 32,  // several servers
    needsSemaphore = 64,
    needsDepartedClient = 128,   // somebody who left
    needsActiveClient = 256, // a client that takes part
    needsNode = 512      // the selected client has a node in a queue
};

struct FaultEntry
{
    Fault what;
    FaultGroup group;
    const char* key;         // portable text: "Shift+K", "L, S"
    const char* text;        // of a selected client: "%1" is its name
    const char* textWithoutClient;      // the text while nobody is selected; empty = `text` names nobody
    const char* consequence; // what will happen, a sentence
    unsigned requirements;
};

const FaultEntry& faultEntry(Fault what);

} // namespace lockscope::ui
