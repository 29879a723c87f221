// The language of the application: Qt's default locale and the translators for it. It can change while
// windows are open: each of them gets a LanguageChange. After QApplication, before the first window; GUI thread.
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
    ~Language() override; // the locale is again what it was before

    QString code() const { return m_code; }
    void use(const QString& code);

signals:
    void aboutToChange(); // the widgets receive their event after it, from the event loop
    void changed();

private:
    void install();
    void remove();

    const QLocale m_localeBefore;
    QString m_code;
    QTranslator m_ours;
    QTranslator m_qts; // the buttons of standard dialogs; empty where Qt's translations are not installed
};

} // namespace lockscope::ui
