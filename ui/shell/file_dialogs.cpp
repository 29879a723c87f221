#include "ui/shell/file_dialogs.h"

#include <QFileDialog>
#include <QFileInfo>

namespace lockscope::ui {

FileDialogs::FileDialogs(QWidget* window)
    : QObject(window)
    , m_window(window)
{}

void FileDialogs::askOpen()
{
    auto* dialog = new QFileDialog(m_window, tr("Open a scenario or a trace"), m_folder);
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

void FileDialogs::askSaveTrace()
{
    askSave(tr("Save the trace"), {tr("Traces (*.jsonl)")}, "jsonl", &FileDialogs::saveTraceChosen);
}

void FileDialogs::askSavePicture()
{
    askSave(tr("Save a picture of the window"), {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)")}, "png",
            &FileDialogs::savePictureChosen);
}

void FileDialogs::askSave(const QString& title, const QStringList& filters, const QString& suffix,
                          void (FileDialogs::*chosen)(const QString&))
{
    auto* dialog = new QFileDialog(m_window, title, m_folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    // The ending follows the kind that was chosen: "*.svg" gives "svg".
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section("*.", -1).chopped(1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, chosen](const QString& path) {
        m_folder = QFileInfo(path).path();
        emit(this->*chosen)(path);
    });
    dialog->open();
}

} // namespace lockscope::ui
