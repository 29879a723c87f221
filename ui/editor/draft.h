// The scenario in the form, possibly with mistakes: the lines of a file, each of which belongs to a field.
// The reader of scenario files checks it, so mistakes have the same text as in a file. GUI thread.
#pragma once

#include "core/sim/scenario/settings.h"

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

    // Writes the value of the field's control; nothing while it is empty.
    void put(Field* field);
    void put(Field* field, const QString& value); // in TOML
    // Writes a list of entries, each with the field that it belongs to; nothing for an empty list.
    void putList(const QString& key, const std::vector<std::pair<Field*, QString>>& entries);
    // What is written from here on belongs to the next named client; mistakes of the whole client are at
    // `field`.
    void beginClient(Field* field);
    // A field that writes nothing now but may show a mistake.
    void addField(Field* field) { m_fields.push_back({field, m_client}); }

    CheckResult check(const QString& name) const;

private:
    struct Line
    {
        Field* field; // null for one that cannot be wrong, such as the brackets of a list
        QString text;
    };
    struct Owner
    {
        Field* field;
        std::optional<int> client; // from 0
    };
    void line(Field* field, const QString& text);
    Field* fieldAt(const sim::MistakePlace& place) const;
    std::vector<Line> m_lines;
    std::vector<Owner> m_fields;
    std::optional<int> m_client;
};

} // namespace lockscope::ui
