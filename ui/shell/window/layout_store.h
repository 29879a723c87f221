// The window's place and the cards' arrangement, kept from one start to the next. A layout of another version
// of the window is not restored: half of it would be garbage. GUI thread.
#pragma once

#include <QSettings>

class QMainWindow;

namespace lockscope::ui {

class LayoutStore
{
public:
    static constexpr int kVersion = 4; // raise it whenever cards come, go or change their names

    explicit LayoutStore(QSettings* settings)
        : m_settings(settings)
    {}

    // `shares`: of the cards, when they were made by hand.
    void save(const QMainWindow& window, const QMainWindow& docks, const QVariantMap& shares = {});
    // False when there is nothing to restore; then the window is as it was.
    bool restore(QMainWindow& window, QMainWindow& docks) const;
    QVariantMap shares() const;
    void forget();

private:
    QSettings* m_settings;
};

} // namespace lockscope::ui
