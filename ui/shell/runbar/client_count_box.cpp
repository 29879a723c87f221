#include "ui/shell/runbar/client_count_box.h"

#include "core/sim/scenario/scenario.h"
#include "ui/models/run/run_model.h"
#include "ui/models/style/retranslate.h"
#include "ui/models/style/theme.h"
#include "ui/shell/run/faults.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/without_wheel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalBlocker>

namespace lockscope::ui {

namespace {

// A client leaves only after it has released. Until then the box shows the requested number, for at most this
// many events.
constexpr std::size_t kMaxPendingEvents = 2000;
constexpr int kBox = 72;
constexpr int kClientCountBoxGap = 8;

// Changes the run only where it is meant: not by the wheel, and a click on an arrow or Return does not leave
// the keys here, where the next Up or Down would add or remove a client.
class ClientSpinBox : public WithoutWheel<QSpinBox>
{
public:
    explicit ClientSpinBox(QWidget* parent)
        : WithoutWheel(parent)
    {
        setFocusPolicy(Qt::StrongFocus);
    }

protected:
    void mouseReleaseEvent(QMouseEvent* event) override // on an arrow: the text is a widget of its own
    {
        QSpinBox::mouseReleaseEvent(event);
        clearFocus();
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        QSpinBox::keyPressEvent(event);
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Escape)
            clearFocus();
    }
};

} // namespace

ClientCountBox::ClientCountBox(RunModel* model, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_theme(theme)
    , m_caption(new QLabel(this))
    , m_box(new ClientSpinBox(this))
{
    m_box->setObjectName("clientCount");
    m_box->setRange(0, static_cast<int>(sim::kMaxClients));
    onRetranslate(this, [this] {
        //: label of a field: how many clients the run has
        m_caption->setText(tr("Clients"));
        m_box->setAccessibleName(tr("Number of clients"));
        updateToolTip();
    });
    m_box->setKeyboardTracking(false);
    m_box->setFixedWidth(kBox);
    m_caption->setBuddy(m_box);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kClientCountBoxGap);
    row->addWidget(m_caption);
    row->addWidget(m_box);
    row->addStretch(1);
    connect(m_box, &QSpinBox::valueChanged, this, &ClientCountBox::requestCount);
    connect(model, &RunModel::stateChanged, this, &ClientCountBox::followRun);
    connect(model, &RunModel::phaseChanged, this, &ClientCountBox::followRun);
    connect(model, &RunModel::runChanged, this, [this] { m_requestedAt = 0, m_requested = -1, followRun(); });
    connect(theme, &Theme::changed, this, &ClientCountBox::restyle);
    restyle();
    followRun();
}

void ClientCountBox::updateToolTip()
{
    m_box->setToolTip(m_disabledReason.isEmpty()
                          ? tr("How many clients contend for the lock.\nOne more: +  ·  one fewer: -")
                          : m_disabledReason);
}

void ClientCountBox::setDisabledReason(const QString& why)
{
    m_disabledReason = why;
    updateToolTip();
    followRun();
}

void ClientCountBox::restyle()
{
    m_caption->setFont(m_theme->fonts().text);
    setTextColour(m_caption, m_theme->palette().textMuted);
    m_box->setFont(m_theme->fonts().text);
}

void ClientCountBox::requestCount(int wanted)
{
    const int change = wanted - m_requested;
    m_requested = wanted;
    m_requestedAt = m_model->store() ? m_model->store()->count() : 0;
    if (change > 0) {
        emit addRequested(change);
    } else if (change < 0) {
        emit removeRequested(-change);
    }
}

void ClientCountBox::followRun()
{
    m_box->setEnabled(m_disabledReason.isEmpty() && m_model->isLive() && m_model->following());
    if (!m_model->hasRun()) {
        return;
    }
    // A recorded run counts all its clients, even those that have finished.
    const int actual = static_cast<int>(m_model->isLive() ? activeClientCount(m_model->state())
                                                          : m_model->state().clients.size());
    const bool waiting = m_model->isLive() && m_requestedAt != 0 && actual != m_requested &&
                         m_model->store()->count() < m_requestedAt + kMaxPendingEvents;
    const auto* typed = m_box->findChild<QLineEdit*>();
    if (waiting || (m_box->hasFocus() && typed && typed->isModified())) {
        return;
    }
    m_requestedAt = 0;
    m_requested = actual;
    if (actual == m_box->value())
        return; // setting the value would repaint the box
    const QSignalBlocker quiet(m_box);
    m_box->setValue(actual);
}

} // namespace lockscope::ui

#include "moc_client_count_box.cpp"
