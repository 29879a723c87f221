#include "core/explore/built_recipe.h"

#include "core/sim/scenario/settings.h"
#include "core/sim/scenario/toml_reader.h"

#include <algorithm>

namespace lockscope::explore {

namespace {

constexpr std::string_view kYes = "true";
constexpr std::string_view kNo = "false";

bool isFlag(const ChoiceRow& row) { return row.options.front().word == kYes; }

// As in a file.
std::string written(const ChoiceRow& row, const ChoiceOption& option)
{
    return isFlag(row) ? std::string(option.word) : sim::tomlString(option.word);
}

std::string writtenOptions(const ChoiceRow& row)
{
    std::string words;
    for (const ChoiceOption& option : row.options)
        words += (words.empty() ? "" : ", ") + written(row, option);
    return words;
}

template <class Recipe>
auto texts(Recipe& recipe)
{
    return std::to_array<std::pair<std::string_view, decltype(&recipe.title)>>(
        {{"title", &recipe.title},
         {"title_zh", &recipe.titleZh},
         {"about", &recipe.about},
         {"about_zh", &recipe.aboutZh}});
}

class RecipeReader
{
public:
    explicit RecipeReader(std::string_view file)
        : m_in(file)
    {}

    BuiltRecipe read(const toml::table& table)
    {
        BuiltRecipe recipe;
        sim::TomlReader::Fields fields;
        for (const auto& [key, text] : texts(recipe))
            fields[std::string(key)] = [this, into = text](const toml::node& node) {
                *into = m_in.text(node);
            };
        for (const ChoiceRow& row : choiceRows())
            fields[std::string(row.key)] = [&recipe, &row, this](const toml::node& node) {
                recipe[row.choice] = option(row, node);
            };
        m_in.readTable(table, fields);
        return recipe;
    }

private:
    std::uint8_t option(const ChoiceRow& row, const toml::node& node) const
    {
        std::string_view word;
        if (node.is_boolean() && isFlag(row))
            word = node.as_boolean()->get() ? kYes : kNo;
        else if (node.is_string() && !isFlag(row))
            word = node.as_string()->get();
        const auto found = std::ranges::find(row.options, word, &ChoiceOption::word);
        if (found == row.options.end())
            m_in.wrong(node, message("one of %1", writtenOptions(row)));
        return static_cast<std::uint8_t>(found - row.options.begin());
    }

    sim::TomlReader m_in;
};

// ---- the algorithm ----

class Algorithm
{
public:
    explicit Algorithm(const BuiltRecipe& recipe)
        : m_recipe(recipe)
    {}

    std::vector<RecipeLine> lines()
    {
        title("acquire():");
        if (m_recipe.isSequential())
            addQueue();
        else
            addOneNode();
        title("use():");
        if (m_recipe.isFenced())
            line(1, "write(data, token)", Choice::fencing, message("the resource refuses a smaller token"));
        else
            line(1, "write(data)", Choice::fencing, message("a late write is accepted"));
        title("release():");
        line(1, "delete(me)");
        title("suspended():");
        if (m_recipe.givesUp())
            line(1, "delete(me); hold nothing", Choice::suspended, message("and begin again"));
        else
            line(1, "go on", Choice::suspended, message("until the session is lost"));
        return std::move(m_lines);
    }

private:
    void title(const char* code) { m_lines.push_back(RecipeLine{code, {}, 0, true}); }
    void line(int indent, std::string code, std::optional<Choice> from = std::nullopt, Message comment = {})
    {
        m_lines.push_back(RecipeLine{std::move(code), std::move(comment), indent, false, from});
    }

    void addCreate(int indent)
    {
        std::string mode = m_recipe.isPersistent() ? "PERSISTENT" : "EPHEMERAL";
        if (m_recipe.isSequential())
            mode += "_SEQUENTIAL";
        const char* name =
            m_recipe.isSequential()
                ? (m_recipe.isProtected() ? "me = create(guid + \"lock-\", " : "me = create(\"lock-\", ")
                : (m_recipe.isProtected() ? "me = create(\"lock\", guid, " : "me = create(\"lock\", ");
        line(indent, name + mode + ")", Choice::node,
             m_recipe.isPersistent() ? message("it outlives its client") : Message());
        if (m_recipe.isProtected())
            line(indent, "if the reply is lost: me = the node with my guid, or create again",
                 Choice::protection);
        else
            line(indent, "if the reply is lost: create again", Choice::protection,
                 message("the first node stays, and nobody knows whose it is"));
    }
    void addWait(int indent, const char* ahead)
    {
        switch (m_recipe.watched()) {
        case Watched::beforeByGetData:
            line(indent, std::string("watch = getData(") + ahead + ")", Choice::watch);
            line(indent, "if NoNode: continue", Choice::watch, message("just deleted"));
            line(indent, "sleep until the watch fires");
            break;
        case Watched::beforeByExists:
            line(indent, std::string("watch = exists(") + ahead + ")", Choice::watch);
            line(indent, "if NoNode: continue", Choice::watch, message("the watch stays"));
            line(indent, "sleep until the watch fires");
            break;
        case Watched::children:
            line(indent, "sleep until the children change", Choice::watch, message("all are woken"));
            break;
        case Watched::nothing:
            line(indent, "sleep", Choice::watch, message("nobody wakes it"));
            break;
        }
        if (!m_recipe.listsAgain())
            line(indent, "return", Choice::listAgain, message("without looking who is there"));
    }
    const char* list() const
    {
        return m_recipe.watched() == Watched::children ? "getChildren(watch)" : "getChildren()";
    }
    void addQueue()
    {
        addCreate(1);
        line(1, "loop:", Choice::listAgain);
        line(2,
             std::string("kids = sort(") + list() + (m_recipe.ordersByName() ? ", by name)" : ", by number)"),
             Choice::order,
             m_recipe.ordersByName() && m_recipe.isProtected() ? message("a name begins with a random guid")
                                                               : Message());
        line(2, "if me is not in kids: begin again");
        line(2, "i = index(me); if i == 0: return", std::nullopt, message("we hold it"));
        addWait(2, "kids[i-1]");
    }
    void addOneNode()
    {
        line(1, "loop:", Choice::listAgain);
        addCreate(2);
        line(2, "if it was made: return", Choice::sequential, message("we hold it"));
        if (m_recipe.watched() == Watched::children)
            line(2, "if \"lock\" is not in getChildren(watch): continue", Choice::watch);
        addWait(2, "\"lock\"");
    }

    const BuiltRecipe& m_recipe;
    std::vector<RecipeLine> m_lines;
};

} // namespace

std::span<const ChoiceRow, kChoices> choiceRows()
{
    static const std::array<ChoiceRow, kChoices> rows{{
        {Choice::node,
         "node",
         message("Node"),
         {{"ephemeral", message("ephemeral: it goes with its session")},
          {"persistent", message("persistent: it stays until it is deleted")}}},
        {Choice::sequential,
         "sequential",
         message("Sequential"),
         {{kYes, message("each client has a node with a number of its own")},
          {kNo, message("one node for all: who makes it has the lock")}}},
        {Choice::protection,
         "protected",
         message("Protected"),
         {{kYes, message("with a GUID, by which a node is found whose create had no reply")},
          {kNo, message("without: a create that had no reply is sent again")}}},
        {Choice::watch,
         "watch",
         message("What is watched"),
         {{"getData", message("the node before, with getData")},
          {"exists", message("the node before, with exists")},
          {"getChildren", message("the list of the children")},
          {"nothing", message("nothing")}}},
        {Choice::listAgain,
         "list_again",
         message("After waking"),
         {{kYes, message("look again who is there")}, {kNo, message("take the lock")}}},
        {Choice::order,
         "order",
         message("Order of the nodes"),
         {{"number", message("by the number that the server gave")}, {"name", message("by the whole name")}}},
        {Choice::suspended,
         "suspended",
         message("While the connection is suspended"),
         {{"keeps", message("it believes that it holds the lock")},
          {"gives-up", message("it gives the lock up")}}},
        {Choice::fencing,
         "fencing",
         message("Fencing"),
         {{kYes, message("the resource refuses a token that is too old")},
          {kNo, message("the resource accepts every write")}}},
    }};
    return rows;
}

std::vector<RecipeLine> algorithmOf(const BuiltRecipe& recipe) { return Algorithm(recipe).lines(); }

Result<BuiltRecipe> parseBuiltRecipe(std::string_view toml, std::string_view fileName)
{
    try {
        return RecipeReader(fileName).read(
            sim::parseToml(toml, fileName, message("Expected a recipe in TOML.")));
    } catch (const sim::TomlError& mistake) {
        return mistake.error;
    }
}

std::string toToml(const BuiltRecipe& recipe)
{
    std::string text;
    for (const auto& [key, value] : texts(recipe))
        if (!value->empty())
            text.append(key).append(" = ").append(sim::tomlString(*value)).append("\n");
    for (const ChoiceRow& row : choiceRows())
        text.append(row.key)
            .append(" = ")
            .append(written(row, row.options[recipe[row.choice]]))
            .append(" # ")
            .append(writtenOptions(row))
            .append("\n");
    return text;
}

Result<BuiltRecipe> loadBuiltRecipe(const std::string& nameOrPath)
{
    const Result<sim::TomlText> loaded =
        sim::loadToml(nameOrPath, builtRecipes(), message("There is no recipe \"%1\".", nameOrPath),
                      message("A recipe is a short TOML file."));
    return loaded ? parseBuiltRecipe(loaded->text, loaded->fileName) : loaded.error();
}

} // namespace lockscope::explore
