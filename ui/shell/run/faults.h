// The faults that the window can inject into a run, and the commands that undo them: their texts, whether
// each is possible now (and why not), the parameters that it asks for, and the engine's command for it. Pure
// functions over the run's state; any thread.
#pragma once

#include "core/engine/engine.h"
#include "core/replay/state/run_state.h"
#include "ui/models/style/fault_table.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockscope::ui {

const char* nameOf(Fault fault); // "fault.killHolder", as in the table of commands
FaultGroup groupOf(Fault fault);
bool needsSelectedClient(Fault fault);

// Whether faults can be injected into the clients' connections, or why not.
enum class LinkSupport { available, tooManyClients, externalServer, disabled };
inline constexpr std::size_t kMaxLinks = 200;
// The link support of a run of this scenario. `isExternal`: LockScope did not start the server.
LinkSupport linkSupportFor(const sim::Scenario& scenario, bool isExternal);

// Why a command is disabled; translated when it is shown.
struct DisabledReason
{
    const char* source = nullptr; // the English sentence; null: the command is enabled
    QString argument{};           // for its %1
    QString text() const;
    bool operator==(const DisabledReason&) const = default;
};

// The part of the run that commands depend on.
struct CommandContext
{
    const replay::RunState* state = nullptr; // null: there is no run
    bool live = false;                       // an engine takes commands
    bool atEnd = true;                       // the cursor is at the live end, so the state is current
    ClientId selected = ClientId::none();
    LinkSupport links = LinkSupport::available;
    bool ownServer = true;
    DisabledReason refusal{}; // why the run takes no command at all; none: it does
    // A node that the user has chosen, the selected client's or an orphan of it; empty: the client's own.
    LockId lock = LockId::none();
    QString node{};
    const sim::Scenario* scenario = nullptr; // null: unknown
};

// Why a run that only watches takes no command.
DisabledReason watchOnlyReason();
DisabledReason judgedReason(); // the run is of copies of a program

struct CommandState
{
    QString text;        // of the menu entry
    QString consequence; // what the command does, as a sentence
    DisabledReason disabledReason;
    bool isEnabled() const { return !disabledReason.source; }
    bool operator==(const CommandState&) const = default;
};

CommandState commandState(Fault fault, const CommandContext& context);
QString menuTitle(FaultGroup group, const CommandContext& context); // for a group that has its own menu

// A number that a fault asks for before it is injected.
struct Parameter
{
    QString label, suffix;
    int value = 0, min = 0, max = 0, step = 1;
    QString minText{}; // shown instead of the minimum when the minimum has a special meaning
};
std::vector<Parameter> parameters(Fault fault, const CommandContext& context);

// Empty while the fault is disabled. `values`: the parameters' values, in order; missing ones default to
// Parameter::value.
std::optional<engine::EngineCommand> command(Fault fault, const CommandContext& context,
                                             std::vector<int> values = {});
// The client is neither removed nor finished with its cycles.
bool isActiveClient(const replay::ClientRow& client);
std::uint32_t activeClientCount(const replay::RunState& state);

} // namespace lockscope::ui
