// Dialogs that ask for a file or a folder. They do not block: the window behind them keeps running. GUI
// thread.
#pragma once

#include <QStringList>

#include <functional>

class QFileDialog;
class QWidget;

namespace lockscope::ui {

struct FileQuestion
{
    enum class Mode { open, save, folder };

    QString title{};
    QString folder{};      // to open in, or the nearest existing folder above it; empty: the dialog's choice
    QStringList filters{}; // "Scenarios (*.toml)"; a saved file gets the suffix of the chosen filter
    QString suffix{};      // the initial default suffix of a saved file
    QString name{};        // the suggested file name
    Mode mode = Mode::save;
};

// Opens the dialog, which deletes itself when closed. What `chosen` captures must live as long as `parent`.
QFileDialog* askForFile(const FileQuestion& question, QWidget* parent,
                        std::function<void(const QString& path)> chosen);
// The same, for one existing file or several.
QFileDialog* askForFiles(const FileQuestion& question, QWidget* parent,
                         std::function<void(const QStringList& paths)> chosen);

} // namespace lockscope::ui
