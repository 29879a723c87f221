#include "app/pages/completion.h"

#include "app/options/pages.h"
#include "app/options/values.h"

#include "core/explore/built_recipe.h"
#include "core/lesson/lesson.h"
#include "core/sim/scenario/scenario.h"

#include <algorithm>
#include <sstream>

namespace lockscope::app {

namespace {

// What may stand behind an option, or as an argument.
struct Candidates
{
    std::string words; // with blanks between them
    bool files = false;
    std::string command; // that prints more words
};

template <class BuiltIns>
std::string namesOf(const BuiltIns& builtIns)
{
    std::string names;
    for (const auto& one : builtIns)
        names += (names.empty() ? "" : " ") + std::string(one.name);
    return names;
}

std::string recipeWords()
{
    std::string words = sim::recipeNames();
    std::erase_if(words, [](char character) { return character == '"' || character == ','; });
    return words;
}

void add(Candidates& to, const std::string& words) { to.words += (to.words.empty() ? "" : " ") + words; }

// By the parts of the type: words in lower case stand for themselves.
Candidates candidatesOf(const std::string& type)
{
    Candidates all;
    std::istringstream parts(type);
    for (std::string part; std::getline(parts, part, '|');) {
        if (part == "SCENARIO" || part == "LESSON") {
            add(all, part == "LESSON" ? namesOf(lesson::builtIns()) : namesOf(sim::builtIns()));
            all.files = true;
        } else if (part == "RECIPE") {
            add(all, recipeWords());
        } else if (part == "BUILT") {
            add(all, namesOf(explore::builtRecipes()));
        } else if (part == "VIEW") {
            all.command = "lockscope --views";
        } else if (part.starts_with("OUT") || part.starts_with("FILE") || part.starts_with("DIR") ||
                   part.starts_with("PROGRAM") || part == "JAR" || part == "TRACE.jsonl") {
            all.files = true;
        } else if (!part.empty() && part != "-" &&
                   std::ranges::all_of(part.substr(0, 1), [](char c) { return c >= 'a' && c <= 'z'; })) {
            add(all, part);
        }
    }
    return all;
}

bool takesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// The names of an option as they are typed: "--help", "-h".
std::vector<std::string> typed(const CLI::Option& option)
{
    std::vector<std::string> names;
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    return names;
}

std::string joinedNames(const std::vector<const CLI::App*>& commands, const char* between)
{
    std::string names;
    for (const CLI::App* command : commands)
        names += (names.empty() ? "" : between) + command->get_name();
    return names;
}

Candidates argumentsOf(const CLI::App& command)
{
    Candidates all;
    for (const CLI::Option* option : optionsOf(command))
        if (option->get_positional()) {
            const Candidates one = candidatesOf(option->get_type_name());
            if (!one.words.empty() && all.words.find(one.words) == std::string::npos)
                add(all, one.words);
            all.files = all.files || one.files;
        }
    return all;
}

// The program itself and its commands, by the word that chooses them.
std::vector<std::pair<std::string, const CLI::App*>> levels(const CLI::App& program)
{
    std::vector<std::pair<std::string, const CLI::App*>> all{{"", &program}};
    for (const CLI::App* command : commandsOf(program))
        all.emplace_back(command->get_name(), command);
    return all;
}

std::string identifier(std::string name)
{
    std::ranges::replace(name, '-', '_');
    return name;
}

// ---- bash ----

std::string bashReply(const Candidates& all)
{
    const std::string words = all.words + (all.command.empty() ? "" : "$(" + all.command + " 2>/dev/null)");
    std::string generator = "compgen";
    if (all.files)
        generator += " -f";
    if (!words.empty())
        generator += " -W \"" + words + "\"";
    return generator == "compgen" ? "COMPREPLY=()"
                                  : "mapfile -t COMPREPLY < <(" + generator + " -- \"$word\")";
}

// The first sentence, up to a semicolon.
std::string brief(const std::string& text)
{
    return text.substr(0, std::min({text.find(". "), text.find("; "), text.find(": "), text.size()}));
}

// ---- zsh ----

std::string zshText(const std::string& text)
{
    std::string escaped;
    for (const char character : text)
        if (character == '\'')
            escaped += "'\\''";
        else if (std::string_view("[]:\\").find(character) != std::string_view::npos)
            escaped += std::string("\\") + character;
        else
            escaped += character;
    return escaped;
}

std::string zshAction(const Candidates& all)
{
    if (!all.command.empty())
        return "($(" + all.command + " 2>/dev/null))";
    if (!all.words.empty())
        return all.files ? "{compadd -- " + all.words + "; _files}" : "(" + all.words + ")";
    return all.files ? "_files" : " ";
}

std::string zshArguments(const CLI::App& command, const std::string& indent)
{
    std::string text = indent + "_arguments \\\n";
    for (const CLI::Option* option : optionsOf(command)) {
        if (option->get_positional())
            continue;
        for (const std::string& name : typed(*option)) {
            const bool again = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
            text += indent + "    '" + (again ? "*" : "") + name + "[" +
                    zshText(brief(option->get_description())) + "]";
            if (takesValue(*option))
                text += ":" + zshText(option->get_type_name()) + ":" +
                        zshAction(candidatesOf(option->get_type_name()));
            text += "' \\\n";
        }
    }
    const Candidates arguments = argumentsOf(command);
    return text + indent + "    '*:argument:" + zshAction(arguments) + "'\n";
}

// ---- fish ----

std::string fishText(const std::string& text)
{
    std::string escaped = "'";
    for (const char character : text)
        escaped += character == '\'' || character == '\\' ? std::string("\\") + character
                                                          : std::string(1, character);
    return escaped + "'";
}

std::string fishCandidates(const Candidates& all)
{
    const std::string words =
        all.command.empty() ? fishText(all.words) : "'(" + all.command + " 2>/dev/null)'";
    return std::string(all.files ? " -F" : " -f") + (words == "''" ? "" : " -a " + words);
}

} // namespace

std::string bashCompletion(const CLI::App& program)
{
    const std::string function = "_" + identifier(program.get_name());
    const auto commands = commandsOf(program);
    std::string values, options, arguments;
    for (const auto& [name, level] : levels(program)) {
        std::string names;
        for (const CLI::Option* option : optionsOf(*level)) {
            if (option->get_positional())
                continue;
            for (const std::string& each : typed(*option)) {
                names += (names.empty() ? "" : " ") + each;
                if (takesValue(*option))
                    values += "        " + name + "/" + each + ") " +
                              bashReply(candidatesOf(option->get_type_name())) + "; return ;;\n";
            }
        }
        options += "        \"" + name + "\") options=\"" + names + "\" ;;\n";
        Candidates all = argumentsOf(*level);
        if (level == &program)
            add(all, joinedNames(commands, " "));
        arguments += "        \"" + name + "\") " + bashReply(all) + " ;;\n";
    }
    return "# bash completion for " + program.get_name() + "\n" + function + "()\n{\n" +
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' "
           "options='' i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case ${COMP_WORDS[i]} in\n            " +
           joinedNames(commands, "|") +
           ") command=${COMP_WORDS[i]}; break ;;\n        esac\n    done\n    case $command/$before in\n" +
           values + "    esac\n    case $command in\n" + options +
           "    esac\n    if [[ $word == -* ]]; then\n        mapfile -t COMPREPLY < <(compgen -W "
           "\"$options\" -- "
           "\"$word\")\n        return\n    fi\n    case $command in\n" +
           arguments + "    esac\n}\ncomplete -o filenames -F " + function + " " + program.get_name() + "\n";
}

std::string zshCompletion(const CLI::App& program)
{
    const std::string function = "_" + program.get_name();
    std::string described, cases;
    for (const CLI::App* command : commandsOf(program)) {
        described += "        '" + zshText(command->get_name()) + ":" +
                     zshText(brief(command->get_description())) + "'\n";
        cases += "        " + command->get_name() +
                 ")\n            shift words\n            (( CURRENT-- ))\n" +
                 zshArguments(*command, "            ") + "            ;;\n";
    }
    return "#compdef " + program.get_name() + "\n" + function + "()\n{\n    local -a commands=(\n" +
           described + "    )\n    case $words[2] in\n" + cases +
           "        *)\n            (( CURRENT == 2 )) && _describe command commands\n" +
           zshArguments(program, "            ") + "            ;;\n    esac\n}\n" + function + " \"$@\"\n";
}

std::string fishCompletion(const CLI::App& program)
{
    const auto commands = commandsOf(program);
    const std::string begin = "complete -c " + program.get_name();
    const std::string none = "not __fish_seen_subcommand_from " + joinedNames(commands, " ");
    std::string text = "# fish completion for " + program.get_name() + "\n";
    for (const CLI::App* command : commands)
        text += begin + " -n '__fish_use_subcommand' -f -a " + command->get_name() + " -d " +
                fishText(brief(command->get_description())) + "\n";
    for (const auto& [name, level] : levels(program)) {
        const std::string when =
            begin + " -n '" + (name.empty() ? none : "__fish_seen_subcommand_from " + name) + "'";
        for (const CLI::Option* option : optionsOf(*level)) {
            if (option->get_positional())
                continue;
            text += when;
            for (const std::string& each : option->get_lnames())
                text += " -l " + each;
            for (const std::string& each : option->get_snames())
                text += " -s " + each;
            if (takesValue(*option))
                text += " -r" + fishCandidates(candidatesOf(option->get_type_name()));
            text += " -d " + fishText(brief(option->get_description())) + "\n";
        }
        text += when + fishCandidates(argumentsOf(*level)) + "\n";
    }
    return text;
}

} // namespace lockscope::app
