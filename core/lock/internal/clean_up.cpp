#include "core/lock/internal/clean_up.h"

#include "core/lock/internal/guaranteed_delete.h"

#include <algorithm>

namespace lockscope::lock {

Error withCleanUpError(Error error, const std::optional<Error>& rest)
{
    if (!rest)
        return error;
    Error both = *rest;
    both.message = joined(error.message, rest->message);
    return both;
}

CleanUp::~CleanUp()
{
    for (const std::shared_ptr<Part>& part : m_parts)
        part->awaited = false;
}

zk::Task<void> CleanUp::execute(LockNodeClient nodeClient, zk::Task<std::optional<Error>> work,
                                std::shared_ptr<Part> part, std::shared_ptr<OpControl::Shared> waiter)
{
    part->error = co_await std::move(work);
    part->done = true;
    if (part->error && !part->awaited)
        nodeClient.report(*part->error);
    waiter->wake.notify();
}

void CleanUp::start(const LockNodeClient& nodeClient, zk::Task<std::optional<Error>> work)
{
    m_parts.push_back(std::make_shared<Part>());
    runInBackground(nodeClient.session().scheduler(),
                    execute(nodeClient, std::move(work), m_parts.back(), m_control.shared()));
}

bool CleanUp::done() const
{
    return std::all_of(m_parts.begin(), m_parts.end(),
                       [](const std::shared_ptr<Part>& part) { return part->done; });
}

zk::Task<std::optional<Error>> CleanUp::finish()
{
    if (m_parts.empty())
        co_return std::nullopt;
    zk::Scheduler& scheduler = m_control.session().scheduler();
    if (!m_deadline)
        m_deadline = zk::deadlineAfter(scheduler.now(), m_control.timeouts().cleanUp);
    for (const std::shared_ptr<Part>& part : m_parts)
        part->awaited = !part->done;
    const auto over = std::make_shared<bool>(false);
    const zk::Scheduler::TimerId timer = scheduler.after(std::max(Duration{}, *m_deadline - scheduler.now()),
                                                         [over, waiter = m_control.shared()] {
                                                             *over = true;
                                                             waiter->wake.notify();
                                                         });
    while (!done() && !*over && m_control.session().phase() == zk::SessionPhase::connected)
        co_await m_control.woken();
    scheduler.cancel(timer);
    std::optional<Error> first;
    for (const std::shared_ptr<Part>& part : m_parts) {
        part->awaited = false;
        first = first ? first : part->error;
    }
    co_return first;
}

} // namespace lockscope::lock
