// The file beside a trace that stores its bookmarks: "run.jsonl.notes", JSON, UTF-8. The trace itself is not
// changed.
//   {"schema":"lockscope-notes","version":1,"run":{"wall_ns":...,"monotonic_ns":...},
//    "notes":[{"t":1234567,"text":"here it goes wrong"}]}
// t: nanoseconds since the trace's time zero. run: the trace's time zero, which identifies the run: bookmarks
// of another run are ignored. Blocks; any thread.
#pragma once

#include <QByteArray>
#include <QString>

#include "core/base/error.h"
#include "core/trace/store.h"
#include "ui/models/run/bookmarks.h"

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
// Errors name file:line:column and what was expected. badInput: not a bookmarks file; ioFailed: it cannot be
// read.
Result<BookmarksFile> parseBookmarks(const QByteArray& text, const QString& path);
Result<BookmarksFile> readBookmarks(const QString& path);
QByteArray formatBookmarks(const BookmarksFile& file);
// Atomic: after a failure the previous file is unchanged.
Result<void> writeBookmarks(const QString& path, const BookmarksFile& file);

} // namespace lockscope::ui
