#include "app/lockscope/compare_taker.h"

#include "core/base/exit_code.h"
#include "ui/shell/docking/views.h"
#include "ui/shell/export/picture.h"

#include <QCoreApplication>
#include <QTimer>

#include <chrono>
#include <cstdio>

namespace lockscope::app {

namespace {

constexpr std::chrono::milliseconds kSettle{100}; // until the layout is final

} // namespace

CompareTaker::CompareTaker(CommandLine line)
    : m_line(std::move(line))
    , m_theme(m_line.colourScheme == "dark" ? ui::Theme::ColourScheme::dark : ui::Theme::ColourScheme::light)
    , m_style(&m_theme)
{
    connect(&m_job, &ui::CompareJob::done, this, &CompareTaker::take);
    connect(&m_job, &ui::CompareJob::failed, this, &CompareTaker::fail);
}

void CompareTaker::start()
{
    std::array<ui::CompareSource, 2> sources;
    const std::array<std::string, 2> inputs{m_line.input, m_line.other};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        Result<ui::CompareSource> source = ui::compareSource(QString::fromStdString(inputs[i]));
        if (!source) {
            fail(source.error());
            return;
        }
        if (source->scenario && !m_line.lockPath.empty()) {
            source->scenario->locks.front() = m_line.lockPath;
        }
        sources[i] = std::move(*source);
    }
    m_job.start(std::move(sources), m_line.connect);
}

void CompareTaker::take(const ui::ComparedRunPtr& a, const ui::ComparedRunPtr& b)
{
    m_window = std::make_unique<ui::CompareWindow>(a, b, &m_theme);
    m_window->setMinimumSize(1, 1);
    m_window->resize(m_line.size ? QSize(m_line.size->width, m_line.size->height)
                                 : ui::shotSize({}, QStringLiteral("compare")));
    m_window->showDifference(true);
    m_window->show();
    QTimer::singleShot(kSettle, this, &CompareTaker::save);
}

void CompareTaker::save()
{
    const auto done = ui::savePicture(*m_window, QString::fromStdString(m_line.shot));
    if (!done) {
        fail(done.error());
        return;
    }
    QCoreApplication::exit(ExitCode::done);
}

void CompareTaker::fail(const Error& error)
{
    std::fprintf(stderr, "lockscope: %s\n", error.text().c_str());
    QCoreApplication::exit(exitCode(error.code));
}

} // namespace lockscope::app

#include "moc_compare_taker.cpp"
