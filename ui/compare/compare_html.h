// A comparison as one self-contained HTML file: the pictures are embedded, all text from outside is escaped,
// and there is no script. Any thread.
#pragma once

#include "ui/compare/compared_load.h"

#include <QByteArray>
#include <QString>

#include <array>

namespace lockscope::ui {

struct ComparePageSide
{
    QString label;
    QString brief;    // a short label
    QString facts;    // "50 clients · mutex · ZooKeeper 3.8.0"
    QString sentence; // about the clients that the release woke
    QByteArray chain; // PNG
    QByteArray lanes; // PNG
    replay::Findings findings;
    std::array<QString, replay::kFindingKinds> sentences; // of the findings, in the same order
};

struct ComparePage
{
    QString subtitle;
    bool dark = false; // like its pictures
    ComparedLoad load{};
    std::array<ComparePageSide, 2> sides;
    replay::Comparison comparison;
};

QByteArray compareHtml(const ComparePage& page);

} // namespace lockscope::ui
