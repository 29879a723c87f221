#include "ui/editor/draft.h"

#include "ui/editor/field.h"
#include "ui/editor/value_fields.h"
#include "ui/models/core_messages.h"
#include "ui/models/format.h"

#include <algorithm>
#include <array>
#include <charconv>

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

struct MistakeInFile
{
    int line = 0;      // from 1; 0: of the scenario as a whole
    MessageView cause; // without the place
};

// parseScenario() reports message("%1: %2", place, cause); the place is "scenario.toml:3:8", or the file
// alone.
MistakeInFile mistakeInFile(const Message& error, const std::string& fileName)
{
    const std::vector<MessageView> arguments = error.view().arguments();
    if (arguments.size() != 2) {
        return {0, error};
    }
    const std::string place = arguments[0].english();
    int line = 0;
    if (place.size() > fileName.size()) {
        std::from_chars(place.data() + fileName.size() + 1, place.data() + place.size(), line);
    }
    return {line, arguments[1]};
}

// The key of the field that a mistake in the whole scenario is about, by the text of its message.
QString keyOf(MessageView cause)
{
    static constexpr std::array<std::pair<std::string_view, const char*>, 13> keys = {
        std::pair{"The number of clients", "clients"},
        std::pair{"The client ", "name"},
        std::pair{"The number of servers", "servers"},
        std::pair{"The session timeout", "session_timeout"},
        std::pair{"The pace", "pace"},
        std::pair{"The number of locks", "locks"},
        std::pair{"The lock path", "locks"},
        std::pair{"The number of re-entries", "reenter"},
        std::pair{"A time to think", "hold"},
        std::pair{"The number of tries", "tries"},
        std::pair{"The number of permits", "permits"},
        std::pair{"A part of the multi-lock", "takes"},
        std::pair{"A lock to take", "takes"}};
    for (const auto& [beginning, key] : keys) {
        if (cause.source().starts_with(beginning)) {
            return QLatin1String(key);
        }
    }
    return QStringLiteral("clients");
}

// Other fields depend on these: a mistake here would cause mistakes there.
bool isReadByOthers(const Field* field)
{
    return field->key() == "locks" || field->key() == "clients" || field->key() == "name" ||
           field->key() == "count";
}

} // namespace

QString tomlString(const QString& text)
{
    QString quoted = "\"";
    for (const QChar letter : text) {
        if (letter == '"' || letter == '\\') {
            quoted += '\\';
            quoted += letter;
        } else if (letter == '\n') {
            quoted += "\\n";
        } else if (letter.unicode() < 0x20 || letter.unicode() == 0x7f) {
            quoted += QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QChar('0'));
        } else {
            quoted += letter;
        }
    }
    return quoted + '"';
}

QString numberOrQuoted(const QString& text)
{
    const QString number = text.trimmed();
    bool whole = false; // and in the range of a TOML integer
    number.toLongLong(&whole);
    const bool digits = std::all_of(number.begin(), number.end(),
                                    [](QChar letter) { return letter >= '0' && letter <= '9'; });
    const bool leading = number.size() > 1 && number.startsWith('0');
    return whole && digits && !leading ? number : tomlString(text);
}

void Draft::put(Field* field, const QString& value) { line(field, field->key() + " = " + value); }

void Draft::put(Field* field)
{
    if (const QString value = tomlOf(field->control()); !value.isEmpty()) {
        put(field, value);
    }
}

void Draft::putList(Field* field, const QStringList& values)
{
    line(field, field->key() + " = [");
    for (const QString& value : values) {
        line(field, tomlString(value) + ",");
    }
    line(field, QStringLiteral("]"));
}

// The brackets belong to no field: they stay when an entry with a mistake is left out.
void Draft::putList(const QString& key, const std::vector<std::pair<Field*, QString>>& entries)
{
    if (entries.empty()) {
        return;
    }
    line(nullptr, key + " = [");
    for (const auto& [field, value] : entries) {
        line(field, tomlString(value) + ",");
    }
    line(nullptr, QStringLiteral("]"));
}

void Draft::line(Field* field, const QString& text)
{
    m_lines.push_back({field, text});
    if (field && std::find(m_fields.begin(), m_fields.end(), field) == m_fields.end()) {
        m_fields.push_back(field);
    }
}

QString Draft::without(const std::vector<Field*>& fields, std::vector<Field*>* owners) const
{
    QString text;
    for (const Line& line : m_lines) {
        if (std::find(fields.begin(), fields.end(), line.field) == fields.end()) {
            text += line.text + '\n';
            if (owners) {
                owners->push_back(line.field);
            }
        }
    }
    return text;
}

// Several fields share a key when clients have their own workload. The field with the mistake is the one
// without which the mistake changes or disappears.
Field* Draft::fieldOf(const Error& error, const std::string& fileName) const
{
    const QString key = keyOf(mistakeInFile(error.message, fileName).cause);
    Field* first = nullptr;
    for (Field* field : m_fields) {
        if (field->key() != key) {
            continue;
        }
        first = first ? first : field;
        const auto other = sim::parseScenario(without({field}, nullptr).toStdString(), fileName);
        if (other.has_value() || other.error().message != error.message) {
            return field;
        }
    }
    return first;
}

Draft::CheckResult Draft::check(const QString& name) const
{
    const std::string fileName = name.toStdString() + ".toml";
    CheckResult checked;
    std::vector<Field*> dropped;
    while (checked.mistakes.size() < kMaxMistakes) {
        std::vector<Field*> owners;
        const auto scenario = sim::parseScenario(without(dropped, &owners).toStdString(), fileName);
        if (scenario.has_value()) {
            if (dropped.empty()) {
                checked.scenario = *scenario;
            }
            return checked;
        }
        const Error error = scenario.error(); // `cause` points into it
        const auto [line, cause] = mistakeInFile(error.message, fileName);
        const bool placed = line > 0 && static_cast<std::size_t>(line) <= owners.size();
        if (!placed && !dropped.empty()) {
            return checked; // the whole scenario is checked once its lines are right
        }
        Field* field = placed ? owners[static_cast<std::size_t>(line) - 1] : fieldOf(error, fileName);
        const Message text = placed ? Message(cause) : joined(Message(cause), error.hint);
        checked.mistakes.push_back({field, sentence(translateMessage(text, kMessageLength).trimmed())});
        if (!placed || !field || isReadByOthers(field)) {
            return checked;
        }
        dropped.push_back(field);
    }
    return checked;
}

} // namespace lockscope::ui
