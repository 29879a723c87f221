// The colours and sizes of the window, light and dark: meanings, not hues. Views ask here and own no colour.
// Client colours are colour-blind safe (Okabe-Ito) and never the only mark of a client: its name goes along.
#pragma once

#include <QColor>
#include <QFont>

namespace lockscope::ui {

struct Palette
{
    QColor window, card, cardBorder, header, text, textMuted, textFaint, grid, selection, selectionText;
    QColor pill;                                   // background of a neutral pill
    QColor holds, holdsSoft, onHolds;              // green
    QColor waits, waitsSoft, onWaits;              // amber
    QColor wake;                                   // violet: a watch that fires, a handoff arrow
    QColor frozen, frozenSoft;                     // blue
    QColor stale, staleSoft;                       // red: believed but lost, violations, faults
    QColor primary, onPrimary;                     // black/white button
    QColor danger, onDanger;                       // the what-if button
    bool dark = false;

    QColor client(std::uint16_t index) const;      // 8 colours, then repeated lighter/darker
    static Palette light();
    static Palette darkTheme();
};

// Fonts of the window: Inter when present (else the system's sans), a monospace for ids. Point sizes follow the base.
struct Fonts
{
    QFont text, small, title, heading, number, mono, monoSmall;
    static Fonts standard(qreal scale = 1.0);
};

} // namespace lockscope::ui
