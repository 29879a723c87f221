// lockscope-cli free: shows a node and what deleting it takes, asks, and deletes that node and no other.
#include "app/lockscope_cli/end_signals.h"
#include "app/lockscope_cli/field_command.h"
#include "app/lockscope_cli/field_report.h"
#include "app/lockscope_cli/text_output.h"

#include "core/base/exit_code.h"
#include "core/base/numbers.h"
#include "core/base/output_file.h"
#include "core/engine/free_node.h"

#include <fmt/core.h>

#include <array>
#include <string>
#include <utility>

namespace lockscope::app {

namespace {

constexpr int kNothingDeleted = 1;

int say(const std::string& text, int code)
{
    const Result<void> written = writeText("The answer cannot be written to", kStandardOutput, text);
    return written ? code : failed(written.error());
}

// The first line on standard input; what came until its end or an interrupt.
std::string answerOf(int signals)
{
    std::string line;
    for (;;) {
        std::array<pollfd, 2> asked{{{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}}};
        char c = 0;
        if (::poll(asked.data(), asked.size(), -1) < 0 || asked[1].revents != 0 ||
            ::read(STDIN_FILENO, &c, 1) != 1 || c == '\n')
            return line;
        line += c;
    }
}

zk::ConnectOptions connectOptions(const field::WatchOptions& reading)
{
    zk::ConnectOptions options;
    options.hosts = reading.hosts + reading.chroot;
    options.security = reading.security;
    for (const zk::wire::WireCredential& one : reading.credentials)
        options.credentials.push_back({one.scheme, [text = one.text] { return Result<std::string>(text); }});
    return options;
}

std::string outcomeText(const engine::FreedNode& freed, const FreeOffer& shown)
{
    using Kind = engine::FreedNode::Kind;
    const std::string node = shown.path + ", czxid " + hexText(shown.czxid);
    switch (freed.kind) {
    case Kind::deleted:
        return freed.proven
                   ? "Deleted: " + node + ".\n"
                   : "Deleted: " + shown.path + ". That it was the node with czxid " + hexText(shown.czxid) +
                         " is likely, but not proven: its folder was gone, made anew or not read "
                         "right afterwards.\n";
    case Kind::gone:
        return "Nothing was deleted: it is gone already.\n";
    case Kind::another:
        return fmt::format(
            "Nothing was deleted: another node has that name now, czxid {}{}. Ask again to see it.\n",
            hexText(freed.now.czxid),
            freed.now.ephemeralOwner.valid() ? ", of session " + hexText(freed.now.ephemeralOwner) : "");
    case Kind::notKnown:
        break;
    }
    return "The connection was lost before the answer: whether it was deleted is not known. Ask again.\n";
}

// Who holds the lock now.
std::string after(field::WatchOptions options, const FreeArguments& arguments, const std::string& lock,
                  int signals)
{
    options.paths = {lock};
    const Result<field::SnapshotPtr> now = readOnce(std::move(options), arguments, signals);
    return now ? "Now " + whoHolds(**now, lock).line : "Who holds it now was not read.\n";
}

} // namespace

int runFree(const FreeArguments& arguments)
{
    const int signals = openEndSignals();
    const std::string& path = arguments.paths.front();
    Result<field::WatchOptions> options = readingOptions(arguments, signals);
    if (!options)
        return failed(options.error());
    Result<field::SnapshotPtr> snapshot = readOnce(*options, arguments, signals);
    if (!snapshot)
        return failed(snapshot.error());
    // What else the session holds is looked for among the neighbours of the lock; of a lock below the root,
    // in the lock alone, since everything is below the root.
    const std::string lock = lockFolderOf(**snapshot, path);
    std::string around(queue::parentOf(lock));
    if (around.empty())
        around = lock == "/" ? path : lock;
    options->paths = {path};
    if (around != path)
        options->paths.push_back(around);
    if (options->paths.size() > 1)
        snapshot = readOnce(*options, arguments, signals);
    if (!snapshot)
        return failed(snapshot.error());
    if ((*snapshot)->readOnly)
        return failed({ErrorCode::noServer,
                       "No quorum: a read-only server has answered, which deletes nothing.",
                       "Wait until the ensemble has a leader."});
    const FreeOffer offer = offerToFree(**snapshot, path, around);
    if (offer.path.empty()) {
        const WhoAnswer::Kind kind = whoHolds(**snapshot, path).kind;
        return say(offer.text + "Nothing was deleted.\n",
                   kind == WhoAnswer::Kind::notPermitted ? kNotPermitted
                   : kind == WhoAnswer::Kind::notKnown   ? exitCode(ErrorCode::noServer)
                                                         : kNothingDeleted);
    }
    std::string shown = offer.text;
    if (arguments.yes && *arguments.yes != offer.czxid)
        return say(shown + "Nothing was deleted: its czxid is not " + hexText(*arguments.yes) + ".\n",
                   kNothingDeleted);
    if (!arguments.yes) {
        if (const int code = say(shown + "Delete this node? \"yes\" deletes it, anything else does not: ", 0))
            return code;
        shown.clear();
        if (const std::string answer = answerOf(signals); answer != "yes" && answer != "yes\r")
            return say("Nothing was deleted.\n", kNothingDeleted);
    }
    const Result<engine::FreedNode> freed = engine::freeNode(
        connectOptions(*options), offer.path, offer.czxid, [signals] { return takeEndSignal(signals, 0); });
    if (!freed) {
        const int code = say(shown, 0);
        return code != 0 ? code : failed(freed.error());
    }
    shown += outcomeText(*freed, offer);
    if (freed->kind == engine::FreedNode::Kind::deleted)
        shown += after(*options, arguments, offer.lock, signals);
    return say(shown, freed->kind == engine::FreedNode::Kind::deleted    ? 0
                      : freed->kind == engine::FreedNode::Kind::notKnown ? exitCode(ErrorCode::noServer)
                                                                         : kNothingDeleted);
}

} // namespace lockscope::app
