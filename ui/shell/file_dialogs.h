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
    void askSaveTrace();
    void askSavePicture();

signals:
    void openChosen(const QString& path);
    void saveTraceChosen(const QString& path);
    void savePictureChosen(const QString& path);

private:
    void askSave(const QString& title, const QStringList& filters, const QString& suffix,
                 void (FileDialogs::*chosen)(const QString&));
    QWidget* m_window;
    QString m_folder;
};

} // namespace lockscope::ui
