#include "ui/timeline/bookmark_list.h"

#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {
enum Column { Time, Text };
constexpr int kWidth = 240;
constexpr int kRowMargin = 4;
} // namespace

BookmarkList::BookmarkList(Bookmarks* notes, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_bookmarks(notes)
    , m_theme(theme)
    , m_title(new QLabel(this))
    , m_list(new QTreeWidget(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 4, 4);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_list, 1);
    setFixedWidth(kWidth);
    setFocusProxy(m_list);
    m_title->setWordWrap(true);
    m_list->setObjectName("bookmarks");
    m_list->setColumnCount(2);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->hide();
    m_list->header()->setSectionResizeMode(Time, QHeaderView::ResizeToContents);
    m_list->installEventFilter(this);
    onRetranslate(this, [this] {
        //: name of a list for screen readers: moments of the run that the user marked
        m_list->setAccessibleName(tr("Bookmarks"));
        fill();
    });
    connect(m_bookmarks, &Bookmarks::changed, this, &BookmarkList::fill);
    m_theme->onChange(this, [this] { applyTheme(); });
    connect(m_list, &QTreeWidget::itemClicked, this, [this] { emit chosen(*current()); });
    connect(m_list, &QTreeWidget::itemChanged, this, &BookmarkList::keepText);
    applyTheme();
    hide();
}

void BookmarkList::applyTheme()
{
    m_title->setFont(m_theme->fonts().small);
    m_list->setFont(m_theme->fonts().small);
    fill();
}

void BookmarkList::fill()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const Bookmark& note : m_bookmarks->all()) {
        auto* item = new QTreeWidgetItem(m_list, {tr("%1 s").arg(format::timestamp(note.at)), note.text});
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        item->setForeground(Time, m_theme->palette().textMuted);
        item->setToolTip(Text, format::toolTip(note.text));
        item->setSizeHint(Text, {0, m_list->fontMetrics().height() + 2 * kRowMargin}); // room for its editor
    }
    const int count = m_list->topLevelItemCount();
    if (count > 0)
        m_list->setCurrentItem(m_list->topLevelItem(std::clamp(row, 0, count - 1)));
    m_title->setText(count > 0 ? tr("Bookmarks: press Enter to jump, F2 to edit the note, Delete to remove.")
                               : tr("No bookmarks. Press B to set one at the cursor."));
}

std::optional<std::size_t> BookmarkList::current() const
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    if (row < 0)
        return {};
    return static_cast<std::size_t>(row);
}

// Changing the note refills the list. It is queued: the editor is still closing at this time.
void BookmarkList::keepText(QTreeWidgetItem* item)
{
    const auto row = static_cast<std::size_t>(m_list->indexOfTopLevelItem(item));
    const QString text = item->text(Text);
    QMetaObject::invokeMethod(
        this,
        [this, row, text] {
            m_bookmarks->rename(row, text);
            fill();
        },
        Qt::QueuedConnection);
}

bool BookmarkList::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const auto note = current();
    if (key == Qt::Key_Escape)
        emit left();
    else if (note && (key == Qt::Key_Return || key == Qt::Key_Enter))
        emit chosen(*note);
    else if (note && key == Qt::Key_F2)
        m_list->editItem(m_list->currentItem(), Text);
    else if (note && key == Qt::Key_Delete)
        m_bookmarks->remove(*note);
    else
        return QWidget::eventFilter(watched, event);
    return true;
}

} // namespace lockscope::ui

#include "moc_bookmark_list.cpp"
