#include "ui/shell/dialogs/file_dialogs.h"

#include "ui/widgets/ask_for_file.h"

#include <QFileInfo>
#include <QWidget>

namespace lockscope::ui {

FileDialogs::FileDialogs(QWidget* window)
    : QObject(window)
    , m_window(window)
{}

void FileDialogs::askOpen()
{
    askForFile({.title = tr("Open a Scenario or a Trace"),
                .folder = m_folder,
                .filters = {tr("Scenarios and traces (*.toml *.jsonl)"), tr("Scenarios (*.toml)"),
                            tr("Traces (*.jsonl)")},
                .mode = FileQuestion::Mode::open},
               m_window, [this](const QString& path) {
                   m_folder = QFileInfo(path).path();
                   emit openChosen(path);
               });
}

void FileDialogs::askOpenSeveral()
{
    askForFiles(
        {.title = tr("Open the Traces and Logs of Several Machines"),
         .folder = m_folder,
         .filters = {tr("Traces and logs of servers (*.jsonl log.* snapshot.*)"), tr("All files (*)")},
         .mode = FileQuestion::Mode::open},
        m_window, [this](const QStringList& paths) {
            m_folder = QFileInfo(paths.front()).path();
            emit severalChosen(paths);
        });
}

void FileDialogs::askSaveTrace(const QString& name)
{
    askForFile({.title = tr("Save the Trace"),
                .folder = m_folder,
                .filters = {tr("Traces (*.jsonl)")},
                .suffix = "jsonl",
                .name = name + QStringLiteral(".jsonl")},
               m_window, [this](const QString& path) {
                   m_folder = QFileInfo(path).path();
                   emit saveTraceChosen(path);
               });
}

} // namespace lockscope::ui

#include "moc_file_dialogs.cpp"
