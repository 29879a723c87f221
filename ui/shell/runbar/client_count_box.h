// Shows how many clients take part, and requests more or fewer. GUI thread.
#pragma once

#include <QLabel>
#include <QSpinBox>
#include <QWidget>

namespace lockscope::ui {

class Theme;
class RunModel;

class ClientCountBox : public QWidget
{
    Q_OBJECT
public:
    ClientCountBox(RunModel* model, Theme* theme, QWidget* parent);
    void setDisabledReason(const QString& why); // why clients cannot be added or removed; empty: they can

signals:
    void addRequested(int count);
    void removeRequested(int count);

private:
    void restyle();
    void requestCount(int wanted);
    void followRun();
    void updateToolTip();
    RunModel* m_model;
    Theme* m_theme;
    QLabel* m_caption;
    QSpinBox* m_box;
    QString m_disabledReason;
    int m_requested = 0;           // the requested number of clients
    std::size_t m_requestedAt = 0; // the number of published events at the request; 0: no request is pending
};

} // namespace lockscope::ui
