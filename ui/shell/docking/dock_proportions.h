// How the cards share their area: each card's place as parts of it, so that the same arrangement fits any
// size. A value; GUI thread.
#pragma once

#include <QMap>
#include <QRectF>
#include <QVariantMap>

namespace lockscope::ui {

class DockArea;
class DockCard;

class DockProportions
{
public:
    static DockProportions defaults(const DockArea& area); // of the default arrangement
    static DockProportions
    measure(const DockArea& area); // as the cards lie now; those behind a tab as the one in front
    static DockProportions fromVariant(const QVariantMap& map);
    QVariantMap toVariant() const;

    bool operator==(const DockProportions&) const = default;
    bool isEmpty() const { return m_places.isEmpty(); }
    // Of exactly the cards that lie in the area now.
    bool matches(const DockArea& area) const;
    // Sizes the cards by their shares. On a low screen rows that could no longer be read get what they need
    // from the others.
    void applyTo(DockArea& area) const;

private:
    QMap<QString, QRectF> m_places; // by the card's name; the area is 0, 0, 1, 1
};

} // namespace lockscope::ui
