// The operation codes of ZooKeeper's protocol and transaction log (org.apache.zookeeper.ZooDefs.OpCode).
// Plain values; any thread.
#pragma once

#include "core/base/vocabulary.h"

namespace lockscope {

enum class OpCode : std::int32_t {
    closeSession = -11,
    createSession = -10,
    error = -1,
    create = 1,
    remove = 2,
    exists = 3,
    getData = 4,
    setData = 5,
    setAcl = 7,
    getChildren = 8,
    sync = 9,
    ping = 11,
    getChildren2 = 12,
    check = 13,
    multi = 14,
    create2 = 15,
    reconfig = 16,
    createContainer = 19,
    removeContainer = 20,
    createTtl = 21,
    multiRead = 22, // 3.6
    auth = 100,
    setWatches = 101,
    sasl = 102,
    setWatches2 = 105, // 3.6
    addWatch = 106,    // 3.6
};

// The operation that a client sends with this code; none for other codes.
constexpr std::optional<Operation> operationOf(OpCode code)
{
    switch (code) {
    case OpCode::create:
    case OpCode::create2:
    case OpCode::createContainer:
    case OpCode::createTtl:
        return Operation::create;
    case OpCode::remove:
        return Operation::remove;
    case OpCode::getChildren:
    case OpCode::getChildren2:
        return Operation::getChildren;
    case OpCode::getData:
        return Operation::getData;
    case OpCode::setData:
        return Operation::setData;
    case OpCode::exists:
        return Operation::exists;
    case OpCode::sync:
        return Operation::sync;
    default:
        return std::nullopt;
    }
}

} // namespace lockscope
