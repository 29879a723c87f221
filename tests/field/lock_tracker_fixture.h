// A tracker that is fed with nodes and with answers of the servers. Time is given, not waited for.
#pragma once

#include "core/field/lock_tracker.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace lockscope::field {

class LockTrackerTest : public ::testing::Test
{
protected:
    static inline const std::string kGuid = "_c_01234567-89ab-cdef-0123-456789abcdef-";
    static inline const std::string kHex = "0123456789abcdef0123456789abcdef";

    LockTrackerTest()
    {
        tracker.beginReading();
        plain("/l");
        tracker.endReading(now, std::nullopt);
    }
    static std::string digits(int number)
    {
        const std::string text = std::to_string(number);
        return std::string(10 - text.size(), '0') + text;
    }
    static std::string curator(int number, int client = 0)
    {
        std::string guid = kGuid;
        guid[4] = static_cast<char>('a' + client % 6);
        guid[5] = static_cast<char>('0' + number % 10);
        guid[6] = static_cast<char>('0' + number / 10 % 10);
        return guid + "lock-" + digits(number);
    }
    static std::string kazoo(int number, const std::string& word = "__lock__")
    {
        std::string hex = kHex;
        hex[0] = static_cast<char>('a' + number % 6);
        hex[1] = static_cast<char>('0' + number / 6 % 10);
        return hex + word + digits(number);
    }
    NodeFacts facts(std::int64_t session, const std::string& data = {})
    {
        NodeFacts given;
        given.stat.stat.czxid = Zxid{++zxid};
        given.stat.stat.ephemeralOwner = session == 0 ? SessionId::none() : SessionId{session};
        given.stat.createdMs = now;
        given.stat.stat.mzxid = given.stat.stat.czxid;
        given.stat.stat.cversion = 2 * creations; // of children
        given.stat.dataLength = static_cast<std::int32_t>(data.size());
        given.data = data;
        return given;
    }
    void plain(const std::string& path)
    {
        const NodeFacts given = facts(0);
        tracker.isReading() ? tracker.read(path, given)
                            : static_cast<void>(tracker.created(path, &given, now));
    }
    void add(const std::string& node, std::int64_t session, const std::string& lock = "/l",
             const std::string& data = {})
    {
        const NodeFacts given = facts(session, data);
        tracker.created(lock + "/" + node, &given, now);
    }
    void remove(const std::string& node, const std::string& lock = "/l")
    {
        tracker.deleted(lock + "/" + node, now);
    }
    Snapshot look()
    {
        Snapshot snapshot;
        tracker.tick(now);
        tracker.fill(snapshot, {}, true);
        return snapshot;
    }
    LockStatus row(const std::string& lock = "/l")
    {
        for (const LockStatus& one : look().locks)
            if (one.path == lock)
                return one;
        return {};
    }
    std::optional<Diagnosis::Kind> diagnosis(const std::string& lock = "/l")
    {
        const auto given = row(lock).diagnosis;
        if (given) {
            EXPECT_FALSE(sentence(*given).empty());
            EXPECT_FALSE(evidence(*given).empty());
            EXPECT_FALSE(remedy(*given).empty());
        }
        return given ? std::optional(given->kind) : std::nullopt;
    }
    static MonotonicTime clock() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }
    SessionPoll poll(std::vector<std::int64_t> alive)
    {
        SessionPoll taken;
        taken.begun = taken.ended = clock();
        taken.whole = true;
        for (const std::int64_t one : alive) {
            SessionFacts& known = taken.sessions[SessionId{one}];
            known.alive = known.connected = true;
            known.address = "10.0.0." + std::to_string(one) + ":1";
            known.timeout = std::chrono::seconds(10);
        }
        return taken;
    }

    LockTracker tracker;
    std::int64_t now = 1'700'000'000'000;
    std::int64_t zxid = 0;
    std::int32_t creations = 10'000; // that a folder has had
};

} // namespace lockscope::field
