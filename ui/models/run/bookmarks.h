// The bookmarks of the run that is shown: moments with a note, ordered by time. Views set and show them; the
// window stores them. GUI thread.
#pragma once

#include <QObject>
#include <QString>

#include "core/base/time.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lockscope::ui {

struct Bookmark
{
    static constexpr int kMaxLength = 200; // characters of the text

    TraceTime at{};
    QString text; // one line, may be empty
    bool operator==(const Bookmark&) const = default;
};

class Bookmarks : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    const std::vector<Bookmark>& all() const { return m_all; }
    void set(std::vector<Bookmark> notes);
    // Replaces the text of a bookmark at exactly this time, if there is one. Returns the index.
    std::size_t add(TraceTime at, const QString& text);
    void rename(std::size_t index, const QString& text);
    void remove(std::size_t index);

    std::optional<std::size_t> next(TraceTime after) const;      // the first one later than this
    std::optional<std::size_t> previous(TraceTime before) const; // the last one earlier than this

signals:
    void changed();

private:
    std::vector<Bookmark> m_all;
};

} // namespace lockscope::ui
