// The settings that the window keeps between two starts: keys of QSettings with their types and defaults.
// Those of a view stand beside it (View::save). Works without a QSettings too: then nothing is kept. A value;
// GUI thread.
#pragma once

#include <QFileInfo>
#include <QSettings>
#include <QStringList>
#include <QVariantMap>

namespace lockscope::ui {

template <class T>
struct Setting
{
    const char* key;
    T defaultValue{};
};

namespace settings {

inline const Setting<int> kColourScheme{"theme"};    // Theme::ColourScheme
inline const Setting<QString> kLanguage{"language"}; // empty: the system's
inline const Setting<QVariantMap> kTables{"tables"}; // TableTools::saved(), by the name of the table
inline const Setting<bool> kWallClock{"wallClock"};
inline const Setting<bool> kAsksToSave{"asksToSave", true}; // when the window closes
inline const Setting<bool> kMenuBar{"menuBar", true};
inline const Setting<QString> kLayout{"layout/chosen"};   // of LayoutController; missing: none yet
inline const Setting<QStringList> kCards{"layout/cards"}; // of the kept layout; missing: all
inline const Setting<int> kLayoutVersion{"layout/version"};
inline const Setting<QByteArray> kGeometry{"layout/geometry"};
inline const Setting<QByteArray> kDocks{"layout/docks"};
inline const Setting<QVariantMap> kProportions{"layout/shares"}; // of the cards, if the user changed them
inline const Setting<QStringList> kRecentTargets{"recentLocks"};
inline const Setting<QStringList> kRecentFiles{"recentFiles"};
inline const Setting<QString> kPresentationFirst{"presentation/first", QStringLiteral("chain")};
inline const Setting<QString> kPresentationSecond{"presentation/second", QStringLiteral("timeline")};
inline const Setting<double> kPresentationScale{"presentation/scale", 1.5};
inline const Setting<bool> kPresentationSideBySide{"presentation/sideBySide"};

inline const Setting<QStringList> kLessonsDone{"lessons/done"}; // names of lessons
inline const Setting<QVariantMap> kLessonStep{
    "lessons/step"}; // by the lesson's name: where to continue, then what was skipped

} // namespace settings

class Settings
{
public:
    static constexpr int kLayoutVersion = 4; // of the format, not of the set of cards

    Settings(QSettings* store) // NOLINT(google-explicit-constructor)
        : m_store(store)
    {}
    bool isKept() const { return m_store != nullptr; }
    // Of the file that keeps them, for what is kept beside it; empty: nothing is.
    QString folder() const { return m_store ? QFileInfo(m_store->fileName()).absolutePath() : QString(); }

    template <class T>
    T get(const Setting<T>& setting) const
    {
        return m_store ? m_store->value(setting.key, setting.defaultValue).template value<T>()
                       : setting.defaultValue;
    }
    template <class T>
    void set(const Setting<T>& setting, const T& value)
    {
        if (m_store)
            m_store->setValue(setting.key, value);
    }
    template <class T>
    bool contains(const Setting<T>& setting) const
    {
        return m_store && m_store->contains(setting.key);
    }

    // Puts `line` first in `lines`, without duplicates and with at most `max` lines, and saves them.
    void remember(const Setting<QStringList>& setting, QStringList& lines, const QString& line, int max)
    {
        lines.removeAll(line);
        lines.prepend(line);
        lines = lines.mid(0, max);
        set(setting, lines);
    }
    bool hasLayout() const
    {
        return contains(settings::kLayoutVersion);
    } // of any version; false at the first start

private:
    QSettings* m_store;
};

} // namespace lockscope::ui
