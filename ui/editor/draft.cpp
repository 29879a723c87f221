#include "ui/editor/draft.h"

#include "ui/editor/field.h"
#include "ui/texts/core_messages.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kMaxMistakes = 20;
constexpr int kMessageLength = 900;

QString sentence(QString text)
{
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

// parseScenario() reports message("%1: %2", place, cause).
Message withoutPlace(const Message& error)
{
    const std::vector<MessageView> arguments = error.view().arguments();
    return arguments.size() == 2 ? Message(arguments[1]) : error;
}

// Other fields depend on these: a mistake here would cause mistakes there.
bool isReadByOthers(const Field* field)
{
    return field->key() == "locks" || field->key() == "clients" || field->key() == "name" ||
           field->key() == "count";
}

} // namespace

void Draft::put(Field* field, const QString& value)
{
    line(field, field->key() + " = " + value);
    addField(field);
}

void Draft::put(Field* field)
{
    if (const QString value = field->value().toml(); !value.isEmpty()) {
        put(field, value);
    } else {
        addField(field);
    }
}

// The brackets belong to no field: they stay when an entry with a mistake is left out.
void Draft::putList(const QString& key, const std::vector<std::pair<Field*, QString>>& entries)
{
    if (entries.empty()) {
        return;
    }
    line(nullptr, key + " = [");
    for (const auto& [field, value] : entries) {
        line(field, quotedToml(value) + ",");
    }
    line(nullptr, QStringLiteral("]"));
}

void Draft::beginClient(Field* field)
{
    line(field, QStringLiteral("[[client]]"));
    m_client = m_client ? *m_client + 1 : 0;
}

void Draft::line(Field* field, const QString& text) { m_lines.push_back({field, text}); }

Field* Draft::fieldAt(const sim::MistakePlace& place) const
{
    const QString key = QString::fromUtf8(place.key.data(), static_cast<qsizetype>(place.key.size()));
    const auto found = std::find_if(m_fields.begin(), m_fields.end(), [&](const Owner& one) {
        return one.field->key() == key && one.client == place.client;
    });
    return found == m_fields.end() ? nullptr : found->field;
}

// After a mistake with a line, the lines of its field are left out, to find the next mistake.
Draft::CheckResult Draft::check(const QString& name) const
{
    const std::string fileName = name.toStdString() + ".toml";
    CheckResult checked;
    std::vector<Field*> dropped;
    while (checked.mistakes.size() < kMaxMistakes) {
        QString text;
        std::vector<Field*> owners; // of each line
        for (const Line& line : m_lines) {
            if (std::find(dropped.begin(), dropped.end(), line.field) == dropped.end()) {
                text += line.text + '\n';
                owners.push_back(line.field);
            }
        }
        sim::MistakePlace place;
        const auto scenario = sim::parseScenario(text.toStdString(), fileName, place);
        if (scenario.has_value()) {
            if (dropped.empty()) {
                checked.scenario = *scenario;
            }
            return checked;
        }
        const bool placed = place.line > 0 && static_cast<std::size_t>(place.line) <= owners.size();
        if (!placed && !dropped.empty()) {
            return checked; // the whole scenario is checked once its lines are right
        }
        Field* field = placed ? owners[static_cast<std::size_t>(place.line) - 1] : fieldAt(place);
        const Message cause = withoutPlace(scenario.error().message);
        const Message told = placed ? cause : joined(cause, scenario.error().hint);
        checked.mistakes.push_back({field, sentence(translateMessage(told, kMessageLength).trimmed())});
        if (!placed || !field || isReadByOthers(field)) {
            return checked;
        }
        dropped.push_back(field);
    }
    return checked;
}

} // namespace lockscope::ui
