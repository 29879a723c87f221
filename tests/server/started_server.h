// A server that must start: the test fails when it does not.
#pragma once

#include "core/server/process/managed_server.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace lockscope::server::testing {

inline std::unique_ptr<ManagedServer> startOrFail(const ManagedServer::Options& options = {})
{
    auto server = ManagedServer::start(options);
    if (!server) {
        ADD_FAILURE() << server.error().text();
        return nullptr;
    }
    return std::move(*server);
}

} // namespace lockscope::server::testing
