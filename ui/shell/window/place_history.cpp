#include "ui/shell/window/place_history.h"

#include <QAction>

namespace lockscope::ui {

namespace {
constexpr std::size_t kMaxPlaces = 200;
}

PlaceHistory::PlaceHistory(RunModel* run, Selection* selection, QAction* back, QAction* forward,
                           QObject* parent)
    : QObject(parent)
    , m_run(run)
    , m_selection(selection)
    , m_back(back)
    , m_forward(forward)
{
    const auto arriveSoon = [this] {
        if (!m_going && !std::exchange(m_arriving, true))
            QMetaObject::invokeMethod(this, &PlaceHistory::arrive, Qt::QueuedConnection);
    };
    connect(selection, &Selection::changed, this, arriveSoon);
    connect(run, &RunModel::jumpedTo, this, arriveSoon);
    connect(run, &RunModel::runChanged, this, &PlaceHistory::clear);
    connect(back, &QAction::triggered, this, [this] { go(-1); });
    connect(forward, &QAction::triggered, this, [this] { go(1); });
    clear();
}

void PlaceHistory::clear()
{
    m_places = {here()};
    m_at = 0;
    enable();
}

void PlaceHistory::arrive()
{
    m_arriving = false;
    m_places.resize(m_at + 1);
    if (m_places.size() == kMaxPlaces)
        m_places.erase(m_places.begin());
    m_places.push_back(here());
    m_at = m_places.size() - 1;
    enable();
}

// The place that is left is kept as it is now: the cursor may have moved meanwhile.
void PlaceHistory::go(int delta)
{
    m_places[m_at] = here();
    m_at = static_cast<std::size_t>(static_cast<int>(m_at) + delta);
    const Place place = m_places[m_at];
    m_going = true;
    if (place.following)
        m_run->follow();
    else
        m_run->seekEvent(place.position);
    m_selection->select(place.selected);
    m_going = false;
    enable();
}

void PlaceHistory::enable()
{
    m_back->setEnabled(m_at > 0);
    m_forward->setEnabled(m_at + 1 < m_places.size());
}

} // namespace lockscope::ui

#include "moc_place_history.cpp"
