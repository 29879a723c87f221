// The Inspector over one run and one selection, shown; and facts as a test reads them.
#pragma once

#include "tests/support/trace_script.h"
#include "tests/ui/growing_run.h"
#include "ui/inspector/inspector_model.h"
#include "ui/inspector/inspector_table.h"
#include "ui/inspector/inspector_view.h"
#include "ui/texts/inspection_copy.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QJsonDocument>
#include <QJsonObject>

#include <gtest/gtest.h>

namespace lockscope::tests {

using namespace lockscope::ui;

struct InspectorTest : testing::Test
{
    InspectorTest()
    {
        view.resize(460, 700);
        view.show();
    }
    InspectorTable& table() { return *view.findChild<InspectorTable*>(); }
    InspectorModel& model() { return *view.findChild<InspectorModel*>(); }
    int rowOf(const QString& id)
    {
        for (int row = 0; row < model().rowCount(); ++row)
            if (model().fact(row).id == id)
                return row;
        return -1;
    }
    const Fact& fact(const QString& id)
    {
        static const Fact nothing;
        const int row = rowOf(id);
        EXPECT_GE(row, 0) << id.toStdString();
        return row < 0 ? nothing : model().fact(row);
    }
    std::string value(const QString& id) { return fact(id).value.toStdString(); }
    template <class What>
    bool isRecordedAs(const QString& id)
    {
        const EventIndex event = fact(id).event;
        return event.valid() && std::holds_alternative<What>(run.store()->at(event).what);
    }
    void click(const QString& id, InspectorModel::Column column)
    {
        const QModelIndex cell = model().index(rowOf(id), column);
        table().scrollTo(cell);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, Qt::NoModifier,
                          table().visualRect(cell).center());
    }
    ClientId client(std::string_view name)
    {
        for (const replay::ClientRow& row : run.state().clients)
            if (row.name == name)
                return row.id;
        return ClientId::none();
    }
    static QString node(std::string_view word) { return QString::fromStdString(scriptNode(word)); }
    static QString clipboard() { return QGuiApplication::clipboard()->text(); }

    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    InspectorView view{&run, &selection, &theme};
};

// ada holds, bo and cyd wait; bo was woken once and is frozen.
inline constexpr auto kThree =
    R"(10ms ada holds n1; 20ms bo waits n2 n1; 30ms cyd waits n3 n2; 40ms bo command freeze;
    50ms ada reentered 2)";
// ada hands over to bo, and cyd watches bo's node.
inline constexpr auto kHandedOver = R"(10ms ada holds n1; 20ms bo waits n2 n1; 30ms cyd waits n3 n2;
    40ms ada release n1; 45ms bo fired n1; 46ms ada freed n1; 50ms bo takes n2)";

} // namespace lockscope::tests
