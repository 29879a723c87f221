#include "app/lockscope_cli/watch_screen.h"

#include "app/lockscope_cli/field_report.h"

#include "core/base/utf8.h"
#include "core/exports/text_format.h"
#include "core/history/history.h"
#include "core/trace/plain_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::app {

namespace {

using exports::plain;
using field::LockStatus;
using field::Participant;
using field::Snapshot;
using LineStyle = ScreenLine::Style;
using KeyKind = ScreenKey::Kind;

constexpr const char* kNotKnown = "not known";
constexpr std::size_t kPathBytes = 400, kTextBytes = 600, kMostFilter = 200;
constexpr std::size_t kRoomForNotes = 16; // lines of a screen that has some for more than the table

std::string nodePath(const Participant& one) { return one.parent + '/' + one.node; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool hasPart(std::string_view text, std::string_view part)
{
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

std::string holdText(const field::HeldSince& since, std::int64_t untilMs)
{
    return (since.exact() ? "" : "≥ ") + spanText(std::max<std::int64_t>(untilMs - since.latestMs, 0));
}

std::string sinceText(const Participant& one, std::int64_t now)
{
    if (!one.holds)
        return spanText(std::max<std::int64_t>(now - one.createdMs, 0));
    return one.heldSince ? holdText(*one.heldSince, now) : kNotKnown;
}

const char* sortName(ScreenState::Sort sort)
{
    return sort == ScreenState::Sort::stuckFirst    ? "stuck first"
           : sort == ScreenState::Sort::longestWait ? "longest wait"
                                                    : "path";
}

std::string verdictText(const field::Diagnosis& diagnosis, std::size_t width)
{
    constexpr std::size_t kSentence = 45;
    return width < kSentence ? name(diagnosis.kind) : plain(sentence(diagnosis).english(), kTextBytes);
}

std::vector<const LockStatus*> listed(const ScreenState& state)
{
    std::vector<const LockStatus*> rows;
    for (const LockStatus& row : state.snapshot->locks)
        if (state.filter.empty() || hasPart(row.path, state.filter) ||
            hasPart(holderText(row), state.filter) || hasPart(history::name(row.recipe), state.filter))
            rows.push_back(&row);
    if (state.sort == ScreenState::Sort::longestWait)
        std::stable_sort(rows.begin(), rows.end(), [](const LockStatus* a, const LockStatus* b) {
            return a->longestWaitNowMs > b->longestWaitNowMs;
        });
    else if (state.sort == ScreenState::Sort::path)
        std::sort(rows.begin(), rows.end(),
                  [](const LockStatus* a, const LockStatus* b) { return a->path < b->path; });
    return rows;
}

const LockStatus* lockAt(const ScreenState& state, const std::string& path)
{
    const auto& locks = state.snapshot->locks;
    const auto row =
        std::find_if(locks.begin(), locks.end(), [&](const LockStatus& one) { return one.path == path; });
    return row == locks.end() ? nullptr : &*row;
}

// The row of the place, or the one that is where it last was.
template <class Rows, class IsIt>
std::size_t rowOf(const ScreenState& state, const Rows& rows, const IsIt& isIt)
{
    const auto row = std::find_if(rows.begin(), rows.end(), isIt);
    return row != rows.end() ? static_cast<std::size_t>(row - rows.begin())
                             : std::min(state.row, rows.empty() ? 0 : rows.size() - 1);
}

std::size_t lockRow(const ScreenState& state, const std::vector<const LockStatus*>& rows)
{
    return rowOf(state, rows, [&](const LockStatus* one) { return one->path == state.place.lock; });
}

std::size_t nodeRow(const ScreenState& state, const LockStatus& lock)
{
    return rowOf(state, lock.participants,
                 [&](const Participant& one) { return nodePath(one) == state.place.node; });
}

// ---- keys ----------------------------------------------------------------------------------------------

void goTo(ScreenState& state, ScreenPlace place)
{
    state.place = std::move(place);
    state.row = 0;
    if (const LockStatus* lock = lockAt(state, state.place.lock); lock && state.place.queue)
        state.row = nodeRow(state, *lock);
    else if (!state.place.queue)
        state.row = lockRow(state, listed(state));
}

void moveTo(ScreenState& state, std::size_t row)
{
    if (state.place.queue) {
        const LockStatus* lock = lockAt(state, state.place.lock);
        if (!lock || lock->participants.empty())
            return;
        state.row = std::min(row, lock->participants.size() - 1);
        state.place.node = nodePath(lock->participants[state.row]);
    } else if (const auto rows = listed(state); !rows.empty()) {
        state.row = std::min(row, rows.size() - 1);
        state.place.lock = rows[state.row]->path;
    }
}

std::size_t currentRow(const ScreenState& state)
{
    if (!state.place.queue)
        return lockRow(state, listed(state));
    const LockStatus* lock = lockAt(state, state.place.lock);
    return lock ? nodeRow(state, *lock) : 0;
}

const LockStatus* chosenLock(const ScreenState& state)
{
    if (state.place.queue)
        return lockAt(state, state.place.lock);
    const auto rows = listed(state);
    return rows.empty() ? nullptr : rows[lockRow(state, rows)];
}

// In the list: who holds the lock, or the first that waits for it.
const Participant* chosenClient(const ScreenState& state, const LockStatus& lock)
{
    const auto& all = lock.participants;
    if (state.place.queue)
        return all.empty() ? nullptr : &all[nodeRow(state, lock)];
    auto one = std::find_if(all.begin(), all.end(), [](const Participant& each) { return each.holds; });
    if (one == all.end())
        one = std::find_if(all.begin(), all.end(), [](const Participant& each) { return each.waits; });
    return one == all.end() ? nullptr : &*one;
}

void openQueue(ScreenState& state)
{
    if (const LockStatus* lock = chosenLock(state); lock && !state.place.queue)
        goTo(state, {lock->path, true, {}});
}

void closeQueue(ScreenState& state)
{
    if (state.place.queue)
        goTo(state, {state.place.lock, false, {}});
    else
        state.filter.clear();
}

// The node that this one waits for. Null: it is not known which.
const Participant* aheadOf(const LockStatus& lock, const Participant& one)
{
    const auto& all = lock.participants;
    const auto ahead = std::find_if(all.begin(), all.end(),
                                    [&](const Participant& each) { return each.node == one.behind; });
    return ahead != all.end() ? &*ahead : nullptr;
}

std::string noBlockerText(const Participant& one, const LockStatus& lock, bool waits)
{
    const bool isSemaphore =
        lock.recipe == history::Recipe::semaphore || lock.recipe == history::Recipe::kazooSemaphore;
    return whoText(one) + (!waits ? std::string(" waits for nobody who is known.")
                           : isSemaphore && lock.holders > 1
                               ? fmt::format(" waits for any of {} leases.", lock.holders)
                               : " waits; for which node is not known.");
}

void goToBlocker(ScreenState& state)
{
    const LockStatus* lock = chosenLock(state);
    const Participant* one = lock ? chosenClient(state, *lock) : nullptr;
    if (!one) {
        state.notice = "Nobody is there.";
        return;
    }
    const LockStatus* in = lock;
    const Participant* waits = one->waits ? one : nullptr;
    if (!waits && one->session.valid()) // what the session of a holder waits for
        for (const LockStatus& other : state.snapshot->locks)
            for (const Participant& each : other.participants)
                if (each.waits && each.session == one->session && (!waits || !aheadOf(*in, *waits))) {
                    waits = &each;
                    in = &other;
                }
    const Participant* blocker = waits ? aheadOf(*in, *waits) : nullptr;
    if (!blocker) {
        state.notice = noBlockerText(*one, *in, waits != nullptr);
        return;
    }
    ScreenPlace from = state.place;
    from.lock = lock->path;
    if (from.queue)
        from.node = nodePath(*one);
    state.back.push_back(std::move(from));
    goTo(state, {in->path, true, nodePath(*blocker)});
}

void goBack(ScreenState& state)
{
    if (state.back.empty()) {
        state.notice = "There is nothing to go back to.";
        return;
    }
    const ScreenPlace place = state.back.back();
    state.back.pop_back();
    goTo(state, place);
}

void typeFilter(ScreenState& state, const ScreenKey& key)
{
    if (key.kind == KeyKind::enter || key.kind == KeyKind::escape) {
        state.typesFilter = false;
        if (key.kind == KeyKind::escape)
            state.filter.clear();
    } else if (key.kind == KeyKind::backspace) {
        while (!state.filter.empty() && (static_cast<unsigned char>(state.filter.back()) & 0xC0) == 0x80)
            state.filter.pop_back();
        if (!state.filter.empty())
            state.filter.pop_back();
    } else if (key.kind == KeyKind::character && state.filter.size() < kMostFilter) {
        state.filter += key.text;
    }
    state.row = 0;
}

// Characters that do what another key does.
KeyKind kindOf(const ScreenKey& key)
{
    static constexpr std::array<std::pair<const char*, KeyKind>, 4> kLikeKeys{
        {{"k", KeyKind::up}, {"j", KeyKind::down}, {"g", KeyKind::home}, {"G", KeyKind::end}}};
    for (const auto& [text, kind] : kLikeKeys)
        if (key.kind == KeyKind::character && key.text == text)
            return kind;
    return key.kind;
}

// ---- lines ---------------------------------------------------------------------------------------------

std::string spaces(std::size_t count) { return std::string(count, ' '); }

// Exactly this wide. `right`: at its right edge.
std::string cell(const std::string& text, std::size_t width, bool right = false)
{
    const std::string shown(trace::cutToColumns(text, width));
    const std::string fill = spaces(width - std::min(width, trace::columnsOf(shown)));
    return right ? fill + shown : shown + fill;
}

// The end of a path says more than its begin.
std::string pathCell(const std::string& text, std::size_t width)
{
    std::size_t columns = trace::columnsOf(text);
    if (columns <= width)
        return cell(text, width);
    std::string_view rest = text;
    while (!rest.empty() && columns + 1 > width) {
        const std::size_t length = std::max<std::size_t>(1, trace::utf8Length(rest));
        columns -= trace::columnsOf(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    return cell("…" + std::string(rest), width);
}

// For a terminal that shows nothing but ASCII.
std::string inAscii(std::string_view text)
{
    std::string shown;
    while (!text.empty()) {
        const auto [code, length] = firstCharacter(text);
        const std::string_view one = text.substr(0, std::max<std::size_t>(1, length));
        if (length == 1)
            shown += one;
        else
            shown.append(trace::columnsOf(one), code == U'…' ? '~' : code == U'≥' ? '>' : '?');
        text.remove_prefix(one.size());
    }
    return shown;
}

// In lines of this width, at most so many, broken at spaces.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t most)
{
    std::vector<std::string> lines;
    while (!text.empty() && lines.size() < most) {
        std::string_view line = trace::cutToColumns(text, width);
        if (line.empty())
            break;
        if (line.size() < text.size() && lines.size() + 1 < most)
            if (const std::size_t space = line.rfind(' '); space != line.npos && space > 0)
                line = line.substr(0, space);
        lines.emplace_back(line);
        text.remove_prefix(line.size());
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    return lines;
}

// The first row that is shown, so that the chosen one is in the middle where that is possible.
std::size_t firstShown(std::size_t chosen, std::size_t rows, std::size_t room)
{
    return rows <= room ? 0 : std::min(chosen - std::min(chosen, room / 2), rows - room);
}

std::string marks(bool selected, bool stuck)
{
    return std::string(selected ? ">" : " ") + (stuck ? "!" : " ");
}

const char* stateText(const Participant& one)
{
    return one.holds ? "holds" : one.foreign ? "in front" : one.unknown ? "gone" : one.waits ? "waits" : "?";
}

std::string silenceText(const Participant& one)
{
    if (!one.silentAtLeast || one.timeout <= Duration{})
        return "not known";
    const auto seconds = [](Duration span) { return std::chrono::duration<double>(span).count(); };
    return fmt::format("{:.1f} of {:.0f} s", seconds(std::max(*one.silentAtLeast, Duration{})),
                       seconds(one.timeout));
}

// "03:04:05"
std::string clockText(std::int64_t ms) { return utc(ms).substr(11, 8); }

class Page
{
public:
    Page(const ScreenState& state, const ScreenSize& size)
        : m_state(state)
        , m_width(size.width)
        , m_height(size.height)
    {}

    std::vector<ScreenLine> lines()
    {
        if (m_state.showsHelp)
            addHelp();
        else if (m_state.place.queue)
            addQueue();
        else
            addList();
        m_lines.resize(m_height > 0 ? m_height - 1 : 0);
        if (m_height > 0)
            m_lines.push_back(statusLine());
        for (ScreenLine& line : m_lines) {
            line.text = cell(m_state.utf8 ? line.text : inAscii(line.text), m_width);
            if (line.style == LineStyle::plain)
                line.text.resize(line.text.find_last_not_of(' ') + 1);
        }
        return std::move(m_lines);
    }

private:
    void add(std::string text, LineStyle style = LineStyle::plain)
    {
        m_lines.push_back({std::move(text), style});
    }
    // Lines that are left above the status line and `below` others.
    std::size_t room(std::size_t below = 0) const
    {
        const std::size_t used = m_lines.size() + 1 + below;
        return m_height > used ? m_height - used : 0;
    }
    bool isLarge() const { return m_height >= kRoomForNotes; }

    void addTitle(const std::string& left, const std::string& right)
    {
        const std::size_t rightWidth = std::min(m_width, trace::columnsOf(right));
        add(cell(left, m_width - rightWidth) + right, LineStyle::title);
    }

    std::string timeText() const
    {
        return m_state.snapshot->sinceMs == 0 ? std::string(" ")
                                              : ' ' + clockText(m_state.snapshot->knownMs()) + " UTC ";
    }

    void addNotes()
    {
        const std::vector<std::string> notes = fieldNotes(*m_state.snapshot);
        const std::size_t most = isLarge() ? 2 : 0;
        for (std::size_t i = notes.size() - std::min(notes.size(), most); i < notes.size(); ++i)
            add(' ' + notes[i], LineStyle::warning);
    }

    struct Columns
    {
        std::size_t path = 16, client = 15, verdict = 13; // as wide as 80 columns allow
    };

    Columns listColumns(const std::vector<const LockStatus*>& rows, std::size_t first, std::size_t room) const
    {
        constexpr std::size_t kFixed = 36; // all that listRow() adds
        Columns columns;
        std::size_t longest = columns.path;
        for (std::size_t i = first; i < std::min(rows.size(), first + room); ++i)
            longest = std::max(longest, trace::columnsOf(plain(rows[i]->path, kPathBytes)));
        const std::size_t least = kFixed + columns.path + columns.client + columns.verdict;
        const std::size_t extra = m_width > least ? m_width - least : 0;
        const std::size_t path = std::min(extra / 2, longest - columns.path);
        const std::size_t client = std::min<std::size_t>((extra - path) / 2, 25);
        return {columns.path + path, columns.client + client, columns.verdict + extra - path - client};
    }

    static std::string listRow(const Columns& columns, const std::string& mark, const std::string& path,
                               const std::string& holder, const std::string& held, const std::string& waiting,
                               const std::string& longest, const std::string& verdict)
    {
        return mark + pathCell(path, columns.path) + ' ' + cell(holder, columns.client) + ' ' +
               cell(held, 12, true) + ' ' + cell(waiting, 5, true) + ' ' + cell(longest, 11, true) + "  " +
               verdict;
    }

    void addList()
    {
        const Snapshot& snapshot = *m_state.snapshot;
        const auto rows = listed(m_state);
        const auto stuck = std::count_if(snapshot.locks.begin(), snapshot.locks.end(),
                                         [](const LockStatus& row) { return row.diagnosis.has_value(); });
        std::size_t waiting = 0;
        for (const LockStatus& row : snapshot.locks)
            waiting += row.waiting;
        addTitle(snapshot.sinceMs == 0
                     ? fmt::format(" {}", plain(m_state.servers, 200))
                     : fmt::format(" {}   locks: {}, stuck: {}, waiting: {}",
                                   plain(snapshot.server.empty() ? m_state.servers : snapshot.server, 200),
                                   snapshot.locks.size(), stuck, waiting),
                 timeText());
        addNotes();
        const std::size_t below = isLarge() ? 3 : 1; // the verdict of the chosen lock, and a message
        const std::size_t shown = room(below + 1);
        const std::size_t chosen = lockRow(m_state, rows), first = firstShown(chosen, rows.size(), shown);
        const Columns columns = listColumns(rows, first, shown);
        add(listRow(columns, "  ", "Lock", "Holder", "Held for", "Waits", "Longest", "Verdict"),
            LineStyle::heading);
        if (rows.empty())
            add(snapshot.sinceMs == 0     ? "  Nothing has been read yet."
                : !m_state.filter.empty() ? "  No lock matches the filter."
                                          : "  There are no locks.");
        for (std::size_t i = first; i < std::min(rows.size(), first + shown); ++i) {
            const LockStatus& row = *rows[i];
            add(listRow(columns, marks(i == chosen, row.diagnosis.has_value()), plain(row.path, kPathBytes),
                        holderText(row), row.holder ? sinceText(*row.holder, snapshot.knownMs()) : "",
                        std::to_string(row.waiting), row.waiting > 0 ? spanText(row.longestWaitNowMs) : "",
                        row.diagnosis ? verdictText(*row.diagnosis, columns.verdict) : ""),
                i == chosen     ? LineStyle::selected
                : row.diagnosis ? LineStyle::stuck
                                : LineStyle::plain);
        }
        m_lines.resize(m_lines.size() + room(below));
        addVerdict(rows.empty() ? nullptr : rows[chosen], below - 1, false);
        addMessage();
    }

    void addVerdict(const LockStatus* lock, std::size_t most, bool whole)
    {
        if (!lock || !lock->diagnosis)
            return;
        std::string text = sentence(*lock->diagnosis).english();
        if (whole)
            text += ' ' + evidence(*lock->diagnosis).english() + ' ' + remedy(*lock->diagnosis).english();
        for (const std::string& line :
             wrapped(plain(text, 4 * kTextBytes), m_width > 4 ? m_width - 2 : m_width, most))
            add("  " + line, LineStyle::stuck);
    }

    void addMessage()
    {
        m_lines.resize(m_lines.size() + room(1));
        if (m_state.typesFilter)
            add("/" + m_state.filter + "_", LineStyle::heading);
        else if (!m_state.message.empty())
            add(' ' + plain(m_state.message, kTextBytes));
    }

    void addQueue()
    {
        const LockStatus* lock = lockAt(m_state, m_state.place.lock);
        const std::string time = timeText();
        const std::string recipe =
            lock ? fmt::format(" {}, nodes: {} ", history::name(lock->recipe), lock->participants.size())
                 : "";
        const std::size_t rest = trace::columnsOf(recipe + time);
        addTitle(' ' + pathCell(plain(m_state.place.lock, kPathBytes),
                                m_width > rest + 1 ? m_width - rest - 1 : 0),
                 recipe + time);
        if (!lock)
            add("  This lock is no longer listed.");
        addVerdict(lock, isLarge() ? 5 : 1, true);
        if (lock && isLarge())
            for (const std::string& line :
                 wrapped(longWaitText(*lock), m_width > 4 ? m_width - 2 : m_width, 3))
                add("  " + line);
        const std::size_t client = std::min<std::size_t>(28 + (m_width > 80 ? (m_width - 80) / 2 : 0), 45);
        const std::size_t count = lock ? lock->participants.size() : 0;
        const std::size_t holds = lock ? lock->lastHolds.size() : 0;
        const std::size_t holdRows = std::max<std::size_t>(holds, 1);
        const std::size_t both = room(3); // two headings and a message
        const std::size_t forHolds =
            std::min(holdRows, both > count ? std::max(both - count, both / 3) : both / 3);
        const std::size_t shown = both - forHolds;
        const auto row = [client](const std::string& mark, const std::string& state, const std::string& who,
                                  const std::string& span, const std::string& silence,
                                  const std::string& node) {
            return mark + cell(state, 8) + ' ' + cell(who, client) + ' ' + cell(span, 13, true) + ' ' +
                   cell(silence, 13, true) + "  " + node;
        };
        add(row("  ", "Queue", "Client", "For", "Silent for", "Node"), LineStyle::heading);
        if (count == 0 && shown > 0)
            add("  " + (lock ? holderText(*lock) : std::string()));
        const std::size_t chosen = lock ? nodeRow(m_state, *lock) : 0;
        const std::size_t first = firstShown(chosen, count, shown);
        const std::size_t nodeWidth = m_width > client + 41 ? m_width - client - 41 : 1;
        for (std::size_t i = first; i < std::min(count, first + shown); ++i) {
            const Participant& one = lock->participants[i];
            add(row(marks(i == chosen, one.foreign), stateText(one), whoText(one),
                    sinceText(one, m_state.snapshot->knownMs()), silenceText(one),
                    pathCell(plain(one.node, kPathBytes), nodeWidth)),
                i == chosen ? LineStyle::selected : LineStyle::plain);
        }
        const auto hold = [client](const std::string& began, const std::string& who,
                                   const std::string& waited, const std::string& held) {
            return "  " + cell(began, 8) + ' ' + cell(who, client) + ' ' + cell(waited, 13, true) + ' ' +
                   cell(held, 13, true);
        };
        add(hold("Began", "Last holders", "Had waited", "Held for"), LineStyle::heading);
        if (holds == 0)
            add("  No end of a hold has been seen.");
        for (std::size_t i = 0; i < std::min(holds, room(1)); ++i) {
            const field::EndedHold& one = lock->lastHolds[holds - 1 - i];
            add(hold(one.since.exact() ? clockText(one.since.latestMs) : "earlier",
                     one.client.empty() ? SessionNames()(one.session) : plain(one.client, kTextBytes),
                     one.waitedMs ? spanText(std::max<std::int64_t>(*one.waitedMs, 0)) : kNotKnown,
                     one.endedMs ? holdText(one.since, *one.endedMs) : kNotKnown));
        }
        addMessage();
    }

    void addHelp()
    {
        addTitle(" Keys", "");
        for (const char* line :
             {"", "Up Down PgUp PgDn Home End    another row (k j g G, too)",
              "Enter                         the queue of the lock, and who had it last",
              "Esc                           back to the list; there: no filter",
              "[                             to the blocker: the client that it waits for,",
              "                              in another lock if it holds this one",
              "]                             back from there",
              "/                             show those with this in path, holder or recipe",
              "s                             sort: stuck first, longest wait, path",
              "Ctrl+L                        draw it again",
              "?                             this page; any key leaves it",
              "q, Ctrl+C                     end", "",
              "!  a lock with a verdict.    Longest: the longest wait that is not over.",
              "≥  at least so long: its begin was not seen.",
              "Silent for: how long no server has heard from the session, of its timeout.",
              "Nothing here writes to the ensemble."})
            add(std::string(2, ' ') + line);
    }

    ScreenLine statusLine() const
    {
        const Snapshot& snapshot = *m_state.snapshot;
        const std::string why = snapshot.trouble ? ' ' + plain(snapshot.trouble->text(), kTextBytes) : "";
        if (snapshot.sinceMs == 0)
            return {" Connecting to " + plain(m_state.servers, 200) + '.' + why, LineStyle::warning};
        if (snapshot.noNewsSinceMs)
            return {fmt::format(" No news for {}: this is the state of {} UTC.{}",
                                spanText(std::max<std::int64_t>(snapshot.atMs - *snapshot.noNewsSinceMs, 0)),
                                clockText(*snapshot.noNewsSinceMs), why),
                    LineStyle::warning};
        if (!m_state.notice.empty())
            return {' ' + plain(m_state.notice, kTextBytes), LineStyle::heading};
        if (m_state.place.queue)
            return {" ? keys   q end   Esc list   [ blocker   ] back", LineStyle::title};
        const std::string filter = m_state.filter.empty() ? "" : ": " + plain(m_state.filter, kMostFilter);
        return {fmt::format(" ? keys   q end   Enter queue   / filter{}   s sort: {}   [ blocker", filter,
                            sortName(m_state.sort)),
                LineStyle::title};
    }

    const ScreenState& m_state;
    const std::size_t m_width, m_height;
    std::vector<ScreenLine> m_lines;
};

} // namespace

void showSnapshot(ScreenState& state, field::SnapshotPtr snapshot)
{
    state.row = currentRow(state);
    state.snapshot = std::move(snapshot);
}

bool press(ScreenState& state, const ScreenKey& key, const ScreenSize& size)
{
    state.notice.clear();
    state.message.clear();
    if (std::exchange(state.showsHelp, false))
        return true;
    if (state.typesFilter) {
        typeFilter(state, key);
        return true;
    }
    constexpr std::size_t kNotRows = 8;
    const std::size_t page = size.height > kNotRows + 1 ? size.height - kNotRows : 1;
    const std::size_t row = currentRow(state);
    switch (kindOf(key)) {
    case KeyKind::up:
        moveTo(state, row - std::min<std::size_t>(row, 1));
        break;
    case KeyKind::down:
        moveTo(state, row + 1);
        break;
    case KeyKind::pageUp:
        moveTo(state, row - std::min(row, page));
        break;
    case KeyKind::pageDown:
        moveTo(state, row + page);
        break;
    case KeyKind::home:
        moveTo(state, 0);
        break;
    case KeyKind::end:
        moveTo(state, ~std::size_t{0});
        break;
    case KeyKind::enter:
    case KeyKind::right:
        openQueue(state);
        break;
    case KeyKind::escape:
    case KeyKind::left:
    case KeyKind::backspace:
        closeQueue(state);
        break;
    case KeyKind::character:
        if (key.text == "q")
            return false;
        if (key.text == "?") {
            state.showsHelp = true;
        } else if (key.text == "/") {
            if (state.place.queue)
                closeQueue(state);
            state.typesFilter = true;
        } else if (key.text == "s" && !state.place.queue) {
            state.sort = static_cast<ScreenState::Sort>((static_cast<int>(state.sort) + 1) % 3);
        } else if (key.text == "[") {
            goToBlocker(state);
        } else if (key.text == "]") {
            goBack(state);
        }
        break;
    }
    return true;
}

std::vector<ScreenLine> screenLines(const ScreenState& state, const ScreenSize& size)
{
    return Page(state, size).lines();
}

} // namespace lockscope::app
