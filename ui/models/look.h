// The look that all views share and listen to: palette and fonts, switched while running. GUI thread.
#pragma once

#include <QObject>
#include <QPalette>
#include <QString>

#include <memory>

#include "ui/models/palette.h"
#include "ui/models/text_cache.h"

namespace lockscope::ui {

class Look : public QObject
{
    Q_OBJECT
public:
    enum class Theme { system, light, dark };
    // What the system prefers is read here, once: make the Look before the application gets its palette.
    explicit Look(Theme theme = Theme::system, QObject* parent = nullptr);
    Theme theme() const { return m_theme; }
    const Palette& palette() const { return m_palette; }
    const Fonts& fonts() const { return m_fonts; }
    TextCache& texts() const { return *m_texts; } // what all painters draw words with
    void setTheme(Theme theme);

    // For the application: the standard widgets (buttons, menus, tables, scroll bars, tool tips) in this
    // look. A push button with the property kind = "primary" or "danger" is filled; a QFrame with kind =
    // "card" is a card.
    QPalette widgetPalette() const;
    QString styleSheet() const;

signals:
    void changed();

private:
    Theme m_theme;
    bool m_systemDark = false;
    Palette m_palette;
    Fonts m_fonts;
    std::unique_ptr<TextCache> m_texts = std::make_unique<TextCache>();
};

} // namespace lockscope::ui
