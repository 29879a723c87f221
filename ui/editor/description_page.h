// The page of the scenario's title and text. GUI thread.
#pragma once

#include "ui/editor/form_page.h"

class QLineEdit;
class QPlainTextEdit;

namespace lockscope::ui {

class DescriptionPage : public FormPage
{
    Q_OBJECT
public:
    explicit DescriptionPage(QWidget* parent);
    void load(const sim::Scenario& scenario) override;
    void write(Draft& draft) const override;

private:
    QLineEdit* m_title;
    QPlainTextEdit* m_text;
    QLineEdit* m_titleZh;
    QPlainTextEdit* m_textZh;
};

} // namespace lockscope::ui
