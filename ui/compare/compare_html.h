// A comparison as one HTML file that needs nothing else: pictures are inside, all text from outside is
// escaped, and there is no script in it. GUI thread or any other.
#pragma once

#include "ui/compare/compared_load.h"

#include <QByteArray>
#include <QString>

#include <array>

namespace lockscope::ui {

struct ComparePageSide
{
    QString label;
    QString brief;    // the same in a few words
    QString facts;    // "50 clients · mutex · ZooKeeper 3.8.0"
    QString sentence; // what the release woke
    QByteArray chain; // PNG
    QByteArray lanes; // PNG
    replay::Findings findings;
    std::array<QString, replay::kFindingKinds> sentences; // of the findings, in their order
};

struct ComparePage
{
    QString subtitle;
    bool dark = false; // as its pictures are
    ComparedLoad load{};
    std::array<ComparePageSide, 2> sides;
    replay::Comparison comparison;
};

QByteArray compareHtml(const ComparePage& page);

} // namespace lockscope::ui
