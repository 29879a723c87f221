// A node whose maker finds it again when the reply to its create was lost, and which never stays behind:
// Curator's "protection" (ZOOKEEPER-1262, CURATOR-45, CURATOR-498). Lives in the frame of its operation.
// Scheduler thread.
#pragma once

#include "core/lock/clean_up.h"
#include "core/lock/recipe_bugs.h"
#include "core/lock/op_control.h"
#include "core/lock/lock_node_client.h"

#include <functional>

namespace lockscope::lock {

class ProtectedNode
{
public:
    struct NodeSpec
    {
        std::string lockName; // what follows the prefix; of a sequential node the server appends ten digits
        std::string data;
        zk::CreateMode mode = zk::CreateMode::ephemeralSequential;
        std::function<void()> afterCreate{}; // sends what has to go out directly after each create
    };

    ProtectedNode(OpControl& control, LockNodeClient nodeClient, NodeSpec nodeSpec, RecipeBugs bugs);

    // Next::go: the node is there, its name and token are known. `prefix` says whose it is and must be nobody
    // else's; `search`: one with it may exist already. Without a prefix there is no protection: a lost reply
    // leaves a node behind.
    zk::Task<StepResult> make(std::string prefix, bool search);

    // The same in three steps, for whoever waits for the answer without a coroutine in between. send() only
    // where the gate is open and nothing has stopped the operation; finish() does what is left of make(),
    // also when tookAnswer() says no.
    void send(std::string prefix);
    auto answered() const { return m_control.answered(*m_sent); } // co_await it
    bool tookAnswer();                                            // the node is there
    zk::Task<StepResult> finish();

    // Deletes the node, or looks for one that may exist, as a part of the clean-up.
    void giveUp(CleanUp& cleanUp);
    void forget(); // it is certain that it is gone

    const std::string& name() const { return m_name; }     // empty until it is known to exist
    const std::string& prefix() const { return m_prefix; } // of the last make()
    std::string takeName() { return std::move(m_name); }   // from now on it is somebody else's
    std::optional<std::int32_t> number() const { return m_number; } // the server's, of a sequential node
    Zxid token() const { return m_token; }

private:
    void sendCreate();
    zk::Task<StepResult> afterFailure(zk::Code code);
    zk::Task<StepResult> recover();
    zk::Task<StepResult> takeFound(std::string node);
    StepResult takeNode(std::string name, Zxid token);

    OpControl& m_control;
    LockNodeClient m_nodeClient;
    NodeSpec m_spec;
    RecipeBugs m_bugs;
    std::string m_prefix;
    std::string m_name;
    std::optional<std::int32_t> m_number;
    std::optional<zk::Pending<Answer<zk::Created>>> m_sent; // a create that is under way
    bool m_uncertain = false;                               // one with the prefix may exist
    Zxid m_token = Zxid::none();
};

} // namespace lockscope::lock
