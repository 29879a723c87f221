// The words for every kind of event; one overload each, so that a new kind does not compile without its
// words.
#pragma once

#include "ui/chain/explain.h"
#include "ui/chain/recipe_kind.h"

#include <QCoreApplication>

namespace lockscope::ui {

class EventExplainer
{
    Q_DECLARE_TR_FUNCTIONS(EventExplainer)
public:
    EventExplainer(const replay::RunState& state, const trace::Event& event);
    // What a client does first when it asks for this lock.
    static QString firstStep(const replay::RunState& state, LockId lock);

    // The run and its clients: explain.cpp
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
    // The recipe: explain_recipe.cpp
    Explanation operator()(const trace::AcquireCalled& e) const;
    Explanation operator()(const trace::Decided& e) const;
    Explanation operator()(const trace::Acquired& e) const;
    Explanation operator()(const trace::Reentered& e) const;
    Explanation operator()(const trace::AcquireFailed& e) const;
    Explanation operator()(const trace::StartedOver& e) const;
    Explanation operator()(const trace::ReleaseCalled& e) const;
    Explanation operator()(const trace::Released& e) const;
    Explanation operator()(const trace::HoldLost& e) const;
    // The protocol and the server's word: explain_protocol.cpp
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
    bool announced() const; // the lock hands over with announcements
    bool ownNode(replay::Text node) const;
    bool reads() const; // its node is a reader's
    Explanation decidedAlone(const trace::Decided& e) const;
    Explanation wokenByGone(const trace::WatchFired& e) const;
    QString withWhom(const QString& text) const; // "ada: text" for events that are not a client's own doing

    const replay::RunState& m_state;
    const trace::Event& m_event;
    const replay::ClientRow* m_row; // null when the event is nobody's
    QString m_name;
    chain::RecipeKind m_kind;
};

} // namespace lockscope::ui
