// A ring around whatever has the keyboard, in every window, as long as the keyboard is what moves it: from
// Tab to the next click. One for the application, so that no widget has to draw its own. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace lockscope::ui {

class Theme;

class FocusRing : public QObject
{
    Q_OBJECT
public:
    FocusRing(Theme* theme, QObject* parent);
    ~FocusRing() override;

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void surround(QWidget* widget);
    void place();
    void hide();

    Theme* m_theme;
    QPointer<QWidget> m_widget; // that is surrounded; null: no ring is shown
    QPointer<QWidget> m_ring;   // a child of that one's window
};

} // namespace lockscope::ui
