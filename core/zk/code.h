// The outcome of a request. The numbers of the C client and of the wire are translated to these codes at the edge.
// Each code falls in one of three classes, by which recipes decide. Plain values.
#pragma once

#include "core/base/message.h"

namespace lockscope::zk {

enum class Code {
    ok,
    noNode,
    nodeExists,
    notEmpty,
    badVersion,
    noAuth,
    noChildrenForEphemerals,
    badArguments,
    throttled,     // the server is too busy; it did not take the request
    refused,       // any other refusal of the server
    unknown,       // connection lost or timed out: it may have happened or not
    sessionLost,   // the session is gone with its ephemeral nodes
    closed,        // closed by the client before the reply: may have happened
};

enum class Certainty {
    happened,
    didNotHappen,
    unknown,
};

// noNode and nodeExists are answers: the request itself changed nothing.
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
    return code == Code::noAuth || code == Code::badArguments || code == Code::noChildrenForEphemerals;
}

Message describe(Code code); // a short phrase: "the node does not exist"

} // namespace lockscope::zk
