// A run in a few words for the tests of the timeline: who waits, holds, hands on, and what is done to them.
// Times in milliseconds; they may be given in any order, the trace is written in order of time.
#pragma once

#include "core/trace/store.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::ui::test {

class TimelineScript
{
public:
    explicit TimelineScript(std::vector<std::string> names)
        : m_names(std::move(names))
    {}
    static TimelineScript ofClients(std::size_t count)
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i)
            names.emplace_back("c").append(std::to_string(i));
        return TimelineScript(std::move(names));
    }

    void startsAt(double milliseconds) { m_start = milliseconds; } // clients come then
    void waits(unsigned client, double from) { add(from, client, trace::AcquireCalled{OwnerId{0}}); }
    // For a second lock, whatever it holds of the first.
    void waitsElsewhere(unsigned client, double from)
    {
        putElsewhere(add(from, client, trace::AcquireCalled{OwnerId{0}}));
    }
    void acquires(unsigned client, double at, std::size_t cause = kNone)
    {
        add(at, client, trace::Acquired{node(client), Zxid{++m_token}, OwnerId{0}}, cause);
    }
    void acquiresElsewhere(unsigned client, double at)
    {
        putElsewhere(add(at, client, trace::Acquired{node(client), Zxid{++m_token}, OwnerId{0}}));
    }
    void reenters(unsigned client, double at, std::uint16_t depth = 2)
    {
        add(at, client, trace::Reentered{depth, OwnerId{0}});
    }
    void releasesOneLevel(unsigned client, double at, std::uint16_t from = 2)
    {
        add(at, client, trace::ReleaseCalled{node(client), from, OwnerId{0}});
        add(at, client, trace::Released{node(client), static_cast<std::uint16_t>(from - 1), OwnerId{0}});
    }
    void callsRelease(unsigned client, double at)
    {
        add(at, client, trace::ReleaseCalled{node(client), 1, OwnerId{0}});
    }
    void releases(unsigned client, double at)
    {
        add(at, client, trace::ReleaseCalled{node(client), 1, OwnerId{0}});
        const std::size_t request = add(at, client, trace::Request{Operation::remove, node(client)});
        add(at, client, reply(Operation::remove, node(client)), request);
        add(at, client, trace::Released{node(client), 0, OwnerId{0}});
    }
    // A handoff whose release is called at `at`; `legs` are the microseconds of its five parts.
    void handsOff(unsigned from, unsigned to, double at, std::array<double, 5> legs)
    {
        const std::size_t request = startHandoff(from, at, legs);
        finishHandoff(from, to, request, at + (legs[0] + legs[1] + legs[2]) / 1000, legs);
    }
    // The same to all clients of [first, last] at once.
    void handsOffToAll(unsigned from, unsigned first, unsigned last, double at)
    {
        const std::array<double, 5> legs{10, 40, 20, 10, 20};
        const std::size_t request = startHandoff(from, at, legs);
        for (unsigned to = first; to <= last; ++to)
            finishHandoff(from, to, request, at + (70 + to) / 1000.0, legs);
    }
    void sessionGone(unsigned client, double at)
    {
        add(at, client, trace::SessionGone{SessionId{client + 1}});
    }
    void noticesLoss(unsigned client, double at)
    {
        add(at, client, trace::HoldLost{node(client), trace::LostReason::sessionExpired, OwnerId{0}});
    }
    void uses(unsigned client, double at, trace::ResourceAction action, std::int64_t token)
    {
        add(at, client, trace::ResourceUse{action, Zxid{token}});
    }
    void thaws(unsigned client, double at) { add(at, client, trace::Command{"thaw", {}}); }
    void serverIs(trace::ServerPhase phase, double at)
    {
        add(at, kNoClient, trace::ServerState{phase, {}, {}, {}, {}});
    }
    void freezes(unsigned client, double at) { add(at, client, trace::Command{"freeze", {}}); }
    void kills(unsigned client, double at) { add(at, client, trace::Command{"kill_session", {}}); }
    void pauses(double at) { add(at, kNoClient, trace::RunPhaseChanged{trace::RunPhase::paused, {}}); }
    void resumes(double at) { add(at, kNoClient, trace::RunPhaseChanged{trace::RunPhase::running, {}}); }
    void nothing(double at) { add(at, kNoClient, trace::Notice{trace::Severity::info, "a moment later"}); }

    std::shared_ptr<trace::TraceStore> trace(const trace::Header& header = {}) const
    {
        auto store = std::make_shared<trace::TraceStore>(header);
        trace::Event lock{{},
                          EventIndex::none(),
                          ClientId::none(),
                          LockId{0},
                          trace::LockAdded{"/locks/well", "mutex", "curator"}};
        store->append(lock);
        if (m_usesSecondLock) {
            lock.lock = LockId{1};
            lock.what = trace::LockAdded{"/locks/other", "mutex", "curator"};
            store->append(lock);
        }
        for (unsigned i = 0; i < m_names.size(); ++i) {
            trace::Event added{TraceTime(static_cast<Duration::rep>(m_start * 1e6)),
                               EventIndex::none(),
                               ClientId{i},
                               LockId::none(),
                               {}};
            added.what = trace::ClientAdded{m_names[i], static_cast<std::uint16_t>(i)};
            store->append(added);
            added.what = trace::SessionState{trace::SessionPhase::connected, SessionId{i + 1},
                                             std::chrono::seconds(4)};
            store->append(added);
        }
        std::vector<std::size_t> order(m_events.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            return m_events[a].event.at < m_events[b].event.at;
        });
        std::vector<EventIndex> placed(m_events.size(), EventIndex::none());
        for (const std::size_t i : order) {
            trace::Event event = m_events[i].event;
            if (m_events[i].cause != kNone)
                event.cause = placed[m_events[i].cause];
            placed[i] = store->append(event);
        }
        return store;
    }

private:
    void putElsewhere(std::size_t event)
    {
        m_events[event].event.lock = LockId{1};
        m_usesSecondLock = true;
    }
    std::size_t startHandoff(unsigned from, double at, std::array<double, 5> legs)
    {
        add(at, from, trace::ReleaseCalled{node(from), 1, OwnerId{0}});
        at += legs[0] / 1000;
        const std::size_t request = add(at, from, trace::Request{Operation::remove, node(from)});
        at += legs[1] / 1000;
        add(at, from, reply(Operation::remove, node(from)), request);
        add(at, from, trace::Released{node(from), 0, OwnerId{0}});
        return request;
    }
    void finishHandoff(unsigned from, unsigned to, std::size_t request, double at, std::array<double, 5> legs)
    {
        const std::size_t woken =
            add(at, to, trace::WatchFired{trace::WatchKind::deleted, node(from)}, request);
        at += legs[3] / 1000;
        const std::size_t list = add(at, to, trace::Request{Operation::getChildren, {}}, woken);
        at += legs[4] / 1000;
        const std::size_t read = add(at, to, reply(Operation::getChildren, {}), list);
        acquires(to, at, read);
    }
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    static constexpr unsigned kNoClient = ClientId::none().value;
    struct Planned
    {
        trace::Event event;
        std::size_t cause = kNone;
    };

    static trace::Reply reply(Operation op, trace::Text node)
    {
        return {op, trace::Outcome::ok, node, Zxid::none(), 0};
    }
    trace::Text node(unsigned client)
    {
        while (m_nodes.size() <= client) {
            m_nodes.push_back(std::make_unique<std::string>("_c_00000000-0000-0000-0000-000000000000-lock-"));
            m_nodes.back()->append(std::to_string(1'000'000'000 + m_nodes.size() - 1));
        }
        return *m_nodes[client];
    }
    std::size_t add(double milliseconds, unsigned client, trace::Payload what, std::size_t cause = kNone)
    {
        const TraceTime at(static_cast<Duration::rep>(milliseconds * 1e6 + 0.5));
        m_events.push_back({{at, EventIndex::none(), ClientId{client}, LockId{0}, std::move(what)}, cause});
        return m_events.size() - 1;
    }

    bool m_usesSecondLock = false;
    std::vector<std::string> m_names;
    std::vector<std::unique_ptr<std::string>> m_nodes;
    std::vector<Planned> m_events;
    double m_start = 0;
    std::int64_t m_token = 0x100;
};

} // namespace lockscope::ui::test
