// The language of the application: Qt's default locale and its translators. It can change while windows are
// open: each gets a LanguageChange event. Construct it after QApplication and before the first window. GUI
// thread.
#pragma once

#include <QLocale>
#include <QObject>
#include <QString>
#include <QTranslator>

namespace lockscope::ui {

class Language : public QObject
{
    Q_OBJECT
public:
    // "en", "zh_CN", or empty for the system's. A text without a translation is shown in English.
    explicit Language(const QString& code = {}, QObject* parent = nullptr);
    ~Language() override; // restores the previous locale

    QString code() const { return m_code; }
    void use(const QString& code);

signals:
    void aboutToChange(); // the event loop delivers LanguageChange to the widgets later
    void changed();

private:
    void install();
    void remove();

    const QLocale m_localeBefore;
    QString m_code;
    QTranslator m_ours;
    QTranslator m_qts; // for standard dialogs' buttons; empty if Qt's translations are not installed
};

// While it lives, texts and numbers are in this language, and no window is notified: for what is written in
// several languages at once, without a return to the event loop. GUI thread.
class SpokenLanguage
{
public:
    explicit SpokenLanguage(const QString& code); // "en" or "zh_CN"
    ~SpokenLanguage();
    SpokenLanguage(const SpokenLanguage&) = delete;
    SpokenLanguage& operator=(const SpokenLanguage&) = delete;

private:
    const QLocale m_before;
};

} // namespace lockscope::ui
