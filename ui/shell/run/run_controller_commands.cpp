// A RunController's commands to the live run, and why there may be none.
#include "ui/shell/run/run_controller.h"

#include "ui/models/run/run_model.h"
#include "ui/models/run/selection.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

CommandContext RunController::commandContext() const
{
    if (!m_model->hasRun()) {
        return {};
    }
    return {&m_model->state(),
            m_model->isLive(),
            m_model->following(),
            m_selection->client(),
            m_links,
            !usesExternalServer(),
            refusal(),
            m_selection->lock(),
            m_selection->node(),
            m_scenario ? &*m_scenario : nullptr};
}

DisabledReason RunController::refusal() const
{
    const Stage now = stage();
    if (isWatchOnly())
        return watchOnlyReason();
    return judges() && (now == Stage::starting || now == Stage::running) ? judgedReason() : DisabledReason();
}

bool RunController::usesExternalServer() const
{
    return (!m_attached && !m_setup.connect.empty()) || (m_scenario && !m_scenario->connect.empty());
}

void RunController::injectFault(Fault what) { injectFaultInto(m_selection->client(), what, {}); }

void RunController::injectFaultInto(ClientId client, Fault what, const std::vector<int>& values)
{
    CommandContext now = commandContext();
    now.selected = client;
    if (what == Fault::removeClient && commandState(what, now).isEnabled()) {
        removeClients(1);
        return;
    }
    if (auto engineCommand = command(what, now, values)) {
        post(std::move(*engineCommand));
        return;
    }
    emit messagePosted({.key = QStringLiteral("what-if"),
                        .kind = UserMessage::Kind::info,
                        .text = [disabledReason = commandState(what, now).disabledReason] {
                            return disabledReason.text();
                        }});
}

void RunController::setPace(Duration step)
{
    m_pace = step;
    post(engine::SetPace{step});
}

void RunController::pollWatchTables(bool wanted)
{
    if (std::exchange(m_pollsWatches, wanted) != wanted) {
        post(engine::PollWatchTables{wanted});
    }
}

void RunController::addClients(int count)
{
    for (int i = 0; i < count; ++i) {
        post(engine::Execute{sim::Action::Kind::addClient});
    }
}

void RunController::removeClients(int count)
{
    for (int i = 0; i < count; ++i) {
        if (const ClientId client = nextClientToRemove(); client.valid()) {
            m_removing.push_back(client);
            post(engine::Execute{sim::Action::Kind::removeClient, client});
        }
    }
}

// The last client that takes part and was not asked to leave yet: an asked client still takes part until it
// has released the lock.
ClientId RunController::nextClientToRemove() const
{
    const auto& clients = m_model->state().clients;
    for (auto client = clients.rbegin(); client != clients.rend(); ++client) {
        const bool asked = std::find(m_removing.begin(), m_removing.end(), client->id) != m_removing.end();
        if (!asked && isActiveClient(*client)) {
            return client->id;
        }
    }
    return ClientId::none();
}

void RunController::stepSelected(bool forward)
{
    const ClientId client = m_selection->client();
    if (const EventIndex event = m_model->stepToEventOf(client, forward); event.valid()) {
        m_selection->selectEvent(event, client);
        return;
    }
    emit messagePosted({.key = QStringLiteral("client-step"),
                        .kind = UserMessage::Kind::info,
                        .text = [known = client.valid(), forward] {
                            return !known ? tr("Select a client first: these keys move between its events.")
                                   : forward ? tr("The selected client has no later event.")
                                             : tr("The selected client has no earlier event.");
                        }});
}

void RunController::post(engine::EngineCommand command)
{
    const bool ends = std::holds_alternative<engine::Finish>(command);
    if (const DisabledReason refused = refusal(); refused.source && (isWatchOnly() || !ends)) {
        if (ends)
            emit watchStopRequested();
        else if (!std::holds_alternative<engine::PollWatchTables>(command))
            emit messagePosted({.key = QStringLiteral("what-if"),
                                .kind = UserMessage::Kind::info,
                                .text = [refused] { return refused.text(); }});
        return;
    }
    if (engine::Engine* engine = m_model->engine()) {
        engine->post(std::move(command));
        emit commandPosted();
    }
}

} // namespace lockscope::ui
