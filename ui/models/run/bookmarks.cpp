#include "ui/models/run/bookmarks.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

QString oneLine(const QString& text) { return text.simplified().left(Bookmark::kMaxLength); }

bool earlier(const Bookmark& a, const Bookmark& b) { return a.at < b.at; }

} // namespace

void Bookmarks::set(std::vector<Bookmark> notes)
{
    std::stable_sort(notes.begin(), notes.end(), earlier);
    for (Bookmark& note : notes)
        note.text = oneLine(note.text);
    if (notes == m_all)
        return;
    m_all = std::move(notes);
    emit changed();
}

std::size_t Bookmarks::add(TraceTime at, const QString& text)
{
    const auto place = std::lower_bound(m_all.begin(), m_all.end(), Bookmark{at, {}}, earlier);
    const auto index = static_cast<std::size_t>(place - m_all.begin());
    if (place != m_all.end() && place->at == at) {
        rename(index, text);
        return index;
    }
    m_all.insert(place, {at, oneLine(text)});
    emit changed();
    return index;
}

void Bookmarks::rename(std::size_t index, const QString& text)
{
    if (index >= m_all.size() || m_all[index].text == oneLine(text))
        return;
    m_all[index].text = oneLine(text);
    emit changed();
}

void Bookmarks::remove(std::size_t index)
{
    if (index >= m_all.size())
        return;
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(index));
    emit changed();
}

std::optional<std::size_t> Bookmarks::next(TraceTime after) const
{
    const auto found = std::upper_bound(m_all.begin(), m_all.end(), Bookmark{after, {}}, earlier);
    if (found == m_all.end())
        return {};
    return static_cast<std::size_t>(found - m_all.begin());
}

std::optional<std::size_t> Bookmarks::previous(TraceTime before) const
{
    const auto found = std::lower_bound(m_all.begin(), m_all.end(), Bookmark{before, {}}, earlier);
    if (found == m_all.begin())
        return {};
    return static_cast<std::size_t>(found - m_all.begin()) - 1;
}

} // namespace lockscope::ui

#include "moc_bookmarks.cpp"
