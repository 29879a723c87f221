// The look that all views share and listen to: palette and fonts, switched while running. GUI thread.
#pragma once

#include "ui/models/palette.h"

#include <QObject>

namespace lockscope::ui {

class Look : public QObject
{
    Q_OBJECT
public:
    enum class Theme { system, light, dark };
    explicit Look(Theme theme = Theme::system, QObject* parent = nullptr);
    Theme theme() const { return m_theme; }
    const Palette& palette() const { return m_palette; }
    const Fonts& fonts() const { return m_fonts; }
    void setTheme(Theme theme);

signals:
    void changed();

private:
    Theme m_theme;
    Palette m_palette;
    Fonts m_fonts;
};

} // namespace lockscope::ui
