#include "app/lockscope/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <clocale>

namespace lockscope::app {

void installLanguage(const std::string& language)
{
    const QLocale locale = language.empty() ? QLocale::system() : QLocale(QString::fromStdString(language));
    QLocale::setDefault(locale);
    // Numbers in files and commands have a point whatever the person's language is.
    std::setlocale(LC_NUMERIC, "C");
    auto* application = QCoreApplication::instance();
    auto* ours = new QTranslator(application);
    if (ours->load(locale, "lockscope", "_", ":/translations")) {
        QCoreApplication::installTranslator(ours);
    }
    auto* qts = new QTranslator(application);
    if (qts->load(locale, "qtbase", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(qts);
    }
}

} // namespace lockscope::app
