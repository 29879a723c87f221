#include "ui/editor/value_fields.h"

#include "ui/editor/draft.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QWheelEvent>

namespace lockscope::ui {

namespace {

const QString kFixed = QStringLiteral("fixed");
const QString kBetween = QStringLiteral("between");
const QString kExponential = QStringLiteral("exponential");

QHBoxLayout* rowIn(QWidget* widget)
{
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    return row;
}

} // namespace

void connectEdited(QWidget* control, QObject* context, const std::function<void()>& callback)
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
    } else if (auto* range = qobject_cast<TimeRangeField*>(control)) {
        QObject::connect(range, &TimeRangeField::changed, context, callback);
    } else if (auto* pair = qobject_cast<NumberRangeField*>(control)) {
        QObject::connect(pair, &NumberRangeField::changed, context, callback);
    }
}

QString tomlOf(const QWidget* control)
{
    if (const auto* line = qobject_cast<const QLineEdit*>(control)) {
        const QString text = line->text().trimmed();
        return text.isEmpty() ? QString() : tomlString(text);
    }
    if (const auto* number = qobject_cast<const QSpinBox*>(control)) {
        return QString::number(number->value());
    }
    if (const auto* choice = qobject_cast<const ChoiceField*>(control)) {
        return tomlString(choice->word());
    }
    if (const auto* range = qobject_cast<const TimeRangeField*>(control)) {
        return range->toml();
    }
    if (const auto* pair = qobject_cast<const NumberRangeField*>(control)) {
        return pair->toml();
    }
    const auto* flag = qobject_cast<const QCheckBox*>(control);
    return flag && flag->isChecked() ? "true" : "false";
}

QStringList linesOf(const QPlainTextEdit& edit)
{
    QStringList lines;
    for (const QString& line : edit.toPlainText().split('\n')) {
        if (!line.trimmed().isEmpty()) {
            lines += line.trimmed();
        }
    }
    return lines;
}

QLineEdit* makeTimeEdit(const QString& whenEmpty, QWidget* parent)
{
    auto* edit = new QLineEdit(parent);
    edit->setPlaceholderText(whenEmpty);
    edit->setMaxLength(40);
    return edit;
}

QString timeText(Duration time) { return QString::fromStdString(sim::formatDuration(time)); }

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// ---- a random time ----

TimeRangeField::TimeRangeField(QWidget* parent)
    : QWidget(parent)
    , m_kind(new ChoiceField(this))
    , m_low(makeTimeEdit(tr("20ms"), this))
    //: between two times: "between 20ms and 100ms"
    , m_to(new QLabel(tr("and"), this))
    , m_high(makeTimeEdit(tr("100ms"), this))
{
    //: a choice for how a time is drawn: always the same time
    m_kind->addItem(tr("always"), kFixed);
    //: a choice for how a time is drawn: "between 20ms and 100ms", uniformly
    m_kind->addItem(tr("between"), kBetween);
    m_kind->addItem(tr("exponential, mean"), kExponential);
    m_kind->setObjectName("kind");
    //: name of a field: how a time is drawn
    m_kind->setAccessibleName(tr("Distribution"));
    m_low->setObjectName("low");
    m_low->setAccessibleName(tr("Time, or minimum"));
    m_high->setObjectName("high");
    //: name of a field: the greatest time that may be drawn
    m_high->setAccessibleName(tr("Maximum"));
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
    connect(m_low, &QLineEdit::textChanged, this, &TimeRangeField::changed);
    connect(m_high, &QLineEdit::textChanged, this, &TimeRangeField::changed);
    showParts();
}

void TimeRangeField::showParts()
{
    const bool two = m_kind->currentData() == kBetween;
    m_to->setVisible(two);
    m_high->setVisible(two);
}

void TimeRangeField::setRange(const sim::Range& range)
{
    const QString kind = range.exponential ? kExponential : range.low == range.high ? kFixed : kBetween;
    m_kind->setCurrentIndex(m_kind->findData(kind));
    m_low->setText(timeText(range.low));
    m_high->setText(timeText(range.high));
    showParts();
}

QString TimeRangeField::toml() const
{
    const QString kind = m_kind->currentData().toString();
    if (kind == kBetween) {
        return "[" + tomlString(m_low->text().trimmed()) + ", " + tomlString(m_high->text().trimmed()) + "]";
    }
    return tomlString((kind == kExponential ? "exponential " : "") + m_low->text().trimmed());
}

// ---- a range of two numbers ----

NumberRangeField::NumberRangeField(int low, int high, QWidget* parent)
    : QWidget(parent)
    , m_min(new NumberField(low, high, this))
    , m_max(new NumberField(low, high, this))
{
    m_min->setObjectName("min");
    m_min->setAccessibleName(tr("At least"));
    m_max->setObjectName("max");
    m_max->setAccessibleName(tr("At most"));
    QHBoxLayout* row = rowIn(this);
    row->addWidget(m_min);
    //: between two numbers: "1 to 3"
    row->addWidget(new QLabel(tr("to"), this));
    row->addWidget(m_max);
    row->addStretch(1);
    setFocusProxy(m_min);
    connect(m_min, &QSpinBox::valueChanged, this, &NumberRangeField::changed);
    connect(m_max, &QSpinBox::valueChanged, this, &NumberRangeField::changed);
}

void NumberRangeField::setNumbers(std::uint32_t min, std::uint32_t max)
{
    m_min->setValue(static_cast<int>(min));
    m_max->setValue(static_cast<int>(max));
}

QString NumberRangeField::toml() const
{
    return QStringLiteral("[%1, %2]").arg(m_min->value()).arg(m_max->value());
}

// ---- controls that ignore the wheel ----

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

#include "moc_value_fields.cpp"
