#include "app/lockscope/moment.h"

#include "core/trace/store.h"
#include "ui/shell/window/main_window.h"

#include <utility>

namespace lockscope::app {

namespace {

// Everything before the moment has been published this long after it.
constexpr Duration kPublished = std::chrono::milliseconds(100);

} // namespace

Moment::Moment(ui::RunModel* model, std::optional<Duration> moment, Callback callback)
    : m_model(model)
    , m_moment(moment)
    , m_callback(std::move(callback))
{
    // Later: all views know the run then.
    connect(model, &ui::RunModel::runChanged, this, &Moment::check, Qt::QueuedConnection);
    connect(model, &ui::RunModel::cursorMoved, this, &Moment::check);
    connect(model, &ui::RunModel::phaseChanged, this, &Moment::check);
}

void Moment::check()
{
    if (!m_callback || !m_model->hasRun())
        return;
    if (const engine::Engine* engine = m_model->engine()) {
        if (engine->phase() == engine::Phase::failed)
            return end(engine->failure().value_or(Error{ErrorCode::internal, "The run failed.", ""}));
        const bool reached = m_moment && m_model->endTime() >= *m_moment + kPublished;
        if (engine->phase() != engine::Phase::finished && !reached)
            return;
    }
    if (!m_model->opening() && m_model->drained() >= m_model->store()->count())
        end(std::nullopt);
}

void Moment::end(const std::optional<Error>& failure) { std::exchange(m_callback, nullptr)(failure); }

} // namespace lockscope::app
