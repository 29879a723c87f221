// A window whose language a test changes, with a recorded run.
#pragma once

#include "tests/support/sample_run.h"
#include "tests/ui/opened_run.h"
#include "tests/ui/window_test_fixture.h"
#include "ui/shell/window/language.h"

#include <QApplication>

namespace lockscope::ui {

struct LanguageWindowTest : WindowTest
{
    LanguageWindowTest(const QString& code, const tests::SampleOptions& options)
        : language(code)
    {
        MainWindow::Setup setup;
        setup.language = &language;
        setup.settings = &settings;
        window = shownWindow(setup, QSize(1440, 900));
        openSaved(*window, trace, *tests::sampleRun(options));
        drainEvents();
    }
    ~LanguageWindowTest() override { window.reset(); } // it uses the language

    static void drainEvents()
    {
        for (int i = 0; i < 5; ++i) {
            QApplication::processEvents();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }
    void setLanguage(const char* code)
    {
        ASSERT_NE(action(QStringLiteral("language.") + code), nullptr);
        action(QStringLiteral("language.") + code)->trigger();
        drainEvents();
    }

    const QString trace = folder.filePath("run.jsonl");
    Language language;
};

} // namespace lockscope::ui
