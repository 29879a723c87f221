// Applies the theme's font, palette and style sheet to the whole application, and follows the system's theme
// when it changes. Construct it before the first widget: a widget with a style rule keeps the font it was
// created with. GUI thread.
#pragma once

#include <QObject>

#include <functional>

namespace lockscope::ui {

class Theme;

class ApplicationStyle : public QObject
{
    Q_OBJECT
public:
    using SystemIsDark = std::function<bool()>; // null: asks Qt
    explicit ApplicationStyle(Theme* theme, QObject* parent = nullptr, SystemIsDark systemIsDark = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void apply();
    void followSystem();
    Theme* m_theme;
    SystemIsDark m_systemIsDark;
    bool m_isPending = false; // followSystem() is queued
};

} // namespace lockscope::ui
