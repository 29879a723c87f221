#include "ui/shell/runbar/findings_pills.h"

#include "ui/models/rows/findings_model.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/format.h"

#include <QHBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr std::array kShown{replay::FindingKind::oneHolder, replay::FindingKind::orderKept,
                            replay::FindingKind::noHerd};

Pill::Verdict faceOf(FindingStatus verdict)
{
    switch (verdict) {
    case FindingStatus::open:
        break;
    case FindingStatus::expected:
        return Pill::Verdict::expected;
    case FindingStatus::kept:
        return Pill::Verdict::good;
    case FindingStatus::disputed:
        return Pill::Verdict::doubtful;
    case FindingStatus::violated:
        return Pill::Verdict::bad;
    }
    return Pill::Verdict::none;
}

} // namespace

FindingsPills::FindingsPills(RunModel* model, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    row->addStretch(1);
    for (std::size_t i = 0; i < m_pills.size(); ++i) {
        m_pills[i] = new Pill(theme, this);
        row->addWidget(m_pills[i]);
        connect(m_pills[i], &Pill::clicked, this, [this, i] { emit clicked(kShown[i]); });
    }
    m_summary = new Pill(theme, this);
    m_summary->hide();
    row->addWidget(m_summary);
    connect(m_summary, &Pill::clicked, this, [this] { emit clicked(m_worst); });
    connect(model, &RunModel::stateChanged, this, &FindingsPills::refresh);
    connect(model, &RunModel::runChanged, this, [this] {
        m_widest = {};
        refresh();
    });
    refresh();
}

void FindingsPills::setWidth(StatusWidth width)
{
    m_width = width;
    for (Pill* pill : m_pills) {
        pill->setWidth(width == StatusWidth::full ? Pill::Width::full : Pill::Width::brief);
        pill->setVisible(width != StatusWidth::mark);
    }
    m_summary->setVisible(width == StatusWidth::mark || m_anotherIsWorse);
    layout()->invalidate();
}

int FindingsPills::widthFor(StatusWidth width) const
{
    int& widest = m_widest[static_cast<std::size_t>(width)];
    widest = std::max(widest, widthNow(width));
    return widest;
}

int FindingsPills::widthNow(StatusWidth width) const
{
    if (width == StatusWidth::mark) {
        return m_summary->widthFor(Pill::Width::full);
    }
    int sum = static_cast<int>(m_pills.size() - 1) * kGap;
    sum += m_anotherIsWorse ? kGap + m_summary->widthFor(Pill::Width::full) : 0;
    for (const Pill* pill : m_pills) {
        sum += pill->widthFor(width == StatusWidth::full ? Pill::Width::full : Pill::Width::brief);
    }
    return sum;
}

void FindingsPills::refresh()
{
    struct Text
    {
        QString good, bad, goodBrief, badBrief;
    };
    const replay::RunState& state = m_model->state();
    const auto woken = QString::number(m_model->hasRun() ? state.statistics.wakeUpsPerRelease() : 0, 'f', 1);
    const LockSharing manner = lockSharing(state);
    const auto most = state.findings.of(replay::FindingKind::noHerd).maxWoken;
    const QString wakes = tr("%1 wake-ups per handoff").arg(woken);
    const std::array<Text, 3> texts{
        manner == LockSharing::readers
            ? Text{tr("readers or one writer"), tr("a writer not alone"), tr("writer alone"), tr("not alone")}
        : manner == LockSharing::leases
            ? Text{tr("leases kept"), tr("too many leases"), tr("leases kept"), tr("too many leases")}
            : Text{tr("one holder"), tr("two holders"), tr("one holder"), tr("two holders")},
        Text{manner == LockSharing::unordered ? tr("order not checked") : tr("first come, first served"),
             tr("out of order"), tr("in order"), tr("out of order")},
        Text{most > 1 ? tr("no herd, %1 woken at most").arg(format::count(most))
                      : tr("1 wake-up per handoff"),
             wakes, most > 1 ? tr("no herd") : tr("1 wake-up"), tr("%1 wake-ups").arg(woken)},
    };
    for (std::size_t i = 0; i < m_pills.size(); ++i) {
        const Text& text = texts[i];
        if (!m_model->hasRun()) {
            m_pills[i]->show(Pill::Verdict::none, text.good, text.goodBrief,
                             tr("Nothing has been checked yet."));
            continue;
        }
        const bool expected = m_model->expectsViolation(kShown[i]);
        const FindingStatus verdict = findingStatus(state, kShown[i], expected);
        const bool bad = verdict >= FindingStatus::expected;
        const QString brief = bad ? text.badBrief : text.goodBrief;
        const QString full = verdict == FindingStatus::open       ? tr("%1: not checked").arg(text.goodBrief)
                             : verdict == FindingStatus::disputed ? disputed(text.good, state)
                             : verdict == FindingStatus::expected
                                 ? tr("%1, as the scenario shows").arg(text.bad)
                             : bad ? text.bad
                                   : text.good;
        m_pills[i]->show(faceOf(verdict), full, brief, findingText(state, kShown[i], expected));
    }
    refreshSummary();
}

// Shows the worst verdict of all findings, and how many findings have it.
void FindingsPills::refreshSummary()
{
    FindingStatus worst = FindingStatus::open;
    int count = 0;
    QStringList sentences;
    for (const replay::Finding& finding : m_model->state().findings.all) {
        const bool expected = m_model->expectsViolation(finding.kind);
        const FindingStatus verdict =
            m_model->hasRun() ? findingStatus(m_model->state(), finding.kind, expected) : FindingStatus::open;
        if (verdict > worst) {
            worst = verdict;
            count = 0;
            sentences.clear();
        }
        if (verdict == worst) {
            m_worst = count++ == 0 ? finding.kind : m_worst;
            sentences << findingText(m_model->state(), finding.kind, expected);
        }
    }
    QString words;
    switch (worst) {
    case FindingStatus::open:
        words = tr("not checked");
        break;
    case FindingStatus::kept:
        words = tr("none violated");
        break;
    case FindingStatus::disputed:
        //: of a finding: the server keeps it, a client acts as if it did not
        words = tr("disputed");
        break;
    case FindingStatus::expected:
        words = tr("violated, as the scenario shows");
        break;
    case FindingStatus::violated:
        words = tr("%Ln violated", nullptr, count);
        break;
    }
    m_summary->show(faceOf(worst), words, words,
                    worst > FindingStatus::kept ? sentences.join('\n')
                                                : tr("The Findings card lists what was checked."));
    const bool anotherIsWorse =
        worst > FindingStatus::kept && std::find(kShown.begin(), kShown.end(), m_worst) == kShown.end();
    if (std::exchange(m_anotherIsWorse, anotherIsWorse) != anotherIsWorse) {
        setWidth(m_width);
        updateGeometry();
    }
}

} // namespace lockscope::ui

#include "moc_findings_pills.cpp"
