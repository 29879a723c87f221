#include "source_rules.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>

namespace lockscope::source_tree {

namespace {

// A folder and what its files may include, beside themselves and core/base. Entries that end with / are
// folders, the others are single headers. `never` wins over `may`.
struct FolderRule
{
    std::string folder;
    std::vector<std::string> may;
    std::vector<std::string> never;
};

// Who may use replay sees trace's events anyway; who may use the engine sees the scenario it is
// given.
const std::vector<std::string> kViewIncludes = {"ui/models/",
                                                "ui/texts/",
                                                "ui/canvas/",
                                                "ui/widgets/",
                                                "core/queue/",
                                                "core/trace/",
                                                "core/replay/state/run_state.h",
                                                "core/replay/timeline/timeline.h",
                                                "core/replay/timeline/lock_holders.h",
                                                "core/replay/protocol/protocol.h",
                                                "core/replay/findings/findings.h",
                                                "core/replay/state/series.h",
                                                "core/replay/state/stretches.h",
                                                "core/replay/state/statistics.h"};

// The tables' own making, for other tables.
const std::vector<std::string> kTableHeaders = {"ui/tables/cell_delegate.h", "ui/tables/drawing.h",
                                                "ui/tables/plain_table.h"};

std::vector<std::string> both(std::vector<std::string> some, const std::vector<std::string>& more)
{
    some.insert(some.end(), more.begin(), more.end());
    return some;
}

// The scenes of the chain and the timeline, for the comparison: no widgets.
const std::vector<std::string> kScenes = {"ui/chain/chain_items.h",          "ui/chain/chain_painter.h",
                                          "ui/timeline/acquisition_order.h", "ui/chain/chain_zoom.h",
                                          "ui/timeline/timeline_items.h",    "ui/timeline/timeline_painter.h",
                                          "ui/timeline/timeline_picture.h"};

const std::vector<FolderRule> kFolderRules = {
    {"core/base/", {}, {}},
    {"core/queue/", {}, {}},
    {"core/trace/", {}, {}},
    {"core/tls/", {}, {}},
    {"core/zk/", {"core/tls/"}, {}},
    {"core/zk/wire/", {"core/zk/", "core/tls/"}, {"core/zk/c_client/", "core/zk/memory/"}},
    {"core/replay/", {"core/queue/", "core/trace/"}, {}},
    {"core/history/", {"core/queue/", "core/trace/", "core/replay/"}, {}},
    {"core/exports/", {"core/queue/", "core/replay/", "core/trace/"}, {}},
    {"core/lock/", {"core/queue/", "core/zk/"}, {"core/zk/c_client/", "core/zk/memory/"}},
    {"core/explore/",
     {"core/lock/", "core/queue/", "core/trace/", "core/zk/", "core/sim/scenario/scenario.h",
      "core/sim/scenario/settings.h", "core/sim/scenario/toml_reader.h",
      "core/sim/teaching/session_decorator.h", "core/sim/teaching/teaching_lock.h",
      "core/sim/tracing/trace_observer.h"},
     {"core/zk/c_client/"}},
    {"core/server/", {"core/tls/"}, {}},
    {"core/field/",
     {"core/history/", "core/queue/", "core/server/", "core/tls/", "core/trace/", "core/zk/"},
     {"core/zk/c_client/", "core/zk/memory/"}},
    {"core/sim/",
     {"core/lock/", "core/queue/", "core/server/", "core/trace/", "core/zk/"},
     {"core/zk/c_client/", "core/zk/memory/"}},
    {"core/lesson/",
     {"core/explore/", "core/queue/", "core/replay/", "core/sim/", "core/trace/"},
     {"core/sim/run/run.h", "core/sim/client/client.h"}},
    {"core/workers/",
     {"core/sim/scenario/", "core/sim/script/", "core/sim/run/cut_short.h", "core/sim/run/foreign_check.h",
      "core/tls/", "core/zk/"},
     {"core/zk/c_client/", "core/zk/memory/"}},
    {"core/engine/", {"core/"}, {"core/zk/memory/"}}, // a simulated server runs nothing but the explorer
    {"ui/models/style/",
     {"core/trace/command_verb.h", "core/trace/plain_text.h"},
     {}}, // how things look and are written, without a run
    {"ui/models/run/",
     {"ui/models/style/", "core/queue/", "core/replay/", "core/trace/", "core/engine/",
      "core/sim/scenario/scenario.h"},
     {}},
    {"ui/texts/",
     {"ui/models/style/", "ui/models/run/", "core/queue/", "core/replay/", "core/trace/", "core/history/",
      "core/field/"},
     {}},
    {"ui/models/rows/", // their cells are texts
     {"ui/models/style/", "ui/models/run/", "ui/texts/", "core/queue/", "core/replay/", "core/trace/"},
     {}},
    {"ui/canvas/", {"ui/models/style/"}, {}}, // the drawing kit of the views
    {"ui/widgets/",
     {"ui/models/", "ui/texts/", "core/exports/text_format.h"},
     {}}, // that several views share
    {"ui/tables/", kViewIncludes, {}},
    {"ui/timeline/", kViewIncludes, {}},
    {"ui/chain/", kViewIncludes, {}},
    {"ui/charts/", both(kViewIncludes, {"core/exports/text_format.h"}), {}},
    {"ui/compare/",
     both({"ui/models/", "ui/texts/", "ui/canvas/", "core/replay/", "core/trace/",
           "core/sim/scenario/scenario.h", "core/sim/scenario/workload.h"},
          kScenes),
     {}}, // folds two whole runs itself
    {"ui/protocol/", kViewIncludes, {}},
    {"ui/inspector/", both(kViewIncludes, kTableHeaders), {}},
    {"ui/editor/",
     {"ui/models/", "ui/texts/", "ui/widgets/", "core/trace/", "core/sim/"},
     {"core/sim/run/run.h", "core/sim/client/client.h"}},
    {"ui/locks/",
     {"ui/models/", "ui/texts/", "ui/canvas/", "ui/widgets/", "core/history/", "core/field/", "core/queue/",
      "core/tls/tls.h", "core/trace/", "core/engine/session_key.h", "core/zk/hosts.h", "core/zk/wire/sasl.h",
      "core/replay/state/run_state.h"},
     {}},
    {"ui/welcome/",
     {"ui/models/", "ui/texts/", "ui/canvas/", "ui/widgets/", "core/trace/", "core/sim/scenario/scenario.h",
      "core/sim/script/script.h"},
     {}},
    {"ui/commands/", {"ui/models/style/", "ui/widgets/"}, {}},
    {"ui/manual/", {"ui/models/style/", "ui/texts/", "ui/canvas/"}, {}},
    {"ui/recipe/",
     {"ui/models/", "ui/texts/", "ui/widgets/", "core/explore/built_recipe.h", "core/explore/proof.h"},
     {}},
    {"ui/lesson/",
     {"ui/models/", "ui/texts/", "ui/recipe/recipe_text.h", "core/explore/built_recipe.h", "core/lesson/",
      "core/sim/scenario/scenario.h"},
     {}},
    {"ui/shell/",
     {"ui/", "core/exports/", "core/field/ring_files.h", "core/history/log_trace.h", "core/lesson/",
      "core/replay/", "core/trace/", "core/engine/", "core/sim/scenario/scenario.h",
      "core/sim/run/step_order.h", "core/sim/script/script_text.h", "core/tls/tls.h", "core/zk/wire/sasl.h"},
     {}},
    {"app/options/", {"core/sim/scenario/work.h", "core/zk/wire/sasl.h"}, {}},
    {"app/pages/",
     {"app/options/", "app/lockscope/command_line.h", "app/lockscope_cli/commands.h",
      "core/explore/built_recipe.h", "core/lesson/lesson.h", "core/sim/scenario/scenario.h"},
     {}},
    {"app/lockscope/",
     {"app/options/", "ui/shell/", "core/history/history_files.h", "core/lesson/lesson.h", "core/trace/",
      "core/engine/", "core/sim/scenario/scenario.h", "core/zk/wire/sasl.h"},
     {}},
    {"app/lockscope_cli/",
     {"app/options/",
      "core/engine/",
      "core/explore/",
      "core/exports/",
      "core/field/",
      "core/history/",
      "core/lesson/",
      "core/queue/",
      "core/replay/",
      "core/server/process/child_program.h",
      "core/tls/tls.h",
      "core/trace/",
      "core/workers/",
      "core/zk/hosts.h",
      "core/zk/wire/observer_session.h",
      "core/sim/run/cut_short.h",
      "core/sim/run/step_graph.h",
      "core/sim/scenario/scenario.h",
      "core/sim/scenario/share.h",
      "core/sim/scenario/workload.h"},
     {}},
};

// Headers that open files, start programs or talk to a network: not for a pure layer.
const std::vector<std::string> kInputOutput = {
    "cstdio",  "stdio.h",    "fstream", "iostream", "filesystem",   "fcntl.h",      "unistd.h",
    "netdb.h", "poll.h",     "spawn.h", "sys/",     "netinet/",     "arpa/",        "thread",
    "future",  "boost/asio", "spdlog/", "dirent.h", "boost/beast/", "boost/process"};

struct Include
{
    std::string name;
    bool angled;
};

bool covers(const std::string& rule, const std::string& path)
{
    return rule.ends_with('/') ? path.starts_with(rule) : path == rule;
}

bool anyCovers(const std::vector<std::string>& rules, const std::string& path)
{
    return std::any_of(rules.begin(), rules.end(),
                       [&](const std::string& rule) { return covers(rule, path); });
}

bool startsLikeAny(const std::vector<std::string>& beginnings, const std::string& name)
{
    return std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
        return beginning.ends_with('/') || beginning.find('/') != std::string::npos
                   ? name.starts_with(beginning)
                   : name == beginning;
    });
}

std::string_view trimmedLeft(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

// What an #include line names; nothing for any other line.
std::optional<Include> includeOf(std::string_view line)
{
    line = trimmedLeft(line);
    if (!line.starts_with('#'))
        return {};
    line = trimmedLeft(line.substr(1));
    if (!line.starts_with("include"))
        return {};
    line = trimmedLeft(line.substr(7));
    if (line.empty() || (line.front() != '"' && line.front() != '<'))
        return {};
    const bool angled = line.front() == '<';
    const auto end = line.find(angled ? '>' : '"', 1);
    if (end == std::string_view::npos)
        return {};
    return Include{std::string(line.substr(1, end - 1)), angled};
}

bool isOurs(const std::string& name)
{
    return name.starts_with("core/") || name.starts_with("ui/") || name.starts_with("app/");
}

bool isQt(const std::string& name)
{
    return name.size() > 1 && name[0] == 'Q' &&
           (std::isupper(static_cast<unsigned char>(name[1])) || name[1] == 't');
}

bool isZooKeeperClient(const std::string& name)
{
    return name.starts_with("zookeeper/") || name == "zookeeper.h" || name == "zookeeper.jute.h";
}

// Why a header from outside the project may not be included here; empty when it may.
std::string externalIncludeError(const std::string& path, const std::string& name)
{
    const bool withoutQt = path.starts_with("core/") || path.starts_with("app/lockscope_cli/") ||
                           path.starts_with("app/options/") || path.starts_with("app/pages/");
    if (withoutQt && isQt(name))
        return "Qt has no place here";
    if (isZooKeeperClient(name) && !path.starts_with("core/zk/c_client/"))
        return "only core/zk/c_client includes the ZooKeeper C client";
    for (const std::string pure : {"core/queue/", "core/replay/"})
        if (path.starts_with(pure) && startsLikeAny(kInputOutput, name))
            return pure + " does no input or output";
    return {};
}

std::string projectIncludeError(const FolderRule& rule, const std::string& name)
{
    if (anyCovers(rule.never, name))
        return rule.folder + " must never include this";
    if (name.starts_with(rule.folder) || name.starts_with("core/base/") || anyCovers(rule.may, name))
        return {};
    return rule.folder + " may not include this";
}

} // namespace

std::vector<std::string> includeViolations(const std::string& path, std::string_view text)
{
    // The rule of the innermost folder: core/zk/wire/ has one inside that of core/zk/.
    const FolderRule* rule = nullptr;
    for (const FolderRule& candidate : kFolderRules) {
        if (path.starts_with(candidate.folder) && (!rule || candidate.folder.size() > rule->folder.size()))
            rule = &candidate;
    }
    if (!rule)
        return {path + ": no rule names its folder"};

    std::vector<std::string> violations;
    for (int number = 1; !text.empty(); ++number) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const auto include = includeOf(line);
        if (!include)
            continue;
        auto name = include->name;
        // A quoted name without a folder of the project is meant from the including file's own folder.
        if (!include->angled && !isOurs(name))
            name = (std::filesystem::path(path).parent_path() / name).lexically_normal().generic_string();
        const auto fault =
            isOurs(name) ? projectIncludeError(*rule, name) : externalIncludeError(path, include->name);
        if (!fault.empty())
            violations.push_back(path + ":" + std::to_string(number) + ": \"" + include->name +
                                 "\": " + fault);
    }
    return violations;
}

bool namesFile(std::string_view cmakeLists, const std::string& file)
{
    const auto isEdge = [&](std::size_t at) {
        return at >= cmakeLists.size() || std::isspace(static_cast<unsigned char>(cmakeLists[at])) ||
               cmakeLists[at] == '(' || cmakeLists[at] == ')' || cmakeLists[at] == '"';
    };
    for (auto at = cmakeLists.find(file); at != std::string_view::npos; at = cmakeLists.find(file, at + 1)) {
        const auto lineStart = cmakeLists.rfind('\n', at) + 1; // npos + 1 is the beginning
        const bool commented =
            cmakeLists.substr(lineStart, at - lineStart).find('#') != std::string_view::npos;
        if (!commented && (at == 0 || isEdge(at - 1)) && isEdge(at + file.size()))
            return true;
    }
    return false;
}

std::vector<std::string> typesDefined(std::string_view header, std::string_view inNamespace)
{
    // clang-format begins a line with what a namespace holds, and with the end of whatever stands there.
    static const std::regex kType(R"((?:struct|class|enum class|using) (\w+)(?: (?:[:={]|final).*)?)");
    const std::string opening = "namespace " + std::string(inNamespace) + " {";
    std::vector<std::string> types;
    std::vector<bool> open; // what began and has not ended: whether it is the namespace
    std::istringstream lines{std::string(header)};
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (line.empty() || line.front() == ' ')
            continue;
        if (!open.empty() && open.back() && std::regex_match(line, match, kType))
            types.push_back(match[1]);
        if (line.ends_with('{'))
            open.push_back(line == opening);
        else if (line.starts_with('}') && !open.empty())
            open.pop_back();
    }
    return types;
}

bool endsWithNewline(std::string_view text) { return text.empty() || text.back() == '\n'; }

} // namespace lockscope::source_tree
