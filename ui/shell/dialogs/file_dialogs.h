// The file dialogs of the window. None blocks: the run goes on behind them, and the answer comes as a signal.
// GUI thread.
#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace lockscope::ui {

class FileDialogs : public QObject
{
    Q_OBJECT
public:
    explicit FileDialogs(QWidget* window);

public slots:
    void askOpen();
    void askSaveTrace(const QString& name); // suggested, without its ending

signals:
    void openChosen(const QString& path);
    void saveTraceChosen(const QString& path);

private:
    QWidget* m_window;
    QString m_folder;
};

} // namespace lockscope::ui
