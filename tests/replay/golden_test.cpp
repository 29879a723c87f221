// Pinned fingerprints: the same seed gives the same run, and the same run the same state, on every machine.
// When a rule changes on purpose, the text in the failure is what the new one says.
#include "tests/replay/replayed.h"
#include "tests/support/sample_run.h"
#include "tests/support/state_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <regex>
#include <string>

namespace lockscope::tests {
namespace {

// FNV-1a, 64 bits.
std::uint64_t fingerprint(std::string_view text)
{
    std::uint64_t hash = 14'695'981'039'346'656'037u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211u;
    return hash;
}

// The findings by name, outcome and count: their sentences may be edited.
std::string withoutSentences(const std::string& text)
{
    static const std::regex sentence("((?:^|\n)(?:one_holder|order_kept|no_[a-z_]+|tokens_increase|belief_"
                                     "matches_server) [^:\n]*): [^\n]*");
    return std::regex_replace(text, sentence, "$1");
}

std::string everyHundredthState(const SampleOptions& options)
{
    const auto store = sampleRun(options);
    replay::RunState state;
    std::string text;
    for (std::size_t i = 0; i < store->count(); ++i) {
        replay::apply(state, *store, i);
        if (i % 100 == 0 || i + 1 == store->count())
            text += withoutSentences(stateText(state));
    }
    return text;
}

TEST(Golden, AnOrderlyRun)
{
    SampleOptions options;
    options.seed = 42;
    const std::string text = everyHundredthState(options);
    EXPECT_EQ(fingerprint(text), 17'937'117'434'569'004'110u) << text.substr(text.size() - 1500);
}

TEST(Golden, ARunWithEveryWhatIf)
{
    SampleOptions options;
    options.seed = 42;
    options.clients = 8;
    options.handoff = SampleHandoff::announced;
    options.killHolderAtGrant = 10;
    options.killWaiterAtGrant = 20;
    options.suspendWaiterAtGrant = 30;
    options.foreignAtGrant = 40;
    options.freezeHolderAtGrant = 50;
    const std::string text = everyHundredthState(options);
    EXPECT_EQ(fingerprint(text), 4'302'098'763'072'266'971u) << text.substr(text.size() - 1500);
}

} // namespace
} // namespace lockscope::tests
