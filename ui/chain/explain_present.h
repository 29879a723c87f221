// What a client does at present and what comes next, in the words of its lock's recipe. Pure.
#pragma once

#include "ui/chain/explain.h"

namespace lockscope::ui {

// It stays as it is until something new happens: it sleeps, holds, thinks or is done. Otherwise its last
// event says best what it does.
bool isSettled(const replay::ClientRow& client);

// `lock` is the one that is shown: for a client that has nothing to do with any.
Explanation explainClient(const replay::RunState& state, const replay::ClientRow& client, LockId lock,
                           TraceTime now);

} // namespace lockscope::ui
