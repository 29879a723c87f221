#include "ui/models/notes.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

QString oneLine(const QString& text) { return text.simplified().left(Note::kLongest); }

bool earlier(const Note& a, const Note& b) { return a.at < b.at; }

} // namespace

void Notes::set(std::vector<Note> notes)
{
    std::stable_sort(notes.begin(), notes.end(), earlier);
    for (Note& note : notes)
        note.text = oneLine(note.text);
    if (notes == m_all)
        return;
    m_all = std::move(notes);
    emit changed();
}

std::size_t Notes::add(TraceTime at, const QString& text)
{
    const auto place = std::lower_bound(m_all.begin(), m_all.end(), Note{at, {}}, earlier);
    const auto index = static_cast<std::size_t>(place - m_all.begin());
    if (place != m_all.end() && place->at == at) {
        rename(index, text);
        return index;
    }
    m_all.insert(place, {at, oneLine(text)});
    emit changed();
    return index;
}

void Notes::rename(std::size_t index, const QString& text)
{
    if (index >= m_all.size() || m_all[index].text == oneLine(text))
        return;
    m_all[index].text = oneLine(text);
    emit changed();
}

void Notes::remove(std::size_t index)
{
    if (index >= m_all.size())
        return;
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(index));
    emit changed();
}

std::optional<std::size_t> Notes::next(TraceTime after) const
{
    const auto found = std::upper_bound(m_all.begin(), m_all.end(), Note{after, {}}, earlier);
    if (found == m_all.end())
        return {};
    return static_cast<std::size_t>(found - m_all.begin());
}

std::optional<std::size_t> Notes::previous(TraceTime before) const
{
    const auto found = std::lower_bound(m_all.begin(), m_all.end(), Note{before, {}}, earlier);
    if (found == m_all.begin())
        return {};
    return static_cast<std::size_t>(found - m_all.begin()) - 1;
}

} // namespace lockscope::ui
