#include "core/lesson/puzzle_game.h"

#include "core/explore/traced_world.h"
#include "core/queue/number.h"
#include "core/sim/scenario/scenario.h"

#include <algorithm>
#include <charconv>

namespace lockscope::lesson {

using explore::StepKind;

namespace {

bool isOfSession(StepKind kind)
{
    return kind == StepKind::serve || kind == StepKind::deliver || kind == StepKind::connect ||
           kind == StepKind::expire;
}

// "node 3", or the last part of the path.
Message nodeText(std::string_view path)
{
    const std::string_view name = queue::nameOf(path);
    const std::optional<queue::Number> number = queue::numberOf(name);
    return number ? message("node %1", number->value) : Message(name);
}

Message requestText(OpCode op)
{
    if (const std::optional<Operation> operation = operationOf(op))
        return nameOf(*operation);
    switch (op) {
    case OpCode::setWatches:
        return message("setting its watches again");
    case OpCode::closeSession:
        return message("closing its session");
    default:
        return message("a request");
    }
}

Message messageText(const zk::memory::ServerMessage& one)
{
    using zk::memory::MessageKind;
    switch (one.kind) {
    case MessageKind::connected:
        return message("It learns that it is connected");
    case MessageKind::expired:
        return message("It learns that its session has expired");
    case MessageKind::disconnected:
        return message("It learns that it is disconnected");
    case MessageKind::event:
        return one.watch == zk::WatchKind::deleted
                   ? message("Its watch tells it: %1 was deleted", nodeText(one.path))
                   : message("Its watch tells it: %1 has changed", nodeText(one.path));
    case MessageKind::reply:
        break;
    }
    if (one.code != zk::Code::ok)
        return message("The reply to %1 reaches it: %2", requestText(one.op), zk::describe(one.code));
    if (operationOf(one.op) == Operation::create)
        return message("The reply to %1 reaches it: %2", requestText(one.op), nodeText(one.path));
    if (operationOf(one.op) == Operation::getChildren)
        return message("The reply to %1 reaches it: %2", requestText(one.op),
                       message("number of nodes: %1", one.children.size()));
    return message("The reply to %1 reaches it", requestText(one.op));
}

explore::Workload workloadOf(const Puzzle& puzzle)
{
    explore::Workload workload;
    workload.recipe = explore::recipeNamed(puzzle.recipe);
    workload.clients = puzzle.clients;
    workload.faults = puzzle.faults.most;
    workload.kinds = puzzle.faults.kinds;
    for (std::uint32_t i = 0; i < puzzle.clients; ++i) {
        workload.names.push_back(sim::clientName(i));
        if (std::ranges::find(puzzle.readers, workload.names.back()) != puzzle.readers.end())
            workload.secondSides |= 1U << i;
    }
    return puzzle.mistake.empty() ? workload : withMistake(std::move(workload), puzzle.mistake);
}

} // namespace

std::string wordsOf(const PuzzleMove& move)
{
    std::string words(nameOf(move.kind));
    if (move.kind == StepKind::nodeDeleted)
        words += ' ' + std::to_string(move.node);
    else if (!move.client.empty())
        words += ' ' + move.client;
    return words;
}

std::optional<PuzzleMove> parseMove(std::string_view text)
{
    const std::size_t space = text.find(' ');
    const std::optional<StepKind> kind = enumFrom<StepKind>(text.substr(0, space));
    const std::string_view rest = space == std::string_view::npos ? "" : text.substr(space + 1);
    if (!kind || *kind == StepKind::apply || (*kind == StepKind::time) != rest.empty())
        return std::nullopt;
    PuzzleMove move{*kind, {}, 0};
    if (*kind == StepKind::nodeDeleted) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), move.node);
        if (error != std::errc() || end != rest.data() + rest.size())
            return std::nullopt;
    } else {
        move.client = rest;
    }
    return move;
}

struct PuzzleGame::State
{
    explore::Workload workload;
    std::shared_ptr<explore::TracedWorld> traced;
    explore::Steps taken;

    explore::SteppedWorld& world() { return traced->world(); }
    explore::Steps possible()
    {
        explore::Steps all;
        world().possible(all);
        return all;
    }
    std::string clientOf(const explore::Step& step);
    Message textOf(const explore::Step& step);
};

PuzzleGame::PuzzleGame(const Puzzle& puzzle)
    : m_state(std::make_unique<State>())
{
    m_state->workload = workloadOf(puzzle);
    restart();
}

PuzzleGame::~PuzzleGame() = default;

void PuzzleGame::restart()
{
    m_state->taken.clear();
    m_state->traced = std::make_shared<explore::TracedWorld>(m_state->workload, "");
}

std::vector<PuzzleGame::Move> PuzzleGame::moves()
{
    std::vector<Move> all;
    for (const explore::Step& step : m_state->possible()) {
        Move move{{step.kind, m_state->clientOf(step), 0}, step, isFault(step.kind), m_state->textOf(step)};
        if (step.kind == StepKind::nodeDeleted)
            move.is.node = step.which;
        all.push_back(std::move(move));
    }
    const std::vector<std::string>& names = m_state->workload.names;
    std::ranges::stable_sort(all, {}, [&](const Move& move) {
        return std::pair(move.fault, std::ranges::find(names, move.is.client) - names.begin());
    });
    return all;
}

void PuzzleGame::take(const explore::Step& step)
{
    if (m_state->traced->take(step))
        m_state->taken.push_back(step);
}

bool PuzzleGame::isOver()
{
    return std::ranges::all_of(m_state->possible(),
                               [](const explore::Step& step) { return isFault(step.kind); });
}

const explore::Steps& PuzzleGame::taken() const { return m_state->taken; }
std::uint32_t PuzzleGame::faultsLeft() const { return m_state->world().faultsLeft(); }
explore::Fingerprint PuzzleGame::fingerprint() { return m_state->world().fingerprint(); }
std::shared_ptr<const trace::TraceStore> PuzzleGame::trace() const
{
    return explore::traceOf(m_state->traced);
}

// Empty: of none.
std::string PuzzleGame::State::clientOf(const explore::Step& step)
{
    if (step.kind == StepKind::time || step.kind == StepKind::nodeDeleted)
        return {};
    const std::optional<std::uint32_t> client =
        isOfSession(step.kind) ? world().clientOf(step.subject) : std::optional<std::uint32_t>(step.subject);
    return client ? workload.names.at(*client) : std::string();
}

Message PuzzleGame::State::textOf(const explore::Step& step)
{
    explore::World& in = world().world();
    const std::string name = clientOf(step);
    switch (step.kind) {
    case StepKind::serve:
        return message("ZooKeeper executes: %1",
                       requestText(in.ensemble.requestsOf(step.subject).front().op));
    case StepKind::deliver:
        return messageText(*in.ensemble.nextMessage(step.subject));
    case StepKind::connect:
        return message("It connects again");
    case StepKind::expire:
        return message("Its session expires");
    case StepKind::proceed:
        return message("It releases the lock");
    case StepKind::time:
        return message("Time passes");
    case StepKind::connectionLost:
        return message("%1 loses its connection, and what is under way to it", name);
    case StepKind::sessionLost:
        return message("An administrator ends the session of %1", name);
    case StepKind::away:
        return message("%1 loses its connection until its session has expired", name);
    case StepKind::paused:
        return message("%1 stands still until its session has expired", name);
    case StepKind::pausedBriefly:
        return message("%1 stands still for a moment", name);
    case StepKind::nodeDeleted:
        return message("An administrator deletes %1",
                       nodeText(in.checkers[step.subject]->history().at(step.which)->name));
    case StepKind::refused:
        return message("ZooKeeper is too busy for the next request of %1", name);
    default: // does not happen with one server
        break;
    }
    return {};
}

} // namespace lockscope::lesson
