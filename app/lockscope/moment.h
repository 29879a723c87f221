// Waits until the run of a model has come to a moment. GUI thread.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <QObject>

#include <functional>
#include <optional>

namespace lockscope::ui {
class RunModel;
}

namespace lockscope::app {

class Moment : public QObject
{
public:
    // A recorded run comes to every moment once it is read, a live one in time or when it is over; no moment
    // is its end. Then, or when the run has failed, the callback is called, once.
    using Callback = std::function<void(const std::optional<Error>& failure)>;
    Moment(ui::RunModel* model, std::optional<Duration> moment, Callback callback);

private:
    void check();
    void end(const std::optional<Error>& failure);

    ui::RunModel* m_model;
    std::optional<Duration> m_moment;
    Callback m_callback;
};

} // namespace lockscope::app
