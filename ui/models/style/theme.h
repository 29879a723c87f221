// The palette and the fonts that all views share; switched while the program runs. GUI thread.
#pragma once

#include <QObject>
#include <QPalette>
#include <QString>

#include <functional>
#include <memory>

#include "ui/models/style/palette.h"
#include "ui/models/style/text_cache.h"

namespace lockscope::ui {

class Theme : public QObject
{
    Q_OBJECT
public:
    enum class ColourScheme { system, light, dark };
    // Reads the system's preference from the application's palette: construct the Theme before that is
    // replaced.
    explicit Theme(ColourScheme colourScheme = ColourScheme::system, QObject* parent = nullptr);
    ColourScheme colourScheme() const { return m_colourScheme; }
    const Palette& palette() const { return m_palette; }
    const Fonts& fonts() const { return m_fonts; }
    TextCache& texts() const { return *m_texts; } // all painters draw text with it
    void setColourScheme(ColourScheme colourScheme);
    void setSystemDark(bool dark); // the system's preference changed
    static bool isDark(const QPalette& palette);
    // Whether times are shown by the wall clock, if the run has it, instead of from the run's beginning.
    bool wallClock() const { return m_wallClock; }
    void setWallClock(bool on);
    void setLanguageChanged() { emit languageChanged(); }
    // Whether pictures of single cards are taken: without what only a screen needs, such as scroll bars,
    // buttons and advice about the mouse.
    bool forPrint() const { return m_forPrint; }
    void setForPrint(bool on);

    // For the application: the standard widgets (buttons, menus, tables, scroll bars, tool tips). A push
    // button with the property kind = "primary" or "danger" is filled; a QFrame with kind = "card" is a card.
    QPalette widgetPalette() const;
    QString styleSheet() const;

    // Calls `act` when the colors or the language change: for a picture of texts, or a size that depends on
    // them.
    void onChange(QObject* receiver, const std::function<void()>& act) const;

signals:            // one for each, so that nothing is styled again because of another
    void changed(); // colors
    void languageChanged();
    void wallClockChanged();
    void forPrintChanged();

private:
    bool isDarkPreferred() const;
    void choosePalette();
    ColourScheme m_colourScheme;
    bool m_systemDark = false;
    bool m_wallClock = false;
    bool m_forPrint = false;
    Palette m_palette;
    Fonts m_fonts;
    std::unique_ptr<TextCache> m_texts = std::make_unique<TextCache>();
};

} // namespace lockscope::ui
