// The file dialogs of the window. None blocks: the run continues behind them, and a signal carries the
// answer. GUI thread.
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace lockscope::ui {

class FileDialogs : public QObject
{
    Q_OBJECT
public:
    explicit FileDialogs(QWidget* window);

public slots:
    void askOpen();
    void askOpenSeveral();
    void askSaveTrace(const QString& name); // `name`: the suggested file name, without its suffix

signals:
    void openChosen(const QString& path);
    void severalChosen(const QStringList& paths);
    void saveTraceChosen(const QString& path);

private:
    QWidget* m_window;
    QString m_folder;
};

} // namespace lockscope::ui
