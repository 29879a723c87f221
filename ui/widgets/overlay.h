// A panel over its window, that Escape or a click elsewhere closes. It is a part of the window and no popup
// of the display server: that may refuse a popup (Wayland), and what is typed for it would act on the window.
// While it is open, every key of the window is for it. Deletes itself when it closes. GUI thread.
#pragma once

#include <QDialog>
#include <QPointer>

namespace lockscope::ui {

class Theme;

class Overlay : public QDialog
{
    Q_OBJECT
public:
    Overlay(const Theme* theme, QWidget* window);
    // True when one is open over this window.
    static bool isOpenOver(const QWidget* window);
    void done(int result) override; // gives the focus back

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool contains(const QWidget* widget) const; // also a menu that was opened here
    const Theme* m_theme;
    QPointer<QWidget> m_before; // had the focus
};

} // namespace lockscope::ui
