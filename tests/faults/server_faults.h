// Servers whose disks become slow and whose wall clocks jump, and of which every second one may be of another
// release of ZooKeeper: their Java is started by a script that preloads a library (server_preload.cpp). One
// thread at a time.
#pragma once

#include "tests/faults/server_controls.h"
#include "tests/support/temp_folder.h"

#include "core/base/time.h"
#include "core/server/process/managed_server.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace lockscope::tests {

class ServerFaults
{
public:
    // `otherRelease`: a root of a system with another release, for every second member; empty: none. Throws
    // when it has none, or without Java.
    explicit ServerFaults(const std::filesystem::path& otherRelease);
    std::filesystem::path java() const;               // for ManagedServer::Options::java, before the start
    void attach(const server::ManagedServer& server); // after the start

    void slowDisks(Duration everySync); // of all members; zero: no more
    void
    shiftClocks(Duration by); // of every second member forwards, of the others backwards; zero: right again
    std::uint64_t slowSyncs() const;
    std::uint64_t shiftedReads() const;

private:
    struct Unmap
    {
        void operator()(ServerControls* mapped) const;
    };
    TempFolder m_folder;
    std::vector<std::unique_ptr<ServerControls, Unmap>> m_controls; // of each member
};

} // namespace lockscope::tests
