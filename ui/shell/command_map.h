// What can be done to a run from the window, and what each does: texts, whether it can be done now (and why
// not), and the engine's command for it. Pure functions over the state; no widget, any thread.
#pragma once

#include "core/engine/engine.h"
#include "core/replay/run_state.h"

#include <QKeySequence>
#include <QString>

#include <array>
#include <optional>

namespace lockscope::ui {

enum class WhatIf { killHolder, killSelected, freezeSelected, addClient, removeClient };
inline constexpr std::array kWhatIfs{WhatIf::killHolder, WhatIf::killSelected, WhatIf::freezeSelected,
                                     WhatIf::addClient, WhatIf::removeClient};

// The run as far as a command depends on it.
struct Circumstances
{
    const replay::RunState* state = nullptr; // null: there is no run
    bool live = false;                       // an engine takes commands
    bool atEnd = true;                       // the cursor is at the live end: the state is the present
    ClientId selected = ClientId::none();
};

struct Offer
{
    QString text;        // the menu's words
    QString consequence; // what will happen, a sentence
    QString obstacle;    // why it cannot be done now; empty = it can
    QKeySequence shortcut;
    bool possible() const { return obstacle.isEmpty(); }
};

Offer offer(WhatIf what, const Circumstances& circumstances);
// Empty when it cannot be done now.
std::optional<engine::EngineCommand> command(WhatIf what, const Circumstances& circumstances);
// Neither removed nor through with its cycles.
bool takesPart(const replay::ClientRow& client);
std::uint32_t clientsTakingPart(const replay::RunState& state);

} // namespace lockscope::ui
