// Keeps the whole application in the look: font, palette and style sheet. To be made before the first widget:
// a widget that has a style rule keeps the font that it was made with. GUI thread.
#pragma once

#include <QObject>

namespace lockscope::ui {

class Look;

class ApplicationStyle : public QObject
{
    Q_OBJECT
public:
    explicit ApplicationStyle(Look* look, QObject* parent = nullptr);

private:
    void apply();
    Look* m_look;
};

} // namespace lockscope::ui
