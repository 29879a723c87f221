#include "tests/faults/server_faults.h"

#include "core/server/process/java_install.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace lockscope::tests {

namespace {

namespace fs = std::filesystem;

// A server of a slow disk waits for it. Members are numbered from 1.
constexpr const char* kScript = R"(#!/bin/bash
arguments=("${{@/forceSync=no/forceSync=yes}}")
if [[ -n '{0}' && -f data/myid && $(($(<data/myid) % 2)) = 0 ]]; then
    for i in "${{!arguments[@]}}"; do
        [[ ${{arguments[i]}} = -cp ]] && arguments[i + 1]='{0}'
    done
fi
LD_PRELOAD='{1}' exec '{2}' "${{arguments[@]}}"
)";

server::JavaInstall installIn(const fs::path& root)
{
    const auto install = server::findJavaInstall({{}, {}, root});
    if (!install)
        throw std::runtime_error(install.error().text());
    return *install;
}

// Debian's jar names the others by their places in its own system, where this one has its own release.
std::string classPathIn(const fs::path& root)
{
    const fs::path records = root / "usr/share/java/zookeeper-jute.jar";
    return (fs::exists(records) ? records.string() + ":" : "") + installIn(root).classPath;
}

} // namespace

ServerFaults::ServerFaults(const fs::path& otherRelease)
{
    const std::string other = otherRelease.empty() ? "" : classPathIn(otherRelease);
    std::ofstream(java()) << fmt::format(fmt::runtime(kScript), other, LOCKSCOPE_SERVER_PRELOAD,
                                         installIn("/").java.string());
    fs::permissions(java(), fs::perms::owner_all);
}

fs::path ServerFaults::java() const { return m_folder.path() / "java"; }

void ServerFaults::attach(const server::ManagedServer& server)
{
    for (std::size_t member = 0; member < server.size(); ++member) {
        const fs::path file = server.directory(member) / kControlsFile;
        const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
        if (opened < 0)
            throw std::runtime_error("The library for " + file.string() + " was not preloaded.");
        void* const memory =
            ::mmap(nullptr, sizeof(ServerControls), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
        ::close(opened);
        if (memory == MAP_FAILED)
            throw std::runtime_error("The file " + file.string() + " cannot be mapped.");
        m_controls.emplace_back(static_cast<ServerControls*>(memory));
    }
}

void ServerFaults::Unmap::operator()(ServerControls* mapped) const
{
    ::munmap(mapped, sizeof(ServerControls));
}

void ServerFaults::slowDisks(Duration everySync)
{
    for (const auto& each : m_controls)
        each->syncDelayNs = everySync.count();
}

void ServerFaults::shiftClocks(Duration by)
{
    for (std::size_t i = 0; i < m_controls.size(); ++i)
        m_controls[i]->clockShiftNs = i % 2 == 0 ? by.count() : -by.count();
}

std::uint64_t ServerFaults::slowSyncs() const
{
    std::uint64_t sum = 0;
    for (const auto& each : m_controls)
        sum += each->slowSyncs;
    return sum;
}

std::uint64_t ServerFaults::shiftedReads() const
{
    std::uint64_t sum = 0;
    for (const auto& each : m_controls)
        sum += each->shiftedReads;
    return sum;
}

} // namespace lockscope::tests
