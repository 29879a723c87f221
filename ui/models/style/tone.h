// The meaning of a text's color. The text itself always states the same.
#pragma once

#include "ui/models/style/palette.h"

namespace lockscope::ui {

enum class Tone { plain, muted, faint, holds, waits, frozen, stale, wake };

inline const QColor& textColour(const Palette& palette, Tone tone)
{
    switch (tone) {
    case Tone::muted:
        return palette.textMuted;
    case Tone::faint:
        return palette.textFaint;
    case Tone::holds:
        return palette.holdsText;
    case Tone::waits:
        return palette.waitsText;
    case Tone::frozen:
        return palette.frozenText;
    case Tone::stale:
        return palette.staleText;
    case Tone::wake:
        return palette.wake;
    case Tone::plain:
        break;
    }
    return palette.text;
}

} // namespace lockscope::ui
