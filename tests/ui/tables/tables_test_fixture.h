// All four tables over one run and one selection, shown.
#pragma once

#include "tests/ui/growing_run.h"
#include "ui/models/rows/clients_model.h"
#include "ui/models/rows/log_model.h"
#include "ui/models/rows/queue_model.h"
#include "ui/models/run/selection.h"
#include "ui/tables/clients_view.h"
#include "ui/tables/drawing.h"
#include "ui/tables/findings_view.h"
#include "ui/tables/follow_notice.h"
#include "ui/tables/log_table.h"
#include "ui/tables/log_view.h"
#include "ui/tables/queue_view.h"

#include <QApplication>
#include <QScrollBar>

#include <gtest/gtest.h>

namespace lockscope::tests {

using namespace lockscope::ui;

inline constexpr auto kNoModifier = Qt::NoModifier;

struct TablesTest : testing::Test
{
    TablesTest()
    {
        clients.resize(270, 400);
        queue.resize(460, 250);
        findings.resize(460, 400);
        log.resize(790, 230);
        for (QWidget* view : std::initializer_list<QWidget*>{&clients, &queue, &findings, &log})
            view->show();
    }
    LogTable& lines() { return *log.findChild<LogTable*>(); }
    FollowNotice& notice() { return *log.findChild<FollowNotice*>(); }
    // Seeks to the first moment with this many nodes in the queue.
    bool seekToQueueOf(int nodes)
    {
        for (std::size_t at = 0; at < run.store()->count(); ++at) {
            run.seekEvent(at);
            if (queue.model()->rowCount() >= nodes)
                return true;
        }
        return false;
    }
    static void click(QAbstractItemView& view, int row)
    {
        const QModelIndex index = view.model()->index(row, 0);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, kNoModifier, view.visualRect(index).center());
    }
    bool logSettled()
    {
        auto* model = qobject_cast<LogModel*>(lines().model());
        return QTest::qWaitFor([model] { return !model->building(); });
    }

    RunModel run;
    Selection selection;
    Theme theme{Theme::ColourScheme::light};
    ClientsView clients{&run, &selection, &theme};
    QueueView queue{&run, &selection, &theme};
    FindingsView findings{&run, &selection, &theme};
    LogView log{&run, &selection, &theme};
};

} // namespace lockscope::tests
