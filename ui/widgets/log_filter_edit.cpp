#include "ui/widgets/log_filter_edit.h"

#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QStringListModel>
#include <QTextCharFormat>

namespace lockscope::ui {

namespace {
constexpr int kMaxLength = 200;
}

LogFilterEdit::LogFilterEdit(RunModel* run, QWidget* parent)
    : QLineEdit(parent)
    , m_run(run)
    , m_words(new QStringListModel(this))
    , m_completer(new QCompleter(m_words, this))
{
    retranslate();
    setClearButtonEnabled(true);
    setMaxLength(kMaxLength);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &LogFilterEdit::insertCompletion);
    connect(this, &QLineEdit::textEdited, this, &LogFilterEdit::updateCompletions);
}

void LogFilterEdit::retranslate()
{
    setPlaceholderText(tr("client:bo op:getData after:1.2s -watch \"a phrase\""));
    setToolTip(format::toolTip(tr(
        "Words that a line must contain; a phrase in quotation marks; and client:, op:, node:, lock:, kind: "
        "(request, reply, watch, lock, session, run), after: and before: with a time such as 1.2s. A minus "
        "in "
        "front excludes a term. A line must match all terms.")));
}

void LogFilterEdit::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

QStringList LogFilterEdit::completions() const { return m_words->stringList(); }

void LogFilterEdit::updateCompletions()
{
    const LogFilterCompletions offers = logFilterCompletions(text(), cursorPosition(), m_run->state());
    m_from = offers.from;
    m_to = cursorPosition();
    m_words->setStringList(offers.words);
    if (offers.words.isEmpty()) {
        m_completer->popup()->hide();
    } else {
        m_completer->complete();
    }
}

void LogFilterEdit::insertCompletion(const QString& word)
{
    setSelection(static_cast<int>(m_from), m_to - static_cast<int>(m_from));
    insert(word.endsWith(u':') ? word : word + u' ');
    updateCompletions(); // offers the values of the chosen key
}

// QLineEdit formats its text only as an input method event asks. An event with an empty preedit string leaves
// the text unchanged.
void LogFilterEdit::markError(const std::optional<LogFilterError>& fault)
{
    QList<QInputMethodEvent::Attribute> attributes;
    if (fault) {
        QTextCharFormat wrong;
        wrong.setFontUnderline(true);
        wrong.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wrong.setUnderlineColor(Qt::red);
        attributes.append({QInputMethodEvent::TextFormat, static_cast<int>(fault->at) - cursorPosition(),
                           static_cast<int>(fault->length), wrong});
    }
    QInputMethodEvent marks(QString(), attributes);
    QCoreApplication::sendEvent(this, &marks);
}

} // namespace lockscope::ui

#include "moc_log_filter_edit.cpp"
