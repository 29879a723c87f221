// What became of a request. The C client's numbers are translated to these at the edge; every code falls in one
// of three classes, and a recipe decides by the class. Plain values.
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
    throttled,     // the server refused to take it now
    refused,       // any other answer of the server that says no
    unknown,       // connection lost, timed out, or the client library lost track: it may have happened or not
    sessionLost,   // the session is gone, and every ephemeral node of it
    closed,        // closed by ourselves before the answer came: may have happened
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

// A refusal that trying again would not change.
constexpr bool isFinal(Code code)
{
    return code == Code::noAuth || code == Code::badArguments || code == Code::noChildrenForEphemerals;
}

Message describe(Code code); // a short phrase: "the node does not exist"

} // namespace lockscope::zk
