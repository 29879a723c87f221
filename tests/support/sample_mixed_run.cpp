#include "tests/support/sample_mixed_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lockscope::tests {

namespace {

constexpr std::array kLocks{"left", "right", "door", "sem"};
constexpr std::size_t kDoor = 2;
constexpr std::size_t kSem = 3;
constexpr std::size_t kPermits = 2;
constexpr std::size_t kClients = 7;
constexpr std::size_t kInProcess = 3; // the first ones share a session

struct Place
{
    std::size_t lock = 0;
    int number = 0;
    bool operator==(const Place&) const = default;
};

struct Client
{
    std::string name;
    std::vector<Place> held;
    std::vector<Place> waiting; // one, or none; on the semaphore inside the door
    int ahead = 0;              // whose node it watches
    bool wantsLease = false;
    bool sleepsOnList = false;
};

class Medley
{
public:
    explicit Medley(Random& random)
        : m_random(random)
    {
        say("- lock left; - lock right; - lock door; - lock sem semaphore; -@sem limit 2; - process shop c0 "
            "c1 c2");
        for (std::size_t i = 0; i < kClients; ++i)
            m_clients[i].name = "c" + std::to_string(i);
    }

    std::string play(std::size_t steps)
    {
        for (std::size_t i = 0; i < steps; ++i)
            step(m_clients[upTo(kClients)]);
        return std::move(m_text);
    }

private:
    std::size_t upTo(std::size_t count) // less than it
    {
        return static_cast<std::size_t>(m_random.uniform(0, static_cast<std::int64_t>(count) - 1));
    }
    bool happens(double share) { return m_random.unit() < share; }
    void say(const std::string& statement) { m_text += statement + "\n"; }
    void say(const Client& c, std::size_t lock, const std::string& what)
    {
        say(fmt::format("{}@{} {}", c.name, kLocks[lock], what));
    }
    static std::string node(const Place& place)
    {
        return (place.lock == kSem ? "l" : "n") + std::to_string(place.number);
    }
    static bool holds(const Client& c, std::size_t lock)
    {
        return std::any_of(c.held.begin(), c.held.end(), [lock](const Place& p) { return p.lock == lock; });
    }

    void step(Client& c)
    {
        if (happens(0.002) && &c == &m_clients[0])
            endProcess();
        else if (!c.waiting.empty())
            goOn(c);
        else if (c.wantsLease && holds(c, kDoor))
            makeLease(c);
        else if (!c.held.empty() && happens(0.45))
            release(c, upTo(c.held.size()));
        else if (happens(0.3))
            wantLease(c);
        else if (const std::size_t lock = upTo(2); !holds(c, lock))
            queueUp(c, lock);
        else if (happens(0.3))
            say(c, lock, "reentered 2");
    }

    void wantLease(Client& c)
    {
        if (c.wantsLease)
            return;
        c.wantsLease = true;
        say(c, kSem, "calls");
        queueUp(c, kDoor);
    }

    void queueUp(Client& c, std::size_t lock)
    {
        const Place own{lock, static_cast<int>(lock) * 1'000'000 + ++m_numbers[lock]};
        say(c, lock, "joins " + node(own));
        m_queues[lock].push_back(own.number);
        c.waiting = {own};
        look(c);
    }

    // Takes it, or watches the one ahead.
    void look(Client& c)
    {
        const Place own = c.waiting.front();
        const std::vector<int>& queue = m_queues[own.lock];
        const auto place =
            static_cast<std::size_t>(std::find(queue.begin(), queue.end(), own.number) - queue.begin());
        if (place == 0) {
            say(c, own.lock, "takes " + node(own));
            c.held.push_back(own);
            c.waiting.clear();
            return;
        }
        c.ahead = queue[place - 1];
        const std::string ahead = node({own.lock, c.ahead});
        say(c, own.lock, fmt::format("again {} {}/{} {}", node(own), place, queue.size(), ahead));
        say(c, own.lock, "watch " + ahead);
        say(c, own.lock, "watching " + ahead);
    }

    void goOn(Client& c)
    {
        const Place own = c.waiting.front();
        const std::vector<int>& queue = m_queues[own.lock];
        if (own.lock == kSem) {
            if (queue.size() <= kPermits)
                takeLease(c);
        } else if (std::find(queue.begin(), queue.end(), c.ahead) == queue.end()) {
            say(c, own.lock, "fired " + node({own.lock, c.ahead}));
            look(c);
            return;
        }
        if (!c.waiting.empty() && happens(0.05))
            giveUp(c);
    }

    void makeLease(Client& c)
    {
        const Place own{kSem, 3'000'000 + ++m_numbers[kSem]};
        m_queues[kSem].push_back(own.number);
        c.waiting = {own};
        c.sleepsOnList = m_queues[kSem].size() > kPermits;
        say(c, kSem, "create");
        say(c, kSem, "created " + node(own));
        say(c, kSem, "listed 1");
        if (c.sleepsOnList)
            say(c, kSem, fmt::format("sleeps {} 1/{}", node(own), m_queues[kSem].size()));
        else
            takeLease(c);
    }

    void takeLease(Client& c)
    {
        if (std::exchange(c.sleepsOnList, false))
            say(c, kSem, "childrenchanged");
        say(c, kSem, "takes " + node(c.waiting.front()));
        c.held.push_back(c.waiting.front());
        c.waiting.clear();
        c.wantsLease = false;
        leave(c, kDoor);
    }

    void leave(Client& c, std::size_t lock)
    {
        for (std::size_t i = 0; i < c.held.size(); ++i) {
            if (c.held[i].lock == lock) {
                release(c, i);
                return;
            }
        }
    }

    void release(Client& c, std::size_t which)
    {
        const Place held = c.held[which];
        c.held.erase(c.held.begin() + static_cast<std::ptrdiff_t>(which));
        std::erase(m_queues[held.lock], held.number);
        say(c, held.lock, "release " + node(held));
        say(c, held.lock, "freed " + node(held));
    }

    void giveUp(Client& c)
    {
        const Place own = c.waiting.front();
        c.waiting.clear();
        c.sleepsOnList = false;
        std::erase(m_queues[own.lock], own.number);
        say(c, own.lock, "delete " + node(own));
        say(c, own.lock, "deleted " + node(own));
        say(c, own.lock, "failed timedOut");
        if (!std::exchange(c.wantsLease, false))
            return;
        if (own.lock != kSem)
            say(c, kSem, "failed timedOut");
        leave(c, kDoor);
    }

    // Once: its clients have sessions of their own afterwards.
    void endProcess()
    {
        if (std::exchange(m_processEnded, true))
            return;
        say("- gone shop");
        for (std::size_t i = 0; i < kInProcess; ++i) {
            Client& c = m_clients[i];
            say(c, 0, "lost");
            for (const Place& own : c.held) {
                std::erase(m_queues[own.lock], own.number);
                say(c, own.lock, "holdlost " + node(own));
            }
            for (const Place& own : c.waiting) {
                std::erase(m_queues[own.lock], own.number);
                say(c, own.lock, "failed sessionLost");
            }
            const bool atTheDoor = c.wantsLease && (c.waiting.empty() || c.waiting.front().lock != kSem);
            if (atTheDoor)
                say(c, kSem, "failed sessionLost");
            say(c, 0, "connecting");
            say(c, 0, "connected");
            c = Client{c.name, {}, {}, 0, false, false};
        }
    }

    Random& m_random;
    std::string m_text;
    std::array<Client, kClients> m_clients;
    std::array<std::vector<int>, kLocks.size()> m_queues;
    std::array<int, kLocks.size()> m_numbers{};
    bool m_processEnded = false;
};

} // namespace

std::string sampleMixedRun(Random& random, std::size_t steps) { return Medley(random).play(steps); }

} // namespace lockscope::tests
