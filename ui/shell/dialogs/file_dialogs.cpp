#include "ui/shell/dialogs/file_dialogs.h"

#include "ui/models/existing_folder.h"

#include <QFileDialog>
#include <QFileInfo>

namespace lockscope::ui {

FileDialogs::FileDialogs(QWidget* window)
    : QObject(window)
    , m_window(window)
{}

void FileDialogs::askOpen()
{
    auto* dialog = new QFileDialog(m_window, tr("Open a Scenario or a Trace"), existingFolder(m_folder));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Scenarios and traces (*.toml *.jsonl)"), tr("Scenarios (*.toml)"), tr("Traces (*.jsonl)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_folder = QFileInfo(path).path();
        emit openChosen(path);
    });
    dialog->open();
}

void FileDialogs::askSaveTrace(const QString& name)
{
    auto* dialog = new QFileDialog(m_window, tr("Save the Trace"), existingFolder(m_folder));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Traces (*.jsonl)")});
    dialog->setDefaultSuffix("jsonl");
    dialog->selectFile(name + QStringLiteral(".jsonl"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_folder = QFileInfo(path).path();
        emit saveTraceChosen(path);
    });
    dialog->open();
}

} // namespace lockscope::ui

#include "moc_file_dialogs.cpp"
