// A scenario editor that is open, for its tests.
#pragma once

#include "ui/editor/field.h"
#include "ui/editor/scenario_editor.h"
#include "ui/editor/scenario_form.h"
#include "ui/models/style/theme.h"

#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace lockscope::ui {

struct EditorTest : testing::Test
{
    EditorTest()
    {
        editor.edit(ScenarioEditor::defaultScenario(), {});
        editor.show();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&editor));
    }

    template <class Control>
    Control* find(const char* name)
    {
        auto* control = editor.findChild<Control*>(name);
        EXPECT_NE(control, nullptr) << name;
        return control;
    }

    void type(QWidget* edit, const QString& text)
    {
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
        const QStringList lines = text.split('\n');
        for (const QString& line : lines) {
            QTest::keyClicks(edit, line);
            if (&line != &lines.back())
                QTest::keyClick(edit, Qt::Key_Return);
        }
    }
    void type(const char* name, const QString& text) { type(find<QLineEdit>(name), text); }

    QString mistakeAt(const char* key)
    {
        for (const Field* field : editor.findChildren<Field*>())
            if (field->key() == key && !field->mistake().isEmpty())
                return field->mistake();
        return {};
    }

    const sim::Scenario& made() const { return *editor.form().scenario(); }
    ScenarioForm& form() { return editor.form(); }

    Theme theme{Theme::ColourScheme::light};
    mutable ScenarioEditor editor{&theme, nullptr};
    QTemporaryDir folder;
};

} // namespace lockscope::ui
