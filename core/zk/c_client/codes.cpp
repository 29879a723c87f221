#include "core/zk/c_client/codes.h"

namespace lockscope::zk::c_client {

Code fromC(int rc)
{
    switch (rc) {
    case ZOK:
        return Code::ok;
    case ZNONODE:
        return Code::noNode;
    case ZNODEEXISTS:
        return Code::nodeExists;
    case ZNOTEMPTY:
        return Code::notEmpty;
    case ZBADVERSION:
        return Code::badVersion;
    case ZNOAUTH:
    case ZINVALIDACL: // the session has no identity for the ACL, or the ACL's scheme is unknown
        return Code::noAuth;
    case ZSESSIONCLOSEDREQUIRESASLAUTH:
        return Code::authRequired;
    case ZNOCHILDRENFOREPHEMERALS:
        return Code::noChildrenForEphemerals;
    case ZBADARGUMENTS:
    case ZMARSHALLINGERROR:
        return Code::badArguments;
    case ZTHROTTLEDOP:
        return Code::throttled;
    case ZCONNECTIONLOSS:
    case ZOPERATIONTIMEOUT:
    case ZSESSIONMOVED:
    // After a write found the connection dead, the library reconnects silently and then gives this code to
    // every pending request, although some were carried out (a side effect of ZOOKEEPER-4210).
    case ZRUNTIMEINCONSISTENCY:
        return Code::unknown;
    case ZSESSIONEXPIRED:
    case ZAUTHFAILED:
    // A call on a handle that is no longer usable.
    case ZINVALIDSTATE:
        return Code::sessionLost;
    case ZCLOSING:
        return Code::closed;
    default:
        return Code::refused;
    }
}

Stat fromC(const struct ::Stat* stat)
{
    if (!stat)
        return Stat{Zxid::none(), Zxid::none(), Zxid::none(), SessionId::none()};
    Stat result;
    result.czxid = Zxid{stat->czxid};
    result.mzxid = Zxid{stat->mzxid};
    result.pzxid = Zxid{stat->pzxid};
    // The server also reports 0 for a container (DataNode.copyStat).
    result.ephemeralOwner = stat->ephemeralOwner == 0 ? SessionId::none() : SessionId{stat->ephemeralOwner};
    result.version = stat->version;
    result.cversion = stat->cversion;
    result.numChildren = stat->numChildren;
    return result;
}

int toC(CreateMode mode)
{
    switch (mode) {
    case CreateMode::persistent:
        return ZOO_PERSISTENT;
    case CreateMode::ephemeral:
        return ZOO_EPHEMERAL;
    case CreateMode::persistentSequential:
        return ZOO_PERSISTENT_SEQUENTIAL;
    case CreateMode::ephemeralSequential:
        return ZOO_EPHEMERAL_SEQUENTIAL;
    case CreateMode::container:
        return ZOO_CONTAINER;
    }
    return ZOO_PERSISTENT;
}

} // namespace lockscope::zk::c_client
