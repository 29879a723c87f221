#include "ui/editor/value_fields.h"

#include "ui/editor/draft.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QWheelEvent>

namespace lockscope::ui {

namespace {

const QString kFixed = QStringLiteral("fixed");
const QString kValueFieldsBetween = QStringLiteral("between");
const QString kExponential = QStringLiteral("exponential");

QHBoxLayout* rowIn(QWidget* widget)
{
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    return row;
}

} // namespace

void watchEdits(QWidget* control, QObject* context, const std::function<void()>& callback)
{
    if (auto* line = qobject_cast<QLineEdit*>(control)) {
        QObject::connect(line, &QLineEdit::textChanged, context, callback);
    } else if (auto* text = qobject_cast<QPlainTextEdit*>(control)) {
        QObject::connect(text, &QPlainTextEdit::textChanged, context, callback);
    } else if (auto* number = qobject_cast<QSpinBox*>(control)) {
        QObject::connect(number, &QSpinBox::valueChanged, context, callback);
    } else if (auto* choice = qobject_cast<QComboBox*>(control)) {
        QObject::connect(choice, &QComboBox::currentIndexChanged, context, callback);
    } else if (auto* flag = qobject_cast<QCheckBox*>(control)) {
        QObject::connect(flag, &QCheckBox::toggled, context, callback);
    } else if (auto* range = qobject_cast<RangeField*>(control)) {
        QObject::connect(range, &RangeField::changed, context, callback);
    } else if (auto* pair = qobject_cast<PairField*>(control)) {
        QObject::connect(pair, &PairField::changed, context, callback);
    }
}

QLineEdit* timeEdit(const QString& whenEmpty, QWidget* parent)
{
    auto* edit = new QLineEdit(parent);
    edit->setPlaceholderText(whenEmpty);
    edit->setMaxLength(40);
    return edit;
}

QString timeText(Duration time) { return QString::fromStdString(sim::durationText(time)); }

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// ---- a time to draw ----

RangeField::RangeField(QWidget* parent)
    : QWidget(parent)
    , m_kind(new ChoiceField(this))
    , m_low(timeEdit(tr("20ms"), this))
    , m_to(new QLabel(tr("and"), this))
    , m_high(timeEdit(tr("100ms"), this))
{
    m_kind->addItem(tr("always"), kFixed);
    m_kind->addItem(tr("between"), kValueFieldsBetween);
    m_kind->addItem(tr("exponential, mean"), kExponential);
    m_kind->setObjectName("kind");
    m_kind->setAccessibleName(tr("How the time is drawn"));
    m_low->setObjectName("low");
    m_low->setAccessibleName(tr("Time, or the least"));
    m_high->setObjectName("high");
    m_high->setAccessibleName(tr("The most"));
    QHBoxLayout* row = rowIn(this);
    row->addWidget(m_kind);
    row->addWidget(m_low, 1);
    row->addWidget(m_to);
    row->addWidget(m_high, 1);
    setFocusProxy(m_low);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        showParts();
        emit changed();
    });
    connect(m_low, &QLineEdit::textChanged, this, &RangeField::changed);
    connect(m_high, &QLineEdit::textChanged, this, &RangeField::changed);
    showParts();
}

void RangeField::showParts()
{
    const bool two = m_kind->currentData() == kValueFieldsBetween;
    m_to->setVisible(two);
    m_high->setVisible(two);
}

void RangeField::setRange(const sim::Range& range)
{
    const QString kind = range.exponential ? kExponential : range.low == range.high ? kFixed : kValueFieldsBetween;
    m_kind->setCurrentIndex(m_kind->findData(kind));
    m_low->setText(timeText(range.low));
    m_high->setText(timeText(range.high));
    showParts();
}

QString RangeField::toml() const
{
    const QString kind = m_kind->currentData().toString();
    if (kind == kValueFieldsBetween) {
        return "[" + inQuotes(m_low->text().trimmed()) + ", " + inQuotes(m_high->text().trimmed()) + "]";
    }
    return inQuotes((kind == kExponential ? "exponential " : "") + m_low->text().trimmed());
}

// ---- two numbers ----

PairField::PairField(int low, int high, QWidget* parent)
    : QWidget(parent)
    , m_least(new NumberField(low, high, this))
    , m_most(new NumberField(low, high, this))
{
    m_least->setObjectName("least");
    m_least->setAccessibleName(tr("At least"));
    m_most->setObjectName("most");
    m_most->setAccessibleName(tr("At most"));
    QHBoxLayout* row = rowIn(this);
    row->addWidget(m_least);
    row->addWidget(new QLabel(tr("to"), this));
    row->addWidget(m_most);
    row->addStretch(1);
    setFocusProxy(m_least);
    connect(m_least, &QSpinBox::valueChanged, this, &PairField::changed);
    connect(m_most, &QSpinBox::valueChanged, this, &PairField::changed);
}

void PairField::setPair(std::uint32_t least, std::uint32_t most)
{
    m_least->setValue(static_cast<int>(least));
    m_most->setValue(static_cast<int>(most));
}

QString PairField::toml() const
{
    return QStringLiteral("[%1, %2]").arg(m_least->value()).arg(m_most->value());
}

// ---- what the wheel leaves alone ----

ChoiceField::ChoiceField(QWidget* parent)
    : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMaxVisibleItems(20);
}

void ChoiceField::wheelEvent(QWheelEvent* event) { event->ignore(); }

NumberField::NumberField(int low, int high, QWidget* parent)
    : QSpinBox(parent)
{
    setRange(low, high);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumWidth(84);
}

void NumberField::wheelEvent(QWheelEvent* event) { event->ignore(); }

} // namespace lockscope::ui
