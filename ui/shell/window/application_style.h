// Keeps the whole application in the look: font, palette and style sheet; and the look in step with the system's
// theme when that changes. To be made before the first widget: a widget that has a style rule keeps the font that
// it was made with. GUI thread.
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
    bool m_isPending = false; // to follow the system
};

} // namespace lockscope::ui
