// lock_fault_run [--acquisitions N] [--minutes N] [--at-most MINUTES] [--members 1|3|5] [--server-faults]
// [--other-release ROOT] [--clients N] [--locks N] [--seed S] [--handoff curator|announced|mixed]
// [--report FILE] [--bug NAME]: the long fault run on private servers. With --server-faults their disks
// become slow and their clocks jump, too; with --other-release every second member is the ZooKeeper of that
// root, of another release of Debian. Progress and a JSON report on standard output. With a bug the lock has
// a known mistake, to see that it is found. Exit code: 0 clean, 1 something was violated, left behind or
// stuck, 2 usage, 3 no server to be had.
#include "tests/faults/fault_run.h"
#include "tests/faults/server_faults.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <map>

int main(int argc, char** argv)
{
    using namespace lockscope;
    tests::FaultRunOptions options;
    options.acquisitions = 1'000'000;
    options.shortestTimeout = std::chrono::seconds(2);
    options.longestTimeout = std::chrono::seconds(4);
    options.minServerFaultGap = std::chrono::seconds(6);
    options.pause = std::chrono::milliseconds(400);
    options.reducesRate = false;
    options.progress = true;
    std::string report;
    std::uint32_t minutes = 0, atMost = 12 * 60;

    CLI::App app("Clients acquire and release while everything fails.", "lock_fault_run");
    app.add_option("--acquisitions", options.acquisitions)->capture_default_str();
    app.add_option("--minutes", minutes, "go on at least as long")->check(CLI::Range(0, 600));
    app.add_option("--at-most", atMost, "minutes, after which it ends with what it has")
        ->check(CLI::Range(1, 720));
    app.add_option("--clients", options.clients)->capture_default_str()->check(CLI::Range(1, 1000));
    app.add_option("--locks", options.locks)->capture_default_str()->check(CLI::Range(1, 1000));
    app.add_option("--seed", options.seed)->capture_default_str();
    const std::map<std::string, tests::Handoff> handoffs = {{"curator", tests::Handoff::curator},
                                                            {"announced", tests::Handoff::announced},
                                                            {"mixed", tests::Handoff::mixed}};
    app.add_option("--handoff", options.handoff)->transform(CLI::CheckedTransformer(handoffs));
    server::ManagedServer::Options serverOptions;
    app.add_option("--members", serverOptions.members, "of the ensemble")->check(CLI::IsMember({1, 3, 5}));
    bool serverFaults = false;
    std::string otherRelease;
    app.add_flag("--server-faults", serverFaults, "slow disks and clocks that jump, too");
    app.add_option("--other-release", otherRelease, "a root, whose ZooKeeper every second member runs")
        ->check(CLI::ExistingDirectory);
    std::string bug;
    const std::map<std::string, bool explore::Flaws::*> bugs = {
        {"no_guid_search", &explore::Flaws::noGuidSearch},
        {"exists_instead_of_get", &explore::Flaws::existsInsteadOfGet},
        {"no_owner_check", &explore::Flaws::noOwnerCheck},
        {"forgetful_release", &explore::Flaws::forgetfulRelease},
        {"wrong_neighbour", &explore::Flaws::wrongNeighbour},
        {"announces_early", &explore::Flaws::announcesEarly}};
    app.add_option("--bug", bug)->check(CLI::IsMember(bugs));
    app.add_option("--report", report, "a file for the JSON report");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    options.shortestRun = std::chrono::minutes(minutes);
    options.longestRun = std::chrono::minutes(atMost);
    if (!bug.empty())
        options.flaws.*bugs.at(bug) = true;

    serverOptions.startLimit = std::chrono::seconds(60); // it reads its log first
    std::shared_ptr<tests::ServerFaults> faults;
    if (serverFaults || !otherRelease.empty()) {
        faults = std::make_shared<tests::ServerFaults>(otherRelease);
        serverOptions.java.java = faults->java();
    }
    auto server = server::ManagedServer::start(serverOptions);
    if (!server) {
        std::fprintf(stderr, "lock_fault_run: %s\n", server.error().text().c_str());
        return 3;
    }
    if (serverFaults) {
        faults->attach(**server);
        options.serverFaults = faults;
    }
    tests::FaultRun run(**server, options);
    const tests::FaultReport result = run.run();
    std::fputs(result.json().c_str(), stdout);
    if (!report.empty())
        std::ofstream(report) << result.json();
    return result.clean() ? 0 : 1;
}
