// Files that a MainWindow opens, and whether it may close.
#include "ui/shell/window/main_window.h"

#include "ui/locks/history_dock.h"
#include "ui/recipe/recipe_dock.h"
#include "ui/shell/dialogs/merge_dialog.h"
#include "ui/shell/presentation/presentation_view.h"
#include "ui/shell/runbar/run_bar.h"
#include "ui/shell/window/close_question.h"
#include "ui/shell/window/scenario_controller.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>

#include <algorithm>

namespace lockscope::ui {

namespace {

bool isTrace(const QString& path) { return path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive); }

// Returns one file, or several files that can be one run; otherwise nothing.
QStringList droppedFiles(const QMimeData* data)
{
    QStringList files;
    for (const QUrl& url : data->urls()) {
        if (!url.isLocalFile()) {
            return {};
        }
        files << url.toLocalFile();
    }
    const bool isRun = std::all_of(files.begin(), files.end(),
                                   [](const QString& file) { return isTrace(file) || isHistory(file); });
    return files.size() <= 1 || isRun ? files : QStringList();
}

MergeInputs mergeInputs(const QStringList& paths)
{
    MergeInputs inputs;
    for (const QString& path : paths)
        (isHistory(path) ? inputs.logs : inputs.traces) << path;
    return inputs;
}

} // namespace

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_scenarioController->mayClose([this] { close(); }) || !m_closeQuestion->mayClose()) {
        event->ignore();
        return;
    }
    if (!m_presentation->isOpen()) {
        saveLayout();
    }
    saveViewOptions(m_settings);
    m_model.endRun();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedFiles(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QStringList paths = droppedFiles(event->mimeData()); !paths.isEmpty()) {
        event->acceptProposedAction();
        openFiles(paths);
    }
}

void MainWindow::openFiles(const QStringList& paths)
{
    if (std::all_of(paths.begin(), paths.end(), isHistory)) {
        m_recipe->hide();
        m_history->open(paths);
    } else if (paths.size() == 1) {
        m_control->openPath(paths.front());
    } else {
        const MergeInputs inputs = mergeInputs(paths);
        if (inputs.logs.isEmpty())
            return m_control->openSeveral(inputs);
        askMerge(inputs);
    }
}

void MainWindow::askMerge(const MergeInputs& inputs)
{
    auto* dialog = new MergeDialog(inputs, &m_theme, this);
    connect(dialog, &MergeDialog::chosen, this, [this](const MergeInputs& chosen) {
        if (chosen.traces.size() == 1 && chosen.logs.isEmpty())
            m_control->openPath(chosen.traces.front());
        else
            m_control->openSeveral(chosen);
    });
    dialog->open();
}

// The dialog of the system chooses files of one folder, and servers have folders of their own.
void MainWindow::openChosen(const QStringList& paths)
{
    const MergeInputs inputs = mergeInputs(paths);
    if (inputs.traces.isEmpty())
        openFiles(paths);
    else
        askMerge(inputs);
}

void MainWindow::openHistory(const QString& path, const std::string& lock)
{
    const bool alone = !m_runBar->isVisibleTo(this); // a picture of one card, with nothing beside it
    m_recipe->hide();
    m_history->open({path}, lock);
    m_history->setVisible(!alone);
}

} // namespace lockscope::ui
