#include "ui/shell/window/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>

#include <clocale>

namespace lockscope::ui {

Language::Language(const QString& code, QObject* parent)
    : QObject(parent)
    , m_code(code)
{
    install();
}

Language::~Language()
{
    remove();
    QLocale::setDefault(m_localeBefore);
}

void Language::use(const QString& code)
{
    if (code == m_code) {
        return;
    }
    emit aboutToChange();
    remove();
    m_code = code;
    install();
    emit changed();
}

void Language::install()
{
    const QLocale locale = m_code.isEmpty() ? QLocale::system() : QLocale(m_code);
    QLocale::setDefault(locale); // before the translators: LanguageChange handlers use it
    // Numbers in files and commands have a decimal point in every language.
    std::setlocale(LC_NUMERIC, "C");
    const QString folder = QStringLiteral(":/translations");
    // English needs a file too, for its plural forms.
    if (m_ours.load(locale, "lockscope", "_", folder) || m_ours.load("lockscope_en", folder)) {
        QCoreApplication::installTranslator(&m_ours);
    }
    if (m_qts.load(locale, "qtbase", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&m_qts);
    }
}

void Language::remove()
{
    QCoreApplication::removeTranslator(&m_ours);
    QCoreApplication::removeTranslator(&m_qts);
}

} // namespace lockscope::ui

#include "moc_language.cpp"
