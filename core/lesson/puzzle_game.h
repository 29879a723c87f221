// A puzzle that is played: the moves that are possible, in words, and the trace of what they lead to. The
// same moves lead to the same. One thread; no call blocks.
#pragma once

#include "core/explore/fingerprint.h"
#include "core/lesson/lesson.h"
#include "core/trace/store.h"

#include <memory>
#include <vector>

namespace lockscope::lesson {

class PuzzleGame
{
public:
    explicit PuzzleGame(const Puzzle& puzzle);
    ~PuzzleGame();

    struct Move
    {
        PuzzleMove is; // its name in a file
        explore::Step step;
        bool fault = false;
        Message text; // what happens; of a client that is named only when it is a fault
    };
    // Possible now, by client: what happens anyway, then what concerns no client, then the faults.
    std::vector<Move> moves();
    void take(const explore::Step& step); // of one of moves()
    bool isOver();                        // nothing but faults can happen any more
    // From the beginning, with another trace.
    void restart();

    const explore::Steps& taken() const;
    std::uint32_t faultsLeft() const;
    explore::Fingerprint fingerprint(); // two games of a puzzle with equal ones go on alike
    std::shared_ptr<const trace::TraceStore> trace() const;

private:
    struct State; // here, since a name in the explorer's headers is a macro of Qt
    std::unique_ptr<State> m_state;
};

} // namespace lockscope::lesson
