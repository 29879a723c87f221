#include "ui/models/run/bookmarks_file.h"

#include "ui/models/run/atomic_file.h"
#include "ui/models/run/json_locator.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cerrno>
#include <optional>

namespace lockscope::ui {

namespace {

constexpr qint64 kMaxFileSize = 8 << 20; // bytes: more than a person types
constexpr int kVersion = 1;
const QString kSchema = QStringLiteral("lockscope-notes");

class Reader
{
public:
    Reader(const QByteArray& text, const QString& path)
        : m_text(text)
        , m_path(path)
    {}
    Result<BookmarksFile> read();

private:
    Error wrong(qsizetype offset, const Message& what) const
    {
        const TextPosition place = positionOf(m_text, offset);
        const QString where = QStringLiteral(":%1:%2").arg(place.line).arg(place.column);
        return {ErrorCode::badInput, message("%1: %2", (m_path + where).toStdString(), what), {}};
    }
    // An error at the value with this key, or at the object that should have it.
    Error wrong(JsonLocator where, const char* key, const Message& what) const
    {
        where.member(key);
        return wrong(where.offset(), what);
    }

    const QByteArray& m_text;
    const QString& m_path;
};

// What is wrong with a note, and the key of the wrong value.
struct BookmarkError
{
    const char* key;
    Message text;
};
std::optional<BookmarkError> faultOf(const QJsonValue& note)
{
    if (!note.isObject())
        return BookmarkError{"", message("expected a note such as {\"t\": 1000000, \"text\": \"…\"}.")};
    if (note.toObject().value(u"t").toInteger(-1) < 0)
        return BookmarkError{
            "t", message("expected \"t\", the nanoseconds since the beginning, a whole number from 0.")};
    if (const QJsonValue text = note.toObject().value(u"text"); !text.isString() && !text.isUndefined())
        return BookmarkError{"text", message("expected a text in quotation marks.")};
    return {};
}

Result<BookmarksFile> Reader::read()
{
    QJsonParseError fault{};
    const QJsonDocument document = QJsonDocument::fromJson(m_text, &fault);
    if (fault.error != QJsonParseError::NoError)
        return wrong(fault.offset, message("this is not JSON."));
    const JsonLocator top(m_text);
    const QJsonObject all = document.object();
    if (!document.isObject() || all.value(u"schema").toString() != kSchema)
        return wrong(top, "schema", message("expected \"schema\": \"%1\".", kSchema.toStdString()));
    if (all.value(u"version").toInt() != kVersion)
        return wrong(top, "version",
                     message("expected \"version\": %1; a newer LockScope may read this file.", kVersion));
    BookmarksFile file;
    const QJsonObject run = all.value(u"run").toObject();
    file.run = {run.value(u"wall_ns").toInteger(), run.value(u"monotonic_ns").toInteger()};
    if (!all.value(u"notes").isArray())
        return wrong(top, "notes", message("expected \"notes\": […]."));
    JsonLocator list = top;
    list.member("notes");
    const QJsonArray notes = all.value(u"notes").toArray();
    for (qsizetype i = 0; i < notes.size(); ++i) {
        if (const auto wrongNote = faultOf(notes[i])) {
            list.element(i);
            return wrong(list, wrongNote->key, wrongNote->text);
        }
        const QJsonObject note = notes[i].toObject();
        file.notes.push_back({TraceTime(note.value(u"t").toInteger()), note.value(u"text").toString()});
    }
    return file;
}

} // namespace

RunIdentity identityOf(const trace::Header& header)
{
    return {header.wallNanoseconds, header.monotonicNanoseconds};
}

QString bookmarksPath(const QString& tracePath) { return tracePath + QStringLiteral(".notes"); }

Result<BookmarksFile> parseBookmarks(const QByteArray& text, const QString& path)
{
    return Reader(text, path).read();
}

Result<BookmarksFile> readBookmarks(const QString& path)
{
    QFile file(path);
    errno = 0;
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::ioFailed,
                     message("The bookmarks in %1 cannot be read: %2.", path.toStdString(),
                             systemErrorText(file).toStdString()),
                     {}};
    if (file.size() > kMaxFileSize)
        return Error{
            ErrorCode::badInput, message("%1 is too large for a bookmark file.", path.toStdString()), {}};
    return parseBookmarks(file.readAll(), path);
}

QByteArray formatBookmarks(const BookmarksFile& file)
{
    // One line for each note, because people compare such files.
    const auto compact = [](const QJsonObject& object) {
        return QJsonDocument(object).toJson(QJsonDocument::Compact);
    };
    QByteArray text = "{\"schema\":\"" + kSchema.toUtf8() + "\",\"version\":" + QByteArray::number(kVersion) +
                      ",\n\"run\":" +
                      compact({{"wall_ns", static_cast<qint64>(file.run.wallNanoseconds)},
                               {"monotonic_ns", static_cast<qint64>(file.run.monotonicNanoseconds)}}) +
                      ",\n\"notes\":[";
    for (std::size_t i = 0; i < file.notes.size(); ++i)
        text += (i == 0 ? "\n" : ",\n") +
                compact({{"t", static_cast<qint64>(file.notes[i].at.count())}, {"text", file.notes[i].text}});
    return text + "\n]}\n";
}

Result<void> writeBookmarks(const QString& path, const BookmarksFile& content)
{
    AtomicFile file(path);
    const QByteArray text = formatBookmarks(content);
    if (file.put(text))
        return {};
    return Error{
        ErrorCode::ioFailed,
        message("The bookmarks cannot be written to %1: %2.", path.toStdString(), file.fault().toStdString()),
        message("They stay in this window; save the trace somewhere else to keep them.")};
}

} // namespace lockscope::ui
