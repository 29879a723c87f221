// What the tests with other libraries' clients share: LockTest's own clients, a peer on the same server, and
// waiting for what a peer says or does. A peer that cannot be had skips the test and names its package. Test
// thread only.
#pragma once

#include "tests/interop/peer_process.h"
#include "tests/lock/lock_test.h"
#include "tests/support/temp_folder.h"

namespace lockscope::tests {

class InteropTest : public LockTest
{
protected:
    void TearDown() override;

    // Starts it with that many clients; fails the test and returns nothing when it does not come up.
    std::unique_ptr<PeerProcess> startPeer(const Result<std::vector<std::string>>& command, int clients);

    // Waits until the peer says a line that begins so and returns it; fails the test when it says that
    // something failed.
    std::string expect(PeerProcess& peer, const std::string& beginning);
    // It has the lock; returns when it says so.
    void peerAcquires(PeerProcess& peer, int client, const std::string& kind);
    void peerReleases(PeerProcess& peer, int client, const std::string& kind);
    // It wants the lock, and returns when the server has its watch on that node: it has decided to wait
    // behind it.
    void peerWaitsBehind(PeerProcess& peer, int client, const std::string& kind, const std::string& node);
    // The only node on the lock's path.
    std::string onlyNode();
    // Ours wants the lock; returns when the server has its watch on that node.
    Acquiring waitBehind(lock::Lock& lock, const HubSessionPtr& session, const std::string& node);
    // Ours has the lock on return.
    Grant take(lock::Lock& lock);
    void giveBack(lock::Lock& lock);
    // A session that is not ours watches this node.
    bool isWatchedByPeer(const std::string& node);
    // A client of ours: its session's watches are not the peer's.
    LockClient& addOurs();
    HubSessionPtr connectOurs();

    // `times` times in and out, inside with a file of that name that can be made only once at a time. Returns
    // how often another client was inside.
    zk::Awaitable<int> cycle(lock::Lock* lock, int times, std::string marker);
    // Two of ours and two of theirs go through one lock, each `times` times; returns how often two were
    // inside.
    int mixedRun(PeerProcess& peer, const std::string& kind, const std::vector<lock::Lock*>& ours, int times);

    std::string marker() const { return m_folder / "inside"; }

private:
    std::vector<SessionId> watchers(const std::string& node);
    TempFolder m_folder;
    std::vector<HubSessionPtr> m_ours;
};

} // namespace lockscope::tests
