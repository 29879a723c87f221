// How many clients take part: follows the run, and asks for more or fewer. GUI thread.
#pragma once

#include <QLabel>
#include <QSpinBox>
#include <QWidget>

namespace lockscope::ui {

class Look;
class RunModel;

class ClientCountBox : public QWidget
{
    Q_OBJECT
public:
    enum class Width { full, brief };
    ClientCountBox(RunModel* model, Look* look, QWidget* parent);
    void setWidth(Width width);
    int widthFor(Width width) const;
    void setObstacle(const QString& why); // why nobody can be added or removed; empty: they can

signals:
    void moreWanted(int count);
    void fewerWanted(int count);

private:
    void restyle();
    void ask(int wanted);
    void followRun();
    void sayWhat();
    RunModel* m_model;
    Look* m_look;
    QLabel* m_caption;
    QSpinBox* m_box;
    QString m_obstacle;
    int m_asked = 0;           // what the run was asked to have
    std::size_t m_askedAt = 0; // events published when it was asked
};

} // namespace lockscope::ui
