#include "ui/shell/window/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QThread>

#include <clocale>
#include <map>

namespace lockscope::ui {

namespace {

const QString kTranslations = QStringLiteral(":/translations");

// Translates before all others while a language is spoken. It looks empty: Qt tells no window when it is
// installed. The application's child, because Qt notifies the windows of a removal.
class SpokenTranslator : public QTranslator
{
public:
    SpokenTranslator()
        : QTranslator(qApp)
    {
        setObjectName(QStringLiteral("spokenLanguage"));
    }
    static SpokenTranslator* installed()
    {
        return static_cast<SpokenTranslator*>(
            qApp->findChild<QTranslator*>(QStringLiteral("spokenLanguage"), Qt::FindDirectChildrenOnly));
    }
    void speak(const QString& code)
    {
        m_spoken = code.isEmpty() ? nullptr : &m_languages[code];
        if (m_spoken && m_spoken->isEmpty())
            (void)m_spoken->load("lockscope_" + code, kTranslations);
    }
    bool isEmpty() const override { return true; }
    // Other threads go on in the language of the window.
    QString translate(const char* context, const char* text, const char* meaning, int count) const override
    {
        if (QThread::currentThread() != thread() || !m_spoken)
            return {};
        const QString translated = m_spoken->translate(context, text, meaning, count);
        return translated.isNull() ? QString::fromUtf8(text) : translated;
    }

private:
    std::map<QString, QTranslator> m_languages;
    QTranslator* m_spoken = nullptr;
};

} // namespace

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
    // English needs a file too, for its plural forms.
    if (m_ours.load(locale, "lockscope", "_", kTranslations) || m_ours.load("lockscope_en", kTranslations)) {
        QCoreApplication::installTranslator(&m_ours);
    }
    if (m_qts.load(locale, "qtbase", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&m_qts);
    }
    if (SpokenTranslator* spoken = SpokenTranslator::installed()) { // it stays the first
        QCoreApplication::removeTranslator(spoken);
        QCoreApplication::installTranslator(spoken);
    }
}

void Language::remove()
{
    QCoreApplication::removeTranslator(&m_ours);
    QCoreApplication::removeTranslator(&m_qts);
}

SpokenLanguage::SpokenLanguage(const QString& code)
{
    SpokenTranslator* translator = SpokenTranslator::installed();
    if (!translator) {
        translator = new SpokenTranslator;
        QCoreApplication::installTranslator(translator);
    }
    translator->speak(code);
    QLocale::setDefault(QLocale(code));
}

SpokenLanguage::~SpokenLanguage()
{
    SpokenTranslator::installed()->speak({});
    QLocale::setDefault(m_before);
}

} // namespace lockscope::ui

#include "moc_language.cpp"
