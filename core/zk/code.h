// The outcome of a request. The numbers of the C client and of the wire are translated to these codes at the
// edge. Recipes base their decisions on the Certainty of a code. Plain values.
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
    authRequired, // the server serves only clients that authenticate (with SASL, or as it is configured)
    noChildrenForEphemerals,
    badArguments,
    throttled,   // the server is too busy and did not accept the request
    refused,     // any other refusal by the server
    unknown,     // connection lost or timed out: the request may have been executed
    sessionLost, // the session is lost, and its ephemeral nodes with it
    closed,      // closed by the client before the reply: the request may have been executed
};

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
