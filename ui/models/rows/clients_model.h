// The clients, one row each, without those that left. Follows the run by precise row changes, once a frame.
// GUI thread.
#pragma once

#include "ui/models/rows/rows_model.h"
#include "ui/models/run/run_model.h"
#include "ui/models/run/short_names.h"
#include "ui/models/run/shown_time.h"
#include "ui/texts/client_status.h"

#include <optional>

namespace lockscope::ui {

struct ClientItem
{
    replay::ClientRow client;
    std::optional<QueuePlace> place; // of its node in the queue
    ClientId key() const { return client.id; }
    bool operator==(const ClientItem& other) const;
};

class ClientsModel : public RowsModel<QAbstractListModel, ClientItem>
{
    Q_OBJECT
public:
    enum class Order {
        asAdded,
        byPlace
    }; // byPlace: holders, then the queue in its order, then clients without a node
    explicit ClientsModel(RunModel* run, QObject* parent = nullptr);
    void setOrder(Order order);

    QVariant data(const QModelIndex& index, int role) const override;
    QString name(int row) const;
    QString shownName(int row) const; // with shorter variants behind kVariantSeparator
    TonedText status(int row) const;
    TonedText detail(int row) const;
    // The most important text where there is no room for status and detail, with shorter variants behind
    // kVariantSeparator.
    QString brief(int row) const;
    int rowOf(ClientId client) const; // -1: not shown

private:
    void refresh() override;
    void tickTimes();
    RunModel* m_run;
    Order m_order = Order::asAdded;
    ShortNames m_names;
    ShownTime m_time;
};

} // namespace lockscope::ui
