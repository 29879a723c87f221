#include "ui/editor/description_page.h"

#include "ui/editor/draft.h"
#include "ui/editor/field.h"

#include <QLineEdit>
#include <QPlainTextEdit>

namespace lockscope::ui {

namespace {

QPlainTextEdit* paragraph(QWidget* parent)
{
    auto* edit = new QPlainTextEdit(parent);
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(110);
    return edit;
}

} // namespace

DescriptionPage::DescriptionPage(QWidget* parent)
    : FormPage(parent)
    , m_title(new QLineEdit(this))
    , m_text(paragraph(this))
    , m_titleZh(new QLineEdit(this))
    , m_textZh(paragraph(this))
{
    add("title", tr("&Title"), m_title, tr("One line. Empty: the file name is used."));
    add("text", tr("Te&xt"), m_text, tr("What the reader should look at."));
    add("title_zh", tr("Title in &Chinese"), m_titleZh);
    add("text_zh", tr("Text in C&hinese"), m_textZh);
}

void DescriptionPage::load(const sim::Scenario& scenario)
{
    m_title->setText(scenario.title == scenario.name ? QString() : QString::fromStdString(scenario.title));
    m_text->setPlainText(QString::fromStdString(scenario.text));
    m_titleZh->setText(QString::fromStdString(scenario.titleZh));
    m_textZh->setPlainText(QString::fromStdString(scenario.textZh));
}

void DescriptionPage::write(Draft& draft) const
{
    const auto put = [&draft](const QWidget* control, const QString& text) {
        if (!text.isEmpty()) {
            draft.put(Field::of(control), tomlString(text));
        }
    };
    put(m_title, m_title->text());
    put(m_text, m_text->toPlainText());
    put(m_titleZh, m_titleZh->text());
    put(m_textZh, m_textZh->toPlainText());
}

} // namespace lockscope::ui

#include "moc_description_page.cpp"
