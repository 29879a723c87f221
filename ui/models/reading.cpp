#include "ui/models/reading.h"

#include <utility>

namespace lockscope::ui {

const Reading* ReadingTurns::share() { return &m_turns[m_shared++ % kTurns].reading; }

void ReadingTurns::noteState()
{
    for (Turn& turn : m_turns)
        turn.state = true;
}

void ReadingTurns::noteCursor()
{
    for (Turn& turn : m_turns)
        turn.cursor = true;
}

void ReadingTurns::forget()
{
    for (Turn& turn : m_turns)
        turn.state = turn.cursor = false;
}

void ReadingTurns::tellInTurn(bool changed)
{
    m_quiet = changed ? 0 : m_quiet + 1;
    if (m_quiet >= kRest) {
        tellAll();
        return;
    }
    m_turns[m_next].tell();
    m_next = (m_next + 1) % kTurns;
}

void ReadingTurns::tellAll()
{
    for (Turn& turn : m_turns)
        turn.tell();
}

// Who is told may move the cursor, which tells all: nothing is told twice.
void ReadingTurns::Turn::tell()
{
    if (std::exchange(state, false))
        emit reading.stateChanged();
    if (std::exchange(cursor, false))
        emit reading.cursorMoved();
}

} // namespace lockscope::ui
