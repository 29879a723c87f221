// How the cards share their area: each card's place as parts of it, so that the same arrangement fits any
// size. A value; GUI thread.
#pragma once

#include <QMap>
#include <QRectF>
#include <QVariantMap>

namespace lockscope::ui {

class DockArea;
class DockCard;

class CardShares
{
public:
    static CardShares usual(); // of the default arrangement
    static CardShares
    of(const DockArea& area); // as the cards lie now; those behind a tab as the one in front
    static CardShares from(const QVariantMap& kept);
    QVariantMap toKeep() const;

    bool operator==(const CardShares&) const = default;
    bool isEmpty() const { return m_places.isEmpty(); }
    // Of exactly the cards that lie in the area now.
    bool fit(const DockArea& area) const;
    // Sizes the cards by their shares. On a low screen rows that could no longer be read get what they need
    // from the others.
    void giveTo(DockArea& area) const;

private:
    QMap<QString, QRectF> m_places; // by the card's name; the area is 0, 0, 1, 1
};

} // namespace lockscope::ui
