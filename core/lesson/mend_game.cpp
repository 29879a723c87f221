#include "core/lesson/mend_game.h"

#include "core/explore/proof.h"

#include <algorithm>
#include <thread>

namespace lockscope::lesson {

namespace {

constexpr std::chrono::minutes kMostOfProof(5);
constexpr std::chrono::seconds kMostForShortest(1); // to look for the shortest way in which it breaks

// The first one after `from`, or `from` itself if there is none.
EventIndex nextGrant(const trace::TraceStore& run, EventIndex from)
{
    for (std::size_t i = from.value + std::size_t{1}; i < run.count(); ++i)
        if (std::holds_alternative<trace::Acquired>(run.at(i).what))
            return EventIndex{static_cast<EventIndex::Value>(i)};
    return from;
}

} // namespace

std::string wordsOf(const MendChange& change)
{
    const explore::ChoiceRow& row = explore::choiceRows()[static_cast<std::size_t>(change.choice)];
    return std::string(row.key) + ' ' + std::string(row.options[change.option].word);
}

std::optional<MendChange> parseChange(std::string_view text)
{
    for (const explore::ChoiceRow& row : explore::choiceRows())
        for (std::size_t i = 0; i < row.options.size(); ++i)
            if (const MendChange one{row.choice, static_cast<std::uint8_t>(i)}; wordsOf(one) == text)
                return one;
    return std::nullopt;
}

explore::BuiltRecipe withChange(explore::BuiltRecipe recipe, const std::optional<MendChange>& change)
{
    if (change)
        recipe[change->choice] = change->option;
    return recipe;
}

MendGame::MendGame(const Mend& mend)
    : m_mend(mend)
{
    prove();
}

MendGame::~MendGame() = default;

void MendGame::prove()
{
    explore::ProofOptions options;
    options.clients = m_mend.clients;
    options.faults = m_mend.faults.most;
    options.kinds = m_mend.faults.kinds;
    options.threads = std::max(1U, std::thread::hardware_concurrency());
    options.most = kMostOfProof;
    options.shortest = kMostForShortest;
    m_seen = false;
    m_proof.reset(); // first: two at once would take each other's time
    m_proof = std::make_unique<explore::Proof>(recipe(), options);
}

std::vector<MendChange> MendGame::changes() const
{
    std::vector<MendChange> all;
    for (const explore::ChoiceRow& row : explore::choiceRows())
        for (std::size_t i = 0; i < row.options.size() && m_mend.recipe.matters(row.choice); ++i)
            if (i != m_mend.recipe[row.choice])
                all.push_back({row.choice, static_cast<std::uint8_t>(i)});
    return all;
}

void MendGame::change(const MendChange& change)
{
    m_changed = change;
    prove();
}

explore::BuiltRecipe MendGame::recipe() const { return withChange(m_mend.recipe, m_changed); }

bool MendGame::refresh()
{
    if (!m_proof->result() || std::exchange(m_seen, true))
        return false;
    const explore::ProofResult& result = *m_proof->result();
    if (result.found && !m_changed)
        m_broken = result.found->steps;
    m_trace = result.trace;
    m_moment = result.breach;
    if (holds() && m_changed) {
        const explore::ScheduleTrace run = explore::traceToEnd(result.workload, m_broken);
        m_trace = run.events;
        m_moment = nextGrant(*m_trace, run.afterSteps);
    }
    return true;
}

const explore::ProofResult* MendGame::result() const { return m_seen ? m_proof->result() : nullptr; }

Message MendGame::verdict() const { return result() ? verdictOf(recipe(), *result()) : Message(); }

bool MendGame::holds() const { return result() && result()->search.end == explore::SearchEnd::all; }

} // namespace lockscope::lesson
