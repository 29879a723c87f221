#include "ui/editor/form_page.h"

#include "ui/editor/form.h"

#include <QVBoxLayout>

namespace lockscope::ui {

namespace {
constexpr int kMargin = 18;
constexpr int kPageSpacing = 12;
} // namespace

FormPage::FormPage(QWidget* parent)
    : QScrollArea(parent)
{
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    auto* all = new QWidget(this);
    all->setObjectName("formContent");
    m_form = new Form(all);
    auto* outer = new QVBoxLayout(all);
    outer->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    m_column = new QVBoxLayout;
    m_column->setSpacing(kPageSpacing);
    m_column->addWidget(m_form);
    outer->addLayout(m_column);
    outer->addStretch(1);
    setWidget(all);
    connect(m_form, &Form::changed, this, &FormPage::changed);
}

void FormPage::load(const sim::Scenario& scenario)
{
    m_form->load([&scenario](std::string_view key) { return sim::settingOf(scenario, key); });
}

void FormPage::write(Draft& draft) const { m_form->write(draft); }

} // namespace lockscope::ui

#include "moc_form_page.cpp"
