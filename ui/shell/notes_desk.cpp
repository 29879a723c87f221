#include "ui/shell/notes_desk.h"

#include "ui/models/core_errors.h"
#include "ui/models/format.h"
#include "ui/models/notes_file.h"
#include "ui/shell/actions.h"
#include "ui/shell/run_control.h"
#include "ui/timeline/timeline_view.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockscope::ui {

namespace {

const QString kNotesMessageKey = QStringLiteral("notes");

} // namespace

NotesDesk::NotesDesk(Notes* notes, RunControl* control, QObject* parent)
    : QObject(parent)
    , m_notes(notes)
    , m_control(control)
{
    connect(control, &RunControl::changed, this, &NotesDesk::showRun);
    connect(control, &RunControl::opened, this, [this](const QString& path) {
        if (path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive))
            takeFrom(path);
    });
    connect(control, &RunControl::savedTrace, this, &NotesDesk::moveTo);
    connect(notes, &Notes::changed, this, &NotesDesk::keep);
}

void NotesDesk::serve(const Actions& actions, TimelineView* timeline)
{
    connect(actions.addBookmark, &QAction::triggered, timeline, [this, timeline] {
        emit wanted();
        timeline->addBookmark();
    });
    connect(actions.bookmarks, &QAction::triggered, timeline, [this, timeline] {
        emit wanted();
        timeline->showBookmarks(true);
    });
    connect(actions.nextBookmark, &QAction::triggered, timeline, &TimelineView::nextBookmark);
    connect(actions.previousBookmark, &QAction::triggered, timeline, &TimelineView::previousBookmark);
}

NotesDesk::Kept& NotesDesk::keptOf(const Store& store)
{
    std::erase_if(m_kept, [](const Kept& one) { return one.store.expired(); });
    const auto found =
        std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& one) { return one.store.lock() == store; });
    return found != m_kept.end() ? *found : m_kept.emplace_back(Kept{.store = store});
}

void NotesDesk::showRun()
{
    if (m_control->store() == m_shown) {
        return;
    }
    m_shown = m_control->store();
    m_switching = true;
    m_notes->set(m_shown ? keptOf(m_shown).notes : std::vector<Note>{});
    m_switching = false;
    emit unsaid(kNotesMessageKey);
}

void NotesDesk::takeFrom(const QString& trace)
{
    showRun();
    if (!m_shown) {
        return;
    }
    Kept& kept = keptOf(m_shown);
    kept.trace = trace;
    const QString path = notesPath(trace);
    if (!QFile::exists(path)) {
        return;
    }
    const auto file = readNotes(path);
    if (!file) {
        kept.guarded = true;
        sayGuarded(m_shown, [error = file.error()] { return errorWords(error).all(); });
    } else if (file->run != identityOf(m_shown->header())) {
        kept.guarded = true;
        sayGuarded(m_shown, ofAnotherRun(path));
    } else {
        kept.notes = file->notes;
        m_switching = true;
        m_notes->set(kept.notes);
        m_switching = false;
    }
}

// The run has a file from now on. What is beside it already, of this very run, is kept too.
void NotesDesk::moveTo(const QString& trace, const Store& store)
{
    Kept& kept = keptOf(store);
    if (kept.trace == trace && !kept.guarded) {
        return;
    }
    kept.trace = trace;
    kept.guarded = false;
    const QString path = notesPath(trace);
    if (QFile::exists(path)) {
        const auto file = readNotes(path);
        kept.guarded = !file || file->run != identityOf(store->header());
        if (kept.guarded && !kept.notes.empty()) {
            sayGuarded(store, file ? ofAnotherRun(path)
                                   : Wording([error = file.error()] { return errorWords(error).all(); }));
        } else if (!kept.guarded) {
            Notes all;
            all.set(file->notes);
            for (const Note& note : kept.notes) {
                all.add(note.at, note.text);
            }
            kept.notes = all.all();
            if (store == m_shown) {
                m_switching = true;
                m_notes->set(kept.notes);
                m_switching = false;
            }
        }
    }
    if (!kept.notes.empty()) {
        write(store);
    }
}

void NotesDesk::keep()
{
    if (m_switching || !m_shown) {
        return;
    }
    keptOf(m_shown).notes = m_notes->all();
    write(m_shown);
}

void NotesDesk::write(const Store& store)
{
    const Kept& kept = keptOf(store);
    if (kept.trace.isEmpty()) {
        return;
    }
    const QString path = notesPath(kept.trace);
    if (kept.guarded) {
        sayGuarded(store, [path] {
            return tr("The bookmarks are not saved: %1 is not of this run.")
                .arg(format::plain(path.toStdString(), format::kMessageLength));
        });
        return;
    }
    if (const auto done = writeNotes(path, {identityOf(store->header()), kept.notes}); !done) {
        Message warning = errorMessage(kNotesMessageKey, done.error());
        warning.kind = Message::Kind::warning;
        emit said(warning);
    } else {
        emit unsaid(kNotesMessageKey);
    }
}

Wording NotesDesk::ofAnotherRun(const QString& path)
{
    return
        [path] { return tr("The bookmarks in %1 are of another run.").arg(format::plain(path.toStdString(), format::kMessageLength)); };
}

void NotesDesk::sayGuarded(const Store& store, Wording why)
{
    emit said({.key = kNotesMessageKey,
               .kind = Message::Kind::warning,
               .text = std::move(why),
               .hint = [] { return tr("It stays as it is unless you replace it."); },
               .actionText = [] { return tr("Replace it"); },
               .action =
                   [this, store] {
                       keptOf(store).guarded = false;
                       write(store);
                   }});
}

} // namespace lockscope::ui
