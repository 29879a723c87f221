#include "ui/shell/export/export_controller.h"

#include "ui/models/run/atomic_file.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/time_window.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/shell/dialogs/frames_dialog.h"
#include "ui/shell/docking/dock_area.h"
#include "ui/shell/export/picture.h"
#include "ui/shell/export/write_error.h"
#include "ui/shell/run/run_controller.h"
#include "ui/texts/core_messages.h"
#include "ui/widgets/ask_for_file.h"

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QPrintDialog>
#include <QPrinter>

namespace lockscope::ui {

namespace {

const QString kExportMessageKey = QStringLiteral("export");
const QString kClipboardKey = QStringLiteral("export to the clipboard");

QString keyOf(const QString& path) { return QStringLiteral("export to ") + path; }

const QString kWindow = QStringLiteral("window");

QString latin(std::string_view text)
{
    return QLatin1String(text.data(), static_cast<qsizetype>(text.size()));
}

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
{
    m_menu->setObjectName("exportMenu");
    m_menu->setToolTipsVisible(true);
    fillMenu();
    onLanguageChange(m_menu, [this] {
        QMetaObject::invokeMethod(this, &ExportController::fillMenu, Qt::QueuedConnection);
    });
    connectJobs();
    for (DockCard* card : m_docks->cards()) {
        connect(card, &DockCard::menuAboutToShow, this, [this, card](QMenu* menu) { addTo(menu, card); });
    }
}

void ExportController::connectJobs()
{
    connect(m_control, &RunController::opened, this, [this](const QString& path) { m_opened = path; });
    connect(&m_job, &ExportJob::progress, this, [this](const QString& path, int percent) {
        postProgress(
            keyOf(path), [path] { return tr("Exporting %1…").arg(format::fileName(path)); }, percent,
            [this, path] { m_job.cancel(path); });
    });
    connect(&m_job, &ExportJob::done, this, [this](const QString& path) {
        postDone(keyOf(path), [path] { return tr("Exported %1.").arg(format::fileName(path)); });
    });
    connect(&m_job, &ExportJob::failed, this,
            [this](const QString& path, const Error& error) { postError(keyOf(path), error); });
}

// A film shows the recorded run in a window of its own: nothing that the user does meanwhile is in it.
struct ExportController::Film
{
    FilmStage stage;
    FrameJob job;
};

ExportController::~ExportController() = default;

// Connected to ended() of jobs by queue: the job that calls it is not destroyed at once.
void ExportController::removeEnded()
{
    std::erase_if(m_films, [](const auto& entry) { return entry.second->job.isEnded(); });
    std::erase_if(m_players, [](const auto& entry) { return entry.second->isEnded(); });
}

void ExportController::postProgress(const QString& key, TextProvider text, int percent,
                                    std::function<void()> cancel)
{
    emit messagePosted({.key = key,
                        .kind = UserMessage::Kind::progress,
                        .text = std::move(text),
                        //: a button: stops the export
                        .actionText = [] { return tr("Cancel"); },
                        .action = std::move(cancel),
                        .percent = percent,
                        .persistent = true});
}

void ExportController::postDone(const QString& key, TextProvider text)
{
    emit messageDismissed(key);
    emit messagePosted({.key = key, .kind = UserMessage::Kind::info, .text = std::move(text)});
}

void ExportController::postError(const QString& key, const Error& error)
{
    emit messageDismissed(key);
    UserMessage message = errorMessage(key, error);
    if (error.code == ErrorCode::cancelled) {
        message.kind = UserMessage::Kind::info;
    }
    emit messagePosted(message);
}

bool ExportController::hasRun()
{
    if (m_control->store()) {
        return true;
    }
    emit messagePosted({.key = kExportMessageKey, .kind = UserMessage::Kind::info, .text = [] {
                            return tr("There is no run to export.");
                        }});
    return false;
}

// An export must not replace the file that was opened.
bool ExportController::canReplace(const QString& path, const QString& key)
{
    const auto native = [](const QString& name) { return QFile::encodeName(name).toStdString(); };
    if (m_opened.isEmpty() || !isSameFile(native(path), native(m_opened))) {
        return true;
    }
    postError(key, {ErrorCode::badUsage,
                    message("%1 was opened in this window and would be replaced.", path.toStdString()),
                    message("Choose another name.")});
    return false;
}

// Brings a card behind another one to the front first, because hidden cards are not laid out.
QWidget* ExportController::widgetOf(const QString& view) const
{
    if (view == kWindow) {
        return m_window;
    }
    DockCard* card = m_docks->cardOf(view);
    if (!card) {
        return nullptr;
    }
    if (card->frame() == card) {
        card->show();
        card->raise();
    }
    if (card->hasPart(view)) {
        card->content().showPart(view);
    }
    return card->frame();
}

void ExportController::askPath(const QString& title, const QStringList& filters, const QString& suffix,
                               const QString& name, std::function<void(const QString&)> chosen)
{
    askForFile({.title = title,
                .folder = m_folder,
                .filters = filters,
                .suffix = suffix,
                .name = name + '.' + suffix},
               m_window, [this, chosen = std::move(chosen)](const QString& path) {
                   m_folder = QFileInfo(path).path();
                   chosen(path);
               });
}

void ExportController::exportTo(exports::Kind kind, const QString& path)
{
    if (!hasRun() || !canReplace(path, keyOf(path))) {
        return;
    }
    std::vector<exports::Picture> pictures;
    if (kind == exports::Kind::report) {
        emit capturing(true);
        pictures.push_back({tr("The window at the moment of the export").toStdString(), "image/png",
                            pngOf(pictureOf(*m_window, kScale)).toStdString()});
        emit capturing(false);
    }
    m_job.start(kind, path, m_run->written(), std::move(pictures));
}

void ExportController::askPicture(const QString& view)
{
    widgetOf(view);
    askPath(tr("Save a Picture"),
            {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")}, "png",
            m_control->suggestedName() + '-' + view,
            [this, view](const QString& path) { savePictureOf(view, path); });
}

void ExportController::askPrint()
{
    auto printer = std::make_shared<QPrinter>();
    printer->setPageOrientation(m_window->width() > m_window->height() ? QPageLayout::Landscape
                                                                       : QPageLayout::Portrait);
    auto* dialog = new QPrintDialog(printer.get(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), this,
            [this, printer] { printOn(*printer); });
    dialog->open();
}

void ExportController::printOn(QPrinter& printer)
{
    emit capturing(true);
    emit printing(true);
    emit onPaper(true);
    const bool printed = print(*m_window, printer);
    emit onPaper(false);
    emit printing(false);
    emit capturing(false);
    const QString file = printer.outputFileName(),
                  key = file.isEmpty() ? QStringLiteral("print") : keyOf(file);
    if (!printed)
        postError(key, Error{ErrorCode::ioFailed, message("The window cannot be printed."),
                             message("Choose another printer or file.")});
    else if (file.isEmpty())
        postDone(key, [] { return tr("Printed the window."); });
    else
        postDone(key, [file] { return tr("Saved the picture %1.").arg(format::fileName(file)); });
}

void ExportController::savePictureOf(const QString& view, const QString& path)
{
    QWidget* widget = widgetOf(view);
    if (!widget || !canReplace(path, keyOf(path))) {
        return;
    }
    emit capturing(true);
    emit printing(view != kWindow);
    const Result<void> saved = savePicture(*widget, path, kScale);
    emit printing(false);
    emit capturing(false);
    if (saved) {
        postDone(keyOf(path), [path] { return tr("Saved the picture %1.").arg(format::fileName(path)); });
    } else {
        postError(keyOf(path), saved.error());
    }
}

void ExportController::askNumbers(const QString& part)
{
    if (hasRun()) {
        askPath(tr("Save the Data of a Chart"), {tr("Tables (*.csv)")}, "csv",
                m_control->suggestedName() + '-' + part,
                [this, part](const QString& path) { saveNumbersOf(part, path); });
    }
}

void ExportController::saveNumbersOf(const QString& part, const QString& path)
{
    const DockCard* card = m_docks->cardOf(part);
    if (!card || !card->hasPart(part) || !canReplace(path, keyOf(path))) {
        return;
    }
    const QByteArray bytes = card->content().numbers(part);
    AtomicFile file(path);
    if (file.put(bytes)) {
        postDone(keyOf(path), [path] { return tr("Saved the data as %1.").arg(format::fileName(path)); });
        return;
    }
    postError(keyOf(path), writeError(message("The table %1 cannot be written: %2.", path.toStdString(),
                                              file.fault().toStdString())));
}

void ExportController::copyPictureOf(const QString& view)
{
    QWidget* widget = widgetOf(view);
    if (!widget) {
        return;
    }
    // A view that was behind another card is drawn only after the next pass of the event loop.
    QTimer::singleShot(0, widget, [this, widget] {
        auto* data = new QMimeData;
        emit capturing(true);
        emit printing(widget != m_window);
        data->setImageData(pictureOf(*widget, kScale));
        data->setData(QStringLiteral("image/svg+xml"), svgOf(*widget));
        emit printing(false);
        emit capturing(false);
        QGuiApplication::clipboard()->setMimeData(data);
        postDone(kClipboardKey, [] { return tr("The picture is on the clipboard."); });
    });
}

void ExportController::askFrames(FramesDialog::Form form)
{
    if (!hasRun()) {
        return;
    }
    QList<QPair<QString, QWidget*>> widgets{{tr("The whole window"), m_window}};
    for (DockCard* card : m_docks->cards()) {
        if (QWidget* frame = card->frame(); frame->isVisible()) { // in a presentation, the frame is its half
            widgets.append({card->windowTitle(), frame});
        }
    }
    const QString base = m_folder.isEmpty() ? QDir::homePath() : m_folder;
    const QString place =
        m_control->suggestedName() + (form == FramesDialog::Form::animation ? ".gif" : "-pictures");
    auto* dialog = new FramesDialog(form, widgets, m_time->begin(), std::min(m_time->end(), m_run->endTime()),
                                    m_playSpeed(), QDir(base).filePath(place), m_window);
    connect(dialog, &FramesDialog::chosen, this, &ExportController::makeFrames);
    dialog->open();
}

void ExportController::makeFrames(const FramePlan& plan)
{
    const QString path = plan.animated() ? plan.gif : plan.folder, key = keyOf(path);
    if (plan.animated() && !canReplace(path, key)) {
        return;
    }
    QString view = kWindow;
    for (DockCard* card : m_docks->cards()) {
        if (plan.widget == card || plan.widget == card->frame()) {
            view = card->name();
        }
    }
    std::unique_ptr<Film>& film = m_films[path];
    if (!film) {
        film = std::make_unique<Film>();
        connectFilm(&film->job, path);
    }
    film->job.cancel(); // an earlier one to the same place
    film->stage = m_stageOf(view);
    FramePlan onStage = plan;
    onStage.widget = film->stage.view;
    film->job.start(film->stage.run, onStage);
}

void ExportController::connectFilm(FrameJob* job, const QString& path)
{
    const QString key = keyOf(path);
    connect(job, &FrameJob::progress, this, [this, key, path, job](int percent) {
        postProgress(
            key, [path] { return tr("Creating pictures of the run for %1…").arg(format::fileName(path)); },
            percent,
            [job = QPointer(job)] {
                if (job)
                    job->cancel();
            });
    });
    connect(job, &FrameJob::done, this, [this, key](const FramePlan& done) {
        postDone(key, [done] {
            return done.animated() ? tr("Created %1 from %Ln picture(s).", nullptr, done.count())
                                         .arg(format::fileName(done.gif))
                                   : tr("Created %Ln picture(s) in %1; make-a-film.txt explains how to turn "
                                        "them into a film.",
                                        nullptr, done.count())
                                         .arg(format::fileName(done.folder));
        });
    });
    connect(job, &FrameJob::failed, this, [this, key](const Error& error) { postError(key, error); });
    connect(job, &FrameJob::ended, this, &ExportController::removeEnded, Qt::QueuedConnection);
}

void ExportController::makePlayer(const QString& path)
{
    const QString key = keyOf(path);
    if (!hasRun() || !canReplace(path, key))
        return;
    PlayerPlan plan{m_run->written(), {}, {}, path, isChinese() ? "zh_CN" : "en", {}};
    if (plan.steps().size() > PlayerPlan::kMaxSteps) {
        plan.begin = m_time->begin();
        plan.end = m_time->end();
    }
    std::unique_ptr<PlayerJob>& job = m_players[path];
    if (!job) {
        job = std::make_unique<PlayerJob>();
        connectPlayer(job.get(), path);
    }
    job->cancel(); // an earlier one to the same file
    job->start(plan);
}

void ExportController::connectPlayer(PlayerJob* job, const QString& path)
{
    const QString key = keyOf(path);
    connect(job, &PlayerJob::progress, this, [this, key, path, job](int percent) {
        postProgress(
            key, [path] { return tr("Exporting %1…").arg(format::fileName(path)); }, percent,
            [job = QPointer(job)] {
                if (job)
                    job->cancel();
            });
    });
    connect(job, &PlayerJob::done, this, [this, key, path] {
        postDone(key, [path] { return tr("Exported %1.").arg(format::fileName(path)); });
    });
    connect(job, &PlayerJob::failed, this, [this, key](const Error& error) { postError(key, error); });
    connect(job, &PlayerJob::ended, this, &ExportController::removeEnded, Qt::QueuedConnection);
}

QAction* ExportController::add(QMenu* menu, const QString& name, const QString& text,
                               const QString& explanation, const QString& keywords, std::function<void()> act)
{
    QAction* action = menu->addAction(text);
    action->setProperty(kKeywords, keywords);
    action->setObjectName(name);
    action->setStatusTip(explanation);
    action->setToolTip(explanation);
    connect(action, &QAction::triggered, this, std::move(act));
    return action;
}

// Also called after a language change, when the cards already have their new titles.
void ExportController::fillMenu()
{
    m_menu->clear();
    qDeleteAll(m_menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    m_menu->setTitle(MenuTexts::tr("&Export"));
    for (const exports::KindRow& row : exports::kinds()) {
        QAction* action =
            add(m_menu, "export." + latin(row.name), translateMessage(row.entry),
                translateMessage(row.explanation), translateMessage(row.keywords), [this, &row] {
                    if (hasRun()) {
                        askPath(translateMessage(row.title), {translateMessage(row.files)}, latin(row.suffix),
                                m_control->suggestedName() + latin(row.ending),
                                [this, &row](const QString& path) { exportTo(row.kind, path); });
                    }
                });
        const auto chinese = [](const Message& text) { // the core's texts, which are not a menu's
            return format::withoutMnemonic(chineseText("Core", QString::fromUtf8(text.view().source())));
        };
        action->setProperty(kChineseText, chinese(row.entry) + u' ' + chinese(row.keywords));
    }
    add(m_menu, "export.player", MenuTexts::tr("Page That P&lays the Run…"),
        MenuTexts::tr(
            "Saves an HTML page that shows the run step by step in any browser, with explanations."),
        MenuTexts::tr("html player page"), [this] {
            if (hasRun())
                askPath(tr("Export a Page That Plays the Run"),
                        {translateMessage(exports::rowOf(exports::Kind::report).files)}, "html",
                        m_control->suggestedName() + "-player",
                        [this](const QString& path) { makePlayer(path); });
        });
    m_menu->addSeparator();
    addViews();
    m_menu->addSeparator();
    const auto frames = [this](const char* name, FramesDialog::Form form, const QString& text,
                               const QString& explanation, const QString& keywords) {
        add(m_menu, name, text, explanation, keywords, [this, form] { askFrames(form); });
    };
    frames("exportGif", FramesDialog::Form::animation, MenuTexts::tr("&Animated GIF of a Time Span…"),
           MenuTexts::tr("Saves the changes of a view as one endlessly looping GIF."),
           MenuTexts::tr("gif animation film"));
    frames("exportFrames", FramesDialog::Form::numbered, MenuTexts::tr("N&umbered Pictures of a Time Span…"),
           MenuTexts::tr("Saves one PNG per moment, and the command that turns them into a film."),
           MenuTexts::tr("png pictures film"));
}

void ExportController::addViews()
{
    QMenu* save = m_menu->addMenu(MenuTexts::tr("&Picture Of"));
    QMenu* copy = m_menu->addMenu(MenuTexts::tr("C&opy Picture Of"));
    const auto entry = [this, save, copy](const QString& view, const QString& title) {
        add(save, "picture." + view, title + QStringLiteral("…"),
            MenuTexts::tr("Saves a PNG at twice the screen size, or an SVG or PDF with text as text."),
            MenuTexts::tr("png svg picture"), [this, view] { askPicture(view); });
        add(copy, "copy." + view, title,
            MenuTexts::tr("Copies the picture at twice the screen size, and as SVG."),
            MenuTexts::tr("clipboard picture"), [this, view] { copyPictureOf(view); });
    };
    QMenu* numbers = m_menu->addMenu(MenuTexts::tr("Chart &Data"));
    entry(QStringLiteral("window"), MenuTexts::tr("The whole window"));
    for (const DockCard* card : m_docks->cards()) {
        entry(card->name(), card->windowTitle());
        for (const ViewPart& part : card->content().parts()) {
            entry(part.name, part.title);
            add(numbers, "numbers." + part.name, part.title + QStringLiteral("…"),
                MenuTexts::tr("Saves the chart's data up to the cursor as CSV."), MenuTexts::tr("csv table"),
                [this, name = part.name] { askNumbers(name); });
        }
    }
    for (QMenu* each : {save, copy, numbers}) {
        each->setToolTipsVisible(true);
    }
}

// Adds the commands for the card's picture, and for the data of the chart in it. Replaces those that an
// earlier opening of the menu added.
void ExportController::addTo(QMenu* menu, const DockCard* card)
{
    const QString mine = QStringLiteral("cardExport");
    qDeleteAll(menu->findChildren<QAction*>(mine));
    const QString part = card->content().shownPart();
    const QString view = part.isEmpty() ? card->name() : part;
    menu->addSeparator()->setObjectName(mine);
    add(menu, mine, tr("&Save Picture…"),
        tr("Saves a PNG at twice the screen size, or an SVG or PDF with text as text."), {},
        [this, view] { askPicture(view); });
    add(menu, mine, tr("&Copy Picture"), tr("Copies the picture at twice the screen size, and as SVG."), {},
        [this, view] { copyPictureOf(view); });
    if (!part.isEmpty()) {
        add(menu, mine, tr("Save D&ata…"), tr("Saves the chart's data up to the cursor as CSV."), {},
            [this, view] { askNumbers(view); });
    }
}

} // namespace lockscope::ui

#include "moc_export_controller.cpp"
