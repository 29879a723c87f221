#include "ui/shell/client_count_box.h"

#include "core/sim/scenario.h"
#include "ui/models/look.h"
#include "ui/models/run_model.h"
#include "ui/models/spoken.h"
#include "ui/shell/command_map.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>

namespace lockscope::ui {

namespace {

// A client leaves when it has released: until then the box shows what was asked for, at most this many
// events.
constexpr std::size_t kPatience = 2000;
constexpr int kBox = 72;
constexpr int kClientCountBoxGap = 8;

} // namespace

ClientCountBox::ClientCountBox(RunModel* model, Look* look, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_look(look)
    , m_caption(new QLabel(this))
    , m_box(new QSpinBox(this))
{
    m_box->setObjectName("clientCount");
    m_box->setRange(0, static_cast<int>(sim::kMaxClients));
    spoken(this, [this] {
        m_caption->setText(tr("Clients"));
        m_box->setAccessibleName(tr("Number of clients"));
        sayWhat();
    });
    m_box->setKeyboardTracking(false);
    m_box->setFixedWidth(kBox);
    m_caption->setBuddy(m_box);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kClientCountBoxGap);
    row->addWidget(m_caption);
    row->addWidget(m_box);
    connect(m_box, &QSpinBox::valueChanged, this, &ClientCountBox::ask);
    connect(model, &RunModel::stateChanged, this, &ClientCountBox::followRun);
    connect(model, &RunModel::phaseChanged, this, &ClientCountBox::followRun);
    connect(model, &RunModel::runChanged, this, [this] { m_askedAt = 0, m_asked = -1, followRun(); });
    connect(look, &Look::changed, this, &ClientCountBox::restyle);
    restyle();
    followRun();
}

void ClientCountBox::setWidth(Width width) { m_caption->setVisible(width == Width::full); }

int ClientCountBox::widthFor(Width width) const
{
    return kBox + (width == Width::full ? m_caption->sizeHint().width() + kClientCountBoxGap : 0);
}

void ClientCountBox::sayWhat()
{
    m_box->setToolTip(m_obstacle.isEmpty()
                          ? tr("How many clients contend for the lock.\nOne more: +  ·  one fewer: -")
                          : m_obstacle);
}

void ClientCountBox::setObstacle(const QString& why)
{
    m_obstacle = why;
    sayWhat();
    followRun();
}

void ClientCountBox::restyle()
{
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, m_look->palette().textMuted);
    m_caption->setFont(m_look->fonts().text);
    m_caption->setPalette(colours);
    m_box->setFont(m_look->fonts().text);
}

void ClientCountBox::ask(int wanted)
{
    const int change = wanted - m_asked;
    m_asked = wanted;
    m_askedAt = m_model->store() ? m_model->store()->count() : 0;
    if (change > 0) {
        emit moreWanted(change);
    } else if (change < 0) {
        emit fewerWanted(-change);
    }
}

void ClientCountBox::followRun()
{
    m_box->setEnabled(m_obstacle.isEmpty() && m_model->isLive() && m_model->following());
    if (!m_model->hasRun()) {
        return;
    }
    // Of a recorded run those it was made with, also when they are done.
    const int actual = static_cast<int>(m_model->isLive() ? clientsTakingPart(m_model->state())
                                                          : m_model->state().clients.size());
    const bool waiting = m_model->isLive() && m_askedAt != 0 && actual != m_asked &&
                         m_model->store()->count() < m_askedAt + kPatience;
    const auto* typed = m_box->findChild<QLineEdit*>();
    if (waiting || (m_box->hasFocus() && typed && typed->isModified())) {
        return;
    }
    m_askedAt = 0;
    m_asked = actual;
    if (actual == m_box->value())
        return; // setting it would paint it
    const QSignalBlocker quiet(m_box);
    m_box->setValue(actual);
}

} // namespace lockscope::ui
