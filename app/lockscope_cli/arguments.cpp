#include "app/lockscope_cli/arguments.h"

#include "app/lockscope_cli/commands.h"
#include "app/options/pages.h"

#include "core/base/output_file.h"
#include "core/engine/session_key.h"
#include "core/history/history_files.h"
#include "core/zk/hosts.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lockscope::app {

namespace {

ArgumentsReader declareList(CLI::App&)
{
    return [] { return Arguments(ListArguments{}); };
}

ArgumentsReader declareLessons(CLI::App& command)
{
    const auto given = std::make_shared<LessonsArguments>();
    command
        .add_option(
            "--result", given->results,
            "What a class has bet, without names: how many on which answer, in each lesson. The files "
            "that the window writes for each learner, or folders of them")
        ->type_name("FILE|FOLDER...");
    addOutput(command, "--report", given->reportFile, "OUT.json|-",
              "With --result: write it here (JSON); - is standard output");
    return [given]() -> Result<Arguments> {
        if (given->results.empty() && !given->reportFile.empty())
            return Error{ErrorCode::badUsage, "--report has no effect without --result.", ""};
        if (const Result<void> apart = checkOutputs({{"--report", given->reportFile}}, given->results);
            !apart)
            return apart.error();
        return Arguments(*given);
    };
}

ArgumentsReader declareLesson(CLI::App& command)
{
    struct Given
    {
        std::string name, answers = "right", connect, sheet;
    };
    const auto given = std::make_shared<Given>();
    command.add_option("LESSON", given->name, "A lesson file (.toml) or the name of a built-in one")
        ->type_name("LESSON")
        ->required();
    command.add_option("--answers", given->answers, "Whether the bets are right or wrong. By default right")
        ->type_name("right|wrong")
        ->check([](const std::string& text) {
            return text == "right" || text == "wrong" ? "" : unexpected(text, "right or wrong");
        });
    auto* connect = command
                        .add_option("--connect", given->connect,
                                    "Use the ZooKeeper at this address instead of starting one")
                        ->type_name("HOST:PORT,...")
                        ->check(checkHosts);
    addZooKeeper(command)->excludes(connect);
    addOutput(command, "--sheet", given->sheet, "OUT.html|-",
              "Write an exercise sheet here (HTML): what is asked, with room to write, and a key with the "
              "answers of this run; - is standard output");
    return [given]() -> Result<Arguments> {
        Result<lesson::Lesson> lesson = lesson::loadLesson(given->name);
        if (!lesson)
            return lesson.error();
        return LessonArguments{std::move(*lesson),
                               given->answers == "wrong" ? lesson::Answers::wrong : lesson::Answers::right,
                               given->connect, given->sheet};
    };
}

struct Row
{
    const char* name;
    ArgumentsReader (*declare)(CLI::App&);
    const char* does;
    const char* further; // sections of the page of help
};

constexpr std::array<Row, 14> kCommands{{
    {"run", declareRun, "Run a scenario of lock contention, and report what happened",
     "Examples:\n"
     "  lockscope-cli run five-clients --report -\n"
     "  lockscope-cli run bare --clients 100 --cycles 100 --hold 2ms --handoff announced\n"
     "  lockscope-cli run kill-holder --trace run.jsonl --quiet\n"
     "  lockscope-cli run SCENARIO.toml --connect zk1:2181 --workers 3 --run-id RUN"},
    {"list", declareList, "List the built-in scenarios, each line with the name first",
     "Examples:\n"
     "  lockscope-cli list"},
    {"compare", declareCompare, "Compare two scenarios, which are run one after the other, or two traces",
     "Examples:\n"
     "  lockscope-cli compare herd chain --clients 5 --cycles 2 --trace two.jsonl\n"
     "  lockscope-cli compare two.a.jsonl two.b.jsonl --report -"},
    {"export", declareExport, "Turn a trace into a file for other programs",
     "Examples:\n"
     "  lockscope-cli export chrome run.json run.jsonl\n"
     "  lockscope-cli export csv - run.jsonl"},
    {"join", declareJoin,
     "Carry out a part of a run that lockscope-cli run --workers has made, together with the other workers",
     "Examples:\n"
     "  lockscope-cli join RUN --connect zk1:2181,zk2:2181,zk3:2181\n"
     "  lockscope-cli join RUN --connect zk1:2181 --trace HOST.jsonl --key-file KEY"},
    {"merge", declareMerge,
     "Make one trace of those of several machines and of the servers' logs. Their clocks are aligned by what "
     "must "
     "have come before what; the file and the table say how far that may be wrong",
     "Examples:\n"
     "  lockscope-cli merge OUT.jsonl HOST1.jsonl HOST2.jsonl\n"
     "  lockscope-cli merge OUT.jsonl HOST1.jsonl --history DATA --key-file KEY"},
    {"history", declareHistory, "Report the history of a ZooKeeper's locks from its transaction log",
     "Examples:\n"
     "  lockscope-cli history /var/lib/zookeeper\n"
     "  lockscope-cli history /var/lib/zookeeper --lock /locks/orders --since 2026-11-23T03:00Z"},
    {"watch", declareWatch,
     "Watch locks of other programs: every create and delete, without any request that writes",
     "Examples:\n"
     "  lockscope-cli watch zk1:2181,zk2:2181,zk3:2181 --lock /locks/orders --lock /locks/bills\n"
     "  lockscope-cli watch zk1:2181 --tree /locks --duration 10m --report stuck.json\n"
     "  lockscope-cli watch zk1:2181 --tree /locks --record ring --save-on verdict"},
    {"who", declareWho,
     "Print in one line who holds a lock. Exit code 0: it is held, or a lock below this folder is; 1: nobody "
     "holds it, or there is no such path; 3: not known; 5: not permitted",
     "Examples:\n"
     "  lockscope-cli who /locks/orders --connect zk1:2181,zk2:2181,zk3:2181\n"
     "  lockscope-cli who /locks/orders --connect zk1:2181 --json"},
    {"free", declareFree,
     "Free a lock: show whose node holds it, what else its session holds and what deleting takes, ask, and "
     "delete that node and no other. Exit code 0: it is deleted; 1: nothing was deleted; 3: not known; "
     "5: not permitted",
     "Examples:\n"
     "  lockscope-cli free /locks/orders --connect zk1:2181,zk2:2181,zk3:2181\n"
     "  lockscope-cli free /jobs/nightly --connect zk1:2181 --yes-czxid 0x10000012a"},
    {"judge", declareJudge,
     "Judge the lock of a program: run copies of it on a private server, with faults, and say what is wrong "
     "with "
     "its lock and what to do. It writes \"acquired\" (and a token, if it likes) to standard output when it "
     "has "
     "the lock and \"released\" before it gives it up, a line each, again and again until SIGTERM. Exit code "
     "0: no "
     "rule is violated under what was tried; 1: one is; 5: the program did not keep to its lines, or ended "
     "early",
     "Examples:\n"
     "  lockscope-cli judge -- python3 LOCK.py\n"
     "  lockscope-cli judge --faults harsh --seed 7 --report - -- ./PROGRAM 4000\n"
     "  lockscope-cli judge --faults harsh --junit OUT.xml --trace OUT.jsonl -- java -jar LOCK.jar"},
    {"lessons", declareLessons,
     "List the built-in lessons, each line with the name first; or what a class has bet in them",
     "Examples:\n"
     "  lockscope-cli lessons\n"
     "  lockscope-cli lessons --result FOLDER --report -"},
    {"lesson", declareLesson,
     "Play a lesson without a learner, and print each bet, the run's answer and the event that proves it",
     "Examples:\n"
     "  lockscope-cli lesson queue\n"
     "  lockscope-cli lesson my.toml --answers wrong\n"
     "  lockscope-cli lesson queue --sheet OUT.html"},
    {"explore", declareExplore,
     "Take every schedule of a few clients of a recipe, with faults at every place, on a simulated "
     "ZooKeeper: "
     "whether its rules hold in all of them. Exit code 1: a rule is violated, and how is printed",
     "Examples:\n"
     "  lockscope-cli explore mutex --handoff announced --schedules 2000\n"
     "  lockscope-cli explore semaphore --clients 3 --faults 2 --seconds 2 --report -\n"
     "  lockscope-cli explore herd --faults 0"},
}};

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0  every finding is as expected\n"
    "  1  a finding is violated\n"
    "  2  bad usage, or a mistake in a scenario; or other programs use the lock\n"
    "  3  no ZooKeeper server is available\n"
    "  4  the run was cut short or did nothing, or an output could not be written\n"
    "  5  no permission to read the lock; judge: the program did not keep to its lines, or ended early";

} // namespace

ArgumentsReader declareExport(CLI::App& command)
{
    const auto find = [](const std::string& name) {
        return std::ranges::find(exports::kinds(), name, &exports::KindRow::name);
    };
    std::string names; // "chrome|csv|clients|html"
    std::string help = "Kinds:\n";
    for (const exports::KindRow& row : exports::kinds()) {
        names.append(names.empty() ? "" : "|").append(row.name);
        help.append("  ").append(row.name).append(9 - row.name.size(), ' ').append(row.does).append("\n");
    }
    command.footer(help + command.get_footer());
    const auto given = std::make_shared<ExportArguments>();
    command
        .add_option_function<std::string>(
            "KIND", [given, find](const std::string& name) { given->kind = find(name)->kind; },
            "What to make of it")
        ->type_name(names)
        ->required()
        ->check([find, names](const std::string& name) {
            return find(name) == exports::kinds().end() ? unexpected(name, "one of " + names) : "";
        });
    command.add_option("OUT", given->file, "The file to write; - is standard output")
        ->type_name("OUT|-")
        ->required();
    command.add_option("TRACE", given->trace, "The trace, for example from lockscope-cli run --trace")
        ->type_name("TRACE.jsonl")
        ->required()
        ->check([](const std::string& name) {
            return std::filesystem::path(name).extension() == ".jsonl"
                       ? ""
                       : unexpected(name, "a trace file (.jsonl)");
        });
    return [given]() -> Result<Arguments> {
        if (const Result<RunInput> trace = traceInput(given->trace); !trace)
            return trace.error();
        if (const Result<void> apart = checkOutputs({{"OUT", given->file}}, {given->trace}); !apart)
            return apart.error();
        return *given;
    };
}

void addSessionNaming(CLI::App& command, SessionNaming& out)
{
    auto* key =
        command
            .add_option(
                "--key-file", out.keyFile,
                "Name sessions in files under the key in this file, so that files written with the same "
                "key can be joined; by default each run has a random one")
            ->type_name("FILE");
    command
        .add_flag("--real-session-ids", out.realIds,
                  "Do not rename sessions in files. ZooKeeper derives a session's password from its id: a "
                  "reader of such "
                  "a file can take over the sessions in it for as long as they live")
        ->excludes(key);
}

Result<std::string> keyFrom(const SessionNaming& naming)
{
    return naming.keyFile.empty() ? Result<std::string>(std::string())
                                  : engine::readSessionKey(naming.keyFile);
}

void addTls(CLI::App& command, GivenTls& out)
{
    command.add_flag("--tls", out.wanted,
                     "Speak TLS to the servers; tls:// before the addresses says so too, and so does each of "
                     "--ca, --cert and --key");
    const auto file = [&command](const std::string& name, std::string& path, const std::string& help) {
        command.add_option(name, path, help)->type_name("FILE");
    };
    file("--ca", out.options.ca,
         "The certificates (PEM) of the authorities to trust. By default those of this system");
    file("--cert", out.options.certificate,
         "Our certificate (PEM), where servers demand one of their clients");
    file("--key", out.options.key, "Its key (PEM, not encrypted), unless it is in the file of --cert");
    command.add_flag_callback(
        "--any-host-name", [&out] { out.options.checkHostName = false; },
        "Also accept a certificate of these authorities that is for another host: anyone who has one can "
        "then pass for the server");
}

Result<tls::Security> securityFrom(const GivenTls& given, const std::string& hosts)
{
    const tls::Options& options = given.options;
    const bool wanted = given.wanted || zk::splitChroot(hosts).tls || !options.ca.empty() ||
                        !options.certificate.empty() || !options.key.empty();
    if (!wanted && !options.checkHostName)
        return Error{ErrorCode::badUsage, "--any-host-name has no effect without TLS.", "Add --tls."};
    if (!wanted)
        return tls::Security{};
    Result<tls::ContextPtr> context = tls::load(options);
    if (!context)
        return context.error();
    return tls::Security{std::move(*context)};
}

void addOutput(CLI::App& command, const std::string& option, std::string& out, const std::string& type,
               const std::string& help)
{
    command.add_option(option, out, help)->type_name(type);
}

void addHistoryFiles(const std::vector<std::filesystem::path>& given, std::vector<std::string>& to)
{
    to.insert(to.end(), given.begin(), given.end());
    const auto files = history::findHistoryFiles(given);
    if (!files)
        return;
    for (const auto* found : {&files->logs, &files->snapshots})
        for (const history::HistoryFile& file : *found)
            to.push_back(file.path.string());
}

CliProgram cliProgram()
{
    CliProgram program;
    program.app = std::make_unique<CLI::App>("Runs scenarios of ZooKeeper lock contention, and tells about "
                                             "the locks of other programs. Needs no display.",
                                             "lockscope-cli");
    CLI::App& app = *program.app;
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "Show this page and exit");
    app.set_version_flag("--version", "lockscope-cli " LOCKSCOPE_VERSION, "Show the version and exit");
    app.require_subcommand(1);
    app.footer(std::string("lockscope-cli COMMAND --help lists the options of a command.\n") + kExitCodes);
    for (const Row& row : kCommands) {
        CLI::App* command = app.add_subcommand(row.name, row.does);
        command->footer(row.further);
        program.commands.push_back({command, row.declare(*command)});
    }
    return program;
}

bool writesToStandardOutput(const CompareArguments& arguments)
{
    const auto isStandardOutput = [](const std::string& file) {
        return !file.empty() && isSameFile(file, kStandardOutput);
    };
    return isStandardOutput(arguments.reportFile) ||
           std::ranges::any_of(arguments.runs, isStandardOutput, &RunInput::traceFile);
}

Result<Arguments> readArguments(int argc, const char* const* argv)
{
    CliProgram program = cliProgram();
    try {
        program.app->parse(argc, argv);
    } catch (const CLI::Success& success) {
        return HelpArguments{textOf(*program.app, success)};
    } catch (const CLI::ParseError& error) {
        return usageError(*program.app, error);
    }
    const auto command = std::ranges::find_if(
        program.commands, [](const CliProgram::Command& one) { return one.app->parsed(); });
    return command->read();
}

} // namespace lockscope::app
