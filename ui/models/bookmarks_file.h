// The file beside a trace that keeps its bookmarks: "run.jsonl.notes", JSON, UTF-8. The trace itself stays as it is, so
// that every version reads it.
//   {"schema":"lockscope-notes","version":1,"run":{"wall_ns":...,"monotonic_ns":...},
//    "notes":[{"t":1234567,"text":"here it goes wrong"}]}
// t: nanoseconds since the trace's time zero. run: the time zero of the trace, which tells one run from another; notes
// of another run are not for this one. Blocks; any thread.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/error.h"
#include "core/trace/store.h"
#include "ui/models/bookmarks.h"

#include <vector>

namespace lockscope::ui {

struct RunIdentity
{
    std::int64_t wallNanoseconds = 0;
    std::int64_t monotonicNanoseconds = 0;
    bool operator==(const RunIdentity&) const = default;
};
RunIdentity identityOf(const trace::Header& header);

struct BookmarksFile
{
    RunIdentity run;
    std::vector<Bookmark> notes;
};

QString bookmarksPath(const QString& tracePath);
// Errors name file:line:column, what was found and what was expected. badInput for a file that is not one of notes,
// ioFailed for one that cannot be read.
Result<BookmarksFile> parseBookmarks(const QByteArray& text, const QString& path);
Result<BookmarksFile> readBookmarks(const QString& path);
QByteArray formatBookmarks(const BookmarksFile& file);
// Whole or not at all: a failure leaves the file that was there.
Result<void> writeBookmarks(const QString& path, const BookmarksFile& file);

} // namespace lockscope::ui
