// What was measured: flat, so that it is a table for people and JSON for programs. Values; one thread.
#pragma once

#include "core/base/time.h"

#include <optional>
#include <string>
#include <vector>

namespace lockscope::bench {

struct Measurement
{
    std::string measure;    // "handoff_p50_us"
    std::string contestant; // "announced"
    int clients = 1;
    double holdMs = 0;
    double value = 0;
};

class Results
{
public:
    void add(Measurement measurement) { m_all.push_back(std::move(measurement)); }
    // Left out, and why.
    void skip(std::string text) { m_skipped.push_back(std::move(text)); }
    std::optional<double> find(const std::string& measure, const std::string& contestant, int clients = 1,
                               double holdMs = 0) const;

    // Markdown: the ratios with the budgets beside them.
    std::string table() const;
    std::string json() const;

private:
    std::string uncontendedTable() const;
    std::string handoffTable() const;
    std::string threadsTable() const;
    std::string electionTable() const;
    std::string requestsTable() const;
    std::string sizeTable() const;
    std::string growth(const std::string& name, int clients, double peakMb) const;
    std::string tracingTable() const;
    std::string handoffCell(const std::string& contestant, int clients, double holdMs) const;

    std::vector<Measurement> m_all;
    std::vector<std::string> m_skipped;
};

double median(std::vector<double> values);                       // the upper one of two; 0 of none
double percentile(std::vector<Duration> values, double percent); // microseconds

} // namespace lockscope::bench
