#include "ui/shell/findings_pills.h"

#include "ui/models/findings_model.h"
#include "ui/models/format.h"
#include "ui/models/run_model.h"

#include <QHBoxLayout>

namespace lockscope::ui {

namespace {

constexpr std::array kShown{replay::FindingKind::oneHolder, replay::FindingKind::orderKept,
                            replay::FindingKind::noHerd};

Pill::Verdict faceOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::open:
        break;
    case Verdict::kept:
        return Pill::Verdict::good;
    case Verdict::disputed:
        return Pill::Verdict::doubtful;
    case Verdict::violated:
        return Pill::Verdict::bad;
    }
    return Pill::Verdict::none;
}

} // namespace

FindingsPills::FindingsPills(RunModel* model, Look* look, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    for (std::size_t i = 0; i < m_pills.size(); ++i) {
        m_pills[i] = new Pill(look, this);
        row->addWidget(m_pills[i]);
        connect(m_pills[i], &Pill::clicked, this, [this, i] { emit clicked(kShown[i]); });
    }
    connect(model, &RunModel::stateChanged, this, &FindingsPills::refresh);
    connect(model, &RunModel::runChanged, this, &FindingsPills::refresh);
    refresh();
}

void FindingsPills::setWidth(Pill::Width width)
{
    for (Pill* pill : m_pills) {
        pill->setWidth(width);
    }
    layout()->invalidate();
}

int FindingsPills::widthFor(Pill::Width width) const
{
    int sum = static_cast<int>(m_pills.size() - 1) * kGap;
    for (const Pill* pill : m_pills) {
        sum += pill->widthFor(width);
    }
    return sum;
}

void FindingsPills::refresh()
{
    struct Text
    {
        QString good, bad, brief;
    };
    const auto woken =
        QString::number(m_model->hasRun() ? m_model->state().statistics.wakeUpsPerRelease() : 0, 'f', 1);
    const LockManner manner = lockManner(m_model->state());
    const auto most = m_model->state().findings.of(replay::FindingKind::noHerd).mostWoken;
    const std::array<Text, 3> texts{
        manner == LockManner::readers
            ? Text{tr("readers or one writer"), tr("a writer not alone"), tr("holders")}
        : manner == LockManner::leases ? Text{tr("leases kept"), tr("too many leases"), tr("leases")}
                                       : Text{tr("one holder"), tr("two holders"), tr("holder")},
        Text{manner == LockManner::noOrder ? tr("order not checked") : tr("first come, first served"),
             tr("out of order"), tr("order")},
        Text{most > 1 ? tr("no herd, %1 woken at most").arg(format::count(most)) : tr("1 wake per handoff"),
             tr("%1 wakes per handoff").arg(woken), tr("wakes")},
    };
    for (std::size_t i = 0; i < m_pills.size(); ++i) {
        if (!m_model->hasRun()) {
            m_pills[i]->show(Pill::Verdict::none, texts[i].good, texts[i].brief,
                             tr("Nothing was checked yet."));
            continue;
        }
        const Verdict verdict = verdictOf(m_model->state(), kShown[i]);
        const QString text = verdict == Verdict::open       ? tr("%1: not checked").arg(texts[i].brief)
                             : verdict == Verdict::violated ? texts[i].bad
                             : verdict == Verdict::disputed ? disputed(texts[i].good, m_model->state())
                                                            : texts[i].good;
        m_pills[i]->show(faceOf(verdict), text, texts[i].brief, findingSentence(m_model->state(), kShown[i]));
    }
}

} // namespace lockscope::ui
