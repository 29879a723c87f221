// The colors and fonts of the window, light and dark, named by meaning. Views define no colors. Client colors
// are color-blind safe (Okabe-Ito) and always go with the client's name.
#pragma once

#include <QColor>
#include <QFont>

#include <cstdint>

namespace lockscope::ui {

struct Palette
{
    QColor window, card, cardBorder, header, text, textMuted, textFaint, grid, selection, selectionText;
    QColor panel;                                // a quiet box inside a card
    QColor pill;                                 // background of a neutral pill
    QColor accent;                               // focus ring, slider
    QColor link;                                 // of text
    QColor holds, holdsSoft, holdsPale;          // green; the other two are for levels inside a hold
    QColor onHolds, onHoldsSoft, holdsText;      // text: on a hold, on a level, on card and pill
    QColor releasing;                            // a hold whose release is not answered yet
    QColor waits, waitsSoft, onWaits, waitsText; // amber
    QColor wake;                                 // violet: a watch that fires, a handoff arrow
    QColor frozen, frozenSoft, frozenText;       // blue
    QColor stale, staleSoft, staleText;          // red: believed but lost, violations, faults
    QColor primary, onPrimary;                   // black/white button
    QColor danger, onDanger;                     // the fault button
    bool dark = false;

    QColor client(std::uint16_t index) const; // 8 colors, then twice again, with more contrast
    QColor
    clientText(std::uint16_t index) const; // the same hue, readable as text on a card (contrast >= 4.5)
    static Palette light();
    static Palette darkTheme();
};

QColor withAlpha(QColor colour, int alpha); // 0 to 255
// WCAG contrast ratio, 1 to 21.
double contrast(const QColor& a, const QColor& b);

// Fonts of the window: Inter when present (otherwise the system's sans), a monospace for ids. Point sizes
// follow the base.
struct Fonts
{
    QFont text, small, title, heading, number, mono, monoSmall;
    static Fonts standard(qreal scale = 1.0);
    Fonts scaled(qreal factor) const;
};

QFont strongFont(QFont font); // the same font, for emphasis in a text

} // namespace lockscope::ui
