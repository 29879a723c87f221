// A state of one lock, made by hand for the tests of the watch chain: node 185 on, each waiting for the one
// ahead.
#pragma once

#include "core/replay/state/run_state.h"

#include <deque>
#include <string>

namespace lockscope::tests {

class LockStateBuilder
{
public:
    static constexpr std::uint32_t kFirst = 185;

    // `queued` clients stand in the queue, the first holds; `others` do not.
    explicit LockStateBuilder(std::uint32_t queued, std::uint32_t others = 0)
    {
        using namespace std::chrono_literals;
        state.now = 1s;
        replay::LockRow lock;
        lock.id = LockId{0};
        lock.path = "/locks/well";
        lock.recipe = "mutex";
        lock.handoff = "curator";
        state.locks.push_back(lock);
        for (std::uint32_t i = 0; i < queued + others; ++i)
            addClient(i);
        for (std::uint32_t i = 0; i < queued; ++i)
            addNode(i);
        state.locks[0].highestSequence = kFirst + queued - 1;
    }

    replay::LockRow& lock() { return state.locks[0]; }
    replay::NodeRow& node(std::size_t place) { return lock().queue[place]; }
    replay::ClientRow& client(std::size_t index) { return state.clients[index]; }
    replay::Text keep(std::string text) { return m_texts.emplace_back(std::move(text)); }

    static std::string nameOf(std::uint32_t sequence)
    {
        const std::string digits = std::to_string(sequence);
        return "_c_258cf713-9f3e-4c58-8a12-0123456789ab-lock-" + std::string(10 - digits.size(), '0') +
               digits;
    }

    void addForeign(std::string name)
    {
        replay::NodeRow row;
        row.name = keep(std::move(name));
        row.phase = replay::NodePhase::foreign;
        row.created = std::chrono::milliseconds(900);
        lock().queue.push_back(row);
    }

    replay::RunState state;

private:
    void addClient(std::uint32_t i)
    {
        static constexpr const char* kNames[] = {"ada", "bo", "cyd", "dee", "eli"};
        replay::ClientRow row;
        row.id = ClientId{i};
        row.name = i < 5 ? replay::Text(kNames[i]) : keep(std::string("c").append(std::to_string(i + 1)));
        row.colour = static_cast<std::uint16_t>(i);
        row.phase = replay::ClientPhase::thinking;
        row.session = trace::SessionPhase::connected;
        row.sessionId = SessionId{0x1000a0 + static_cast<std::int64_t>(i)};
        row.lock = LockId{0};
        state.clients.push_back(row);
    }

    void addNode(std::uint32_t i)
    {
        using namespace std::chrono_literals;
        replay::NodeRow row;
        row.name = keep(nameOf(kFirst + i));
        row.sequence = kFirst + i;
        row.hasPaddedNumber = true;
        row.owner = ClientId{i};
        row.session = state.clients[i].sessionId;
        row.token = Zxid{0x1f3 + static_cast<std::int64_t>(i)};
        row.created = row.waitingSince = state.now - 112ms;
        row.createdBy = EventIndex{100 + i};
        replay::ClientRow& owner = state.clients[i];
        owner.node = row.name;
        if (i == 0) {
            row.phase = replay::NodePhase::holds;
            row.depth = 2;
            row.heldSince = state.now - 38ms;
            owner.phase = replay::ClientPhase::holding;
            owner.step = replay::Step::hold;
        } else {
            row.phase = replay::NodePhase::waits;
            row.watches = lock().queue.back().name;
            owner.phase = replay::ClientPhase::waiting;
            owner.step = replay::Step::sleep;
            owner.watches = row.watches;
        }
        lock().queue.push_back(row);
    }

    std::deque<std::string> m_texts;
};

} // namespace lockscope::tests
