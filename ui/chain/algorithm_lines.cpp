#include "ui/chain/algorithm_lines.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui::chain {

using replay::Step;

namespace {

constexpr const char* kContext = "AlgorithmLines";

const std::vector<AlgorithmLine>& curatorLines()
{
    static const std::vector<AlgorithmLine> lines{
        {"acquire():", "", 0, true, {}},
        {"if depth > 0: depth += 1; return", "", 1, false, {Step::reenter, Step::none}},
        {"me = create(EPHEMERAL_SEQUENTIAL)", "", 1, false, {Step::create, Step::none}},
        {"loop:", "", 1, false, {}},
        {"kids = sort(getChildren())", "", 2, false, {Step::list, Step::none}},
        {"i = index(me)", "", 2, false, {Step::decide, Step::none}},
        {"if i == 0: return",
         QT_TRANSLATE_NOOP("AlgorithmLines", "we hold it"),
         2,
         false,
         {Step::hold, Step::none}},
        {"watch = getData(kids[i-1])", "", 2, false, {Step::watch, Step::none}},
        {"if NoNode: continue", QT_TRANSLATE_NOOP("AlgorithmLines", "it just left"), 2, false, {}},
        {"sleep until the watch fires", "", 2, false, {Step::sleep, Step::none}},
        {"release():", "", 0, true, {}},
        {"depth -= 1; if depth == 0: delete(me)", "", 1, false, {Step::release, Step::remove}},
    };
    return lines;
}

const std::vector<AlgorithmLine>& announcedLines()
{
    static const std::vector<AlgorithmLine> lines{
        {"acquire():", "", 0, true, {}},
        {"if depth > 0: depth += 1; return", "", 1, false, {Step::reenter, Step::none}},
        {"me = create(EPHEMERAL_SEQUENTIAL)", "", 1, false, {Step::create, Step::none}},
        {"loop:", "", 1, false, {}},
        {"kids = sort(getChildren())", "", 2, false, {Step::list, Step::none}},
        {"i = index(me)", "", 2, false, {Step::decide, Step::none}},
        {"if i == 0: announce(me); return",
         QT_TRANSLATE_NOOP("AlgorithmLines", "we hold it"),
         2,
         false,
         {Step::hold, Step::none}},
        {"watch = getData(kids[i-1])", "", 2, false, {Step::watch, Step::none}},
        {"if NoNode: continue", QT_TRANSLATE_NOOP("AlgorithmLines", "it just left"), 2, false, {}},
        {"sleep until the watch fires", "", 2, false, {Step::sleep, Step::none}},
        {"if kids[i-1] had announced: return", QT_TRANSLATE_NOOP("AlgorithmLines", "no list"), 2, false, {}},
        {"release():", "", 0, true, {}},
        {"depth -= 1; if depth == 0: delete(me)", "", 1, false, {Step::release, Step::remove}},
    };
    return lines;
}

} // namespace

const std::vector<AlgorithmLine>& algorithmLines(replay::Text handoff)
{
    return handoff == "announced" ? announcedLines() : curatorLines();
}

int lineOf(const std::vector<AlgorithmLine>& lines, Step step)
{
    const auto found =
        std::find_if(lines.begin(), lines.end(), [step](const AlgorithmLine& line) { return line.is(step); });
    return found == lines.end() ? -1 : static_cast<int>(found - lines.begin());
}

QString commentOf(const AlgorithmLine& line)
{
    return *line.comment ? QCoreApplication::translate(kContext, line.comment) : QString();
}

} // namespace lockscope::ui::chain
