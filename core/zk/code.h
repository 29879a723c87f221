// The outcome of a request. The numbers of the C client and of the wire are translated to these codes at the
// edge. Recipes base their decisions on the Certainty of a code. Plain values.
#pragma once

#include "core/base/message.h"

#include <cstdint>

namespace lockscope::zk {

enum class Code {
    ok,
    noNode,
    nodeExists,
    notEmpty,
    badVersion,
    noAuth,
    authRequired, // the server serves only clients that authenticate (with SASL, or as it is configured)
    noChildrenForEphemerals,
    badArguments,
    throttled,   // the server is too busy and did not accept the request
    refused,     // any other refusal by the server
    unknown,     // connection lost or timed out: the request may have been executed
    sessionLost, // the session is lost, and its ephemeral nodes with it
    closed,      // closed by the client before the reply: the request may have been executed
};

// The code of a number of the protocol (org.apache.zookeeper.KeeperException.Code) or of the C client, which
// uses the same ones and some of its own.
constexpr Code codeOf(std::int32_t error)
{
    switch (error) {
    case 0:
        return Code::ok;
    case -101:
        return Code::noNode;
    case -102:
    case -114: // invalid ACL: the session has no identity for it, or its scheme is unknown
        return Code::noAuth;
    case -103:
        return Code::badVersion;
    case -108:
        return Code::noChildrenForEphemerals;
    case -110:
        return Code::nodeExists;
    case -111:
        return Code::notEmpty;
    case -124: // the session was closed because SASL is required
        return Code::authRequired;
    case -5: // marshalling error
    case -8: // bad arguments
        return Code::badArguments;
    case -127:
        return Code::throttled;
    case -4:   // connection loss
    case -7:   // operation timeout
    case -118: // session moved
    // After a write found the connection dead, the C client reconnects silently and then gives this code
    // (runtime inconsistency) to every pending request, although some were carried out (a side effect of
    // ZOOKEEPER-4210).
    case -2:
        return Code::unknown;
    case -112: // session expired
    case -115: // auth failed
    case -9:   // a call on a handle of the C client that is no longer usable
        return Code::sessionLost;
    case -116: // the C client's handle is closing
        return Code::closed;
    default:
        return Code::refused;
    }
}

enum class Certainty {
    happened,
    didNotHappen,
    unknown,
};

// noNode and nodeExists count as didNotHappen: the request changed nothing.
constexpr Certainty certaintyOf(Code code)
{
    switch (code) {
    case Code::ok:
        return Certainty::happened;
    case Code::unknown:
    case Code::closed:
    case Code::sessionLost:
        return Certainty::unknown;
    default:
        return Certainty::didNotHappen;
    }
}

// A refusal that a retry would not change.
constexpr bool isFinal(Code code)
{
    return code == Code::noAuth || code == Code::authRequired || code == Code::badArguments ||
           code == Code::noChildrenForEphemerals;
}

Message describe(Code code); // a short phrase: "the node does not exist"

} // namespace lockscope::zk
