// What the ensemble suffers, and what it tells an observer.
#include "core/zk/memory/ensemble.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::memory {

void Ensemble::cut(std::uint32_t session, std::size_t requests, std::size_t messages)
{
    breakConnection(session, requests, messages);
}

void Ensemble::refuse(std::uint32_t session, Duration span)
{
    m_sessions[session].refusedUntil = m_clock.now() + span;
}

void Ensemble::refuseRequests(std::uint32_t session, std::optional<Op> kind, Code code, std::size_t count)
{
    Record& record = m_sessions[session];
    record.refusedKind = kind;
    record.refusal = code;
    record.refusals = count;
}

void Ensemble::kill(std::uint32_t session) { endSession(session); }

void Ensemble::pause(VirtualScheduler& process)
{
    for (std::uint32_t i = 0; i < sessionCount(); ++i)
        if (m_sessions[i].process == &process && inContact(i))
            loseContact(i);
    process.pause();
}

void Ensemble::resume(VirtualScheduler& process)
{
    process.resume();
    for (std::uint32_t i = 0; i < sessionCount(); ++i)
        if (m_sessions[i].process == &process)
            regainContact(i);
}

bool Ensemble::remove(const std::string& path)
{
    const Znode* node = m_head.find(path);
    if (!node || !node->children.empty() || path == "/")
        return false;
    Transaction removed;
    removed.change = Change::removed;
    removed.path = path;
    append(std::move(removed));
    return true;
}

bool Ensemble::write(const std::string& path, const std::string& data)
{
    if (!m_head.find(path))
        return false;
    Transaction set;
    set.change = Change::dataSet;
    set.path = path;
    set.data = data;
    append(std::move(set));
    return true;
}

bool Ensemble::reap(const std::string& path)
{
    const Znode* node = m_head.find(path);
    return node && node->container && node->creates != 0 && remove(path);
}

void Ensemble::skipSequenceNumbers(const std::string& path, std::int32_t count)
{
    if (!m_head.find(path))
        return;
    Transaction used;
    used.change = Change::sequenceNumbersSkipped;
    used.path = path;
    used.numbers = count;
    append(std::move(used));
}

// ---- the truth ----

bool Ensemble::isConnected(std::uint32_t session) const { return m_sessions[session].linked; }
std::size_t Ensemble::requestsUnderWay(std::uint32_t session) const
{
    return m_sessions[session].requests.size();
}
std::size_t Ensemble::messagesUnderWay(std::uint32_t session) const
{
    return m_sessions[session].messages.size();
}

const Message* Ensemble::nextMessage(std::uint32_t session) const
{
    const Record& record = m_sessions[session];
    return record.messages.empty() ? nullptr : &record.messages.front();
}

std::vector<std::string> Ensemble::serverWatches() const
{
    std::vector<std::string> all;
    for (const Record& record : m_sessions) {
        all.insert(all.end(), record.dataWatches.begin(), record.dataWatches.end());
        all.insert(all.end(), record.childWatches.begin(), record.childWatches.end());
    }
    return all;
}

} // namespace lockscope::zk::memory
