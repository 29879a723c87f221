// A scenario as it stands in the form, perhaps with mistakes: lines of a file, each of which belongs to a
// field. It is read like any other file, so that every mistake has the same words as there. GUI thread.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <QString>

#include <optional>
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

    // `value` as a file has it: see tomlString().
    void put(Field* field, const QString& value);
    // A list, each entry on a line of its own that belongs to `entries[i]`, or to `field` when there is none.
    void putList(Field* field, const QStringList& values, const std::vector<Field*>& entries = {});
    void line(Field* field, const QString& text);
    // Only a name to hang a mistake on: the field says nothing at the moment.
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
// A number as it is, and whatever else in quotes: the reader says what it expected instead.
QString numberOrQuoted(const QString& text);

} // namespace lockscope::ui
