// The C client with nothing around it: two handles and poll(). What it reaches is the limit that everything
// built on it is measured against. One thread; blocks.
#pragma once

#include "core/base/time.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::bench {

// One session, connected all the time as the contestants' are.
class BareClient
{
public:
    // awake: gives the processor away for up to 0.2 ms before it sleeps.
    explicit BareClient(const std::string& host, bool awake = false);
    ~BareClient();
    BareClient(const BareClient&) = delete;
    BareClient& operator=(const BareClient&) = delete;
    // Creates the nodes of the path that are missing, to stay: the server removes containers that are empty.
    void makePath(const std::string& path);
    // Seconds for `cycles` times create (ephemeral sequential) and delete, one after the other. With the
    // list, a getChildren goes out together with each create: what any lock has to ask for at least.
    double createDelete(const std::string& parent, int cycles, bool withList);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};
// From the delete call of one handle to the watch function of another one, `times` times, each on a fresh
// node that has been there for `rest`.
std::vector<Duration> bareDeleteToEvent(const std::string& host, const std::string& parent, int times,
                                        Duration rest);

// A node in front of the queue, so that a whole queue can form before the first one gets the lock. Its name
// is one that the contestants count.
class FirstInLine
{
public:
    FirstInLine(const std::string& host, const std::string& path, const std::string& namePrefix);
    ~FirstInLine();
    FirstInLine(const FirstInLine&) = delete;
    FirstInLine& operator=(const FirstInLine&) = delete;
    void stay(); // for some 10 ms; again and again, or the server takes it for dead
    void letGo();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::bench
