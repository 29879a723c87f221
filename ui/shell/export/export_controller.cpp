#include "ui/shell/export/export_controller.h"

#include "ui/models/format.h"
#include "ui/models/run_model.h"
#include "ui/models/retranslate.h"
#include "ui/models/time_window.h"
#include "ui/models/atomic_file.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/dialogs/frames_dialog.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/run/run_controller.h"

#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>

namespace lockscope::ui {

namespace {

const QString kExportMessageKey = QStringLiteral("export");
const QString kWindow = QStringLiteral("window");

} // namespace

ExportController::ExportController(RunModel* run, RunController* control, TimeWindow* time, DockArea* docks,
                       std::function<double()> playSpeed, QMainWindow* window)
    : QObject(window)
    , m_run(run)
    , m_control(control)
    , m_time(time)
    , m_docks(docks)
    , m_playSpeed(std::move(playSpeed))
    , m_window(window)
    , m_menu(new QMenu(window))
    , m_frames(run)
{
    m_menu->setObjectName("exportMenu");
    m_menu->setToolTipsVisible(true);
    fillMenu();
    onLanguageChange(
        m_menu, [this] { QMetaObject::invokeMethod(this, &ExportController::fillMenu, Qt::QueuedConnection); });
    connectJobs();
    for (DockCard* card : m_docks->cards()) {
        connect(card, &DockCard::menuAboutToShow, this, [this, card](QMenu* menu) { addTo(menu, card); });
    }
}

void ExportController::connectJobs()
{
    connect(m_control, &RunController::opened, this, [this](const QString& path) { m_opened = path; });
    connect(&m_job, &ExportJob::progress, this, [this](const QString& path, int percent) {
        postProgress([path] { return tr("Exporting %1…").arg(format::fileName(path)); }, percent,
                    [this] { m_job.cancel(); });
    });
    connect(&m_job, &ExportJob::done, this, [this](const QString& path) {
        postDone([path] { return tr("Exported %1.").arg(format::fileName(path)); });
    });
    connect(&m_job, &ExportJob::failed, this, &ExportController::postError);
    connect(&m_frames, &FrameJob::capturing, this, &ExportController::capturing);
    connect(&m_frames, &FrameJob::progress, this, [this](int percent) {
        postProgress([] { return tr("Taking pictures of the run…"); }, percent, [this] { m_frames.cancel(); });
    });
    connect(&m_frames, &FrameJob::done, this, [this](const FramePlan& plan) {
        postDone([plan] {
            return plan.animated()
                       ? tr("Made %1 of %n picture(s).", nullptr, plan.count()).arg(format::fileName(plan.gif))
                       : tr("Made %n picture(s) in %1; make-a-film.txt there says how to make a film of "
                            "them.",
                            nullptr, plan.count())
                             .arg(format::fileName(plan.folder));
        });
    });
    connect(&m_frames, &FrameJob::failed, this, &ExportController::postError);
}

void ExportController::postProgress(TextProvider text, int percent, std::function<void()> cancel)
{
    emit messagePosted({.key = kExportMessageKey,
               .kind = Message::Kind::progress,
               .text = std::move(text),
               .actionText = [] { return tr("Cancel"); },
               .action = std::move(cancel),
               .percent = percent,
               .persistent = true});
}

void ExportController::postDone(TextProvider text)
{
    emit messageDismissed(kExportMessageKey);
    emit messagePosted({.key = kExportMessageKey, .kind = Message::Kind::info, .text = std::move(text)});
}

void ExportController::postError(const Error& error)
{
    emit messageDismissed(kExportMessageKey);
    Message message = errorMessage(kExportMessageKey, error);
    if (error.code == ErrorCode::cancelled) {
        message.kind = Message::Kind::info;
    }
    emit messagePosted(message);
}

bool ExportController::hasRun()
{
    if (m_control->store()) {
        return true;
    }
    emit messagePosted({.key = kExportMessageKey, .kind = Message::Kind::info, .text = [] {
                   return tr("There is no run to export yet.");
               }});
    return false;
}

// What was opened is not replaced by what is made of it.
bool ExportController::canReplace(const QString& path)
{
    const auto native = [](const QString& name) { return QFile::encodeName(name).toStdString(); };
    if (m_opened.isEmpty() || !isSameFile(native(path), native(m_opened))) {
        return true;
    }
    postError({ErrorCode::badUsage,
              QStringLiteral("%1 was opened in this window and would be replaced.").arg(path).toStdString(),
              "Choose another name."});
    return false;
}

// A card behind another one is brought to the front first: it was not laid out there.
QWidget* ExportController::widgetOf(const QString& view) const
{
    if (view == kWindow) {
        return m_window;
    }
    DockCard* card = m_docks->cardOf(view);
    if (card) {
        card->show();
        card->raise();
        if (const ViewPart* part = card->part(view)) {
            part->show();
        }
    }
    return card;
}

void ExportController::askPath(const QString& title, const QStringList& filters, const QString& suffix,
                         const QString& name, std::function<void(const QString&)> chosen)
{
    auto* dialog = new QFileDialog(m_window, title, m_folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(name + '.' + suffix);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section("*.", -1).chopped(1));
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, chosen = std::move(chosen)](const QString& path) {
                m_folder = QFileInfo(path).path();
                chosen(path);
            });
    dialog->open();
}

void ExportController::askExport(ExportKind kind)
{
    if (!hasRun()) {
        return;
    }
    const auto chosen = [this, kind](const QString& path) { exportTo(kind, path); };
    switch (kind) {
    case ExportKind::handoffs:
        return askPath(tr("Export the handoffs"), {tr("Tables (*.csv)")}, "csv", m_control->suggestedName() + "-handoffs",
                       chosen);
    case ExportKind::clients:
        return askPath(tr("Export the clients"), {tr("Tables (*.csv)")}, "csv", m_control->suggestedName() + "-clients",
                       chosen);
    case ExportKind::chrome:
        return askPath(tr("Export the trace"), {tr("Traces for Perfetto (*.json)")}, "json",
                       m_control->suggestedName() + "-perfetto", chosen);
    case ExportKind::report:
        return askPath(tr("Export a report"), {tr("Pages (*.html)")}, "html", m_control->suggestedName(), chosen);
    }
}

void ExportController::exportTo(ExportKind kind, const QString& path)
{
    if (!hasRun() || !canReplace(path)) {
        return;
    }
    std::vector<exports::Picture> pictures;
    if (kind == ExportKind::report) {
        emit capturing(true);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        pictureOf(*m_window, kScale).save(&buffer, "PNG");
        pictures.push_back(
            {tr("The window at the moment of the export").toStdString(), "image/png", bytes.toStdString()});
        emit capturing(false);
    }
    m_job.start(kind, path, m_run->written(), std::move(pictures));
}

void ExportController::askPicture(const QString& view)
{
    widgetOf(view);
    askPath(tr("Save a picture"), {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)")}, "png",
            m_control->suggestedName() + '-' + view, [this, view](const QString& path) { savePictureOf(view, path); });
}

void ExportController::savePictureOf(const QString& view, const QString& path)
{
    QWidget* widget = widgetOf(view);
    if (!widget || !canReplace(path)) {
        return;
    }
    emit capturing(true);
    const Result<void> saved = savePicture(*widget, path, kScale);
    emit capturing(false);
    if (saved) {
        postDone([path] { return tr("Saved the picture %1.").arg(format::fileName(path)); });
    } else {
        postError(saved.error());
    }
}

void ExportController::askNumbers(const QString& part)
{
    if (hasRun()) {
        askPath(tr("Save the numbers of a chart"), {tr("Tables (*.csv)")}, "csv", m_control->suggestedName() + '-' + part,
                [this, part](const QString& path) { saveNumbersOf(part, path); });
    }
}

void ExportController::saveNumbersOf(const QString& part, const QString& path)
{
    const DockCard* card = m_docks->cardOf(part);
    const ViewPart* found = card ? card->part(part) : nullptr;
    if (!found || !canReplace(path)) {
        return;
    }
    const QByteArray bytes = found->numbers();
    AtomicFile file(path);
    if (file.put(bytes)) {
        postDone([path] { return tr("Saved the numbers as %1.").arg(format::fileName(path)); });
        return;
    }
    postError(
        {ErrorCode::ioFailed,
         QStringLiteral("The table %1 cannot be written: %2.").arg(path, file.fault()).toStdString(),
         "Choose another place, or make room there."});
}

void ExportController::copyPictureOf(const QString& view)
{
    QWidget* widget = widgetOf(view);
    if (!widget) {
        return;
    }
    // What was behind another card draws itself in the next round.
    QTimer::singleShot(0, widget, [this, widget] {
        auto* data = new QMimeData;
        emit capturing(true);
        data->setImageData(pictureOf(*widget, kScale));
        data->setData(QStringLiteral("image/svg+xml"), svgOf(*widget));
        emit capturing(false);
        QGuiApplication::clipboard()->setMimeData(data);
        postDone([] { return tr("The picture is on the clipboard."); });
    });
}

void ExportController::askFrames(FramesDialog::Form form)
{
    if (!hasRun()) {
        return;
    }
    QList<QPair<QString, QWidget*>> widgets{{tr("The whole window"), m_window}};
    for (DockCard* card : m_docks->cards()) {
        if (card->isVisible()) {
            widgets.append({card->windowTitle(), card});
        }
    }
    const QString base = m_folder.isEmpty() ? QDir::homePath() : m_folder;
    const QString place = m_control->suggestedName() + (form == FramesDialog::Form::animation ? ".gif" : "-pictures");
    auto* dialog = new FramesDialog(form, widgets, m_time->begin(), std::min(m_time->end(), m_run->endTime()),
                                    m_playSpeed(), QDir(base).filePath(place), m_window);
    connect(dialog, &FramesDialog::chosen, this, &ExportController::makeFrames);
    dialog->open();
}

void ExportController::makeFrames(const FramePlan& plan)
{
    if (plan.gif.isEmpty() || canReplace(plan.gif)) {
        m_frames.start(plan);
    }
}

} // namespace lockscope::ui
