// Asks before the window closes with runs or bookmarks that are in no file: Save, Discard, Cancel. Does not
// block: the run continues, and the answer closes the window. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>

#include "core/trace/store.h"
#include "ui/models/style/settings.h"

#include <memory>
#include <vector>

class QAction;
class QMainWindow;
class QMessageBox;

namespace lockscope::ui {

class BookmarksController;
class RunController;

class CloseQuestion : public QObject
{
    Q_OBJECT
public:
    // `asks`: the checkable command that turns the question off and on.
    CloseQuestion(RunController* control, BookmarksController* bookmarks, QAction* asks, Settings settings,
                  QMainWindow* window);
    bool mayClose(); // false: it asks

private:
    using Store = std::shared_ptr<const trace::TraceStore>;
    struct Unsaved
    {
        QString words;
        Store store;
    };
    std::vector<Unsaved> unsaved() const;
    void ask(const std::vector<Unsaved>& runs);
    void saveNext();
    void close();

    RunController* m_control;
    BookmarksController* m_bookmarks;
    QAction* m_asks;
    Settings m_settings;
    QMainWindow* m_window;
    QPointer<QMessageBox> m_question;
    std::vector<std::weak_ptr<const trace::TraceStore>> m_saved; // by the answer to the question
    Store m_saving;                                              // its file is chosen, and being written
    bool m_agreed = false;
};

} // namespace lockscope::ui
