#include "core/zk/c_client/codes.h"

namespace lockscope::zk::c_client {

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
    result.created = decltype(result.created)(std::chrono::milliseconds(stat->ctime));
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
