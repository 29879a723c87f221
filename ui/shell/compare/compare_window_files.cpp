// What a comparison is saved as: a page, and pictures of its parts.
#include "ui/shell/compare/compare_window.h"

#include "ui/compare/compare_chain_view.h"
#include "ui/compare/compare_lanes_view.h"
#include "ui/models/core_messages.h"
#include "ui/models/findings_model.h"
#include "ui/models/format.h"
#include "ui/models/atomic_file.h"
#include "ui/shell/export/picture.h"

#include <QBuffer>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QPainter>

namespace lockscope::ui {

namespace {

constexpr qreal kSharpness = 2; // pictures in a page are so many times as fine as on the screen

QByteArray fineImage(QWidget& widget)
{
    QImage image(widget.size() * kSharpness, QImage::Format_RGB32);
    image.setDevicePixelRatio(kSharpness);
    image.fill(widget.palette().color(QPalette::Window));
    widget.render(&image);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

ComparePageSide CompareWindow::pageSide(std::size_t index)
{
    const Side& side = m_sides[index];
    const replay::RunState& state = side.run->whole().state;
    ComparePageSide page;
    page.label = side.run->label();
    page.brief = side.run->brief();
    page.facts = tr("%1 clients · %2 · ZooKeeper %3")
                     .arg(format::count(state.clients.size()), side.run->recipe(),
                          format::plain(state.server.version, 40));
    page.sentence = side.chain->sentence();
    page.chain = fineImage(*side.chain);
    page.lanes = fineImage(*side.lanes);
    page.findings = state.findings;
    for (std::size_t i = 0; i < replay::kFindingKinds; ++i) {
        page.sentences[i] = findingText(state, static_cast<replay::FindingKind>(i));
    }
    return page;
}

ComparePage CompareWindow::page()
{
    return {subtitle(), m_theme->palette().dark, m_load, {pageSide(0), pageSide(1)}, m_comparison};
}

Result<void> CompareWindow::saveHtml(const QString& path)
{
    const QByteArray bytes = compareHtml(page());
    AtomicFile file(path);
    if (!file.put(bytes)) {
        return Error{
            ErrorCode::ioFailed,
            QStringLiteral("The page %1 cannot be written: %2.").arg(path, file.fault()).toStdString(),
            "Choose another place, or make room there."};
    }
    return {};
}

Result<void> CompareWindow::savePictures(const QString& folder)
{
    std::vector<std::pair<QString, QWidget*>> all = m_parts;
    all.emplace_back(QStringLiteral("compare"), this);
    for (const auto& [name, widget] : all) {
        for (const char* ending : {".png", ".svg"}) {
            const auto saved = savePicture(*widget, QDir(folder).filePath(name + QLatin1String(ending)));
            if (!saved) {
                return saved.error();
            }
        }
    }
    return {};
}

void CompareWindow::showResult(const Result<void>& done, TextProvider words)
{
    m_statusText =
        done ? std::move(words) : TextProvider([error = done.error()] { return errorText(error).all(); });
    showStatus();
}

void CompareWindow::showStatus()
{
    m_status->setText(m_statusText ? m_statusText() : QString());
    m_status->setToolTip(format::toolTip(m_status->text()));
}

void CompareWindow::askForHtml()
{
    auto* dialog = new QFileDialog(this, tr("Save the comparison as HTML"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Web page (*.html)")});
    dialog->setDefaultSuffix("html");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        showResult(saveHtml(path), [path] { return tr("Saved %1.").arg(format::plain(path.toStdString(), 80)); });
    });
    dialog->open();
}

void CompareWindow::askForFolder()
{
    auto* dialog = new QFileDialog(this, tr("Save the pictures into a folder"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        showResult(savePictures(folder), [folder] {
            return tr("Saved the pictures in %1.").arg(format::plain(folder.toStdString(), 80));
        });
    });
    dialog->open();
}

} // namespace lockscope::ui
