// How the cards share their area: each card's rectangle as fractions of it, so that the same arrangement fits
// any size. A value; GUI thread.
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
    static DockProportions defaults(const DockArea& area); // the proportions of the default arrangement
    static DockProportions
    measure(const DockArea& area); // as the cards lie now; a card behind a tab counts as the one in front
    static DockProportions fromVariant(const QVariantMap& map);
    QVariantMap toVariant() const;

    bool operator==(const DockProportions&) const = default;
    bool isEmpty() const { return m_places.isEmpty(); }
    // True if these are the proportions of exactly the cards that are docked in the area now.
    bool matches(const DockArea& area) const;
    // Sizes the cards by their shares. On a low screen, rows that would be unreadable take height from the
    // others.
    void applyTo(DockArea& area) const;

private:
    QMap<QString, QRectF> m_places; // by the card's name; the area is 0, 0, 1, 1
};

} // namespace lockscope::ui
