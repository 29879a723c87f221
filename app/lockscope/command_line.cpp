#include "app/lockscope/command_line.h"

#include "app/options/pages.h"
#include "app/options/sasl_options.h"
#include "app/options/values.h"

#include "core/base/numbers.h"
#include "core/base/output_file.h"
#include "core/history/history_files.h"
#include "core/lesson/lesson.h"
#include "core/sim/scenario/scenario.h"
#include "core/trace/trace_input.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <set>
#include <tuple>

namespace lockscope::app {

namespace {

using history::isHistory;

constexpr int kMinPictureSide = 64;
constexpr int kMaxPictureSide = 16'384;
constexpr double kSlowestFilm = 0.001;
constexpr double kFastestFilm = 100;

// "en_US.UTF-8" is en, "zh" and "zh-Hans" are zh_CN; another text stays as it is.
std::string knownLanguage(const std::string& text)
{
    static const std::set<std::string> simplified = {"zh",      "zh_cn",      "zh_sg",
                                                     "zh_hans", "zh_hans_cn", "zh_hans_sg"};
    std::string name = text.substr(0, text.find_first_of(".@"));
    for (char& c : name) {
        c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (name == "en" || name.starts_with("en_")) {
        return "en";
    }
    return simplified.contains(name) ? "zh_CN" : text;
}

std::optional<int> sideFrom(std::string_view text)
{
    const auto side = parseWhole<int>(text);
    return side && *side >= kMinPictureSide && *side <= kMaxPictureSide ? side : std::nullopt;
}

std::optional<PictureSize> sizeFrom(std::string_view text)
{
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) {
        return std::nullopt;
    }
    const std::optional<int> width = sideFrom(text.substr(0, cross)),
                             height = sideFrom(text.substr(cross + 1));
    return width && height ? std::optional(PictureSize{*width, *height}) : std::nullopt;
}

std::string checkSize(const std::string& text)
{
    return sizeFrom(text) ? "" : "found \"" + text + "\", expected WIDTHxHEIGHT, each from 64 to 16384";
}

std::string checkPicture(const std::string& text)
{
    const auto ending = std::filesystem::path(text).extension();
    return ending == ".png" || ending == ".svg" || ending == ".gif"
               ? ""
               : "found \"" + text + "\", expected a name that ends in .png, .svg or .gif";
}

std::string builtInNames()
{
    std::string names;
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        names += names.empty() ? "" : ", ";
        names += builtIn.name;
    }
    return names;
}

// Checks that a file exists, a name is known, and a scenario is valid. Returns what is wrong, or an empty
// text.
std::string checkInput(const std::string& input)
{
    const std::filesystem::path path(input);
    if (isHistory(input)) {
        std::error_code error;
        return std::filesystem::exists(path, error) ? "" : "There is no " + input + ".";
    }
    if (path.extension() == ".jsonl") {
        std::error_code ignored;
        return std::filesystem::is_regular_file(path, ignored) ? "" : trace::noTraceFile(path);
    }
    const auto scenario = sim::loadScenario(input);
    return scenario ? "" : scenario.error().text();
}

std::string checkLesson(const std::string& nameOrPath)
{
    const auto lesson = lesson::loadLesson(nameOrPath);
    return lesson ? "" : lesson.error().text();
}

// The view compare needs two runs; no other view takes two.
std::string checkSecondInput(const CommandLine& line)
{
    if (line.view == "compare") {
        if (line.from || line.to) {
            return "--from and --to have no effect with --view compare, which chooses the time.";
        }
        if (line.at) {
            return "--at has no effect with --view compare, which chooses the moment.";
        }
        return line.other.empty() ? "--view compare needs two inputs, for example two traces." : "";
    }
    return line.other.empty() ? "" : line.other + ": a second input is only for --view compare.";
}

std::string checkPage(const std::string& text)
{
    return std::filesystem::path(text).extension() == ".html"
               ? ""
               : "found \"" + text + "\", expected a name that ends in .html";
}

// The page shows all steps of a time.
std::string checkPlayer(const CLI::App& app, const CommandLine& line)
{
    if (!isWritten(line))
        for (const char* name : {"--from", "--to"})
            if (app.count(name) > 0)
                return std::string(name) + " has an effect only with --shot or --player.";
    if (!line.player.empty() && app.count("--at") > 0)
        return "--at has no effect with --player, which shows the time from --from to --to.";
    return "";
}

// A film has a begin and an end instead of a moment; only a film has a speed.
std::string checkFilm(const CLI::App& app, const CommandLine& line)
{
    if (!isFilm(line)) {
        return app.count("--speed") > 0 ? "--speed has an effect only on a film: --shot OUT.gif." : "";
    }
    if (app.count("--at") > 0) {
        return "--at has no effect on a film, which shows the time from --from to --to.";
    }
    return line.from && line.to ? ""
                                : "--shot OUT.gif needs --from TIME and --to TIME, which the film shows.";
}

// The history of one lock is a run like any other; without a lock there is only the list of locks.
std::string checkHistory(const CommandLine& line)
{
    if (line.history && !line.lockPath.empty() && !line.lockPath.starts_with('/')) {
        return "--lock: found \"" + line.lockPath + "\", expected a path that begins with /.";
    }
    if (!isWritten(line) || (!line.history && !isHistory(line.other))) {
        return "";
    }
    if (!line.player.empty()) {
        return line.lockPath.empty() ? "--player of a history needs --lock PATH." : "";
    }
    if (line.view == "compare") {
        return "--view compare compares traces: make them with lockscope-cli history DIR --lock PATH "
               "--trace OUT.jsonl.";
    }
    return line.lockPath.empty() && line.view != "window"
               ? "--view " + line.view + " of a history needs --lock PATH."
               : "";
}

// Whether someone reads what is said on standard output or error. A file manager hands down the log of the
// desktop session.
bool isHeard()
{
    return std::ranges::any_of(std::array{STDOUT_FILENO, STDERR_FILENO}, [](int stream) {
        struct stat status
        {};
        return ::isatty(stream) || (::fstat(stream, &status) == 0 && S_ISFIFO(status.st_mode));
    });
}

// The window reports what is wrong with a file where the terminal is not read.
bool isLeftToWindow(const CommandLine& line)
{
    return !isWritten(line) && (line.input.ends_with(".toml") || line.input.ends_with(".jsonl")) &&
           !isHeard();
}

ExitCode refuse(const std::string& fault)
{
    std::cerr << "lockscope: " << fault << "\nlockscope --help lists the options.\n";
    return ExitCode::badUsage;
}

ExitCode fail(const Error& error)
{
    std::cerr << "lockscope: " << error.text() << '\n';
    return ExitCode::cutShort;
}

ExitCode print(const std::string& text)
{
    OutputFile file;
    std::error_code error = file.open(kStandardOutput);
    if (!error) {
        error = file.write(text);
    }
    return error ? fail(outputError("The answer cannot be written to", kStandardOutput, error))
                 : ExitCode::done;
}

struct GivenTimes
{
    std::string at = "end", from, to;
};

void describe(CLI::App& app, CommandLine& line, GivenTimes& times, std::string& size,
              const std::vector<std::string>& views)
{
    auto* input = app.add_option("INPUT", line.input,
                                 "A scenario (.toml), a trace (.jsonl), a built-in scenario's name, or a "
                                 "ZooKeeper data directory, log.* or "
                                 "snapshot.* for the history in it")
                      ->type_name("SCENARIO|TRACE.jsonl|DIR|FILE");
    app.add_option("OTHER", line.other, "With --view compare: what INPUT is compared with")
        ->type_name("SCENARIO|TRACE.jsonl");
    auto* connect =
        app.add_option("--connect", line.connect, "Use this ZooKeeper instead of starting a private one")
            ->type_name("HOST:PORT,...")
            ->check(checkHosts);
    addZooKeeper(app)->excludes(connect);
    app.add_option(
           "--lock", line.lockPath,
           "Lock this path instead of the scenario's; for a history: show this lock and those below it")
        ->type_name("PATH");
    app.add_flag("--join-foreign", line.joinForeign,
                 "With --connect: also run where other programs have nodes below the lock's path. The "
                 "clients queue "
                 "with them and hold the lock in their turn; without it the window asks first")
        ->needs(connect);
    auto* paused = app.add_flag("--paused", line.paused, "Start paused");
    app.add_option("--theme", line.colourScheme, "The colours")
        ->type_name("light|dark|system")
        ->check(CLI::IsMember({"light", "dark", "system"}).description(""));
    app.add_option("--lang", line.language, "The language")
        ->type_name("en|zh_CN")
        ->transform(knownLanguage)
        ->check(CLI::IsMember({"en", "zh_CN"}).description(""));
    auto* lesson =
        app.add_option("--lesson", line.lesson, "Open this lesson: a built-in one, or a file (.toml)")
            ->type_name("LESSON")
            ->check(checkLesson)
            ->excludes(input)
            ->excludes(paused);
    auto* shot =
        app.add_option(
               "--shot", line.shot,
               "Write a picture, or a film (.gif) of the time from --from to --to, and exit; needs no "
               "display")
            ->type_name("OUT.png|OUT.svg|OUT.gif")
            ->check(checkPicture)
            ->excludes(paused)
            ->excludes(lesson);
    app.add_option(
           "--player", line.player,
           "Write one page (HTML) that plays the run in any browser, with explanations in both languages, "
           "and exit; needs no display")
        ->type_name("OUT.html")
        ->check(checkPage)
        ->excludes(shot)
        ->excludes(paused)
        ->excludes(lesson);
    app.add_option("--view", line.view, "What to draw, one of the names that --views lists")
        ->type_name("VIEW")
        ->transform(lesson::viewName)
        ->check(CLI::IsMember(views).description(""))
        ->needs(shot);
    for (auto& [name, time, text] :
         {std::tuple("--from", &times.from,
                     "The begin of the time that the timeline and the charts show, and of a film or a page"),
          std::tuple("--to", &times.to,
                     "The end of the time that the timeline and the charts show, and of a film or a page")})
        app.add_option(name, *time, text)->type_name("TIME")->check(checkMoment);
    app.add_option("--at", times.at,
                   "The moment to draw or to show: a time such as 1.2s or 250ms, or end. A live run goes on "
                   "behind it")
        ->type_name("TIME|end")
        ->check(checkMoment)
        ->excludes(lesson);
    app.add_option("--speed", line.speed, "How fast a film is: 1 is as it happened, 0.1 is ten times slower")
        ->type_name("FACTOR")
        ->check(CLI::Range(kSlowestFilm, kFastestFilm).description(""))
        ->needs(shot);
    app.add_option("--size", size, "Size of the picture in pixels")
        ->type_name("WxH")
        ->check(checkSize)
        ->needs(shot);
}

// watch HOST:PORT,... --lock PATH|--tree PATH
CLI::App* describeWatch(CLI::App& app, CommandLine& line)
{
    CLI::App* watch = app.add_subcommand(
        "watch", "Open the window and watch locks of other programs there, without any request that writes");
    watch->add_option("HOSTS", line.watch, "The ensemble's servers, and a chroot")
        ->type_name("HOST:PORT,...[/CHROOT]")
        ->required()
        ->check(checkHostsAndChroot);
    for (const auto& [name, help] : {std::pair("--lock", "The path of a lock; repeat it for several"),
                                     {"--tree", "Every lock below this path; repeat it for several"}})
        watch
            ->add_option_function<std::vector<std::string>>(
                name,
                [&line](const std::vector<std::string>& paths) {
                    line.watched.insert(line.watched.end(), paths.begin(), paths.end());
                },
                help)
            ->type_name("PATH")
            ->expected(1)
            ->take_all()
            ->check(checkPath);
    addSasl(*watch, line.sasl);
    watch->fallthrough(); // --theme and --lang may follow
    return watch;
}

// What has no effect while locks are only watched.
std::string checkWatch(const CLI::App& app, const CLI::App& watch, const CommandLine& line)
{
    if (!watch.parsed())
        return "";
    for (const CLI::Option* option : app.get_options())
        if (option->count() > 0 && option->get_name() != "--theme" && option->get_name() != "--lang")
            return option->get_name() +
                   ": watch takes --lock, --tree, --sasl, --theme and --lang, and nothing else.";
    if (const Result<void> sasl = checkSasl(watch, line.sasl); !sasl)
        return sasl.error().text();
    return line.watched.empty() ? "watch needs the path of a lock or a tree: --lock PATH or --tree PATH."
                                : "";
}

// The options, and where their values go.
struct WindowProgram
{
    explicit WindowProgram(const std::vector<std::string>& views)
    {
        app.formatter(std::make_shared<HelpFormatter>());
        app.set_help_flag("-h,--help", "Show this page and exit");
        app.set_version_flag("--version", "lockscope " LOCKSCOPE_VERSION, "Show the version and exit");
        describe(app, line, times, size, views);
        app.add_flag("--views", list, "List the names for --view and exit");
        watch = describeWatch(app, line);
        app.footer("Examples:\n"
                   "  lockscope kill-holder --paused\n"
                   "  lockscope run.jsonl\n"
                   "  lockscope watch zk1:2181,zk2:2181 --lock /locks/orders\n"
                   "  lockscope --shot picture.png --view window --at 1.2s run.jsonl\n"
                   "  lockscope --player run.html --to 3s run.jsonl\n"
                   "Built-in scenarios: " +
                   builtInNames() + ".");
    }

    CommandLine line;
    GivenTimes times;
    std::string size;
    bool list = false;
    CLI::App app{"Visualizes ZooKeeper locks while they work, on a real ZooKeeper", "lockscope"};
    CLI::App* watch = nullptr;
};

} // namespace

void withWindowProgram(const std::function<void(const CLI::App&)>& use)
{
    const WindowProgram program({});
    use(program.app);
}

bool isFilm(const CommandLine& line) { return std::filesystem::path(line.shot).extension() == ".gif"; }

std::variant<CommandLine, ExitCode> readCommandLine(int argc, const char* const* argv,
                                                    const std::vector<std::string>& views)
{
    WindowProgram program(views);
    auto& [line, times, size, list, app, watch] = program;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) {
        return print(textOf(app, wanted));
    } catch (const CLI::ParseError& error) {
        for (const std::string& argument : app.remaining(true))
            if (argument.starts_with("--sasl"))
                return refuse(noSasl(argument).text());
        return refuse(error.what());
    }
    if (const std::string fault = checkWatch(app, *watch, line); !fault.empty()) {
        return refuse(fault);
    }
    if (list) {
        std::string names;
        for (const std::string& view : views) {
            names += view + '\n';
        }
        return print(names);
    }
    line.themeGiven = app.count("--theme") > 0;
    line.at = momentFrom(times.at);
    line.from = momentFrom(times.from);
    line.to = momentFrom(times.to);
    if (line.from && line.to && *line.from >= *line.to) {
        return refuse("--from " + times.from + " is not before --to " + times.to + ".");
    }
    if (const std::string fault = checkFilm(app, line); !fault.empty()) {
        return refuse(fault);
    }
    if (const std::string fault = checkPlayer(app, line); !fault.empty()) {
        return refuse(fault);
    }
    if (!size.empty()) {
        line.size = sizeFrom(size);
    }
    const std::string option = line.player.empty() ? "--shot" : "--player",
                      out = line.player.empty() ? line.shot : line.player;
    if (isWritten(line) && line.input.empty()) {
        return refuse(option + " needs an INPUT: a scenario, a trace or a built-in scenario's name.");
    }
    line.history = isHistory(line.input);
    if (const std::string fault = checkHistory(line); !fault.empty()) {
        return refuse(fault);
    }
    if (const std::string fault = checkSecondInput(line); !fault.empty()) {
        return refuse(fault);
    }
    for (const std::string& input : {line.input, line.other}) {
        if (const std::string fault = input.empty() ? "" : checkInput(input);
            !fault.empty() && !isLeftToWindow(line)) {
            return refuse(fault);
        }
        if (!input.empty() && !out.empty() && isSameFile(out, input)) {
            return refuse(option + ": " + out + " is the file " + input +
                          ", which is read and would be replaced.");
        }
    }
    if (const std::error_code error = out.empty() ? std::error_code() : checkOutput(out)) {
        return fail(outputError(line.player.empty() ? "The picture cannot be written to"
                                                    : "The page cannot be written to",
                                out, error));
    }
    return line;
}

} // namespace lockscope::app
