// The scenario in the form, possibly with mistakes: the lines of a file, each of which belongs to a field.
// The reader of scenario files checks it, so mistakes have the same text as in a file. GUI thread.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace lockscope::ui {

class Field;

class Draft
{
public:
    struct Mistake
    {
        Field* field = nullptr;
        QString text;
    };
    struct CheckResult
    {
        std::optional<sim::Scenario> scenario; // none when there are mistakes
        std::vector<Mistake> mistakes;
    };

    // `value` in TOML: see tomlString().
    void put(Field* field, const QString& value);
    // Writes the value of the field's control; nothing for an empty line of text.
    void put(Field* field);
    // Writes a list, each entry on a line of its own.
    void putList(Field* field, const QStringList& values);
    // Writes a list of entries, each with the field that it belongs to; nothing for an empty list.
    void putList(const QString& key, const std::vector<std::pair<Field*, QString>>& entries);
    // `field` is null for a line that cannot be wrong, such as the brackets of a list.
    void line(Field* field, const QString& text);
    // A field that writes nothing now but may show a mistake.
    void addField(Field* field) { m_fields.push_back(field); }

    CheckResult check(const QString& name) const;

private:
    struct Line
    {
        Field* field;
        QString text;
    };
    QString without(const std::vector<Field*>& fields, std::vector<Field*>* owners) const;
    Field* fieldOf(const Error& error, const std::string& fileName) const;
    std::vector<Line> m_lines;
    std::vector<Field*> m_fields;
};

QString tomlString(const QString& text);
// A number as it is, any other text in quotes, so that the reader reports what it expected.
QString numberOrQuoted(const QString& text);

} // namespace lockscope::ui
