#include "ui/shell/run/bookmarks_controller.h"

#include "ui/models/run/bookmarks_file.h"
#include "ui/models/style/format.h"
#include "ui/shell/run/run_controller.h"
#include "ui/shell/window/actions.h"
#include "ui/texts/core_messages.h"
#include "ui/timeline/timeline_view.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockscope::ui {

namespace {

const QString kNotesMessageKey = QStringLiteral("notes");

} // namespace

BookmarksController::BookmarksController(Bookmarks* notes, RunController* control, QObject* parent)
    : QObject(parent)
    , m_notes(notes)
    , m_control(control)
{
    connect(control, &RunController::changed, this, &BookmarksController::showRun);
    connect(control, &RunController::opened, this, [this](const QString& path) {
        if (path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive))
            loadFrom(path);
    });
    connect(control, &RunController::savedTrace, this, &BookmarksController::setTraceFile);
    connect(notes, &Bookmarks::changed, this, &BookmarksController::saveShown);
}

void BookmarksController::connectActions(const Actions& actions, TimelineView* timeline)
{
    actions.on("addBookmark", timeline, [this, timeline] {
        emit timelineRequested();
        timeline->addBookmark();
    });
    actions.on("bookmarks", timeline, [this, timeline] {
        emit timelineRequested();
        timeline->showBookmarks(true);
    });
    actions.on("nextBookmark", timeline, &TimelineView::nextBookmark);
    actions.on("previousBookmark", timeline, &TimelineView::previousBookmark);
}

BookmarksController::RunBookmarks& BookmarksController::bookmarksOf(const Store& store)
{
    std::erase_if(m_runs, [](const RunBookmarks& one) { return one.store.expired(); });
    const auto found = std::find_if(m_runs.begin(), m_runs.end(),
                                    [&](const RunBookmarks& one) { return one.store.lock() == store; });
    return found != m_runs.end() ? *found : m_runs.emplace_back(RunBookmarks{.store = store});
}

std::size_t BookmarksController::unsavedCount(const Store& store) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(),
                                    [&](const RunBookmarks& one) { return one.store.lock() == store; });
    return found == m_runs.end() || (!found->trace.isEmpty() && !found->isForeign) ? 0 : found->notes.size();
}

void BookmarksController::showRun()
{
    if (m_control->store() == m_shown) {
        return;
    }
    m_shown = m_control->store();
    showNotes(m_shown ? bookmarksOf(m_shown).notes : std::vector<Bookmark>{});
    emit messageDismissed(kNotesMessageKey);
}

void BookmarksController::showNotes(const std::vector<Bookmark>& notes)
{
    m_switching = true;
    m_notes->set(notes);
    m_switching = false;
}

void BookmarksController::loadFrom(const QString& trace)
{
    showRun();
    if (!m_shown) {
        return;
    }
    RunBookmarks& kept = bookmarksOf(m_shown);
    kept.trace = trace;
    const QString path = bookmarksPath(trace);
    if (!QFile::exists(path)) {
        return;
    }
    const auto file = readBookmarks(path);
    if (!file) {
        kept.isForeign = true;
        reportForeignFile(m_shown, [error = file.error()] { return errorText(error).all(); });
    } else if (file->run != identityOf(m_shown->header())) {
        kept.isForeign = true;
        reportForeignFile(m_shown, otherRunText(path));
    } else {
        kept.notes = file->notes;
        showNotes(kept.notes);
    }
}

// The run now has a file. Bookmarks already saved beside that file for the same run are kept too.
void BookmarksController::setTraceFile(const QString& trace, const Store& store)
{
    RunBookmarks& kept = bookmarksOf(store);
    if (kept.trace == trace && !kept.isForeign) {
        return;
    }
    kept.trace = trace;
    kept.isForeign = false;
    const QString path = bookmarksPath(trace);
    if (QFile::exists(path)) {
        const auto file = readBookmarks(path);
        kept.isForeign = !file || file->run != identityOf(store->header());
        if (kept.isForeign && !kept.notes.empty()) {
            reportForeignFile(store, file ? otherRunText(path) : TextProvider([error = file.error()] {
                                  return errorText(error).all();
                              }));
        } else if (!kept.isForeign) {
            Bookmarks all;
            all.set(file->notes);
            for (const Bookmark& note : kept.notes) {
                all.add(note.at, note.text);
            }
            kept.notes = all.all();
            if (store == m_shown) {
                showNotes(kept.notes);
            }
        }
    }
    if (!kept.notes.empty()) {
        write(store);
    }
}

void BookmarksController::saveShown()
{
    if (m_switching || !m_shown) {
        return;
    }
    bookmarksOf(m_shown).notes = m_notes->all();
    write(m_shown);
}

void BookmarksController::write(const Store& store)
{
    const RunBookmarks& kept = bookmarksOf(store);
    if (kept.trace.isEmpty()) {
        return;
    }
    const QString path = bookmarksPath(kept.trace);
    if (kept.isForeign) {
        reportForeignFile(store, [path] {
            return tr("The bookmarks are not saved: %1 belongs to another run.")
                .arg(format::plain(path.toStdString(), format::kMessageLength));
        });
        return;
    }
    if (const auto done = writeBookmarks(path, {identityOf(store->header()), kept.notes}); !done) {
        UserMessage warning = errorMessage(kNotesMessageKey, done.error());
        warning.kind = UserMessage::Kind::warning;
        emit messagePosted(warning);
    } else {
        emit messageDismissed(kNotesMessageKey);
    }
}

TextProvider BookmarksController::otherRunText(const QString& path)
{
    return [path] {
        return tr("The bookmarks in %1 belong to another run.")
            .arg(format::plain(path.toStdString(), format::kMessageLength));
    };
}

void BookmarksController::reportForeignFile(const Store& store, TextProvider why)
{
    emit messagePosted({.key = kNotesMessageKey,
                        .kind = UserMessage::Kind::warning,
                        .text = std::move(why),
                        .hint = [] { return tr("The file is kept unless you replace it."); },
                        //: a button: writes the bookmarks over those in the file
                        .actionText = [] { return tr("Replace"); },
                        .action =
                            [this, store] {
                                bookmarksOf(store).isForeign = false;
                                write(store);
                            }});
}

} // namespace lockscope::ui

#include "moc_bookmarks_controller.cpp"
