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

QString textOf(const Field& field)
{
    if (const auto* line = qobject_cast<const QLineEdit*>(field.control())) {
        return line->text();
    }
    const auto* text = qobject_cast<const QPlainTextEdit*>(field.control());
    return text ? text->toPlainText() : QString();
}

} // namespace

DescriptionPage::DescriptionPage(QWidget* parent)
    : FormPage(parent)
    , m_title(add("title", tr("&Title"), new QLineEdit(this), tr("One line. Empty: the file name is used.")))
    , m_text(add("text", tr("Te&xt"), paragraph(this), tr("What the reader should look at.")))
    , m_titleZh(add("title_zh", tr("Title in &Chinese"), new QLineEdit(this)))
    , m_textZh(add("text_zh", tr("Text in C&hinese"), paragraph(this)))
{}

void DescriptionPage::load(const sim::Scenario& scenario)
{
    const auto line = [](Field* field, const std::string& text) {
        qobject_cast<QLineEdit*>(field->control())->setText(QString::fromStdString(text));
    };
    const auto lines = [](Field* field, const std::string& text) {
        qobject_cast<QPlainTextEdit*>(field->control())->setPlainText(QString::fromStdString(text));
    };
    line(m_title, scenario.title == scenario.name ? std::string() : scenario.title);
    lines(m_text, scenario.text);
    line(m_titleZh, scenario.titleZh);
    lines(m_textZh, scenario.textZh);
}

void DescriptionPage::write(Draft& draft) const
{
    for (Field* field : {m_title, m_text, m_titleZh, m_textZh}) {
        if (const QString text = textOf(*field); !text.isEmpty()) {
            draft.put(field, tomlString(text));
        }
    }
}

} // namespace lockscope::ui

#include "moc_description_page.cpp"
