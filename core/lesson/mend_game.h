// A broken recipe that is being mended: the way in which it breaks, and the proof of what a change makes of
// it. The proofs run on threads of their own. One thread; a change waits until the proof before it has ended.
#pragma once

#include "core/lesson/lesson.h"
#include "core/trace/store.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockscope::explore { // a name in the explorer's headers is a macro of Qt
class Proof;
struct ProofResult;
} // namespace lockscope::explore

namespace lockscope::lesson {

class MendGame
{
public:
    explicit MendGame(const Mend& mend); // begins to look for the way in which the recipe breaks
    ~MendGame();

    // Each takes another option of one choice.
    std::vector<MendChange> changes() const;
    // Begins the proof of the broken recipe with this change alone.
    void change(const MendChange& change);
    const std::optional<MendChange>& changed() const { return m_changed; }
    explore::BuiltRecipe recipe() const; // with the change

    bool refresh();                              // true once for each proof, when it has come to its end
    bool isProving() const { return !result(); } // refresh() has not been true yet
    Message verdict() const;                     // of the last proof; empty while there is none
    bool holds() const;                          // in all schedules
    // How it breaks; or, when it holds, what becomes of the order of events in which it broke before its
    // first change. Null: not known.
    std::shared_ptr<const trace::TraceStore> trace() const { return m_trace; }
    // In trace(): the breach; or the grant after the place where it was.
    EventIndex moment() const { return m_moment; }

private:
    void prove();
    const explore::ProofResult* result() const; // as of the last refresh(); null: none yet

    const Mend m_mend;
    std::optional<MendChange> m_changed;
    explore::Steps m_broken; // how it breaks without a change
    std::shared_ptr<const trace::TraceStore> m_trace;
    EventIndex m_moment = EventIndex::none();
    std::unique_ptr<explore::Proof> m_proof;
    bool m_seen = false; // refresh() has said that the proof has ended
};

} // namespace lockscope::lesson
