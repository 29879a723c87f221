// The dialogs that ask for a file or a folder. None blocks: what is behind them goes on. GUI thread.
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
    QString folder{};      // to begin in, or the nearest above it; empty: the dialog's own choice
    QStringList filters{}; // "Scenarios (*.toml)"; a file to be saved gets the ending of the chosen one
    QString suffix{};      // of a file to be saved, at first
    QString name{};        // of a file to be saved, suggested
    Mode mode = Mode::save;
};

// Opens it; it deletes itself. `chosen` must live as long as `parent`.
QFileDialog* askForFile(const FileQuestion& question, QWidget* parent,
                        std::function<void(const QString& path)> chosen);

} // namespace lockscope::ui
