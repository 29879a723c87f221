// The subcommands of lockscope-cli: each declares its options, and makes its arguments of what was given.
// Used by arguments.cpp and by the generator of the man page and the completions.
#pragma once

#include "app/lockscope_cli/arguments.h"
#include "app/options/values.h"

#include "core/tls/tls.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::app {

// Called after the command line was read. Errors: badUsage, and those of files that are read.
using ArgumentsReader = std::function<Result<Arguments>()>;

// The trace of an earlier run. Error: badUsage when there is no such file.
Result<RunInput> traceInput(const std::string& name);

ArgumentsReader declareRun(CLI::App& command);
ArgumentsReader declareJudge(CLI::App& command);
ArgumentsReader declareCompare(CLI::App& command);
ArgumentsReader declareExport(CLI::App& command);
ArgumentsReader declareHistory(CLI::App& command);
ArgumentsReader declareWatch(CLI::App& command);
ArgumentsReader declareWho(CLI::App& command);
ArgumentsReader declareFree(CLI::App& command);
ArgumentsReader declareExplore(CLI::App& command);
ArgumentsReader declareJoin(CLI::App& command);
ArgumentsReader declareMerge(CLI::App& command);

// The program with all its subcommands.
struct CliProgram
{
    struct Command
    {
        CLI::App* app;
        ArgumentsReader read;
    };
    std::unique_ptr<CLI::App> app;
    std::vector<Command> commands;
};
CliProgram cliProgram();

// ---- options of several commands -----------------------------------------------------------------------

struct SessionNaming
{
    std::string keyFile;
    bool realIds = false;
};
void addSessionNaming(CLI::App& command, SessionNaming& out);
Result<std::string> keyFrom(const SessionNaming& naming); // empty: a random key

// How connections are secured: --tls, --ca, --cert, --key, --any-host-name.
struct GivenTls
{
    bool wanted = false;
    tls::Options options;
};
void addTls(CLI::App& command, GivenTls& out);
// Off when nothing asks for it, neither an option nor the addresses (tls://). Errors: those of tls::load().
Result<tls::Security> securityFrom(const GivenTls& given, const std::string& hosts);

// --auth-file. The second returns schemes and proofs; its errors contain nothing from the file.
void addAuthFile(CLI::App& command, std::string& out, const std::string& what);
Result<std::vector<std::pair<std::string, std::string>>> credentialsFrom(const std::string& file);

void addOutput(CLI::App& command, const std::string& option, std::string& out, const std::string& type,
               const std::string& help);
// The given paths and the history files in directories, as inputs for checkOutputs().
void addHistoryFiles(const std::vector<std::filesystem::path>& given, std::vector<std::string>& to);

} // namespace lockscope::app
