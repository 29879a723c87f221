// Draws a ring around the widget with the focus, in any window, while the user moves the focus by keyboard:
// from Tab or a shortcut to the next click. One ring for the application, so that no widget draws its own.
// GUI thread.
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
    QPointer<QWidget> m_widget; // the surrounded widget; null: no ring is shown
    QPointer<QWidget> m_ring;   // a child of that widget's window
};

} // namespace lockscope::ui
