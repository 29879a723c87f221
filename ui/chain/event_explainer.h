// Explains in one or two sentences what an event did and why, for a person who learns the recipe. Takes the
// event, and the run at about that moment for names and the recipe. There is an overload for each kind of
// event, so that a new kind does not compile without its text. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"
#include "ui/chain/recipe_kind.h"

#include <QCoreApplication>
#include <QString>

namespace lockscope::ui {

struct Explanation
{
    QString what; // what happened; never empty
    QString why;  // why, or what follows; may be empty
};

Explanation explain(const replay::RunState& state, const trace::Event& event);

class EventExplainer
{
    Q_DECLARE_TR_FUNCTIONS(EventExplainer)
public:
    EventExplainer(const replay::RunState& state, const trace::Event& event);
    // The first step of a client that asks for this lock.
    static QString firstStep(const replay::RunState& state, LockId lock);

    // The run and its clients
    Explanation operator()(const trace::RunState& e) const;
    Explanation operator()(const trace::ServerState& e) const;
    Explanation operator()(const trace::MemberState& e) const;
    Explanation operator()(const trace::LockAdded& e) const;
    Explanation operator()(const trace::LockLimit& e) const;
    Explanation operator()(const trace::ClientAdded& e) const;
    Explanation operator()(const trace::ClientRemoved& e) const;
    Explanation operator()(const trace::Command& e) const;
    Explanation operator()(const trace::CommandRefused& e) const;
    Explanation operator()(const trace::PaceChanged& e) const;
    Explanation operator()(const trace::Notice& e) const;
    Explanation operator()(const trace::LinkState& e) const;
    Explanation operator()(const trace::StepHeld& e) const;
    Explanation operator()(const trace::StepTaken& e) const;
    Explanation operator()(const trace::SessionState& e) const;
    Explanation operator()(const trace::SessionGone& e) const;
    Explanation operator()(const trace::Thinks& e) const;
    Explanation operator()(const trace::ResourceUse& e) const;
    Explanation operator()(const trace::ResourceValue& e) const;
    Explanation operator()(const trace::ClientFinished& e) const;
    // The recipe
    Explanation operator()(const trace::AcquireCalled& e) const;
    Explanation operator()(const trace::Decided& e) const;
    Explanation operator()(const trace::Acquired& e) const;
    Explanation operator()(const trace::Reentered& e) const;
    Explanation operator()(const trace::AcquireFailed& e) const;
    Explanation operator()(const trace::StartedOver& e) const;
    Explanation operator()(const trace::ReleaseCalled& e) const;
    Explanation operator()(const trace::Released& e) const;
    Explanation operator()(const trace::HoldLost& e) const;
    // The protocol and what the server reports
    Explanation operator()(const trace::Request& e) const;
    Explanation operator()(const trace::Reply& e) const;
    Explanation operator()(const trace::WatchFired& e) const;
    Explanation operator()(const trace::NodeSeen& e) const;
    Explanation operator()(const trace::NodeVanished& e) const;
    Explanation operator()(const trace::Observed& e) const;
    Explanation operator()(const trace::PathState& e) const;
    Explanation operator()(const trace::WatchSeen& e) const;
    Explanation operator()(const trace::WatchVanished& e) const;
    Explanation operator()(const trace::WatchesRead& e) const;

private:
    Explanation answered(const trace::Reply& e) const;
    bool announced() const; // the lock's handoff uses announcements
    bool ownNode(replay::Text node) const;
    bool reads() const; // the client's node is a reader's
    Explanation decidedAlone(const trace::Decided& e) const;
    Explanation wokenByGone(const trace::WatchFired& e) const;
    QString withWhom(const QString& text) const; // "ada: text" for events that the client did not cause

    const replay::RunState& m_state;
    const trace::Event& m_event;
    const replay::ClientRow* m_row; // null: the event belongs to no client
    QString m_name;
    chain::RecipeKind m_kind;
};

} // namespace lockscope::ui
