#include "ui/widgets/ask_for_file.h"

#include "ui/models/run/existing_folder.h"

#include <QFileDialog>

namespace lockscope::ui {

namespace {

QFileDialog* makeDialog(const FileQuestion& question, QWidget* parent)
{
    auto* dialog = new QFileDialog(parent, question.title, existingFolder(question.folder));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (question.mode == FileQuestion::Mode::save)
        dialog->setAcceptMode(QFileDialog::AcceptSave);
    else
        dialog->setFileMode(question.mode == FileQuestion::Mode::open ? QFileDialog::ExistingFile
                                                                      : QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly, question.mode == FileQuestion::Mode::folder);
    if (!question.filters.isEmpty())
        dialog->setNameFilters(question.filters);
    dialog->setDefaultSuffix(question.suffix);
    if (!question.name.isEmpty())
        dialog->selectFile(question.name);
    if (question.filters.size() > 1 && question.mode == FileQuestion::Mode::save)
        QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
            dialog->setDefaultSuffix(filter.section("*.", -1).chopped(1));
        });
    return dialog;
}

} // namespace

QFileDialog* askForFile(const FileQuestion& question, QWidget* parent,
                        std::function<void(const QString& path)> chosen)
{
    QFileDialog* dialog = makeDialog(question, parent);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, std::move(chosen));
    dialog->open();
    return dialog;
}

QFileDialog* askForFiles(const FileQuestion& question, QWidget* parent,
                         std::function<void(const QStringList& paths)> chosen)
{
    QFileDialog* dialog = makeDialog(question, parent);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    QObject::connect(dialog, &QFileDialog::filesSelected, dialog, std::move(chosen));
    dialog->open();
    return dialog;
}

} // namespace lockscope::ui
