#include "ui/locks/verdict_card.h"

#include "ui/models/style/retranslate.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/field_text.h"
#include "ui/widgets/panel_parts.h"

#include <QLabel>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

VerdictCard::VerdictCard(Theme* theme, QWidget* parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_title(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_evidence(new QLabel(this))
    , m_remedy(new QLabel(this))
{
    setObjectName("verdictCard");
    m_sentence->setObjectName("verdictSentence");
    m_evidence->setObjectName("verdictEvidence");
    m_remedy->setObjectName("verdictRemedy");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(4);
    for (QLabel* label : {m_title, m_sentence, m_evidence, m_remedy}) {
        makePlainText(label);
        column->addWidget(label);
    }
    connect(theme, &Theme::changed, this, &VerdictCard::restyle);
    onLanguageChange(this, [this] { retranslate(); });
    restyle();
    hide();
}

void VerdictCard::show(const std::optional<field::Diagnosis>& diagnosis)
{
    if (diagnosis != m_diagnosis) {
        m_diagnosis = diagnosis;
        retranslate();
    }
    setVisible(m_diagnosis.has_value());
}

void VerdictCard::retranslate()
{
    if (!m_diagnosis)
        return;
    QString title = stuckText(m_diagnosis->kind);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    m_title->setText(title);
    m_sentence->setText(translateMessage(sentence(*m_diagnosis)));
    m_evidence->setText(translateMessage(evidence(*m_diagnosis)));
    m_remedy->setText(translateMessage(remedy(*m_diagnosis)));
    fit();
}

void VerdictCard::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fit();
}

void VerdictCard::fit() { setMinimumHeight(std::max(0, layout()->heightForWidth(width()))); }

void VerdictCard::restyle()
{
    const Palette& palette = m_theme->palette();
    setStyleSheet(QStringLiteral("#verdictCard { background: %1; border: 1px solid %2; border-radius: 7px; }")
                      .arg(palette.staleSoft.name(), palette.stale.name()));
    setTextColour(m_title, palette.staleText);
    setTextColour(m_sentence, palette.text);
    setTextColour(m_evidence, palette.textMuted);
    setTextColour(m_remedy, palette.text);
    m_title->setFont(m_theme->fonts().title);
    m_sentence->setFont(m_theme->fonts().text);
    m_evidence->setFont(m_theme->fonts().small);
    m_remedy->setFont(m_theme->fonts().text);
}

} // namespace lockscope::ui

#include "moc_verdict_card.cpp"
