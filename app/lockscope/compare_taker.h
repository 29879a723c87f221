// lockscope --shot --view compare: makes two runs (or opens two traces), writes the picture of both side by
// side and ends the program. GUI thread; works by signals, in no loop of its own.
#pragma once

#include <QObject>

#include "app/lockscope/command_line.h"
#include "ui/shell/compare/compare_job.h"
#include "ui/shell/compare/compare_window.h"

#include <memory>

namespace lockscope::app {

class CompareTaker : public QObject
{
    Q_OBJECT
public:
    explicit CompareTaker(CommandLine line);

public slots:
    void start(); // ends with QCoreApplication::exit()

private:
    void take(const ui::ComparedRunPtr& a, const ui::ComparedRunPtr& b);
    void save();
    void fail(const Error& error);

    CommandLine m_line;
    ui::Theme m_theme;
    ui::ApplicationStyle m_style;
    ui::CompareJob m_job;
    std::unique_ptr<ui::CompareWindow> m_window;
};

} // namespace lockscope::app
