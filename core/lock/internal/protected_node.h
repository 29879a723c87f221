// A node that can be found again when the reply to its create was lost, and that is never left behind: the
// "protection" of Curator (ZOOKEEPER-1262, CURATOR-45, CURATOR-498). Lives in the frame of its operation.
// Scheduler thread.
#pragma once

#include "core/lock/internal/clean_up.h"
#include "core/lock/internal/lock_node_client.h"
#include "core/lock/internal/op_control.h"

#include <functional>

namespace lockscope::lock {

class ProtectedNode
{
public:
    struct NodeSpec
    {
        std::string lockName; // follows the prefix; the server appends ten digits to a sequential name
        std::string data;
        zk::CreateMode mode = zk::CreateMode::ephemeralSequential;
        std::function<void()> afterCreate{}; // called directly after each create is sent, to send more
    };

    ProtectedNode(OpControl& control, LockNodeClient nodeClient, NodeSpec nodeSpec);

    // proceed: the node exists, its name and token are known. `prefix` must be unique; with `search`, a node
    // with this prefix may already exist.
    zk::Task<StepResult> make(std::string prefix, bool search);

    // The same in three steps, to await the answer without a coroutine in between. Call send() only when the
    // gate is open and the operation is not stopped. finish() completes make() in any case.
    void send(std::string prefix);
    auto answered() const { return m_control.answered(*m_sent); } // co_await it
    bool takeReply(); // takes the reply of a create that succeeded; true: the node exists and may be used
    zk::Task<StepResult> finish();

    // Deletes the node, or searches for one that may exist, as part of the clean-up.
    void giveUp(CleanUp& cleanUp);
    void forget(); // the node is certainly gone

    const std::string& name() const { return m_name; }              // empty until the node is known to exist
    const std::string& prefix() const { return m_prefix; }          // of the last make()
    std::string takeName() { return std::move(m_name); }            // the caller owns the node from now on
    std::optional<std::int32_t> number() const { return m_number; } // from the server, if sequential
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
    std::string m_prefix;
    std::string m_name;
    std::optional<std::int32_t> m_number;
    std::optional<zk::Pending<Answer<zk::Created>>> m_sent; // a create that is under way
    bool m_uncertain = false;                               // a node with the prefix may exist
    Zxid m_token = Zxid::none();
};

} // namespace lockscope::lock
