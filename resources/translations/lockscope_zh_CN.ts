<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AlgorithmLines</name>
    <message>
        <source>we hold it</source>
        <translation>由本客户端持有</translation>
    </message>
    <message>
        <source>just deleted</source>
        <translation>刚被删除</translation>
    </message>
    <message>
        <source>no list</source>
        <translation>没有列表</translation>
    </message>
    <message>
        <source>the watch stays</source>
        <translation>监视仍保留</translation>
    </message>
    <message>
        <source>all are woken</source>
        <translation>所有客户端都被唤醒</translation>
    </message>
    <message>
        <source>one at a time</source>
        <translation>一次一个</translation>
    </message>
    <message>
        <source>nobody is kept out</source>
        <translation>谁也不会被挡住</translation>
    </message>
</context>
<context>
    <name>AttachTarget</name>
    <message>
        <source>%1 at %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>The address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Address %1</source>
        <translation>地址 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, &quot;%2&quot;: %3</source>
        <translation>%1“%2”：%3</translation>
    </message>
    <message>
        <source>it is empty; enter HOST:PORT, for example 127.0.0.1:2181.</source>
        <translation>没有内容；请写成 HOST:PORT，例如 127.0.0.1:2181。</translation>
    </message>
    <message>
        <source>the port is missing; enter HOST:PORT, for example 127.0.0.1:2181.</source>
        <translation>缺少端口；请写成 HOST:PORT，例如 127.0.0.1:2181。</translation>
    </message>
    <message>
        <source>the host is missing; enter HOST:PORT, for example 127.0.0.1:2181.</source>
        <translation>缺少主机；请写成 HOST:PORT，例如 127.0.0.1:2181。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a host name; use only letters, digits, dots and hyphens.</source>
        <translation>“%1”不是主机名；只能使用字母、数字、点和连字符。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a port; use a number from 1 to 65535.</source>
        <translation>“%1”不是端口；请使用 1 到 65535 的数。</translation>
    </message>
    <message>
        <source>an IPv6 address must be in brackets, for example [::1]:2181.</source>
        <translation>IPv6 地址应写在方括号中，例如 [::1]:2181。</translation>
    </message>
    <message>
        <source>The path is missing: enter that of the lock, for example /locks/orders.</source>
        <translation>缺少路径：请输入锁的路径，例如 /locks/orders。</translation>
    </message>
</context>
<context>
    <name>ChainItems</name>
    <message>
        <source>%1
All waiters watch the list of its children, and each change wakes them all.</source>
        <translation>%1
所有等待者都监视它的子节点列表：每次变化唤醒全部。</translation>
    </message>
    <message>
        <source>%1
deleted</source>
        <translation>%1
已删除</translation>
    </message>
    <message>
        <source>%1 · %2
has no node of its own: it watches the node that all waiters watch</source>
        <translation>%1 · %2
没有自己的节点：它监视所有等待者都监视的那一个</translation>
    </message>
    <message>
        <source>%1 watches a node outside of the queue</source>
        <translation>%1 监视队列之外的一个节点</translation>
    </message>
    <message>
        <source>%1 wakes %2</source>
        <translation>%1 唤醒 %2</translation>
    </message>
    <message>
        <source>%1 watches %2</source>
        <translation>%1 监视 %2</translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message>
        <source>handoffs</source>
        <extracomment>what the height of a bar means: how many handoffs took so long</extracomment>
        <translation>交接次数</translation>
    </message>
    <message>
        <source>%1 handoffs, the slowest took %2</source>
        <translation>%1 次交接，最慢的用了 %2</translation>
    </message>
    <message>
        <source>No handoff yet: the chart fills as the lock passes from one client to the next.</source>
        <translation>还没有交接：锁从一个客户端传到下一个时，图表才有内容。</translation>
    </message>
    <message>
        <source>No node yet: the chart fills as clients ask for the lock.</source>
        <translation>还没有节点：客户端请求锁时，图表才有内容。</translation>
    </message>
    <message>
        <source>No wake-up yet: the chart fills as watched nodes are deleted.</source>
        <translation>尚无唤醒：被监视的节点被删除时，图表才有内容。</translation>
    </message>
    <message>
        <source>No acquisition yet: the chart fills as clients get the lock.</source>
        <translation>还没有获取：客户端得到锁时，图表才有内容。</translation>
    </message>
    <message>
        <source>fairness (Jain) %1 · %2 to %3 each</source>
        <translation>公平性（Jain）%1 · 每个客户端 %2 至 %3 次</translation>
    </message>
    <message>
        <source>equal share %1</source>
        <translation>平均份额 %1</translation>
    </message>
    <message>
        <source>nodes in the queue</source>
        <translation>队列中的节点数</translation>
    </message>
    <message>
        <source>average</source>
        <extracomment>name of a curve: the mean length of the queue</extracomment>
        <translation>平均</translation>
    </message>
    <message>
        <source>longest</source>
        <extracomment>name of a curve: the greatest length of the queue</extracomment>
        <translation>最大</translation>
    </message>
    <message>
        <source>The highest column is %1 and goes beyond the axis.</source>
        <translation>最高的一列是 %1，超出了坐标轴。</translation>
    </message>
    <message>
        <source>beyond one</source>
        <translation>超过一个的部分</translation>
    </message>
    <message>
        <source>%1 woken per release</source>
        <translation>每次释放唤醒 %1 个</translation>
    </message>
    <message>
        <source>no handoff</source>
        <translation>没有交接</translation>
    </message>
    <message>
        <source>%1 handoffs: p50 %2, p95 %3, p99 %4</source>
        <translation>%1 次交接：p50 %2，p95 %3，p99 %4</translation>
    </message>
    <message>
        <source>%1 nodes on average, %2 at most</source>
        <translation>平均 %1 个节点，最多 %2 个</translation>
    </message>
    <message>
        <source>%1 to %2 s</source>
        <translation>%1 至 %2 s</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 (log)</source>
        <translation>%1（对数）</translation>
    </message>
    <message>
        <source>%1 of them took longer than %2: the bar at the right</source>
        <translation>其中 %1 次超过 %2：右边单独的一条</translation>
    </message>
    <message>
        <source>%1 of %2 clients had it so far</source>
        <translation>%2 个客户端中已有 %1 个得到过</translation>
    </message>
    <message>
        <source>fairness (Jain) %1 · %2 each</source>
        <translation>公平性（Jain）%1 · 每个客户端 %2 次</translation>
    </message>
    <message>
        <source>acquisitions</source>
        <extracomment>what the height of a bar means: how often a client got the lock</extracomment>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>clients, most acquisitions first</source>
        <translation>客户端，获取次数多的在前</translation>
    </message>
    <message>
        <source>p50 of all so far</source>
        <translation>至今全部的 p50</translation>
    </message>
    <message>
        <source>one handoff</source>
        <translation>一次交接</translation>
    </message>
    <message>
        <source>Counts all requests of a successful acquisition, from the acquire call to the end of the release, including retries.</source>
        <translation>计入每次成功获取所发送的全部请求：从调用获取到释放结束，包括重试。</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>p50 %1 · p99 %2 · max %3</source>
        <translation>p50 %1 · p99 %2 · 最大 %3</translation>
    </message>
    <message>
        <source>slices of %1</source>
        <translation>每段 %1</translation>
    </message>
    <message>
        <source>%1 handoffs: p50 %2, slowest %3</source>
        <translation>%1 次交接：p50 %2，最慢 %3</translation>
    </message>
    <message>
        <source>one handoff, which took %1</source>
        <translation>一次交接，用了 %1</translation>
    </message>
    <message>
        <source>clients woken</source>
        <translation>唤醒的客户端数</translation>
    </message>
    <message>
        <source>p50 %1 · max %2</source>
        <translation>p50 %1 · 最大 %2</translation>
    </message>
    <message>
        <source>%1 on average</source>
        <translation>平均 %1 个</translation>
    </message>
    <message>
        <source>%1 on average so far</source>
        <translation>至今平均 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 so far</source>
        <translation>至今 %1/%2</translation>
    </message>
    <message>
        <source>fairness %1</source>
        <translation>公平性 %1</translation>
    </message>
    <message>
        <source>p50 %1</source>
        <translation>p50 %1</translation>
    </message>
    <message>
        <source>p50 %1 · p99 %2</source>
        <translation>p50 %1 · p99 %2</translation>
    </message>
    <message>
        <source>max</source>
        <extracomment>name of a curve: the largest value</extracomment>
        <translation>最大</translation>
    </message>
    <message>
        <source>p95 and p99 are not meaningful for a slice of time with fewer than %1 handoffs: only its p50 and its slowest handoff are drawn.</source>
        <translation>一段时间内的交接少于 %1 次时，p95 和 p99 没有意义：只画出 p50 和最慢的一次交接。</translation>
    </message>
    <message>
        <source>p95 and p99 are not meaningful with fewer than %1 handoffs in a slice of time: each handoff is drawn as a dot.</source>
        <translation>一段时间内的交接少于 %1 次时，p95 和 p99 没有意义：每次交接画成一个点。</translation>
    </message>
    <message>
        <source>requests</source>
        <extracomment>what the height of a curve means: requests for one acquisition</extracomment>
        <translation>请求数</translation>
    </message>
    <message>
        <source>minimum %1, median %2, maximum %3</source>
        <translation>最小 %1，中位数 %2，最大 %3</translation>
    </message>
    <message>
        <source>Click to go to a moment; the Left and Right keys move by one slice.</source>
        <translation>单击可转到某一时刻；左右方向键移动一个时间段。</translation>
    </message>
    <message>
        <source>Click a bar to read it; the Left and Right keys move from bar to bar.</source>
        <translation>单击一个柱可读数；左右方向键在柱之间移动。</translation>
    </message>
    <message>
        <source>Click a bar to select its client; the Left and Right keys move from one to the next.</source>
        <translation>单击一个柱可选择其客户端；左右方向键逐个移动。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>from the release to the next hold, in steps of %1</source>
        <translation>从释放到下一次持有，每格 %1</translation>
    </message>
    <message>
        <source>steps of %1</source>
        <translation>每格 %1</translation>
    </message>
    <message>
        <source>longer than %1</source>
        <translation>长于 %1</translation>
    </message>
    <message>
        <source>time, in slices of %1</source>
        <translation>时间，每段 %1</translation>
    </message>
    <message>
        <source>time, a dot for each handoff</source>
        <translation>时间，每次交接一个点</translation>
    </message>
    <message>
        <source>a dot for each handoff</source>
        <translation>每次交接一个点</translation>
    </message>
    <message>
        <source>time, in slices of %1 · p95 and p99 only from %2 handoffs in a slice</source>
        <translation>时间，每段 %1 · 一段内至少 %2 次交接才有 p95 和 p99</translation>
    </message>
    <message>
        <source>slices of %1 · p95, p99 from %2 handoffs</source>
        <translation>每段 %1 · 至少 %2 次交接才有 p95、p99</translation>
    </message>
    <message>
        <source>first woken</source>
        <translation>第一个被唤醒的</translation>
    </message>
    <message>
        <source>one per release</source>
        <translation>每次释放一个</translation>
    </message>
    <message>
        <source>Jain&apos;s index is 1 when all clients acquired the lock equally often. It is shown as soon as there are as many acquisitions as clients.</source>
        <translation>所有客户端得到锁的次数相同时，Jain 指数为 1；获取次数达到客户端数以后才显示。</translation>
    </message>
    <message>
        <source>Watch-only run: on the server, the next client in line holds the lock as soon as the node ahead of it is deleted. When the client notices that is unknown.</source>
        <translation>仅观察：在服务器上，前面的节点一被删除，队列中的下一个客户端就持有锁；该客户端何时察觉，无从得知。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln acquisitions</source>
        <translation>
            <numerusform>%Ln 次获取</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln handoffs</source>
        <translation>
            <numerusform>%Ln 次交接</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <extracomment>&quot;3 clients woken&quot; by &quot;2 deleted nodes&quot;</extracomment>
        <translation>%2唤醒%1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients woken</source>
        <translation>
            <numerusform>%Ln 个客户端</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln deleted nodes</source>
        <translation>
            <numerusform>%Ln 个被删除的节点</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <extracomment>&quot;12 requests&quot; for &quot;3 acquisitions&quot;</extracomment>
        <translation>%2，共 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln requests</source>
        <translation>
            <numerusform>%Ln 个请求</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes now, %1 at most</source>
        <translation>
            <numerusform>现在 %Ln 个节点，最多 %1 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes now</source>
        <translation>
            <numerusform>现在 %Ln 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>beyond the axis: %1</source>
        <extracomment>in the legend: how high the columns are that are cut off at the top</extracomment>
        <translation>超出坐标轴：%1</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>kill the session of %1</source>
        <translation>终止 %1 的会话</translation>
    </message>
    <message>
        <source>kill a session</source>
        <translation>终止会话</translation>
    </message>
    <message>
        <source>kill the session of the holder, %1</source>
        <translation>终止持有者 %1 的会话</translation>
    </message>
    <message>
        <source>kill the session of the holder</source>
        <translation>终止持有者的会话</translation>
    </message>
    <message>
        <source>close the session of %1</source>
        <translation>关闭 %1 的会话</translation>
    </message>
    <message>
        <source>close a session</source>
        <translation>关闭会话</translation>
    </message>
    <message>
        <source>freeze %1</source>
        <translation>冻结 %1</translation>
    </message>
    <message>
        <source>freeze a client</source>
        <translation>冻结客户端</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>remove a client</source>
        <translation>移除客户端</translation>
    </message>
    <message>
        <source>reconnect %1 with a new session</source>
        <translation>让 %1 以新会话重新连接</translation>
    </message>
    <message>
        <source>reconnect a client with a new session</source>
        <translation>让客户端以新会话重新连接</translation>
    </message>
    <message>
        <source>add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>add a client</source>
        <translation>添加客户端</translation>
    </message>
    <message>
        <source>pause the run</source>
        <translation>暂停运行</translation>
    </message>
    <message>
        <source>resume the run</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>change the pace</source>
        <translation>更改每步延时</translation>
    </message>
    <message>
        <source>delete the node of %1</source>
        <translation>删除 %1 的节点</translation>
    </message>
    <message>
        <source>delete a node</source>
        <translation>删除节点</translation>
    </message>
    <message>
        <source>write to the node of %1</source>
        <translation>写入 %1 的节点</translation>
    </message>
    <message>
        <source>write to a node</source>
        <translation>写入节点</translation>
    </message>
    <message>
        <source>ask %1 to release the lock</source>
        <translation>请求 %1 让出锁</translation>
    </message>
    <message>
        <source>ask the holder to release the lock</source>
        <translation>请求持有者让出锁</translation>
    </message>
    <message>
        <source>remove the lock&apos;s container</source>
        <translation>移除锁的容器节点</translation>
    </message>
    <message>
        <source>set the number of leases</source>
        <translation>设置租约数</translation>
    </message>
    <message>
        <source>pause ZooKeeper for a time</source>
        <translation>暂停 ZooKeeper 一段时间</translation>
    </message>
    <message>
        <source>let ZooKeeper continue</source>
        <translation>让 ZooKeeper 继续</translation>
    </message>
    <message>
        <source>kill ZooKeeper</source>
        <translation>终止 ZooKeeper</translation>
    </message>
    <message>
        <source>restart ZooKeeper</source>
        <translation>重启 ZooKeeper</translation>
    </message>
    <message>
        <source>limit the bandwidth of %1</source>
        <translation>限制 %1 的带宽</translation>
    </message>
    <message>
        <source>limit the bandwidth of a client</source>
        <translation>限制客户端的带宽</translation>
    </message>
    <message>
        <source>reset the connection of %1</source>
        <translation>重置 %1 的连接</translation>
    </message>
    <message>
        <source>reset a connection</source>
        <translation>重置连接</translation>
    </message>
    <message>
        <source>leave the connection of %1 half-open</source>
        <translation>使 %1 的连接半开</translation>
    </message>
    <message>
        <source>leave a connection half-open</source>
        <translation>使连接半开</translation>
    </message>
    <message>
        <source>lose a reply to %1</source>
        <translation>丢失给 %1 的回复</translation>
    </message>
    <message>
        <source>lose a reply</source>
        <translation>丢失回复</translation>
    </message>
    <message>
        <source>stop %1 before a step</source>
        <translation>让 %1 停在一步之前</translation>
    </message>
    <message>
        <source>stop the clients before a step</source>
        <translation>让客户端停在一步之前</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>让 %1 走一步</translation>
    </message>
    <message>
        <source>step a client</source>
        <translation>让客户端走一步</translation>
    </message>
    <message>
        <source>let %1 continue</source>
        <translation>让 %1 继续</translation>
    </message>
    <message>
        <source>let the clients continue</source>
        <translation>让客户端继续</translation>
    </message>
    <message>
        <source>finish the run</source>
        <translation>结束运行</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>create a node of %1</source>
        <translation>创建 %1 的节点</translation>
    </message>
    <message>
        <source>create a node</source>
        <translation>创建节点</translation>
    </message>
    <message>
        <source>node of %1 deleted by another session</source>
        <translation>%1 的节点被另一会话删除</translation>
    </message>
    <message>
        <source>node deleted by another session</source>
        <translation>节点被另一会话删除</translation>
    </message>
    <message>
        <source>set the data of the node of %1</source>
        <translation>设置 %1 的节点的数据</translation>
    </message>
    <message>
        <source>set the data of a node</source>
        <translation>设置节点的数据</translation>
    </message>
    <message>
        <source>session of %1 closed by its client</source>
        <translation>%1 的会话由其客户端关闭</translation>
    </message>
    <message>
        <source>session closed by its client</source>
        <translation>会话由其客户端关闭</translation>
    </message>
    <message>
        <source>session of %1 expired</source>
        <translation>%1 的会话已过期</translation>
    </message>
    <message>
        <source>session expired</source>
        <translation>会话过期</translation>
    </message>
    <message>
        <source>entries before this are unconfirmed: the leader changed</source>
        <translation>此前的部分未经确认：之后换了领导者</translation>
    </message>
    <message>
        <source>the leader&apos;s clock went back</source>
        <translation>领导者的时钟被调回</translation>
    </message>
    <message>
        <source>killed %1&apos;s session</source>
        <translation>终止了 %1 的会话</translation>
    </message>
    <message>
        <source>killed the holder&apos;s session: %1</source>
        <translation>终止了持有者的会话：%1</translation>
    </message>
    <message>
        <source>killed the holder&apos;s session</source>
        <translation>终止了持有者的会话</translation>
    </message>
    <message>
        <source>froze %1</source>
        <translation>冻结了 %1</translation>
    </message>
    <message>
        <source>asked %1 to leave</source>
        <translation>请 %1 离开</translation>
    </message>
    <message>
        <source>asked a client to leave</source>
        <translation>请一个客户端离开</translation>
    </message>
    <message>
        <source>added %1</source>
        <translation>添加了 %1</translation>
    </message>
    <message>
        <source>added a client</source>
        <translation>添加了一个客户端</translation>
    </message>
    <message>
        <source>thaw %1</source>
        <translation>解冻 %1</translation>
    </message>
    <message>
        <source>thaw a client</source>
        <translation>解冻客户端</translation>
    </message>
    <message>
        <source>thawed %1</source>
        <translation>解冻了 %1</translation>
    </message>
    <message>
        <source>cut the connection of %1</source>
        <translation>切断 %1 的连接</translation>
    </message>
    <message>
        <source>cut a connection</source>
        <translation>切断连接</translation>
    </message>
    <message>
        <source>slow down the connection of %1</source>
        <translation>减慢 %1 的连接</translation>
    </message>
    <message>
        <source>slow down a connection</source>
        <translation>减慢连接</translation>
    </message>
    <message>
        <source>block the connection of %1 in one direction</source>
        <translation>单向阻断 %1 的连接</translation>
    </message>
    <message>
        <source>block a connection in one direction</source>
        <translation>单向阻断连接</translation>
    </message>
    <message>
        <source>restore the connection of %1</source>
        <translation>恢复 %1 的连接</translation>
    </message>
    <message>
        <source>restore a connection</source>
        <translation>恢复连接</translation>
    </message>
    <message>
        <source>folder of the lock deleted by a session</source>
        <translation>锁的文件夹被一个会话删除</translation>
    </message>
    <message>
        <source>gap in the log or the trace</source>
        <translation>日志或跟踪记录中有缺口</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>The queue of %1: %2</source>
        <translation>%1 的队列：%2</translation>
    </message>
    <message>
        <source>The handoff timeline of %1</source>
        <translation>%1 的交接时间线</translation>
    </message>
    <message>
        <source>Verdict</source>
        <extracomment>heading of the table that compares two runs</extracomment>
        <translation>结论</translation>
    </message>
    <message>
        <source>Findings of %1</source>
        <translation>%1 的检查项</translation>
    </message>
    <message>
        <source>holds</source>
        <extracomment>of a finding: it is kept</extracomment>
        <translation>成立</translation>
    </message>
    <message>
        <source>VIOLATED</source>
        <extracomment>of a finding: it is not kept</extracomment>
        <translation>已违反</translation>
    </message>
    <message>
        <source>LockScope: %1 and %2</source>
        <translation>LockScope：%1 与 %2</translation>
    </message>
    <message>
        <source>left compared with right</source>
        <translation>左与右相比</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>Controls</name>
    <message>
        <source>At least</source>
        <translation>至少</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>至多</translation>
    </message>
    <message>
        <source>to</source>
        <extracomment>between two numbers: &quot;1 to 3&quot;</extracomment>
        <translation>到</translation>
    </message>
    <message>
        <source>Amount</source>
        <extracomment>name of a field: the number or the time that belongs to a choice: &quot;one after the other, every 20ms&quot;</extracomment>
        <translation>数量或时间</translation>
    </message>
    <message>
        <source>always</source>
        <extracomment>a choice for how a time is drawn: always the same time</extracomment>
        <translation>固定</translation>
    </message>
    <message>
        <source>between</source>
        <extracomment>a choice for how a time is drawn: &quot;between 20ms and 100ms&quot;, uniformly</extracomment>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>exponential, mean</source>
        <translation>指数分布，均值</translation>
    </message>
    <message>
        <source>Distribution</source>
        <extracomment>name of a field: how a time is drawn</extracomment>
        <translation>分布</translation>
    </message>
    <message>
        <source>20ms</source>
        <translation>20ms</translation>
    </message>
    <message>
        <source>Time, or minimum</source>
        <translation>时间，或最小值</translation>
    </message>
    <message>
        <source>and</source>
        <extracomment>between two times: &quot;between 20ms and 100ms&quot;</extracomment>
        <translation>到</translation>
    </message>
    <message>
        <source>100ms</source>
        <translation>100ms</translation>
    </message>
    <message>
        <source>Maximum</source>
        <extracomment>name of a field: the greatest time that may be drawn</extracomment>
        <translation>最大值</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>%1 was granted the lock while %2 held it with a live node.</source>
        <translation>%1 被授予了锁，而 %2 正以存活的节点持有它。</translation>
    </message>
    <message>
        <source>%1 was granted a lease while %2 of %3 were out.</source>
        <translation>%1 被授予了租约，而 %3 个租约已发出 %2 个。</translation>
    </message>
    <message>
        <source>%1 was inside the protected section together with %2.</source>
        <translation>%1 与 %2 同时处于临界区内。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with %2 while %3 of %4 was still in front.</source>
        <translation>%1 凭%2被授予了锁，而 %4 的%3仍在前面。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with %2 while %3 was still in front.</source>
        <translation>%1 凭%2被授予了锁，而%3仍在前面。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with token %2, not above %3 of an earlier grant.</source>
        <translation>%1 被授予的锁令牌为 %2，不大于先前授予的 %3。</translation>
    </message>
    <message>
        <source>%1 believes that it holds the lock, but its %2 is gone; its token %3 was refused.</source>
        <translation>%1 以为自己持有锁，但其%2已不在；它的令牌 %3 被拒绝。</translation>
    </message>
    <message>
        <source>%1 believes that it holds the lock, but its %2 is gone.</source>
        <translation>%1 以为自己持有锁，但其%2已不在。</translation>
    </message>
    <message>
        <source>%1 believed it held for %2 after its %3 was gone; its token %4 was refused.</source>
        <translation>%1 在其%3消失后仍以为自己持有了 %2；它的令牌 %4 被拒绝。</translation>
    </message>
    <message>
        <source>%1 believed it held for %2 after its %3 was gone.</source>
        <translation>%1 在其%3消失后仍以为自己持有了 %2。</translation>
    </message>
    <message>
        <source>%1 was the %2 client woken by %3.</source>
        <translation>%1 是被%3唤醒的%2 个客户端。</translation>
    </message>
    <message>
        <source>%1 set a watch on %2, which is gone and never comes back: the server keeps the watch as long as the session.</source>
        <translation>%1 对%2设了监视，而它已消失且不会再出现：会话存在多久，服务器就保留这个监视多久。</translation>
    </message>
    <message>
        <source>%1 is done and never knew of %2, which blocks the queue until its session ends.</source>
        <translation>%1 已完成，却从不知道%2；在会话结束之前，该节点会一直阻塞队列。</translation>
    </message>
    <message>
        <source>%1 is done, but its %2 remains.</source>
        <translation>%1 已完成，但其%2仍然存在。</translation>
    </message>
    <message>
        <source>%1 of %2 remains at the end, and %3 does not know of it.</source>
        <translation>%2 的%1在结束时仍然存在，而 %3 并不知道它。</translation>
    </message>
    <message>
        <source>%1 still sleeps on %2, which is gone: its watch never fired.</source>
        <translation>%1 仍在%2上休眠，而它已消失：其监视从未触发。</translation>
    </message>
    <message>
        <source>ZooKeeper is being restarted with its data.</source>
        <translation>正在带着数据重新启动 ZooKeeper。</translation>
    </message>
    <message>
        <source>A reply was lost in transit, together with the connection.</source>
        <translation>一个回复在途中丢失，连接也随之断开。</translation>
    </message>
    <message>
        <source>%1 gave up after %2 tries of %3 each: the lock was busy.</source>
        <translation>%1 尝试了 %2 次，每次 %3：锁正忙，它不再等待。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; under %2 belongs to %3. It counts in the queue by its name, as for every Curator client: if it sorts first, all clients wait for it.</source>
        <translation>%2 下的“%1”属于%3。它和每个 Curator 客户端一样按名称计入队列：如果排在第一位，所有客户端都要等它。</translation>
    </message>
    <message>
        <source>The order of steps says &quot;%1&quot;, but %2 stands before %3. All clients are held from here on.</source>
        <translation>步骤顺序要求“%1”，但 %2 停在 %3 之前。从这里起所有客户端都停住。</translation>
    </message>
    <message>
        <source>No client holds the lock at this moment.</source>
        <translation>此刻无人持有锁。</translation>
    </message>
    <message>
        <source>No client waits at this moment.</source>
        <translation>此刻无人等待。</translation>
    </message>
    <message>
        <source>No client is stopped before a step at this moment.</source>
        <translation>此刻没有客户端停在步骤之前。</translation>
    </message>
    <message>
        <source>There is no client &quot;%1&quot; now.</source>
        <translation>现在没有客户端“%1”。</translation>
    </message>
    <message>
        <source>There never was a client &quot;%1&quot;.</source>
        <translation>从来没有过客户端“%1”。</translation>
    </message>
    <message>
        <source>There is no such client any more.</source>
        <translation>已没有这个客户端。</translation>
    </message>
    <message>
        <source>There are already %1 clients.</source>
        <translation>已有 %1 个客户端。</translation>
    </message>
    <message>
        <source>It has no node in the queue.</source>
        <translation>它在队列中没有节点。</translation>
    </message>
    <message>
        <source>Only a semaphore has leases.</source>
        <translation>只有信号量才有租约。</translation>
    </message>
    <message>
        <source>LockScope did not start this ZooKeeper and does not interfere with it.</source>
        <translation>这个 ZooKeeper 不是由 LockScope 启动的，因此 LockScope 不会动它。</translation>
    </message>
    <message>
        <source>The clients of this run are connected directly: set links = true in the scenario.</source>
        <translation>此运行的客户端是直接连接的：请在场景中设置 links = true。</translation>
    </message>
    <message>
        <source>%1 has no session yet.</source>
        <translation>%1 尚无会话。</translation>
    </message>
    <message>
        <source>%1 is already frozen.</source>
        <translation>%1 已经冻结。</translation>
    </message>
    <message>
        <source>%1 is not frozen.</source>
        <translation>%1 没有冻结。</translation>
    </message>
    <message>
        <source>%1 has not left the run.</source>
        <translation>%1 没有离开运行。</translation>
    </message>
    <message>
        <source>%1 is not stopped before a step.</source>
        <translation>%1 没有停在步骤之前。</translation>
    </message>
    <message>
        <source>%1 of %2 units were taken</source>
        <translation>%2 个单位中已取走 %1 个</translation>
    </message>
    <message>
        <source>this number was already used</source>
        <translation>此编号已被使用</translation>
    </message>
    <message>
        <source>a later number was already used</source>
        <translation>更晚的编号已被使用</translation>
    </message>
    <message>
        <source>node %1 going</source>
        <translation>节点 %1 消失</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>client %1</source>
        <translation>客户端 %1</translation>
    </message>
    <message>
        <source>one change of the list</source>
        <translation>列表的一次变化</translation>
    </message>
    <message>
        <source>second</source>
        <extracomment>a number, in &quot;ada was the second client woken&quot;</extracomment>
        <translation>第 2</translation>
    </message>
    <message>
        <source>%1st</source>
        <translation>第 %1</translation>
    </message>
    <message>
        <source>%1nd</source>
        <translation>第 %1</translation>
    </message>
    <message>
        <source>%1rd</source>
        <translation>第 %1</translation>
    </message>
    <message>
        <source>%1th</source>
        <translation>第 %1</translation>
    </message>
    <message>
        <source>session</source>
        <extracomment>a noun, in &quot;its session is gone&quot;</extracomment>
        <translation>会话</translation>
    </message>
    <message>
        <source>node</source>
        <extracomment>a noun, in &quot;its node is gone&quot;</extracomment>
        <translation>节点</translation>
    </message>
    <message>
        <source>itself</source>
        <extracomment>a client, in &quot;ada waits for itself on /lock&quot;</extracomment>
        <translation>自己</translation>
    </message>
    <message>
        <source>another program&apos;s client</source>
        <translation>另一个程序的客户端</translation>
    </message>
    <message>
        <source>no session</source>
        <translation>非会话（持久节点）</translation>
    </message>
    <message>
        <source>%1 holds %2 and waits for %3 on %4</source>
        <translation>%1 持有 %2，并在 %4 上等待 %3</translation>
    </message>
    <message>
        <source>%1 waits for %2 on %3</source>
        <translation>%1 在 %3 上等待 %2</translation>
    </message>
    <message>
        <source>and so on for %1 more</source>
        <translation>还有另外 %1 个，依此类推</translation>
    </message>
    <message>
        <source>The lock %1 was not free in time.</source>
        <translation>锁 %1 未能及时空出。</translation>
    </message>
    <message>
        <source>Waiting for the lock %1 was canceled.</source>
        <translation>等待锁 %1 的操作已取消。</translation>
    </message>
    <message>
        <source>The lock %1 was not acquired: the session is lost.</source>
        <translation>未获取锁 %1：会话已丢失。</translation>
    </message>
    <message>
        <source>The lock %1 was not acquired: it was destroyed.</source>
        <translation>未获取锁 %1：锁对象已销毁。</translation>
    </message>
    <message>
        <source>Waiting for the semaphore %1 was canceled.</source>
        <translation>等待信号量 %1 的操作已取消。</translation>
    </message>
    <message>
        <source>The semaphore %1 gave no lease: the session is lost.</source>
        <translation>信号量 %1 没有给出租约：会话已丢失。</translation>
    </message>
    <message>
        <source>The semaphore %1 gave no lease: it was destroyed.</source>
        <translation>信号量 %1 没有给出租约：对象已销毁。</translation>
    </message>
    <message>
        <source>the own node is missing from the queue</source>
        <translation>自己的节点不在队列中</translation>
    </message>
    <message>
        <source>one of its own leases is missing from the list</source>
        <translation>自己的一个租约不在列表中</translation>
    </message>
    <message>
        <source>the node in %1/locks is gone</source>
        <translation>%1/locks 中的节点已消失</translation>
    </message>
    <message>
        <source>the node found belongs to another session</source>
        <translation>找到的节点属于另一个会话</translation>
    </message>
    <message>
        <source>creating the node failed (%1)</source>
        <translation>创建节点失败（%1）</translation>
    </message>
    <message>
        <source>looking for the node failed (%1)</source>
        <translation>查找节点失败（%1）</translation>
    </message>
    <message>
        <source>listing the leases failed (%1)</source>
        <translation>列出租约失败（%1）</translation>
    </message>
    <message>
        <source>stock</source>
        <extracomment>what a client writes under the lock, in &quot;ada writes: stock 41&quot;: how many are left</extracomment>
        <translation>库存</translation>
    </message>
    <message>
        <source>order</source>
        <extracomment>what a client writes under the lock, in &quot;ada writes: order 00:02.150&quot;: an order number</extracomment>
        <translation>订单号</translation>
    </message>
    <message>
        <source>leader</source>
        <extracomment>what a server is among several</extracomment>
        <translation>领导者</translation>
    </message>
    <message>
        <source>follower</source>
        <extracomment>what a server is among several</extracomment>
        <translation>跟随者</translation>
    </message>
    <message>
        <source>standalone</source>
        <extracomment>what a server is: the only one</extracomment>
        <translation>独立运行</translation>
    </message>
    <message>
        <source>one_holder</source>
        <translation>同时只有一个持有者</translation>
    </message>
    <message>
        <source>order_kept</source>
        <translation>顺序得到保持</translation>
    </message>
    <message>
        <source>no_herd</source>
        <translation>没有羊群效应</translation>
    </message>
    <message>
        <source>no_orphan_node</source>
        <translation>没有孤儿节点</translation>
    </message>
    <message>
        <source>no_lost_wakeup</source>
        <translation>没有丢失的唤醒</translation>
    </message>
    <message>
        <source>tokens_increase</source>
        <translation>令牌递增</translation>
    </message>
    <message>
        <source>belief_matches_server</source>
        <translation>客户端的认知与服务器一致</translation>
    </message>
    <message>
        <source>no_deadlock</source>
        <translation>没有死锁</translation>
    </message>
    <message>
        <source>no_stray_watch</source>
        <translation>没有多余的监视</translation>
    </message>
    <message>
        <source>This server does not show its watches: add wchp to 4lw.commands.whitelist in its configuration.</source>
        <translation>这台服务器不显示它的监视：请在其配置中把 wchp 加入 4lw.commands.whitelist。</translation>
    </message>
    <message>
        <source>Install it with: %1.</source>
        <translation>安装命令：%1。</translation>
    </message>
    <message>
        <source>The private ZooKeeper does not run.</source>
        <translation>私有 ZooKeeper 没有运行。</translation>
    </message>
    <message>
        <source>No ZooKeeper answers at %1: %2</source>
        <translation>%1 处没有 ZooKeeper 应答：%2</translation>
    </message>
    <message>
        <source>Check the address, or omit --connect: LockScope then starts a ZooKeeper of its own.</source>
        <translation>请检查地址，或去掉 --connect：LockScope 会启动自己的 ZooKeeper。</translation>
    </message>
    <message>
        <source>There is no scenario &quot;%1&quot;.</source>
        <translation>没有名为“%1”的场景。</translation>
    </message>
    <message>
        <source>the end of the line</source>
        <translation>行尾</translation>
    </message>
    <message>
        <source>an empty line</source>
        <translation>空行</translation>
    </message>
    <message>
        <source>The lock path &quot;%1&quot; %2.</source>
        <translation>锁路径“%1”%2。</translation>
    </message>
    <message>
        <source>Expected something like /locks/well.</source>
        <translation>应为类似 /locks/well 的路径。</translation>
    </message>
    <message>
        <source>The number of locks of a multi-lock is %1.</source>
        <translation>多重锁中锁的数量为 %1。</translation>
    </message>
    <message>
        <source>The number of locks is %1.</source>
        <translation>锁的数量为 %1。</translation>
    </message>
    <message>
        <source>The number of re-entries is %1.</source>
        <translation>重入次数为 %1。</translation>
    </message>
    <message>
        <source>A think or hold time is %1.</source>
        <translation>思考或持有的时间是%1。</translation>
    </message>
    <message>
        <source>The number of tries is %1.</source>
        <translation>尝试次数为 %1。</translation>
    </message>
    <message>
        <source>The number of permits is %1.</source>
        <translation>租约数量为 %1。</translation>
    </message>
    <message>
        <source>A lock of the multi-lock is %1.</source>
        <translation>多重锁中的一把锁是%1。</translation>
    </message>
    <message>
        <source>A lock to take is %1.</source>
        <translation>要获取的锁是%1。</translation>
    </message>
    <message>
        <source>The client &quot;%1&quot; is defined twice.</source>
        <translation>客户端“%1”定义了两次。</translation>
    </message>
    <message>
        <source>The number of clients is %1.</source>
        <translation>客户端数量为 %1。</translation>
    </message>
    <message>
        <source>The number of servers is %1.</source>
        <translation>服务器数量为 %1。</translation>
    </message>
    <message>
        <source>The session timeout is out of range.</source>
        <translation>会话超时超出范围。</translation>
    </message>
    <message>
        <source>The pace is over a minute per step.</source>
        <translation>每步延时超过一分钟。</translation>
    </message>
    <message>
        <source>Expected a readable .toml file, or one of the built-in ones: %1.</source>
        <translation>应为可读取的 .toml 文件，或内置场景之一：%1。</translation>
    </message>
    <message>
        <source>Expected a scenario in TOML.</source>
        <translation>应为 TOML 格式的场景。</translation>
    </message>
    <message>
        <source>Expected %1.</source>
        <translation>应为%1。</translation>
    </message>
    <message>
        <source>%1 is larger than a megabyte.</source>
        <translation>%1 大于 1 MB。</translation>
    </message>
    <message>
        <source>A scenario is a short TOML file.</source>
        <translation>场景是一个简短的 TOML 文件。</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>Check the permissions.</source>
        <translation>请检查权限。</translation>
    </message>
    <message>
        <source>The trace does not name its scenario.</source>
        <translation>该跟踪记录没有指明它的场景。</translation>
    </message>
    <message>
        <source>%1: found %2, expected %3.</source>
        <translation>%1：读到%2，应为%3。</translation>
    </message>
    <message>
        <source>found %1, expected %2.</source>
        <translation>读到%1，应为%2。</translation>
    </message>
    <message>
        <source>Open it with a newer version of LockScope.</source>
        <translation>请用更新版本的 LockScope 打开它。</translation>
    </message>
    <message>
        <source>A newer version of LockScope may have written it.</source>
        <translation>它可能由更新版本的 LockScope 写出。</translation>
    </message>
    <message>
        <source>%1 is empty: a trace begins with a line that names its schema.</source>
        <translation>%1 是空的：跟踪记录的第一行应说明其格式。</translation>
    </message>
    <message>
        <source>Opening %1 was canceled.</source>
        <translation>已取消打开 %1。</translation>
    </message>
    <message>
        <source>Check the name.</source>
        <translation>请检查名称。</translation>
    </message>
    <message>
        <source>Give the name of a trace file, not of a folder.</source>
        <translation>请给出跟踪记录文件的名称，而不是文件夹。</translation>
    </message>
    <message>
        <source>Ask its owner for read permission.</source>
        <translation>请向其所有者请求读取权限。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 ends in the middle of its first line: there is nothing to open.</source>
        <translation>%1 在第一行中间结束：没有可打开的内容。</translation>
    </message>
    <message>
        <source>%1 has more than %2 events, the most that can be opened.</source>
        <translation>%1 的事件多于 %2 个，即可打开的上限。</translation>
    </message>
    <message>
        <source>%1 ends in the middle of line %2: the %3 events before it were read.</source>
        <translation>%1 在第 %2 行中间结束：已读取此前的 %3 个事件。</translation>
    </message>
    <message>
        <source>%1 does not fit into memory.</source>
        <translation>内存容不下 %1。</translation>
    </message>
    <message>
        <source>The trace cannot be written to %1: %2.</source>
        <translation>无法将跟踪记录写入 %1：%2。</translation>
    </message>
    <message>
        <source>%1 was opened in this window and would be replaced.</source>
        <translation>%1 已在此窗口中打开，会被替换。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请选择其他名称。</translation>
    </message>
    <message>
        <source>Free some space on that disk, or choose another one.</source>
        <translation>请在该磁盘上腾出空间，或选择其他磁盘。</translation>
    </message>
    <message>
        <source>Raise the file size limit (ulimit -f).</source>
        <translation>请提高文件大小的上限（ulimit -f）。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>请选择可以写入的文件夹。</translation>
    </message>
    <message>
        <source>Choose a folder that exists.</source>
        <translation>请选择存在的文件夹。</translation>
    </message>
    <message>
        <source>Give the name of a file, not of a folder.</source>
        <translation>请给出文件的名称，而不是文件夹。</translation>
    </message>
    <message>
        <source>Start the program that reads from it first.</source>
        <translation>请先启动从中读取的程序。</translation>
    </message>
    <message>
        <source>The program that read from it has ended.</source>
        <translation>从中读取的程序已结束。</translation>
    </message>
    <message>
        <source>It is closed; give the name of a file.</source>
        <translation>它已关闭；请给出文件的名称。</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>运行失败。</translation>
    </message>
    <message>
        <source>Watching the locks failed: %1.</source>
        <translation>监视这些锁时出错：%1。</translation>
    </message>
    <message>
        <source>Another run is shown.</source>
        <translation>现在显示的是另一个运行。</translation>
    </message>
    <message>
        <source>The pictures cannot be written to %1.</source>
        <translation>无法将图片写入 %1。</translation>
    </message>
    <message>
        <source>The pictures were canceled.</source>
        <translation>已取消制作图片。</translation>
    </message>
    <message>
        <source>The view was closed.</source>
        <translation>该视图已关闭。</translation>
    </message>
    <message>
        <source>The pictures were written, but the text file with the commands cannot be written.</source>
        <translation>图片已写入；但无法写入带有命令的文本文件。</translation>
    </message>
    <message>
        <source>The view was resized while its pictures were being made.</source>
        <translation>制作图片时视图的大小发生了变化。</translation>
    </message>
    <message>
        <source>Do not resize the window until they are done.</source>
        <translation>请在完成之前不要改变窗口的大小。</translation>
    </message>
    <message>
        <source>The picture %1 cannot be written: %2.</source>
        <translation>无法写入图片 %1：%2。</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space there.</source>
        <translation>请选择其他文件夹，或在那里腾出空间。</translation>
    </message>
    <message>
        <source>%1 is not the name of a picture file.</source>
        <translation>%1 不是图片文件的名称。</translation>
    </message>
    <message>
        <source>The export %1 cannot be written: %2.</source>
        <translation>无法写入导出文件 %1：%2。</translation>
    </message>
    <message>
        <source>The export was canceled.</source>
        <translation>已取消导出。</translation>
    </message>
    <message>
        <source>The comparison was canceled.</source>
        <translation>已取消比较。</translation>
    </message>
    <message>
        <source>%1 runs without end.</source>
        <translation>%1 会一直运行下去。</translation>
    </message>
    <message>
        <source>Set a number of cycles, so that it can be compared.</source>
        <translation>请设置轮次数，以便比较。</translation>
    </message>
    <message>
        <source>The table %1 cannot be written: %2.</source>
        <translation>无法写入表格 %1：%2。</translation>
    </message>
    <message>
        <source>The page %1 cannot be written: %2.</source>
        <translation>无法写入页面 %1：%2。</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>The server at %1 does not answer &quot;%2&quot;.</source>
        <translation>%1 上的服务器不应答“%2”。</translation>
    </message>
    <message>
        <source>The server at %1 is up but does not serve requests.</source>
        <translation>%1 上的服务器已启动，但不处理请求。</translation>
    </message>
    <message>
        <source>The answer to &quot;%1&quot; has no version.</source>
        <translation>对“%1”的应答中没有版本。</translation>
    </message>
    <message>
        <source>The answer to &quot;%1&quot; is not a watch table.</source>
        <translation>对“%1”的应答不是监视表。</translation>
    </message>
    <message>
        <source>The server at %1 does not answer: %2.</source>
        <translation>%1 上的服务器没有应答：%2。</translation>
    </message>
    <message>
        <source>The answer of %1 to &quot;%2&quot; is too long.</source>
        <translation>%1 对“%2”的应答太长。</translation>
    </message>
    <message>
        <source>No answer from %1: %2.</source>
        <translation>%1 没有应答：%2。</translation>
    </message>
    <message>
        <source>No free port on 127.0.0.1.</source>
        <translation>127.0.0.1 上没有空闲端口。</translation>
    </message>
    <message>
        <source>There is no Java at %1.</source>
        <translation>%1 处没有 Java。</translation>
    </message>
    <message>
        <source>The link cannot listen on 127.0.0.1: %1.</source>
        <translation>链路无法在 127.0.0.1 上监听：%1。</translation>
    </message>
    <message>
        <source>A link needs the address of a server.</source>
        <translation>链路需要一个服务器的地址。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a numeric HOST:PORT.</source>
        <translation>“%1”不是数字形式的 HOST:PORT。</translation>
    </message>
    <message>
        <source>The ensemble has no member %1.</source>
        <translation>集群没有成员 %1。</translation>
    </message>
    <message>
        <source>An ensemble has 3, 5 or 7 members.</source>
        <translation>集群有 3、5 或 7 个成员。</translation>
    </message>
    <message>
        <source>The private ensemble has no leader at the moment.</source>
        <translation>私有集群此刻没有领导者。</translation>
    </message>
    <message>
        <source>The start of the private ZooKeeper was canceled.</source>
        <translation>已取消启动私有 ZooKeeper。</translation>
    </message>
    <message>
        <source>The private ZooKeeper ended before it accepted a session.</source>
        <translation>私有 ZooKeeper 在接受会话之前就结束了。</translation>
    </message>
    <message>
        <source>The end of its log:%1</source>
        <translation>其日志的末尾：“%1”</translation>
    </message>
    <message>
        <source>The tick time must lie between 10 ms and 60 s.</source>
        <translation>tick 时间必须在 10 ms 到 60 s 之间。</translation>
    </message>
    <message>
        <source>Port %1 of 127.0.0.1 is taken by another program.</source>
        <translation>127.0.0.1 的端口 %1 已被另一个程序占用。</translation>
    </message>
    <message>
        <source>Choose another port, or none to get a free one.</source>
        <translation>请选择其他端口，或不指定以使用空闲端口。</translation>
    </message>
    <message>
        <source>The answer does not come from a ZooKeeper server.</source>
        <translation>这个应答不是来自 ZooKeeper 服务器。</translation>
    </message>
    <message>
        <source>The server at %1 refused a session.</source>
        <translation>%1 上的服务器拒绝了会话。</translation>
    </message>
    <message>
        <source>It must be in the same folder as the program; build or install LockScope again.</source>
        <translation>它必须与程序位于同一文件夹；请重新构建或安装 LockScope。</translation>
    </message>
    <message>
        <source>Cannot create a socket pair: %1.</source>
        <translation>无法创建套接字对：%1。</translation>
    </message>
    <message>
        <source>Cannot create a private directory in %1: %2.</source>
        <translation>无法在 %1 中创建私有目录：%2。</translation>
    </message>
    <message>
        <source>Java could not be started: %1.</source>
        <translation>无法启动 Java：%1。</translation>
    </message>
    <message>
        <source>The supervisor process of the private ZooKeeper does not answer.</source>
        <translation>私有 ZooKeeper 的监管进程没有应答。</translation>
    </message>
    <message>
        <source>The supervisor process of the private ZooKeeper has ended.</source>
        <translation>私有 ZooKeeper 的监管进程已结束。</translation>
    </message>
    <message>
        <source>There are %1 servers.</source>
        <translation>有 %1 个服务器。</translation>
    </message>
    <message>
        <source>Specify one: &quot;server 2&quot; or &quot;the leader&quot;.</source>
        <translation>请指明是哪一个：&quot;server 2&quot; 或 &quot;the leader&quot;。</translation>
    </message>
    <message>
        <source>There is no server %1.</source>
        <translation>没有服务器 %1。</translation>
    </message>
    <message>
        <source>They are numbered from 1 to %1.</source>
        <translation>它们的编号为 1 到 %1。</translation>
    </message>
    <message>
        <source>A single server has no leader.</source>
        <translation>单个服务器没有领导者。</translation>
    </message>
    <message>
        <source>Set servers = 3 in the scenario.</source>
        <translation>请在场景中设置 servers = 3。</translation>
    </message>
    <message>
        <source>There is no leader at the moment.</source>
        <translation>此刻没有领导者。</translation>
    </message>
    <message>
        <source>Wait for the election.</source>
        <translation>请等待选举。</translation>
    </message>
    <message>
        <source>This action does not apply to a link.</source>
        <translation>对链路不能这样做。</translation>
    </message>
    <message>
        <source>There is no session to kill: the client never connected, or its session has ended.</source>
        <translation>没有可终止的会话：客户端从未连接，或其会话已结束。</translation>
    </message>
    <message>
        <source>The client reconnected every time before its session could be closed.</source>
        <translation>每次关闭会话之前，客户端都已重新连接。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>The server did not answer the second connection.</source>
        <translation>服务器没有应答第二个连接。</translation>
    </message>
    <message>
        <source>There are too many open files.</source>
        <translation>打开的文件太多。</translation>
    </message>
    <message>
        <source>Raise the limit of open files (ulimit -n).</source>
        <translation>请提高打开文件数的上限（ulimit -n）。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address of a ZooKeeper.</source>
        <translation>“%1”不是 ZooKeeper 的地址。</translation>
    </message>
    <message>
        <source>Expected HOST:PORT, for example 127.0.0.1:2181; several are separated by commas.</source>
        <translation>应为 HOST:PORT，例如 127.0.0.1:2181；多个地址用逗号分隔。</translation>
    </message>
    <message>
        <source>The host &quot;%1&quot; cannot be found: %2.</source>
        <translation>找不到主机“%1”：%2。</translation>
    </message>
    <message>
        <source>Check the host name, or give its IP address.</source>
        <translation>请检查主机名，或给出它的 IP 地址。</translation>
    </message>
    <message>
        <source>No address of a ZooKeeper was given.</source>
        <translation>没有给出 ZooKeeper 的地址。</translation>
    </message>
    <message>
        <source>Expected HOST:PORT, for example 127.0.0.1:2181.</source>
        <translation>应为 HOST:PORT，例如 127.0.0.1:2181。</translation>
    </message>
    <message>
        <source>The lock %1 was not acquired in %2: %3.</source>
        <translation>锁 %1 在 %2内未能获取：%3。</translation>
    </message>
    <message>
        <source>Find out which program deletes or changes the nodes under this path.</source>
        <translation>请查明是哪个程序在删除或更改此路径下的节点。</translation>
    </message>
    <message>
        <source>The semaphore %1 gave no lease in %2: %3.</source>
        <translation>信号量 %1 在 %2内没有给出租约：%3。</translation>
    </message>
    <message>
        <source>Find out which program deletes or changes the nodes under %1.</source>
        <translation>请查明是哪个程序在删除或更改 %1 下的节点。</translation>
    </message>
    <message>
        <source>The lock %1 is not held by this owner.</source>
        <translation>锁 %1 并非由该所有者持有。</translation>
    </message>
    <message>
        <source>The lock %1 is not held by %2: it was lost with the session.</source>
        <translation>锁 %1 并非由 %2 持有：它已随会话丢失。</translation>
    </message>
    <message>
        <source>The lock %1 is not held by %2.</source>
        <translation>锁 %1 并非由 %2 持有。</translation>
    </message>
    <message>
        <source>The lock %1 is not held, but %2 tried to release it.</source>
        <translation>锁 %1 未被持有，但 %2 试图释放它。</translation>
    </message>
    <message>
        <source>Release exactly as often as you acquired, by the same owner.</source>
        <translation>获取几次就由同一所有者释放几次。</translation>
    </message>
    <message>
        <source>Release exactly as often as you acquired.</source>
        <translation>获取几次就释放几次。</translation>
    </message>
    <message>
        <source>%1 is already waiting for the lock %2.</source>
        <translation>%1 已在等待锁 %2。</translation>
    </message>
    <message>
        <source>Give every logical thread an owner of its own.</source>
        <translation>请给每个逻辑线程各自的所有者。</translation>
    </message>
    <message>
        <source>The path %1 occurs twice in the multi-lock %2.</source>
        <translation>路径 %1 在多重锁 %2 中出现了两次。</translation>
    </message>
    <message>
        <source>Give it each path once.</source>
        <translation>每个路径请只给出一次。</translation>
    </message>
    <message>
        <source>Not permitted to delete the node %1, so it stays there until the session ends.</source>
        <translation>无权删除节点 %1，因此它在会话结束前一直留在那里。</translation>
    </message>
    <message>
        <source>Give this client the right to delete under %1.</source>
        <translation>请给该客户端在 %1 下删除的权限。</translation>
    </message>
    <message>
        <source>Not permitted to list the children of %1, so a node of this client may stay there until the session ends.</source>
        <translation>无权列出 %1 的子节点，因此该客户端的节点可能在会话结束前一直留在那里。</translation>
    </message>
    <message>
        <source>Give this client the right to read %1.</source>
        <translation>请给该客户端读取 %1 的权限。</translation>
    </message>
    <message>
        <source>Not permitted to %1.</source>
        <translation>无权%1。</translation>
    </message>
    <message>
        <source>Use a path that this client may read and write, or grant it access.</source>
        <translation>请使用该客户端可读写的路径，或授予它权限。</translation>
    </message>
    <message>
        <source>Use a path that this client may read and write.</source>
        <translation>请使用该客户端可读写的路径。</translation>
    </message>
    <message>
        <source>ZooKeeper does not accept the path &quot;%1&quot;.</source>
        <translation>ZooKeeper 不接受路径“%1”。</translation>
    </message>
    <message>
        <source>A path begins with a slash, has no empty part and does not end with a slash.</source>
        <translation>路径以斜杠开头，没有空的部分，且不以斜杠结尾。</translation>
    </message>
    <message>
        <source>Connect again.</source>
        <translation>请重新连接。</translation>
    </message>
    <message>
        <source>The children of %1 could not be listed: %2.</source>
        <translation>无法列出 %1 的子节点：%2。</translation>
    </message>
    <message>
        <source>The lock path %1 has used up its 2,147,483,647 numbers.</source>
        <translation>锁路径 %1 已用完 2,147,483,647 个编号。</translation>
    </message>
    <message>
        <source>Use another path.</source>
        <translation>请使用其他路径。</translation>
    </message>
    <message>
        <source>The lock %1 was lost before it was entered again.</source>
        <translation>锁 %1 在重入之前已丢失。</translation>
    </message>
    <message>
        <source>Its holder has released it, or its session is over.</source>
        <translation>其持有者已释放它，或其会话已结束。</translation>
    </message>
    <message>
        <source>Give this client the right to write there.</source>
        <translation>请给该客户端在那里写入的权限。</translation>
    </message>
    <message>
        <source>The request may have been written; ask again.</source>
        <translation>请求可能已写入；请再次请求。</translation>
    </message>
    <message>
        <source>Give the full path of the holder&apos;s node.</source>
        <translation>请给出持有者节点的完整路径。</translation>
    </message>
    <message>
        <source>Try again when the server is less busy.</source>
        <translation>请在服务器较空闲时重试。</translation>
    </message>
    <message>
        <source>The lease %1 of the semaphore %2 is not held: it was lost with the session.</source>
        <translation>信号量 %2 的租约 %1 未被持有：它已随会话丢失。</translation>
    </message>
    <message>
        <source>The lease %1 of the semaphore %2 is not held.</source>
        <translation>信号量 %2 的租约 %1 未被持有。</translation>
    </message>
    <message>
        <source>Release each acquired lease exactly once.</source>
        <translation>每个获取的租约释放一次。</translation>
    </message>
    <message>
        <source>No lease of the semaphore %1 was asked for.</source>
        <translation>没有请求信号量 %1 的任何租约。</translation>
    </message>
    <message>
        <source>Ask for one or more.</source>
        <translation>请请求一个或多个。</translation>
    </message>
    <message>
        <source>The semaphore %1 has %2 leases at most, and %3 were asked for.</source>
        <translation>信号量 %1 最多有 %2 个租约，却请求了 %3 个。</translation>
    </message>
    <message>
        <source>Ask for fewer, or raise the count %1.</source>
        <translation>请少请求一些，或调高计数 %1。</translation>
    </message>
    <message>
        <source>Ask for fewer.</source>
        <translation>请少请求一些。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: the session is lost.</source>
        <translation>无法%1共享计数 %2：会话已丢失。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: not permitted.</source>
        <translation>无法%1共享计数 %2：没有权限。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: it does not exist.</source>
        <translation>无法%1共享计数 %2：它不存在。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: ZooKeeper does not accept this path.</source>
        <translation>无法%1共享计数 %2：ZooKeeper 不接受该路径。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: %3.</source>
        <translation>无法%1共享计数 %2：%3。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: the server did not answer in time.</source>
        <translation>无法%1共享计数 %2：服务器没有及时应答。</translation>
    </message>
    <message>
        <source>Could not %1 the shared count %2: the operation was canceled.</source>
        <translation>无法%1共享计数 %2：操作已取消。</translation>
    </message>
    <message>
        <source>Start it first.</source>
        <translation>请先启动它。</translation>
    </message>
    <message>
        <source>The shared count %1 has not been read yet, so there is no version to replace.</source>
        <translation>尚未读取共享计数 %1，因此没有可以替换的版本。</translation>
    </message>
    <message>
        <source>The connection was lost while the shared count %1 was being set: it may have been set or not.</source>
        <translation>设置共享计数 %1 时连接断开：它可能已经设置，也可能没有。</translation>
    </message>
    <message>
        <source>Read its value to find out.</source>
        <translation>请读取它的值来确认。</translation>
    </message>
    <message>
        <source>The node %1 does not contain a 4-byte count.</source>
        <translation>节点 %1 中不是 4 字节的计数。</translation>
    </message>
    <message>
        <source>Use another path, or delete the node.</source>
        <translation>请使用其他路径，或删除该节点。</translation>
    </message>
    <message>
        <source>The lock %1 could not be acquired in %2 attempts.</source>
        <translation>尝试 %2 次仍未能获取锁 %1。</translation>
    </message>
    <message>
        <source>The lock %1 could not be acquired in %2 attempt.</source>
        <translation>尝试 %2 次仍未能获取锁 %1。</translation>
    </message>
    <message>
        <source>The lock %1 is already wanted or held by %2.</source>
        <translation>锁 %1 已被 %2 请求或持有。</translation>
    </message>
    <message>
        <source>The teaching recipe has one owner at a time.</source>
        <translation>教学配方同一时间只有一个所有者。</translation>
    </message>
    <message>
        <source>does not begin with a slash</source>
        <translation>没有以斜杠开头</translation>
    </message>
    <message>
        <source>is the root: its children belong to all applications</source>
        <translation>是根节点：它的子节点属于所有应用程序</translation>
    </message>
    <message>
        <source>ends with a slash</source>
        <translation>以斜杠结尾</translation>
    </message>
    <message>
        <source>has an empty part</source>
        <translation>含有空的部分</translation>
    </message>
    <message>
        <source>belongs to ZooKeeper itself</source>
        <translation>属于 ZooKeeper 本身</translation>
    </message>
    <message>
        <source>has a relative part</source>
        <translation>含有相对路径</translation>
    </message>
    <message>
        <source>ends with the same name as another path, so that &quot;takes&quot; cannot distinguish them</source>
        <translation>与另一条路径的末尾名称相同，&quot;takes&quot; 无法区分它们</translation>
    </message>
    <message>
        <source>one or more</source>
        <translation>一个或多个</translation>
    </message>
    <message>
        <source>two or more, in &quot;locks&quot;</source>
        <translation>两个或更多，写在 &quot;locks&quot; 中</translation>
    </message>
    <message>
        <source>a range within 0 to 100</source>
        <translation>0 到 100 之间的范围</translation>
    </message>
    <message>
        <source>a range that ends before it begins</source>
        <translation>结束早于开始的范围</translation>
    </message>
    <message>
        <source>the smaller time first</source>
        <translation>较小的时间在前</translation>
    </message>
    <message>
        <source>the smaller number first</source>
        <translation>较小的数在前</translation>
    </message>
    <message>
        <source>%1 without an acquire_timeout</source>
        <translation>%1，但没有 acquire_timeout</translation>
    </message>
    <message>
        <source>acquire_timeout, the time of each try</source>
        <translation>acquire_timeout，即每次尝试的时间</translation>
    </message>
    <message>
        <source>at most the %1 leases of the semaphore</source>
        <translation>不超过信号量的 %1 个租约</translation>
    </message>
    <message>
        <source>named in &quot;takes&quot;</source>
        <translation>写在 &quot;takes&quot; 中的</translation>
    </message>
    <message>
        <source>no &quot;takes&quot;: a multi-lock takes all its locks</source>
        <translation>没有 &quot;takes&quot;：多重锁获取自己所有的锁</translation>
    </message>
    <message>
        <source>number %1</source>
        <translation>第 %1 个</translation>
    </message>
    <message>
        <source>one of the locks</source>
        <translation>其中一个锁</translation>
    </message>
    <message>
        <source>without a side</source>
        <translation>没有读写之分的</translation>
    </message>
    <message>
        <source>with a side that its recipe does not have</source>
        <translation>其配方所没有的一侧</translation>
    </message>
    <message>
        <source>&quot;:read&quot; or &quot;:write&quot; after the names of read/write locks, and nothing after others</source>
        <translation>读写锁的名称后为 &quot;:read&quot; 或 &quot;:write&quot;，其他锁后什么也没有</translation>
    </message>
    <message>
        <source>each name once</source>
        <translation>每个名称只出现一次</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>1 or 3</source>
        <translation>1 或 3</translation>
    </message>
    <message>
        <source>100ms to 10m</source>
        <translation>100ms 到 10m</translation>
    </message>
    <message>
        <source>0 to 60s</source>
        <translation>0 到 60s</translation>
    </message>
    <message>
        <source>1 to %1</source>
        <translation>1 到 %1</translation>
    </message>
    <message>
        <source>1 or 3: two servers cannot outvote one that fails</source>
        <translation>1 或 3：两个服务器无法以多数胜过出故障的那个</translation>
    </message>
    <message>
        <source>either &quot;lock&quot; or &quot;locks&quot;</source>
        <translation>&quot;lock&quot; 或 &quot;locks&quot; 之一</translation>
    </message>
    <message>
        <source>1 to 100 paths</source>
        <translation>1 到 100 个路径</translation>
    </message>
    <message>
        <source>at most 100 locks</source>
        <translation>最多 100 个锁</translation>
    </message>
    <message>
        <source>a number, or a list of at least one name</source>
        <translation>一个数，或至少含一个名称的列表</translation>
    </message>
    <message>
        <source>a client table</source>
        <translation>客户端表</translation>
    </message>
    <message>
        <source>a client without a name</source>
        <translation>没有名称的客户端</translation>
    </message>
    <message>
        <source>the client &quot;%1&quot; twice</source>
        <translation>两次客户端“%1”</translation>
    </message>
    <message>
        <source>a moment, a colon and an action, such as &quot;when bo waits: kill ada&quot;</source>
        <translation>时刻、冒号和操作，例如 &quot;when bo waits: kill ada&quot;</translation>
    </message>
    <message>
        <source>before the colon %1</source>
        <translation>冒号之前为%1</translation>
    </message>
    <message>
        <source>after the colon %1</source>
        <translation>冒号之后为%1</translation>
    </message>
    <message>
        <source>a client and a step, such as &quot;ada create&quot;; steps are %1</source>
        <translation>客户端和步骤，例如 &quot;ada create&quot;；步骤有 %1</translation>
    </message>
    <message>
        <source>a client of this scenario instead of &quot;%1&quot;: %2</source>
        <translation>本场景的客户端而不是“%1”：%2</translation>
    </message>
    <message>
        <source>a finding and &quot;holds&quot;, &quot;violated&quot; or &quot;either&quot;; findings are %1</source>
        <translation>检查项以及 &quot;holds&quot;、&quot;violated&quot; 或 &quot;either&quot;；检查项有 %1</translation>
    </message>
    <message>
        <source>Reading the logs was canceled.</source>
        <translation>已取消读取日志。</translation>
    </message>
    <message>
        <source>the control character %1</source>
        <translation>控制字符 %1</translation>
    </message>
    <message>
        <source>text, tabs and newlines</source>
        <translation>文本、制表符和换行符</translation>
    </message>
    <message>
        <source>a non-ASCII character</source>
        <translation>ASCII 以外的字符</translation>
    </message>
    <message>
        <source>it in quotes</source>
        <translation>将其放入引号</translation>
    </message>
    <message>
        <source>it after another character on a continued line</source>
        <translation>将其放在续行中另一个字符之后</translation>
    </message>
    <message>
        <source>the unknown field &quot;%1&quot;</source>
        <translation>未知字段“%1”</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>引号中的文本</translation>
    </message>
    <message>
        <source>a name of 1 to 40 characters</source>
        <translation>1 到 40 个字符的名称</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>%1 到 %2 的整数</translation>
    </message>
    <message>
        <source>a time such as &quot;250ms&quot;, &quot;2s&quot; or &quot;1m&quot;</source>
        <translation>时间，例如 &quot;250ms&quot;、&quot;2s&quot; 或 &quot;1m&quot;</translation>
    </message>
    <message>
        <source>&quot;exponential &quot; and its mean, such as &quot;exponential 20ms&quot;</source>
        <translation>&quot;exponential &quot; 及其均值，例如 &quot;exponential 20ms&quot;</translation>
    </message>
    <message>
        <source>one time, or two in brackets: [&quot;0ms&quot;, &quot;100ms&quot;]</source>
        <translation>一个时间，或方括号中的两个：[&quot;0ms&quot;, &quot;100ms&quot;]</translation>
    </message>
    <message>
        <source>one number, or two in brackets: [%1, 2]</source>
        <translation>一个数，或方括号中的两个：[%1, 2]</translation>
    </message>
    <message>
        <source>a list of lines, such as [&quot;when bo waits: kill ada&quot;]</source>
        <translation>若干行的列表，例如 [&quot;when bo waits: kill ada&quot;]</translation>
    </message>
    <message>
        <source>tables of clients, each under [[client]]</source>
        <translation>客户端的表，每个都在 [[client]] 之下</translation>
    </message>
    <message>
        <source>an object in braces</source>
        <translation>花括号中的对象</translation>
    </message>
    <message>
        <source>a closing brace</source>
        <translation>右花括号</translation>
    </message>
    <message>
        <source>a closing quote</source>
        <translation>右引号</translation>
    </message>
    <message>
        <source>the field &quot;%1&quot;</source>
        <translation>字段“%1”</translation>
    </message>
    <message>
        <source>JSON: fields in braces, separated by commas</source>
        <translation>JSON：花括号中以逗号分隔的字段</translation>
    </message>
    <message>
        <source>the name of an event that this version knows, like &quot;acquired&quot;</source>
        <translation>本版本认识的事件名称，例如 &quot;acquired&quot;</translation>
    </message>
    <message>
        <source>each field once</source>
        <translation>每个字段只出现一次</translation>
    </message>
    <message>
        <source>a field of this event</source>
        <translation>该事件的字段</translation>
    </message>
    <message>
        <source>the number of an event before this one, which is %1</source>
        <translation>此事件（编号 %1）之前的事件的编号</translation>
    </message>
    <message>
        <source>the first line of a trace: %1</source>
        <translation>跟踪记录的第一行：%1</translation>
    </message>
    <message>
        <source>a field of the first line of a trace</source>
        <translation>跟踪记录第一行的字段</translation>
    </message>
    <message>
        <source>version 1</source>
        <translation>版本 1</translation>
    </message>
    <message>
        <source>an object with &quot;wall_ns&quot; and &quot;monotonic_ns&quot;</source>
        <translation>含有 &quot;wall_ns&quot; 和 &quot;monotonic_ns&quot; 的对象</translation>
    </message>
    <message>
        <source>&quot;wall_ns&quot; or &quot;monotonic_ns&quot;</source>
        <translation>&quot;wall_ns&quot; 或 &quot;monotonic_ns&quot;</translation>
    </message>
    <message>
        <source>text in UTF-8</source>
        <translation>UTF-8 文本</translation>
    </message>
    <message>
        <source>an escaped control character</source>
        <translation>转义的控制字符</translation>
    </message>
    <message>
        <source>a whole number of nanoseconds</source>
        <translation>整数纳秒</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a hexadecimal number in quotes like &quot;0x1f3&quot;</source>
        <translation>引号中的十六进制数，例如 &quot;0x1f3&quot;</translation>
    </message>
    <message>
        <source>a line of a trace</source>
        <translation>跟踪记录的一行</translation>
    </message>
    <message>
        <source>a line longer than 64 MiB</source>
        <translation>超过 64 MiB 的一行</translation>
    </message>
    <message>
        <source>time %1</source>
        <translation>时间 %1</translation>
    </message>
    <message>
        <source>a time not before %1, the one of the line before</source>
        <translation>不早于上一行时间 %1 的时间</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>client %1, thread %2</source>
        <translation>客户端 %1 的线程 %2</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>one try</source>
        <translation>一次尝试</translation>
    </message>
    <message>
        <source>%1 tries</source>
        <translation>%1 次尝试</translation>
    </message>
    <message>
        <source>the node does not exist</source>
        <translation>节点不存在</translation>
    </message>
    <message>
        <source>the node exists already</source>
        <translation>节点已存在</translation>
    </message>
    <message>
        <source>the node has children</source>
        <translation>节点有子节点</translation>
    </message>
    <message>
        <source>the node&apos;s version does not match</source>
        <translation>节点的版本不匹配</translation>
    </message>
    <message>
        <source>not permitted by the node&apos;s ACL</source>
        <translation>节点的 ACL 不允许</translation>
    </message>
    <message>
        <source>an ephemeral node cannot have children</source>
        <translation>临时节点不能有子节点</translation>
    </message>
    <message>
        <source>ZooKeeper does not accept these arguments</source>
        <translation>ZooKeeper 不接受这些参数</translation>
    </message>
    <message>
        <source>the server is too busy to take requests</source>
        <translation>服务器太忙，无法接受请求</translation>
    </message>
    <message>
        <source>the server refused the request</source>
        <translation>服务器拒绝了请求</translation>
    </message>
    <message>
        <source>the connection was lost before the answer arrived</source>
        <translation>在收到应答之前连接已丢失</translation>
    </message>
    <message>
        <source>the session is lost</source>
        <translation>会话已丢失</translation>
    </message>
    <message>
        <source>the session was closed</source>
        <translation>会话已关闭</translation>
    </message>
    <message>
        <source>an unknown answer</source>
        <translation>未知的应答</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>它关闭了连接</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>Connection reset by peer</source>
        <translation>连接被对方重置</translation>
    </message>
    <message>
        <source>Connection timed out</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>No route to host</source>
        <translation>没有到主机的路由</translation>
    </message>
    <message>
        <source>Network is unreachable</source>
        <translation>网络不可达</translation>
    </message>
    <message>
        <source>Host not found (authoritative)</source>
        <translation>找不到主机</translation>
    </message>
    <message>
        <source>Host not found (non-authoritative), try again later</source>
        <translation>暂时找不到主机，请稍后重试</translation>
    </message>
    <message>
        <source>Operation canceled</source>
        <translation>操作已取消</translation>
    </message>
    <message>
        <source>End of file</source>
        <translation>连接已结束</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这样的文件或目录</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备上没有剩余空间</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>文件太大</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个目录</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件太多</translation>
    </message>
    <message>
        <source>listing the children failed (%1)</source>
        <translation>列出子节点失败（%1）</translation>
    </message>
    <message>
        <source>watching the node ahead failed (%1)</source>
        <translation>监视前一个节点失败（%1）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>Address already in use</source>
        <translation>地址已被占用</translation>
    </message>
    <message>
        <source>Cannot assign requested address</source>
        <translation>无法分配所请求的地址</translation>
    </message>
    <message>
        <source>Address family not supported by protocol</source>
        <translation>协议不支持该地址族</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>管道已断开</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Resource temporarily unavailable</source>
        <translation>资源暂时不可用</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>无法分配内存</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许此操作</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>设备或资源正忙</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>可执行文件格式错误</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>参数无效</translation>
    </message>
    <message>
        <source>Bad file descriptor</source>
        <translation>文件描述符无效</translation>
    </message>
    <message>
        <source>Interrupted system call</source>
        <translation>系统调用被中断</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>符号链接层数过多</translation>
    </message>
    <message>
        <source>Too many open files in system</source>
        <translation>系统中打开的文件过多</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>目录不为空</translation>
    </message>
    <message>
        <source>Host is down</source>
        <translation>主机已关闭</translation>
    </message>
    <message>
        <source>Software caused connection abort</source>
        <translation>连接被本机软件中止</translation>
    </message>
    <message>
        <source>Transport endpoint is not connected</source>
        <translation>传输端点未连接</translation>
    </message>
    <message>
        <source>Name or service not known</source>
        <translation>未知的名称或服务</translation>
    </message>
    <message>
        <source>Temporary failure in name resolution</source>
        <translation>域名解析暂时失败</translation>
    </message>
    <message>
        <source>The scenario %1 cannot be written: %2.</source>
        <translation>无法写入场景 %1：%2。</translation>
    </message>
    <message>
        <source>its process has ended</source>
        <translation>它的进程已结束</translation>
    </message>
    <message>
        <source>it is stopped</source>
        <translation>它已被暂停</translation>
    </message>
    <message>
        <source>too few of its servers are running</source>
        <translation>在运行的服务器太少</translation>
    </message>
    <message>
        <source>no client has contact</source>
        <translation>没有客户端能联系到它</translation>
    </message>
    <message>
        <source>a closing bracket</source>
        <translation>右方括号</translation>
    </message>
    <message>
        <source>a comma or a closing brace</source>
        <translation>逗号或右花括号</translation>
    </message>
    <message>
        <source>a comma or a closing bracket</source>
        <translation>逗号或右方括号</translation>
    </message>
    <message>
        <source>a colon</source>
        <translation>冒号</translation>
    </message>
    <message>
        <source>the name of a field in quotes</source>
        <translation>引号中的字段名</translation>
    </message>
    <message>
        <source>a value: a text in quotes, a number, true or false</source>
        <translation>一个值：引号中的文本、数字、true 或 false</translation>
    </message>
    <message>
        <source>a number that JSON knows</source>
        <translation>JSON 允许的数字</translation>
    </message>
    <message>
        <source>an escape that JSON knows</source>
        <translation>JSON 允许的转义</translation>
    </message>
    <message>
        <source>The duration is 0.</source>
        <translation>时长为 0。</translation>
    </message>
    <message>
        <source>The node %1 is ephemeral and cannot have children.</source>
        <translation>节点 %1 是临时节点，不能有子节点。</translation>
    </message>
    <message>
        <source>has more than %1 parts, each of which is a node to create</source>
        <translation>超过 %1 段，而每一段都要创建一个节点</translation>
    </message>
    <message>
        <source>a time longer than 0</source>
        <translation>大于 0 的时间</translation>
    </message>
    <message>
        <source>a server from 1 to %1, as many as &quot;servers&quot; says</source>
        <translation>1 到 %1 号服务器，与 &quot;servers&quot; 一致</translation>
    </message>
    <message>
        <source>&quot;the server&quot;: a single server has no leader</source>
        <translation>&quot;the server&quot;：只有一台服务器时没有领导者</translation>
    </message>
    <message>
        <source>which of the %1 servers: &quot;server 2&quot; or &quot;the leader&quot;</source>
        <translation>%1 个服务器中的哪一个：“server 2”或“the leader”</translation>
    </message>
    <message>
        <source>create nodes under %1</source>
        <translation>在 %1 下创建节点</translation>
    </message>
    <message>
        <source>list the children of %1</source>
        <translation>列出 %1 的子节点</translation>
    </message>
    <message>
        <source>read the node %1</source>
        <translation>读取节点 %1</translation>
    </message>
    <message>
        <source>%1 starts at %2, when the run of %3 is over: it takes no part.</source>
        <translation>%1 在 %2 才开始，那时 %3 的运行已经结束：它不参与。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is due at or after the end of the run, which lasts %2.</source>
        <translation>“%1”的时刻在运行结束之时或之后；该运行持续 %2。</translation>
    </message>
    <message>
        <source>No client has had contact with ZooKeeper for %1: the run is cut short.</source>
        <translation>已有 %1 没有任何客户端与 ZooKeeper 联系上：运行提前结束。</translation>
    </message>
    <message>
        <source>The run exceeded its duration by %1 and is cut short: %2.</source>
        <translation>运行超出时长 %1，现提前结束：%2。</translation>
    </message>
    <message>
        <source>No client can continue by itself, and the run is cut short: %1.</source>
        <translation>没有客户端能自行继续，运行提前结束：%1。</translation>
    </message>
    <message>
        <source>No ZooKeeper answers at %1: no session was granted within %2.</source>
        <translation>%1 处没有 ZooKeeper 应答：%2 内没有建立会话。</translation>
    </message>
    <message>
        <source>The start of the run was canceled.</source>
        <translation>已取消启动运行。</translation>
    </message>
    <message>
        <source>The ACL of %1 does not grant clients the &quot;%2&quot; permission.</source>
        <translation>%1 的 ACL 没有授予客户端“%2”权限。</translation>
    </message>
    <message>
        <source>With several servers, the same steps may lead to a different state.</source>
        <translation>有多台服务器时，同样的步骤可能导致不同的状态。</translation>
    </message>
    <message>
        <source>Clients of this scenario wait for a limited time only, which steps cannot reproduce.</source>
        <translation>这个场景的客户端只等待有限的时间，而步骤无法重现时间的流逝。</translation>
    </message>
    <message>
        <source>With this recipe, only manual steps can be repeated, and not every client was stopped from the start.</source>
        <translation>用这种配方，只有手动走的步骤才能重复，而并非所有客户端从一开始就停住。</translation>
    </message>
    <message>
        <source>More than %1 steps lead to this moment.</source>
        <translation>走到这一时刻要超过 %1 步。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment: the command &quot;%1&quot; for %2 came before it.</source>
        <translation>只靠步骤到不了这一时刻：在此之前对 %2 执行了命令“%1”。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment: the command &quot;%1&quot; came before it.</source>
        <translation>只靠步骤到不了这一时刻：在此之前执行了命令“%1”。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment: %1 left before it.</source>
        <translation>只靠步骤到不了这一时刻：在此之前 %1 离开了。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment: %1 lost contact or its session before it.</source>
        <translation>只靠步骤到不了这一时刻：在此之前 %1 失去过联系或会话。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment: %1 failed to get a lock before it, or lost one.</source>
        <translation>只靠步骤到不了这一时刻：在此之前 %1 未能获得锁，或者失去了锁。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment: the node %1 of another program was in the queue.</source>
        <translation>只靠步骤到不了这一时刻：队列里有过其他程序的节点 %1。</translation>
    </message>
    <message>
        <source>The duration of the run is over at this moment: clients begin no new cycle.</source>
        <translation>此刻运行的时长已到：客户端不再开始新的一轮。</translation>
    </message>
    <message>
        <source>The run is over at this moment.</source>
        <translation>此刻运行已结束。</translation>
    </message>
    <message>
        <source>No user controls this run: its steps are taken in turn, one at a time.</source>
        <translation>没有用户控制这次运行：各客户端轮流走，一次一步。</translation>
    </message>
    <message>
        <source>This run records real session IDs: anyone who knows an ID can take over its session.</source>
        <translation>此运行记录真实的会话号：任何知道会话号的人都能接管该会话。</translation>
    </message>
    <message>
        <source>A scenario without clients only watches: its script and steps have no client to act on.</source>
        <translation>没有客户端的场景只作观察：它的脚本和步骤没有可作用的客户端。</translation>
    </message>
    <message>
        <source>Leave them out, or give it clients.</source>
        <translation>请去掉它们，或为场景添加客户端。</translation>
    </message>
    <message>
        <source>This run only watches: it changes nothing.</source>
        <translation>此次运行只作观察：不改动任何东西。</translation>
    </message>
    <message>
        <source>The key file %1 cannot be read: %2.</source>
        <translation>无法读取密钥文件 %1：%2。</translation>
    </message>
    <message>
        <source>The key file %1 must contain 16 to 4096 bytes.</source>
        <translation>密钥文件 %1 必须包含 16 到 4096 字节。</translation>
    </message>
    <message>
        <source>Make one of 32 random bytes: head -c 32 /dev/urandom &gt; %1.</source>
        <translation>用 32 个随机字节生成一个：head -c 32 /dev/urandom &gt; %1。</translation>
    </message>
    <message>
        <source>%1 of %2 stayed until its session expired.</source>
        <translation>%2 的%1一直留到其会话过期。</translation>
    </message>
    <message>
        <source>%1 %2 against %3</source>
        <translation>%1 %2 对 %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1 %2: %3.</source>
        <translation>%1 %2：%3。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 个</translation>
    </message>
    <message>
        <source>%1 checked: each can still fire.</source>
        <translation>已检查 %1：每个都仍然可能触发。</translation>
    </message>
    <message>
        <source>%1 checked: each deleted node woke at most one client, readers excepted.</source>
        <translation>已检查 %1：除读者外，每个被删除的节点最多唤醒一个客户端。</translation>
    </message>
    <message>
        <source>%1 checked: each deleted node woke at most one client.</source>
        <translation>已检查 %1：每个被删除的节点最多唤醒一个客户端。</translation>
    </message>
    <message>
        <source>%1 checked: each went to the lowest live sequence number.</source>
        <translation>已检查 %1：每次都给了序号最小的存活节点。</translation>
    </message>
    <message>
        <source>%1 checked: every waiter noticed that its watched node was gone.</source>
        <translation>已检查 %1：每个等待者都得知它监视的节点已消失。</translation>
    </message>
    <message>
        <source>%1 checked: never too many leases out.</source>
        <translation>已检查 %1：借出的租约从未超过上限。</translation>
    </message>
    <message>
        <source>%1 checked: never two holders at a time.</source>
        <translation>已检查 %1：任何时候都没有两个持有者。</translation>
    </message>
    <message>
        <source>%1 checked: no clients wait for each other in a circle.</source>
        <translation>已检查 %1：没有客户端互相循环等待。</translation>
    </message>
    <message>
        <source>%1 checked: no other holder beside a writer.</source>
        <translation>已检查 %1：写者持有时没有其他持有者。</translation>
    </message>
    <message>
        <source>%1 checked: none outlasted its node on the server.</source>
        <translation>已检查 %1：没有一次比服务器上的节点存在得更久。</translation>
    </message>
    <message>
        <source>%1 checked: none was blocked by an earlier request.</source>
        <translation>已检查 %1：没有一次被更早的请求阻挡。</translation>
    </message>
    <message>
        <source>%1 exists watches</source>
        <translation>%1 个 exists 监视</translation>
    </message>
    <message>
        <source>%1 fewer violated</source>
        <translation>少 %1 项不成立</translation>
    </message>
    <message>
        <source>%1 fewer</source>
        <translation>少 %1</translation>
    </message>
    <message>
        <source>%1 going</source>
        <translation>%1 的消失</translation>
    </message>
    <message>
        <source>%1 grants</source>
        <translation>%1 次授予</translation>
    </message>
    <message>
        <source>%1 higher</source>
        <translation>高 %1</translation>
    </message>
    <message>
        <source>%1 holds</source>
        <translation>%1 次持有</translation>
    </message>
    <message>
        <source>%1 lower</source>
        <translation>低 %1</translation>
    </message>
    <message>
        <source>%1 more violated</source>
        <translation>多 %1 项不成立</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>多 %1</translation>
    </message>
    <message>
        <source>%1 on average</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>每次 %1 个</translation>
    </message>
    <message>
        <source>%1 waits</source>
        <translation>%1 次等待</translation>
    </message>
    <message>
        <source>%1 wake-ups</source>
        <translation>%1 次唤醒</translation>
    </message>
    <message>
        <source>%1 × fewer</source>
        <translation>左侧是右侧的 1/%1</translation>
    </message>
    <message>
        <source>%1 × longer</source>
        <translation>左侧是右侧的 %1 倍</translation>
    </message>
    <message>
        <source>%1 × more</source>
        <translation>左侧是右侧的 %1 倍</translation>
    </message>
    <message>
        <source>%1 × shorter</source>
        <translation>左侧是右侧的 1/%1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1, byte %2</source>
        <translation>%1，第 %2 字节</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1: %2 bytes of zeros between records.</source>
        <translation>%1：记录之间有 %2 字节的零。</translation>
    </message>
    <message>
        <source>%1: %2 transactions of an unknown type were left out.</source>
        <translation>%1：略去了 %2 个未知类型的事务。</translation>
    </message>
    <message>
        <source>%1: %2; %3 bytes were skipped.</source>
        <translation>%1：%2，跳过了 %3 字节。</translation>
    </message>
    <message>
        <source>%1: a field is longer than its record; %2 transactions were left out.</source>
        <translation>%1：有字段超出其记录，略去了 %2 个事务。</translation>
    </message>
    <message>
        <source>%1: a field is longer than its record; one transaction was left out.</source>
        <translation>%1：有一个字段超出其记录，略去了一个事务。</translation>
    </message>
    <message>
        <source>%1: a transaction of an unknown type was left out.</source>
        <translation>%1：略去了一个未知类型的事务。</translation>
    </message>
    <message>
        <source>%1: another file has this name now.</source>
        <translation>%1：现在是另一个文件使用这个名字。</translation>
    </message>
    <message>
        <source>%1: snapshots compressed with snappy cannot be read.</source>
        <translation>%1：无法读取用 snappy 压缩的快照。</translation>
    </message>
    <message>
        <source>%1: the file became shorter: the server discarded transactions.</source>
        <translation>%1：文件变短了：服务器丢弃了一些事务。</translation>
    </message>
    <message>
        <source>%1: the file is empty.</source>
        <translation>%1：文件为空。</translation>
    </message>
    <message>
        <source>%1: the last record is incomplete; %2 bytes were not read.</source>
        <translation>%1：最后一条记录不完整，有 %2 字节未读取。</translation>
    </message>
    <message>
        <source>%1: the snapshot is incomplete and is not used: %2.</source>
        <translation>%1：快照不完整，未使用：%2。</translation>
    </message>
    <message>
        <source>%1: this is not a transaction log of ZooKeeper: %2.</source>
        <translation>%1：这不是 ZooKeeper 的事务日志：%2。</translation>
    </message>
    <message>
        <source>1 exists watch</source>
        <translation>1 个 exists 监视</translation>
    </message>
    <message>
        <source>1 grant</source>
        <translation>1 次授予</translation>
    </message>
    <message>
        <source>1 hold</source>
        <translation>1 次持有</translation>
    </message>
    <message>
        <source>1 wait</source>
        <translation>1 次等待</translation>
    </message>
    <message>
        <source>1 wake-up</source>
        <translation>1 次唤醒</translation>
    </message>
    <message>
        <source>A callback on the lock client&apos;s I/O thread threw an exception: %1.</source>
        <translation>锁客户端 I/O 线程上的回调抛出了异常：%1。</translation>
    </message>
    <message>
        <source>A lesson is a short TOML file.</source>
        <translation>课程是一个简短的 TOML 文件。</translation>
    </message>
    <message>
        <source>A trace does not say what its load was: it may not be the same.</source>
        <translation>有的跟踪记录没有记录负载：两者的负载可能不同。</translation>
    </message>
    <message>
        <source>Catch exceptions inside callbacks.</source>
        <translation>请在回调内部捕获异常。</translation>
    </message>
    <message>
        <source>Check the address, and that the server runs and can be reached.</source>
        <translation>请检查地址，并确认服务器正在运行且可以访问。</translation>
    </message>
    <message>
        <source>Expected files named log.&lt;zxid&gt;, as in ZooKeeper&apos;s dataDir/version-2.</source>
        <translation>应有名为 log.&lt;zxid&gt; 的文件，如 ZooKeeper 的 dataDir/version-2 中那样。</translation>
    </message>
    <message>
        <source>The release continues in the background.</source>
        <translation>释放会在后台继续进行。</translation>
    </message>
    <message>
        <source>Keep it for as long as its locks are used.</source>
        <translation>只要还在使用它的锁，就不要销毁它。</translation>
    </message>
    <message>
        <source>Keep it for as long as threads use it.</source>
        <translation>只要还有线程在使用它，就不要销毁它。</translation>
    </message>
    <message>
        <source>No ZooKeeper has answered at %1 for %2 s.</source>
        <translation>%1 处的 ZooKeeper 已有 %2 秒没有应答。</translation>
    </message>
    <message>
        <source>No thread can be started: %1.</source>
        <translation>无法启动线程：%1。</translation>
    </message>
    <message>
        <source>Not the same load: %1.</source>
        <translation>负载不同：%1。</translation>
    </message>
    <message>
        <source>Nothing was checked: no client has acquired a lock yet.</source>
        <translation>未做检查：还没有客户端获得过锁。</translation>
    </message>
    <message>
        <source>Nothing was checked: no client has waited for a lock yet.</source>
        <translation>未做检查：还没有客户端等待过锁。</translation>
    </message>
    <message>
        <source>Nothing was checked: no client&apos;s node has been deleted yet.</source>
        <translation>未做检查：还没有客户端的节点被删除。</translation>
    </message>
    <message>
        <source>Nothing was checked: no watch has fired because a node was deleted.</source>
        <translation>未做检查：还没有监视因节点被删除而触发。</translation>
    </message>
    <message>
        <source>Nothing was checked: no watched node has been deleted yet.</source>
        <translation>未做检查：还没有被监视的节点被删除。</translation>
    </message>
    <message>
        <source>Nothing was checked: only an exists watch can be left over, and none has been set yet.</source>
        <translation>未做检查：只有 exists 监视可能遗留，而至今没有设置过。</translation>
    </message>
    <message>
        <source>Nothing was checked: this recipe has no order.</source>
        <translation>未做检查：此配方没有顺序。</translation>
    </message>
    <message>
        <source>Nothing was checked: this run only watches.</source>
        <translation>未做检查：此运行只进行观察。</translation>
    </message>
    <message>
        <source>Raise the limit of threads (ulimit -u).</source>
        <translation>请提高线程数上限（ulimit -u）。</translation>
    </message>
    <message>
        <source>The client of the lock was closed.</source>
        <translation>锁的客户端已关闭。</translation>
    </message>
    <message>
        <source>The holder of %1 could not be asked to release it: %2.</source>
        <translation>无法请求 %1 的持有者释放它：%2。</translation>
    </message>
    <message>
        <source>The lease %1 of the semaphore %2 is not held: its node was deleted.</source>
        <translation>信号量 %2 的租约 %1 未被持有：它的节点已被删除。</translation>
    </message>
    <message>
        <source>The lock %1 is not held by %2: its node was deleted.</source>
        <translation>锁 %1 并非由 %2 持有：它的节点已被删除。</translation>
    </message>
    <message>
        <source>The lock %1 is not held by the thread that unlocks it.</source>
        <translation>解锁的线程并未持有锁 %1。</translation>
    </message>
    <message>
        <source>The lock %1 was destroyed.</source>
        <translation>锁 %1 已被销毁。</translation>
    </message>
    <message>
        <source>The lock %1 was lost before it was unlocked.</source>
        <translation>锁 %1 在解锁之前就已丢失。</translation>
    </message>
    <message>
        <source>The lock %1 was lost while this thread held it.</source>
        <translation>锁 %1 在本线程持有期间丢失。</translation>
    </message>
    <message>
        <source>The lock %1 was not acquired: %2.</source>
        <translation>未获得锁 %1：%2。</translation>
    </message>
    <message>
        <source>The lock %1 was not acquired: a part of it was lost.</source>
        <translation>未获得锁 %1：它的一个组成部分已丢失。</translation>
    </message>
    <message>
        <source>The semaphore %1 did not have enough free leases in time.</source>
        <translation>信号量 %1 未能及时空出足够的租约。</translation>
    </message>
    <message>
        <source>The server did not answer whether the lock %1 is free.</source>
        <translation>服务器没有答复锁 %1 是否空闲。</translation>
    </message>
    <message>
        <source>The server has not confirmed the release of the lock %1 in time.</source>
        <translation>服务器未能及时确认锁 %1 的释放。</translation>
    </message>
    <message>
        <source>The session timeout and the connect timeout must be greater than zero.</source>
        <translation>会话超时和连接超时必须大于零。</translation>
    </message>
    <message>
        <source>There is no connection to confirm the release of the lock %1.</source>
        <translation>没有连接可以确认锁 %1 的释放。</translation>
    </message>
    <message>
        <source>There is no lesson &quot;%1&quot;.</source>
        <translation>没有课程“%1”。</translation>
    </message>
    <message>
        <source>There is no transaction log in %1.</source>
        <translation>%1 中没有事务日志。</translation>
    </message>
    <message>
        <source>No connection to ZooKeeper was established in time.</source>
        <translation>未能及时连接到 ZooKeeper。</translation>
    </message>
    <message>
        <source>The credentials in %1 cannot be read.</source>
        <translation>无法读取 %1 中的凭据。</translation>
    </message>
    <message>
        <source>The file must exist, be readable and begin with a line USER:PASSWORD.</source>
        <translation>该文件必须存在、可读，且第一行为 USER:PASSWORD。</translation>
    </message>
    <message>
        <source>The first line of %1 is not USER:PASSWORD.</source>
        <translation>%1 的第一行不是 USER:PASSWORD。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not the path of a node.</source>
        <translation>“%1”不是节点的路径。</translation>
    </message>
    <message>
        <source>A chroot may follow the addresses, for example 127.0.0.1:2181/app.</source>
        <translation>地址之后可以跟 chroot，例如 127.0.0.1:2181/app。</translation>
    </message>
    <message>
        <source>ZooKeeper at %1 refuses the credentials.</source>
        <translation>%1 上的 ZooKeeper 拒绝了凭据。</translation>
    </message>
    <message>
        <source>Check their scheme and format.</source>
        <translation>请检查其方案和格式。</translation>
    </message>
    <message>
        <source>The data of a node must not end with %1.</source>
        <translation>节点的数据不能以 %1 结尾。</translation>
    </message>
    <message>
        <source>A holder writes that into its node to announce that it holds the lock.</source>
        <translation>持有者将其写入自己的节点，以宣告它持有锁。</translation>
    </message>
    <message>
        <source>The data of a node has %1 bytes; the limit is %2.</source>
        <translation>节点的数据有 %1 字节，上限为 %2 字节。</translation>
    </message>
    <message>
        <source>The node %1 could not be read: %2.</source>
        <translation>无法读取节点 %1：%2。</translation>
    </message>
    <message>
        <source>This is the client&apos;s I/O thread, which would wait for itself.</source>
        <translation>这是客户端的 I/O 线程，它会等待自己。</translation>
    </message>
    <message>
        <source>This thread holds the lock %1 shared and would wait for itself.</source>
        <translation>本线程以共享方式持有锁 %1，会等待自己。</translation>
    </message>
    <message>
        <source>Unlock exactly as often as you locked, on the same thread.</source>
        <translation>请在同一线程上解锁，次数与加锁次数相同。</translation>
    </message>
    <message>
        <source>Unlock it as often as it was locked, then lock it again.</source>
        <translation>请按加锁的次数解锁，然后重新加锁。</translation>
    </message>
    <message>
        <source>Unlock it before locking it exclusively.</source>
        <translation>请先解锁，再以独占方式加锁。</translation>
    </message>
    <message>
        <source>Use another path, or delete this one when no client waits there.</source>
        <translation>请使用其他路径，或在无人等待时删除这一个。</translation>
    </message>
    <message>
        <source>Use coroutines here, or wait on another thread.</source>
        <translation>请在此处使用协程，或在其他线程上等待。</translation>
    </message>
    <message>
        <source>a deadlock</source>
        <translation>出现死锁</translation>
    </message>
    <message>
        <source>a field has a length of %1</source>
        <translation>有一个字段的长度为 %1</translation>
    </message>
    <message>
        <source>a herd</source>
        <translation>出现羊群效应</translation>
    </message>
    <message>
        <source>a list of a sentence and up to 9 texts or lists</source>
        <translation>由一个句子和最多 9 个文本或列表组成的列表</translation>
    </message>
    <message>
        <source>a list of findings, such as [&quot;no_herd&quot;]</source>
        <translation>检查项的列表，例如 [&quot;no_herd&quot;]</translation>
    </message>
    <message>
        <source>a list of locks, such as [&quot;left&quot;, &quot;right&quot;]</source>
        <translation>锁的列表，例如 [&quot;left&quot;, &quot;right&quot;]</translation>
    </message>
    <message>
        <source>a list of paths, such as [&quot;/locks/left&quot;, &quot;/locks/right&quot;]</source>
        <translation>路径的列表，例如 [&quot;/locks/left&quot;, &quot;/locks/right&quot;]</translation>
    </message>
    <message>
        <source>a list of steps, such as [&quot;ada create&quot;, &quot;bo create&quot;]</source>
        <translation>步骤的列表，例如 [&quot;ada create&quot;, &quot;bo create&quot;]</translation>
    </message>
    <message>
        <source>a list such as [&quot;one_holder holds&quot;, &quot;no_herd violated&quot;]</source>
        <translation>一个列表，例如 [&quot;one_holder holds&quot;, &quot;no_herd violated&quot;]</translation>
    </message>
    <message>
        <source>a lost wake-up</source>
        <translation>有唤醒丢失</translation>
    </message>
    <message>
        <source>a stray watch</source>
        <translation>有多余的监视</translation>
    </message>
    <message>
        <source>acquisitions</source>
        <extracomment>head of a row that compares two runs: how often the lock was acquired</extracomment>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>actions of the script</source>
        <translation>脚本操作</translation>
    </message>
    <message>
        <source>all hold</source>
        <translation>全部成立</translation>
    </message>
    <message>
        <source>all together</source>
        <translation>全部同时</translation>
    </message>
    <message>
        <source>an orphan node</source>
        <translation>出现孤儿节点</translation>
    </message>
    <message>
        <source>an unknown client</source>
        <translation>未知的客户端</translation>
    </message>
    <message>
        <source>arrival</source>
        <extracomment>in &quot;arrival at once against all together&quot;: how the clients start</extracomment>
        <translation>到达</translation>
    </message>
    <message>
        <source>as many violated</source>
        <translation>不成立的一样多</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>立即</translation>
    </message>
    <message>
        <source>belief that does not match the server</source>
        <translation>客户端的认知与服务器不一致</translation>
    </message>
    <message>
        <source>clients woken per release, mean of the run</source>
        <translation>每次释放唤醒的客户端（全程平均）</translation>
    </message>
    <message>
        <source>clients</source>
        <extracomment>in &quot;clients 5 against 10&quot;: how many there are</extracomment>
        <translation>客户端数</translation>
    </message>
    <message>
        <source>cycles</source>
        <extracomment>in &quot;cycles 10 against 20&quot;: how often each client acquires and releases the lock</extracomment>
        <translation>轮次</translation>
    </message>
    <message>
        <source>done</source>
        <extracomment>the answer to a request: it was carried out</extracomment>
        <translation>已完成</translation>
    </message>
    <message>
        <source>duration</source>
        <extracomment>head of a row that compares two runs: how long the run took</extracomment>
        <translation>时长</translation>
    </message>
    <message>
        <source>equal</source>
        <extracomment>of two runs: the same value</extracomment>
        <translation>相同</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>错误 %1</translation>
    </message>
    <message>
        <source>fairness (Jain)</source>
        <translation>公平性（Jain）</translation>
    </message>
    <message>
        <source>findings</source>
        <extracomment>head of a row that compares two runs: how many findings are violated</extracomment>
        <translation>检查项</translation>
    </message>
    <message>
        <source>frozen</source>
        <extracomment>a client&apos;s state: it does not run, so it sends nothing</extracomment>
        <translation>已冻结</translation>
    </message>
    <message>
        <source>handoff p50</source>
        <translation>交接 p50</translation>
    </message>
    <message>
        <source>handoff p99</source>
        <translation>交接 p99</translation>
    </message>
    <message>
        <source>held before %1</source>
        <translation>停在 %1 之前</translation>
    </message>
    <message>
        <source>hold</source>
        <extracomment>a noun, in &quot;hold 20 ms against 50 ms&quot;: how long a client holds the lock</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>holds</source>
        <extracomment>a client&apos;s state: it has the lock</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>it does not begin with ZKLG</source>
        <translation>它不以 ZKLG 开头</translation>
    </message>
    <message>
        <source>it does not begin with ZKSN</source>
        <translation>它不以 ZKSN 开头</translation>
    </message>
    <message>
        <source>it ends too early</source>
        <translation>它过早结束</translation>
    </message>
    <message>
        <source>it has no address</source>
        <translation>它没有地址</translation>
    </message>
    <message>
        <source>it is no regular file</source>
        <translation>它不是普通文件</translation>
    </message>
    <message>
        <source>it takes too long</source>
        <translation>等得太久</translation>
    </message>
    <message>
        <source>its checksum is wrong</source>
        <translation>其校验和错误</translation>
    </message>
    <message>
        <source>its end mark is missing</source>
        <translation>缺少结束标记</translation>
    </message>
    <message>
        <source>its version is %1, not 2</source>
        <translation>其版本是 %1，而不是 2</translation>
    </message>
    <message>
        <source>its version is not 2</source>
        <translation>其版本不是 2</translation>
    </message>
    <message>
        <source>lock %1</source>
        <translation>锁 %1</translation>
    </message>
    <message>
        <source>locks</source>
        <extracomment>a noun, in &quot;locks 1 against 2&quot;: how many there are</extracomment>
        <translation>锁的数量</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>no complete record was found</source>
        <translation>此处没有完整的记录</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>不作比较</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>one every %1 on average</source>
        <translation>平均每 %1 一个</translation>
    </message>
    <message>
        <source>one every %1</source>
        <translation>每 %1 一个</translation>
    </message>
    <message>
        <source>order not kept</source>
        <translation>顺序未得到保持</translation>
    </message>
    <message>
        <source>overtakings of one wait, at most</source>
        <translation>一次等待最多被超过的次数</translation>
    </message>
    <message>
        <source>pace</source>
        <extracomment>in &quot;pace 0 ms against 20 ms&quot;: the delay before every step</extracomment>
        <translation>每步延时</translation>
    </message>
    <message>
        <source>paused</source>
        <extracomment>a client&apos;s state: it is held before its next step</extracomment>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>permits</source>
        <extracomment>in &quot;permits 1 against 2&quot;: how many leases a client takes at once</extracomment>
        <translation>租约数</translation>
    </message>
    <message>
        <source>re-entries</source>
        <translation>重入次数</translation>
    </message>
    <message>
        <source>requests per acquisition</source>
        <translation>每次获取的请求数</translation>
    </message>
    <message>
        <source>run time</source>
        <translation>运行时间</translation>
    </message>
    <message>
        <source>servers</source>
        <extracomment>in &quot;servers 1 against 3&quot;: how many there are</extracomment>
        <translation>服务器</translation>
    </message>
    <message>
        <source>set</source>
        <extracomment>a verb, in &quot;Could not set the shared count&quot;</extracomment>
        <translation>设置</translation>
    </message>
    <message>
        <source>standard output</source>
        <translation>标准输出</translation>
    </message>
    <message>
        <source>start</source>
        <extracomment>a verb, in &quot;Could not start the shared count&quot;</extracomment>
        <translation>启动</translation>
    </message>
    <message>
        <source>stopped</source>
        <extracomment>why the run is over: it was stopped</extracomment>
        <translation>已停止</translation>
    </message>
    <message>
        <source>the reason is not known</source>
        <translation>原因不明</translation>
    </message>
    <message>
        <source>think</source>
        <extracomment>a noun, in &quot;think 20 ms against 50 ms&quot;: the time before a client asks for the lock</extracomment>
        <translation>思考</translation>
    </message>
    <message>
        <source>tokens that do not increase</source>
        <translation>令牌没有递增</translation>
    </message>
    <message>
        <source>too many holders at once</source>
        <translation>同时持有者过多</translation>
    </message>
    <message>
        <source>wait p50</source>
        <translation>等待 p50</translation>
    </message>
    <message>
        <source>wait p99</source>
        <translation>等待 p99</translation>
    </message>
    <message>
        <source>waits at most</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>waits that timed out</source>
        <translation>超时的等待</translation>
    </message>
    <message>
        <source>waits</source>
        <extracomment>a client&apos;s state: it does not have the lock</extracomment>
        <translation>在等待</translation>
    </message>
    <message>
        <source>work of single clients</source>
        <translation>个别客户端的工作</translation>
    </message>
    <message>
        <source>writes</source>
        <extracomment>a noun, in &quot;writes 10 % against 50 %&quot;: the share of cycles that write</extracomment>
        <translation>写的比例</translation>
    </message>
    <message>
        <source>From ZooKeeper&apos;s transaction log</source>
        <translation>取自 ZooKeeper 的事务日志</translation>
    </message>
    <message>
        <source>From ZooKeeper&apos;s transaction log, with the data of the nodes</source>
        <translation>取自 ZooKeeper 的事务日志，含节点数据</translation>
    </message>
    <message>
        <source>%1 empty persistent nodes are left below this path, one for each former lock.</source>
        <translation>此路径下留有 %1 个空的持久节点，每个曾经的锁各一个。</translation>
    </message>
    <message>
        <source>All of them had children, none has any now, and none was deleted in 90 s; container nodes would have been deleted.</source>
        <translation>它们都曾有子节点，现在都没有，且 90 秒内无一消失；若是容器节点，早已被删除。</translation>
    </message>
    <message>
        <source>Check the addresses, and that a server is up.</source>
        <translation>请检查地址，并确认服务器正在运行。</translation>
    </message>
    <message>
        <source>Clients of %1 and of %2 use this path and do not exclude each other.</source>
        <translation>%1 和 %2 的客户端同时使用此路径，彼此并不互斥。</translation>
    </message>
    <message>
        <source>Delete them, or let clients create the parents as container nodes (Curator does this automatically).</source>
        <translation>请删除它们，或让客户端把父节点建为容器节点（Curator 会自动这样做）。</translation>
    </message>
    <message>
        <source>For %1 its session %2 has sent other requests, and has neither deleted nor watched anything here.</source>
        <translation>%1 以来，它的会话 %2 发送过其他请求，却没有在此删除或监视任何节点。</translation>
    </message>
    <message>
        <source>None of the nodes in the cycle has changed for %1; session %2 is part of the cycle.</source>
        <translation>%1 以来，环中的节点都没有变化，其中包括会话 %2。</translation>
    </message>
    <message>
        <source>In two answers to wchp session %1 has no watch on any node ahead of it.</source>
        <translation>在两次 wchp 的答复中，会话 %1 对其前面的任何节点都没有监视。</translation>
    </message>
    <message>
        <source>The waiters&apos; library counts every child, and this node sorts before %1.</source>
        <translation>等待者所用的库计入每个子节点，而此节点排在 %1 之前。</translation>
    </message>
    <message>
        <source>Its Stat has no ephemeral owner; waiting behind it: %1.</source>
        <translation>它的 Stat 没有临时节点所有者；在其后等待的有 %1 个。</translation>
    </message>
    <message>
        <source>Its session %1 has a second node with the same unique prefix, %2.</source>
        <translation>它的会话 %1 还有一个唯一前缀相同的节点 %2。</translation>
    </message>
    <message>
        <source>Check that process: it may be paused or disconnected. When its session expires, the next client gets the lock; the process may still believe that it holds the lock.</source>
        <translation>检查该进程：它可能被暂停或断开了网络。其会话过期后，下一个客户端得到锁；而该进程可能仍以为自己持有锁。</translation>
    </message>
    <message>
        <source>Check what the holder is doing.</source>
        <translation>查看持有者正在做什么。</translation>
    </message>
    <message>
        <source>No ZooKeeper answers at %1.</source>
        <translation>%1 处没有 ZooKeeper 应答。</translation>
    </message>
    <message>
        <source>No server has heard of session %1 for at least %2; its timeout is %3.</source>
        <translation>至少 %2 以来，没有服务器收到会话 %1 的消息；其超时为 %3。</translation>
    </message>
    <message>
        <source>Based on %1 holds; now waiting: %2.</source>
        <translation>依据 %1 次持有；现有 %2 个在等待。</translation>
    </message>
    <message>
        <source>Sessions wait for one another in a cycle over %1.</source>
        <translation>各会话在 %1 上循环等待。</translation>
    </message>
    <message>
        <source>The holder has held for %1; 99 of 100 holds here took less than %2.</source>
        <translation>持有者已持有 %1；此处 100 次持有中有 99 次短于 %2。</translation>
    </message>
    <message>
        <source>The holder is silent; its session expires in at most %1.</source>
        <translation>持有者没有动静；其会话最多 %1 后过期。</translation>
    </message>
    <message>
        <source>The next in line, %1, watches nothing and will not notice its turn.</source>
        <translation>下一个节点 %1 没有监视任何节点，轮到它时不会察觉。</translation>
    </message>
    <message>
        <source>The node %1 does not belong to a lock, and all clients wait behind it.</source>
        <translation>节点 %1 不是锁的节点，而所有客户端都在它后面等待。</translation>
    </message>
    <message>
        <source>The node in front, %1, belongs to no session: it remains when its client ends.</source>
        <translation>最前面的节点 %1 不属于任何会话：客户端结束后它仍然存在。</translation>
    </message>
    <message>
        <source>The node in front, %1, was apparently forgotten by its client, whose session is alive.</source>
        <translation>最前面的节点 %1 似乎已被其客户端遗忘，而该会话仍然存活。</translation>
    </message>
    <message>
        <source>The leases of the semaphore %1 were lost with the session.</source>
        <translation>信号量 %1 的租约已随会话丢失。</translation>
    </message>
    <message>
        <source>The semaphore %1 was destroyed.</source>
        <translation>信号量 %1 已被销毁。</translation>
    </message>
    <message>
        <source>The server did not answer whether the semaphore %1 has a lease.</source>
        <translation>服务器没有回答信号量 %1 是否还有租约。</translation>
    </message>
    <message>
        <source>The server has not confirmed the release of the semaphore %1 in time.</source>
        <translation>服务器没有及时确认信号量 %1 的释放。</translation>
    </message>
    <message>
        <source>There is no connection to confirm the release of the semaphore %1.</source>
        <translation>没有连接可以确认信号量 %1 的释放。</translation>
    </message>
    <message>
        <source>Nodes of both exist now, and by default each counts only nodes with its own names as contenders.</source>
        <translation>两种节点现在都在，而默认情况下双方都只把自己命名的节点当作竞争者。</translation>
    </message>
    <message>
        <source>Use one library and one recipe on a path, or let each recognize the other&apos;s names (kazoo: extra_lock_patterns).</source>
        <translation>一条路径上只用一种库和一种配方，或让双方识别对方的名称（kazoo：extra_lock_patterns）。</translation>
    </message>
    <message>
        <source>The supervisor process of the private ZooKeeper sent an unknown reply: %1.</source>
        <translation>私有 ZooKeeper 的监管进程发来了无法识别的回复：%1。</translation>
    </message>
    <message>
        <source>A multi-lock has no path.</source>
        <translation>多重锁没有路径。</translation>
    </message>
    <message>
        <source>Create that node, or correct the address.</source>
        <translation>请创建该节点，或更正地址。</translation>
    </message>
    <message>
        <source>Give it one or more paths.</source>
        <translation>请给出一个或多个路径。</translation>
    </message>
    <message>
        <source>The root of this connection, the chroot in its address, does not exist.</source>
        <translation>此连接的根（地址中的 chroot）不存在。</translation>
    </message>
    <message>
        <source>This history has no lock at %1.</source>
        <translation>此历史中没有位于 %1 的锁。</translation>
    </message>
    <message>
        <source>The server grants a session timeout of %1; the scenario asks for %2. Results that depend on a session expiry may differ.</source>
        <translation>服务器给出的会话超时是 %1，场景要求的是 %2。与会话过期有关的结果可能不同。</translation>
    </message>
    <message>
        <source>The run is to end.</source>
        <translation>运行即将结束。</translation>
    </message>
    <message>
        <source>Locks of others, watched live</source>
        <translation>实时观察其他程序的锁</translation>
    </message>
    <message>
        <source>%1 is too large for a bookmark file.</source>
        <translation>%1 太大，不可能是书签文件。</translation>
    </message>
    <message>
        <source>%1, before the colon</source>
        <translation>冒号前为 %1</translation>
    </message>
    <message>
        <source>%1, in the step or for the lesson</source>
        <translation>%1，写在步骤中或课程中</translation>
    </message>
    <message>
        <source>%1, or several joined by &quot; and &quot;; values to compare: %2</source>
        <translation>%1，或用 &quot; and &quot; 连接的多个；可以比较的有：%2</translation>
    </message>
    <message>
        <source>%1; clients: %2</source>
        <translation>%1；客户端：%2</translation>
    </message>
    <message>
        <source>2 to 9 options</source>
        <translation>2 到 9 个选项</translation>
    </message>
    <message>
        <source>Cannot create an epoll set: %1.</source>
        <translation>无法创建 epoll 集：%1。</translation>
    </message>
    <message>
        <source>Expected a lesson in TOML.</source>
        <translation>应为 TOML 格式的课程。</translation>
    </message>
    <message>
        <source>The bookmarks cannot be written to %1: %2.</source>
        <translation>无法把书签写入 %1：%2。</translation>
    </message>
    <message>
        <source>The bookmarks in %1 cannot be read: %2.</source>
        <translation>无法读取 %1 中的书签：%2。</translation>
    </message>
    <message>
        <source>They stay in this window; save the trace somewhere else to keep them.</source>
        <translation>它们留在这个窗口里；要保留它们，请把跟踪记录保存到别处。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; alone</source>
        <translation>只有 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>&quot;%1&quot; beside it</source>
        <translation>同时有 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a * before and a * after the emphasized text</source>
        <translation>强调的内容前后各一个 *</translation>
    </message>
    <message>
        <source>a bet with &quot;do&quot; but without &quot;then&quot;</source>
        <translation>含 &quot;do&quot; 但没有 &quot;then&quot; 的下注题</translation>
    </message>
    <message>
        <source>a bet without a question</source>
        <translation>没有问题的下注题</translation>
    </message>
    <message>
        <source>a bet</source>
        <translation>一个下注题</translation>
    </message>
    <message>
        <source>a card: %1</source>
        <translation>一张卡片：%1</translation>
    </message>
    <message>
        <source>a choice</source>
        <translation>一个分支</translation>
    </message>
    <message>
        <source>a client of the scenario instead of &quot;%1&quot;: %2</source>
        <translation>场景中的客户端，而不是 &quot;%1&quot;：%2</translation>
    </message>
    <message>
        <source>a lesson without a title</source>
        <translation>没有标题的课程</translation>
    </message>
    <message>
        <source>a lesson without steps</source>
        <translation>没有步骤的课程</translation>
    </message>
    <message>
        <source>a list of actions, such as [&quot;freeze ada&quot;, &quot;when bo holds: thaw ada&quot;]</source>
        <translation>操作列表，例如 [&quot;freeze ada&quot;, &quot;when bo holds: thaw ada&quot;]</translation>
    </message>
    <message>
        <source>a list of actions, such as [&quot;kill ada&quot;]</source>
        <translation>操作列表，例如 [&quot;kill ada&quot;]</translation>
    </message>
    <message>
        <source>a list of cards, such as [&quot;chain&quot;, &quot;timeline&quot;]</source>
        <translation>卡片列表，例如 [&quot;chain&quot;, &quot;timeline&quot;]</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文字列表</translation>
    </message>
    <message>
        <source>a list of things to point at, such as [&quot;node of ada&quot;]</source>
        <translation>要指向的内容列表，例如 [&quot;node of ada&quot;]</translation>
    </message>
    <message>
        <source>a scenario of this file, under [scenarios.NAME], or a built-in one</source>
        <translation>本文件 [scenarios.NAME] 下的场景，或内置场景</translation>
    </message>
    <message>
        <source>a scenario without &quot;connect&quot;: a lesson has a server of its own</source>
        <translation>不含 &quot;connect&quot; 的场景：课程有自己的服务器</translation>
    </message>
    <message>
        <source>a scenario, as in a file of its own</source>
        <translation>一个场景，写法与单独的场景文件相同</translation>
    </message>
    <message>
        <source>a step that needs a scenario</source>
        <translation>需要场景的步骤</translation>
    </message>
    <message>
        <source>a step without text</source>
        <translation>没有文字的步骤</translation>
    </message>
    <message>
        <source>a bet table</source>
        <translation>下注题表</translation>
    </message>
    <message>
        <source>a step table</source>
        <translation>步骤表</translation>
    </message>
    <message>
        <source>a task table</source>
        <translation>任务表</translation>
    </message>
    <message>
        <source>an option table</source>
        <translation>选项表</translation>
    </message>
    <message>
        <source>a table with &quot;when&quot; and &quot;step&quot;</source>
        <translation>含 &quot;when&quot; 和 &quot;step&quot; 的表</translation>
    </message>
    <message>
        <source>a task without text</source>
        <translation>没有文字的任务</translation>
    </message>
    <message>
        <source>a task without a goal</source>
        <translation>没有目标的任务</translation>
    </message>
    <message>
        <source>a text that is not empty</source>
        <translation>非空的文字</translation>
    </message>
    <message>
        <source>a time longer than 0, and at most 10m</source>
        <translation>大于 0 且不超过 10m 的时间</translation>
    </message>
    <message>
        <source>an &quot;after&quot; to which this condition applies</source>
        <translation>此条件所适用的 &quot;after&quot;</translation>
    </message>
    <message>
        <source>an option without a condition</source>
        <translation>没有判定条件的选项</translation>
    </message>
    <message>
        <source>an option without text</source>
        <translation>没有文字的选项</translation>
    </message>
    <message>
        <source>as many hints as in &quot;hints&quot;</source>
        <translation>与 &quot;hints&quot; 数量相同的提示</translation>
    </message>
    <message>
        <source>at least one [[step]]</source>
        <translation>至少一个 [[step]]</translation>
    </message>
    <message>
        <source>at least one card: %1</source>
        <translation>至少一张卡片：%1</translation>
    </message>
    <message>
        <source>at most %1 steps</source>
        <translation>最多 %1 个步骤</translation>
    </message>
    <message>
        <source>both &quot;when&quot; and &quot;step&quot;</source>
        <translation>&quot;when&quot; 和 &quot;step&quot; 都有</translation>
    </message>
    <message>
        <source>either a bet or a task</source>
        <translation>下注题或任务，二者之一</translation>
    </message>
    <message>
        <source>expected &quot;notes&quot;: […].</source>
        <translation>应为 &quot;notes&quot;: […]。</translation>
    </message>
    <message>
        <source>expected &quot;schema&quot;: &quot;%1&quot;.</source>
        <translation>应为 &quot;schema&quot;: &quot;%1&quot;。</translation>
    </message>
    <message>
        <source>expected &quot;t&quot;, the nanoseconds since the beginning, a whole number from 0.</source>
        <translation>应有 &quot;t&quot;：从开始起的纳秒数，不小于 0 的整数。</translation>
    </message>
    <message>
        <source>expected &quot;version&quot;: %1; a newer LockScope may read this file.</source>
        <translation>应为 &quot;version&quot;: %1；较新的 LockScope 也许能读取此文件。</translation>
    </message>
    <message>
        <source>expected a note such as {&quot;t&quot;: 1000000, &quot;text&quot;: &quot;…&quot;}.</source>
        <translation>应为一条书签，例如 {&quot;t&quot;: 1000000, &quot;text&quot;: &quot;…&quot;}。</translation>
    </message>
    <message>
        <source>expected a text in quotation marks.</source>
        <translation>应为引号中的文字。</translation>
    </message>
    <message>
        <source>one of &quot;option&quot;, &quot;number&quot; and &quot;who&quot;</source>
        <translation>&quot;option&quot;、&quot;number&quot;、&quot;who&quot; 之一</translation>
    </message>
    <message>
        <source>one that can be run: %1</source>
        <translation>可以运行的场景：%1</translation>
    </message>
    <message>
        <source>something that is counted: one of %1</source>
        <translation>可计数的内容：%1 之一</translation>
    </message>
    <message>
        <source>something that names clients: one of %1</source>
        <translation>指明客户端的内容：%1 之一</translation>
    </message>
    <message>
        <source>tables of options, each under [[step.bet.option]]</source>
        <translation>选项的表，各在 [[step.bet.option]] 下</translation>
    </message>
    <message>
        <source>tables of scenarios, each under [scenarios.NAME]</source>
        <translation>场景的表，各在 [scenarios.NAME] 下</translation>
    </message>
    <message>
        <source>tables of steps, each under [[step]]</source>
        <translation>步骤的表，各在 [[step]] 下</translation>
    </message>
    <message>
        <source>tables, each under [[step.next]]</source>
        <translation>表，各在 [[step.next]] 下</translation>
    </message>
    <message>
        <source>the name of a step of this lesson</source>
        <translation>本课程中某个步骤的名字</translation>
    </message>
    <message>
        <source>the scenario &quot;%1&quot;</source>
        <translation>场景 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>this is not JSON.</source>
        <translation>这不是 JSON。</translation>
    </message>
    <message>
        <source>The run failed: %1.</source>
        <translation>运行失败：%1。</translation>
    </message>
    <message>
        <source>%1 does not accept requests to release: its locks are not revocable.</source>
        <translation>%1 不接受释放请求：它的锁不可撤销。</translation>
    </message>
    <message>
        <source>&quot;client ada&quot;, &quot;node of ada&quot;, &quot;message create of ada&quot;, &quot;handoff&quot; or &quot;card timeline&quot;</source>
        <translation>&quot;client ada&quot;、&quot;node of ada&quot;、&quot;message create of ada&quot;、&quot;handoff&quot; 或 &quot;card timeline&quot;</translation>
    </message>
    <message>
        <source>a remark</source>
        <translation>一条评语</translation>
    </message>
    <message>
        <source>a table with &quot;when&quot; and &quot;text&quot;</source>
        <translation>一个含 &quot;when&quot; 和 &quot;text&quot; 的表</translation>
    </message>
    <message>
        <source>both &quot;when&quot; and &quot;text&quot;</source>
        <translation>&quot;when&quot; 和 &quot;text&quot; 两者</translation>
    </message>
    <message>
        <source>tables of remarks, each under [[step.remark]]</source>
        <translation>评语的表，各在 [[step.remark]] 之下</translation>
    </message>
    <message>
        <source>the operation and the client of a message, such as &quot;message create of ada&quot;</source>
        <translation>消息的操作和客户端，例如 &quot;message create of ada&quot;</translation>
    </message>
    <message>
        <source>Add this line to its zoo.cfg: %1</source>
        <translation>在它的 zoo.cfg 里加上这一行：%1</translation>
    </message>
    <message>
        <source>Ask that client whether it still uses the node.</source>
        <translation>向那个客户端查明它是否还在用这个节点。</translation>
    </message>
    <message>
        <source>Ask that client whether it works under this lock. Once it is certain that it does not, deleting this one node frees this lock alone; restarting the client ends all that its session holds. Turn on protection in the client.</source>
        <translation>查明那个客户端是否正在这把锁下工作。确定没有之后，删除这一个节点只释放这一把锁；重启客户端会结束其会话持有的一切。在客户端打开保护（protection）。</translation>
    </message>
    <message>
        <source>Check the address and the port.</source>
        <translation>检查地址和端口。</translation>
    </message>
    <message>
        <source>Compare the servers: each should have the node, and none its session. Find out what the node means.</source>
        <translation>比较各台服务器：每台都应有这个节点，而没有一台有它的会话。查明这个节点的含义。</translation>
    </message>
    <message>
        <source>Compare the servers: each should have the node, and none its session. Once it is certain that no process works under the lock, delete this one node.</source>
        <translation>比较各台服务器：每台都应有这个节点，而没有一台有它的会话。确定没有进程在这把锁下工作之后，删除这一个节点。</translation>
    </message>
    <message>
        <source>Find out what created the node, and what it means there.</source>
        <translation>查明是什么创建了这个节点，以及它在那里的含义。</translation>
    </message>
    <message>
        <source>Find out what created the node. Some programs use persistent nodes on purpose; delete it only once it is certain that its creator no longer needs it.</source>
        <translation>查明是什么创建了这个节点。有些程序有意使用持久节点；只有确定创建者不再需要它时才删除。</translation>
    </message>
    <message>
        <source>Find out what created the node; if it is not needed, move it out of this path.</source>
        <translation>查明是什么创建了这个节点；如果不需要，把它移出这个路径。</translation>
    </message>
    <message>
        <source>Interrupted while the name service was asked for %1.</source>
        <translation>正在向名字服务查询 %1 时被中断。</translation>
    </message>
    <message>
        <source>It is asked again. Ask another server, or later.</source>
        <translation>会再次询问。可以改问另一台服务器，或稍后再试。</translation>
    </message>
    <message>
        <source>It is asked again.</source>
        <translation>会再次询问。</translation>
    </message>
    <message>
        <source>It is being made again.</source>
        <translation>正在重新建立。</translation>
    </message>
    <message>
        <source>It may be overloaded, or the network is slow.</source>
        <translation>它可能过载，或网络缓慢。</translation>
    </message>
    <message>
        <source>It may be paused or overloaded, or the network is stalled.</source>
        <translation>它可能被暂停或过载，或网络停顿。</translation>
    </message>
    <message>
        <source>Its session %1 has a node in that queue.</source>
        <translation>它的会话 %1 在那个队列里有一个节点。</translation>
    </message>
    <message>
        <source>Its session %1 has a node in that queue; the last of these locks is held by %2.</source>
        <translation>它的会话 %1 在那个队列里有一个节点；这些锁中的最后一把由 %2 持有。</translation>
    </message>
    <message>
        <source>Let one of the clients give up its wait, or else end its session; let all clients take the locks in one order. (If a session has several threads, this may not be a deadlock.)</source>
        <translation>让其中一个客户端放弃等待，否则结束它的会话；让所有客户端按同一次序取锁。（如果一个会话有几个线程，这可能不是死锁。）</translation>
    </message>
    <message>
        <source>Let that client ask for the lock again, or else restart it: its node is then deleted, and the client behind it becomes the next in line.</source>
        <translation>让那个客户端重新请求这把锁，否则重启它：它的节点随之删除，后面的客户端成为队列的下一个。</translation>
    </message>
    <message>
        <source>Look at the lock that it waits for: this one is free when that wait is over.</source>
        <translation>去看它所等待的那把锁：那边等到之后，这把锁才会空出来。</translation>
    </message>
    <message>
        <source>No ZooKeeper has answered at %1.</source>
        <translation>%1 上没有 ZooKeeper 回答。</translation>
    </message>
    <message>
        <source>No server knows the session of the node in front, %1: the node does not go away by itself.</source>
        <translation>没有服务器认识最前面的节点 %1 的会话：这个节点不会自行消失。</translation>
    </message>
    <message>
        <source>Start the other servers of the ensemble, or check the network between them.</source>
        <translation>启动集群的其他服务器，或检查它们之间的网络。</translation>
    </message>
    <message>
        <source>The connection to the server was lost.</source>
        <translation>与服务器的连接断了。</translation>
    </message>
    <message>
        <source>The holder itself waits for another lock: %1.</source>
        <translation>持有者自己在等另一把锁：%1。</translation>
    </message>
    <message>
        <source>The name service does not answer for %1.</source>
        <translation>名字服务没有回答 %1 的查询。</translation>
    </message>
    <message>
        <source>The server at %1 accepts connections, but does not answer.</source>
        <translation>%1 上的服务器接受连接，但不回答。</translation>
    </message>
    <message>
        <source>The server at %1 answers, but its ensemble has no quorum: it serves no requests.</source>
        <translation>%1 上的服务器有回答，但它的集群没有法定多数：它不处理请求。</translation>
    </message>
    <message>
        <source>The server at %1 answers, but not as a ZooKeeper does.</source>
        <translation>%1 上的服务器有回答，但不像是 ZooKeeper。</translation>
    </message>
    <message>
        <source>The server at %1 closes each connection without an answer.</source>
        <translation>%1 上的服务器不作回答就关闭每个连接。</translation>
    </message>
    <message>
        <source>The server at %1 does not answer what is at %2: %3.</source>
        <translation>%1 上的服务器没有回答 %2 有什么：%3。</translation>
    </message>
    <message>
        <source>The server at %1 has made a session, but does not answer what is at %2.</source>
        <translation>%1 上的服务器建立了会话，但不回答 %2 有什么。</translation>
    </message>
    <message>
        <source>The server at %1 is up, but answers too slowly for a session.</source>
        <translation>%1 上的服务器在运行，但回答太慢，无法建立会话。</translation>
    </message>
    <message>
        <source>The server refuses the credentials (scheme: %1).</source>
        <translation>服务器拒绝这些凭据（方案：%1）。</translation>
    </message>
    <message>
        <source>This session also holds: %1.</source>
        <translation>这个会话还持有：%1。</translation>
    </message>
    <message>
        <source>Twice in a row session %1 was in no server&apos;s answer to cons and dump; waiting behind it: %2.</source>
        <translation>连续两次，任何服务器对 cons 和 dump 的回答里都没有会话 %1；在它后面等待的：%2。</translation>
    </message>
    <message>
        <source>Use numeric addresses, or check the name service.</source>
        <translation>改用数字地址，或检查名字服务。</translation>
    </message>
    <message>
        <source>it answers with the error %1 instead</source>
        <translation>它回答的是错误 %1</translation>
    </message>
    <message>
        <source>its events do not name the node, as with ClickHouse Keeper</source>
        <translation>它的事件不说明是哪个节点，像 ClickHouse Keeper 那样</translation>
    </message>
    <message>
        <source>Finding the address of %1 was canceled.</source>
        <translation>查找 %1 的地址已取消。</translation>
    </message>
    <message>
        <source>A connection was accepted and closed at once.</source>
        <translation>连接被接受后立即被关闭。</translation>
    </message>
    <message>
        <source>Give the client a credential that the server demands.</source>
        <translation>请为客户端提供服务器要求的凭据。</translation>
    </message>
    <message>
        <source>Keep it for as long as it is used.</source>
        <translation>在使用期间请保留它。</translation>
    </message>
    <message>
        <source>Release it exactly as often as you acquired it.</source>
        <translation>获取了多少次，就释放多少次。</translation>
    </message>
    <message>
        <source>The lock %1 cannot be held more than %2 times at once by one owner.</source>
        <translation>同一持有者不能同时持有锁 %1 超过 %2 次。</translation>
    </message>
    <message>
        <source>The lock %1 was lost as soon as it was acquired.</source>
        <translation>锁 %1 刚获取就丢失了。</translation>
    </message>
    <message>
        <source>The path is not UTF-8 after &quot;%1&quot;.</source>
        <translation>路径在“%1”之后不是 UTF-8。</translation>
    </message>
    <message>
        <source>The path of a node has %1 bytes; the limit is %2.</source>
        <translation>节点的路径有 %1 个字节；上限是 %2。</translation>
    </message>
    <message>
        <source>The server may have as many connections from this machine as it allows (maxClientCnxns), or it is no ZooKeeper, or it expects TLS.</source>
        <translation>服务器可能已达到它允许的来自本机的连接数上限（maxClientCnxns），或者它不是 ZooKeeper，或者它要求 TLS。</translation>
    </message>
    <message>
        <source>The server requires that clients authenticate, and this client has not: it may not %1.</source>
        <translation>服务器要求客户端进行身份验证，而此客户端没有验证：不允许它%1。</translation>
    </message>
    <message>
        <source>ZooKeeper does not accept the character %1 in a path; here it follows &quot;%2&quot;.</source>
        <translation>ZooKeeper 不接受路径中的字符 %1；它在“%2”之后。</translation>
    </message>
    <message>
        <source>the server requires that clients authenticate</source>
        <translation>服务器要求客户端进行身份验证</translation>
    </message>
    <message>
        <source>%1 cannot be executed: %2.</source>
        <translation>%1 不能执行：%2。</translation>
    </message>
    <message>
        <source>%1 ended without a word: see whether &quot;%1 -version&quot; works, and whether a limit (ulimit -v, ulimit -u) is too low for it.</source>
        <translation>%1 什么也没说就结束了：看看“%1 -version”能否运行，以及某个限制（ulimit -v、ulimit -u）对它是否太低。</translation>
    </message>
    <message>
        <source>End other programs, or raise the limit (ulimit -v).</source>
        <translation>结束其他程序，或提高限制（ulimit -v）。</translation>
    </message>
    <message>
        <source>End some programs that listen there, or raise the limit of open files (ulimit -n).</source>
        <translation>结束一些在那里监听的程序，或提高打开文件数的限制（ulimit -n）。</translation>
    </message>
    <message>
        <source>For %1 of %2 no client could be served by ZooKeeper: the findings cover only the rest.</source>
        <translation>在 %2 中的 %1 里，ZooKeeper 不能服务任何客户端：检查项只涵盖其余的时间。</translation>
    </message>
    <message>
        <source>Free some space there, or set TMPDIR to a folder on another disk.</source>
        <translation>在那里腾出一些空间，或把 TMPDIR 设为另一个磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>Install it again with: %1.</source>
        <translation>这样重新安装：%1。</translation>
    </message>
    <message>
        <source>Internal error: %1.</source>
        <translation>内部错误：%1。</translation>
    </message>
    <message>
        <source>It runs with %1: see whether &quot;%1 -version&quot; answers, and set JAVA_HOME to use another Java. The loopback interface (lo) must be up.</source>
        <translation>它用 %1 运行：看看“%1 -version”是否有回答；要用别的 Java，设置 JAVA_HOME。回环接口（lo）必须启用。</translation>
    </message>
    <message>
        <source>Java does not find ZooKeeper&apos;s classes in %1.</source>
        <translation>Java 在 %1 里找不到 ZooKeeper 的类。</translation>
    </message>
    <message>
        <source>Make it executable (chmod +x), or build or install LockScope again.</source>
        <translation>让它可以执行（chmod +x），或重新构建或安装 LockScope。</translation>
    </message>
    <message>
        <source>Not permitted to list the children of %1, so that it is not known whether other programs use this lock.</source>
        <translation>不允许列出 %1 的子节点，所以不知道是否有其他程序在使用这把锁。</translation>
    </message>
    <message>
        <source>Nothing was changed. Watch the lock instead, or use another path.</source>
        <translation>什么也没有改变。可以只观察这把锁，或换一个路径。</translation>
    </message>
    <message>
        <source>Other programs took each of %1 free ports of 127.0.0.1 before ZooKeeper could.</source>
        <translation>127.0.0.1 的 %1 个空闲端口都在 ZooKeeper 之前被其他程序占用了。</translation>
    </message>
    <message>
        <source>Other programs use %1. Nodes there: %2.</source>
        <translation>其他程序正在使用 %1。那里的节点：%2。</translation>
    </message>
    <message>
        <source>Raise its limits (ulimit -u, ulimit -v).</source>
        <translation>提高它的限制（ulimit -u、ulimit -v）。</translation>
    </message>
    <message>
        <source>Raise the hard limit (ulimit -Hn), or ask for fewer clients.</source>
        <translation>提高硬限制（ulimit -Hn），或减少客户端。</translation>
    </message>
    <message>
        <source>Set TMPDIR to another folder.</source>
        <translation>把 TMPDIR 设为另一个文件夹。</translation>
    </message>
    <message>
        <source>The folder for temporary files has a line break in its name.</source>
        <translation>临时文件的文件夹名字里有换行。</translation>
    </message>
    <message>
        <source>The private ZooKeeper did not accept a session in time, within %1 s.</source>
        <translation>私有的 ZooKeeper 没有及时（在 %1 秒内）接受会话。</translation>
    </message>
    <message>
        <source>The run needs up to %1 open files, but this process may have only %2.</source>
        <translation>这次运行最多需要 %1 个打开的文件，但这个进程只能有 %2 个。</translation>
    </message>
    <message>
        <source>The server was stopped already; it is now stopped for %1 from here.</source>
        <translation>服务器已经停住；从现在起还要停住 %1。</translation>
    </message>
    <message>
        <source>The system permits no more threads or memory for this program.</source>
        <translation>系统不允许这个程序有更多的线程或内存。</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>内存不够。</translation>
    </message>
    <message>
        <source>ZooKeeper at %1 did not answer within %2 whether other programs use the lock.</source>
        <translation>%1 的 ZooKeeper 在 %2 内没有回答是否有其他程序在使用这把锁。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <extracomment>a number of nodes, and the programs whose they are</extracomment>
        <translation>%2 的 %1 个</translation>
    </message>
    <message>
        <source>%1 that no known library makes</source>
        <translation>不是任何已知库的 %1 个</translation>
    </message>
    <message>
        <source>Curator or LockScope</source>
        <translation>Curator 或 LockScope</translation>
    </message>
    <message>
        <source>%1 transactions are repeated, the first of them at %2; each counts once.</source>
        <translation>有 %1 个事务是重复的，其中第一个在 %2；每个只算一次。</translation>
    </message>
    <message>
        <source>%1: %2 transactions behind ones with higher zxids were left out.</source>
        <translation>%1：%2 个事务排在 zxid 更高的事务之后，已略去。</translation>
    </message>
    <message>
        <source>%1: %2 transactions were left out: another file has other transactions with their zxids. Are these files of one ensemble?</source>
        <translation>%1：略去了 %2 个事务：另一个文件里有 zxid 相同的其他事务。这些文件属于同一个集群吗？</translation>
    </message>
    <message>
        <source>its compressed data ends too early, after %1 bytes of the log</source>
        <translation>压缩数据过早结束，在日志的 %1 字节之后</translation>
    </message>
    <message>
        <source>its compressed data is damaged, after %1 bytes of the log</source>
        <translation>压缩数据已损坏，在日志的 %1 字节之后</translation>
    </message>
    <message>
        <source>A client that is first creates a lease at once; session %1 has not done so for %2. In the entrance: %3.</source>
        <translation>排在最前的客户端会立即创建租约；会话 %1 已有 %2 没有这样做。入口中的节点数：%3。</translation>
    </message>
    <message>
        <source>Let that client give up, or else restart it: its node is then deleted, and the next one enters.</source>
        <translation>让该客户端放弃，否则重启它：它的节点随后被删除，下一个客户端即可进入。</translation>
    </message>
    <message>
        <source>No lease is taken, and the first node of the entrance, %1, lets no client in.</source>
        <translation>没有租约被占用，而入口的第一个节点 %1 不让任何客户端进入。</translation>
    </message>
    <message>
        <source>Install Java 11 or later, or set JAVA_HOME.</source>
        <translation>请安装 Java 11 或更高版本，或设置 JAVA_HOME。</translation>
    </message>
    <message>
        <source>Java is not installed: it is not in %1.</source>
        <translation>没有安装 Java：它不在 %1。</translation>
    </message>
    <message>
        <source>There is no ZooKeeper at %1.</source>
        <translation>%1 没有 ZooKeeper。</translation>
    </message>
    <message>
        <source>There is no ZooKeeper in %1: neither %2 nor %3 has a zookeeper-VERSION.jar.</source>
        <translation>%1 里没有 ZooKeeper：%2 和 %3 里都没有 zookeeper-VERSION.jar。</translation>
    </message>
    <message>
        <source>Unpack the archive from zookeeper.apache.org, and name the directory by --zookeeper or LOCKSCOPE_ZOOKEEPER.</source>
        <translation>请解压 zookeeper.apache.org 的压缩包，并用 --zookeeper 或 LOCKSCOPE_ZOOKEEPER 指定该目录。</translation>
    </message>
    <message>
        <source>ZooKeeper is not installed: it is not in %1.</source>
        <translation>没有安装 ZooKeeper：它不在 %1。</translation>
    </message>
    <message>
        <source>It may be starting, or its limit of connections from one computer (maxClientCnxns) or of all (maxCnxns) is reached: end some of the programs that are connected to it, or raise the limit.</source>
        <translation>它可能正在启动，或者来自一台计算机的连接数（maxClientCnxns）或总连接数（maxCnxns）已达到上限：请结束一些连接着它的程序，或提高上限。</translation>
    </message>
    <message>
        <source>a program that does not let it be read</source>
        <translation>一个不允许读取它的程序</translation>
    </message>
    <message>
        <source>%1 checked, each greater than the one before.</source>
        <translation>已检查%1，每个都大于前一个。</translation>
    </message>
    <message>
        <source>%1 followed to the end: none was left behind.</source>
        <translation>已跟踪%1直到最后：没有遗留。</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个令牌</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个令牌</translation>
    </message>
    <message>
        <source>A client that believes it holds the lock does hold it.</source>
        <translation>自以为持有的确实持有。</translation>
    </message>
    <message>
        <source>A release wakes no more clients than can continue.</source>
        <translation>一次释放唤醒的客户端不多于能继续的数目。</translation>
    </message>
    <message>
        <source>Belief matches the server</source>
        <translation>客户端的认知与服务器一致</translation>
    </message>
    <message>
        <source>Clients get the lock in the order of their nodes.</source>
        <translation>客户端按节点的顺序获得锁。</translation>
    </message>
    <message>
        <source>Each client that can continue is notified.</source>
        <translation>能继续的客户端都会得到通知。</translation>
    </message>
    <message>
        <source>Lease limit respected</source>
        <translation>不超过租约数</translation>
    </message>
    <message>
        <source>No clients wait for each other in a cycle.</source>
        <translation>没有循环等待。</translation>
    </message>
    <message>
        <source>No deadlock</source>
        <translation>没有死锁</translation>
    </message>
    <message>
        <source>No herd</source>
        <translation>没有羊群效应</translation>
    </message>
    <message>
        <source>No lost wake-up</source>
        <translation>没有丢失的唤醒</translation>
    </message>
    <message>
        <source>No node stays behind without a client that knows of it.</source>
        <translation>不会留下无人知晓的节点。</translation>
    </message>
    <message>
        <source>No orphan node</source>
        <translation>没有孤儿节点</translation>
    </message>
    <message>
        <source>No stray watch</source>
        <translation>没有多余的监视</translation>
    </message>
    <message>
        <source>No unneeded watch stays behind.</source>
        <translation>不会留下无人需要的监视。</translation>
    </message>
    <message>
        <source>One holder at a time</source>
        <translation>同时只有一个持有者</translation>
    </message>
    <message>
        <source>Order kept</source>
        <translation>顺序得到保持</translation>
    </message>
    <message>
        <source>Readers together, a writer alone</source>
        <translation>读者同持，写者独占</translation>
    </message>
    <message>
        <source>The resource never accepts an older token after a newer one.</source>
        <translation>资源接受较新的令牌后，绝不再接受较旧的。</translation>
    </message>
    <message>
        <source>There are never more holders at a time than the lock allows.</source>
        <translation>同时持有者从不超过锁所允许的数目。</translation>
    </message>
    <message>
        <source>Tokens increase</source>
        <translation>令牌递增</translation>
    </message>
    <message>
        <source>The name must end in .png, .svg or .pdf.</source>
        <translation>名称必须以 .png、.svg 或 .pdf 结尾。</translation>
    </message>
    <message>
        <source>&amp;Clients as CSV…</source>
        <translation>客户端导出为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Handoffs as CSV…</source>
        <translation>交接导出为 CSV(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Report as HTML…</source>
        <translation>网页报告(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Trace for Perfetto…</source>
        <translation>跟踪记录导出给 Perfetto(&amp;T)…</translation>
    </message>
    <message>
        <source>A table with one row per client: acquisitions, waiting times and holding times.</source>
        <translation>每个客户端一行的表格：获取次数，以及等待和持有的时长。</translation>
    </message>
    <message>
        <source>A table with one row per handoff: both clients and the time of each step.</source>
        <translation>每次交接一行的表格：谁交给谁，以及每个步骤的时刻。</translation>
    </message>
    <message>
        <source>Export a Report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Export the Clients</source>
        <translation>导出客户端</translation>
    </message>
    <message>
        <source>Export the Handoffs</source>
        <translation>导出交接</translation>
    </message>
    <message>
        <source>Export the Trace</source>
        <translation>导出跟踪记录</translation>
    </message>
    <message>
        <source>Pages (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Saves findings, numbers and pictures as one self-contained HTML file.</source>
        <translation>把检查项、数字和图片保存为一个自包含的 HTML 文件。</translation>
    </message>
    <message>
        <source>Saves the timeline as a file for ui.perfetto.dev and chrome://tracing.</source>
        <translation>把时间线写成 ui.perfetto.dev 和 chrome://tracing 能打开的文件。</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Traces for Perfetto (*.json)</source>
        <translation>Perfetto 跟踪记录 (*.json)</translation>
    </message>
    <message>
        <source>csv table</source>
        <translation>csv 表格</translation>
    </message>
    <message>
        <source>html report page</source>
        <translation>html 报告 网页</translation>
    </message>
    <message>
        <source>json chrome</source>
        <translation>json chrome 跟踪记录</translation>
    </message>
    <message>
        <source>%1 has ended before it was told to. %2 A copy takes the lock and gives it up again and again, until SIGTERM.</source>
        <translation>%1 在得到通知之前就结束了。%2副本应当不断地获取和释放锁，直到收到 SIGTERM。</translation>
    </message>
    <message>
        <source>%1 has forgotten %2, which it has made: it stays in front of everybody as long as its session lives.</source>
        <translation>%1 忘记了自己创建的%2：只要它的会话还在，这个节点就一直排在所有人前面。</translation>
    </message>
    <message>
        <source>%1 made %2 as a persistent node: nothing deletes it when its session ends, and everybody waits for it.</source>
        <translation>%1 把%2创建成了持久节点：会话结束时没有什么会删除它，所有人都在等它。</translation>
    </message>
    <message>
        <source>%1 said that it has the lock while %2 had not given it up. %3</source>
        <translation>%1 说自己拥有锁，而 %2 还没有放弃它。%3</translation>
    </message>
    <message>
        <source>%1 still said that it has the lock %2 after it could know that its session is over.</source>
        <translation>%1 在能够知道会话已经结束之后 %2，仍然说自己拥有锁。</translation>
    </message>
    <message>
        <source>%1: %2 A copy writes &quot;acquired&quot; (and a token, if it likes) when it has the lock and &quot;released&quot; when it gives it up, each on a line of its own, and nothing else: other texts belong to standard error.</source>
        <translation>%1：%2副本拿到锁时写“acquired”（可以带一个令牌），放弃锁时写“released”，各占一行，别的什么也不写：其他文字应写到标准错误。</translation>
    </message>
    <message>
        <source>Hold the lock only while your own node is the first in a list that you have read after you made it, and read the list again after every wake-up.</source>
        <translation>只有当你自己的节点在创建之后读到的列表中排第一时才持有锁，并且每次被唤醒后都要重新读取列表。</translation>
    </message>
    <message>
        <source>It ended with the exit code %1.</source>
        <translation>它以退出码 %1 结束。</translation>
    </message>
    <message>
        <source>It said &quot;acquired&quot; twice without &quot;released&quot; in between.</source>
        <translation>它说了两次“acquired”，中间没有“released”。</translation>
    </message>
    <message>
        <source>It said &quot;released&quot; without &quot;acquired&quot; before it.</source>
        <translation>它说了“released”，而之前没有“acquired”。</translation>
    </message>
    <message>
        <source>It was ended by the signal %1.</source>
        <translation>它被信号 %1 结束。</translation>
    </message>
    <message>
        <source>It wrote the line &quot;%1&quot; to its standard output.</source>
        <translation>它向标准输出写了一行“%1”。</translation>
    </message>
    <message>
        <source>Listen for the states of the connection: stop what the lock protects when it is suspended, at the latest when the session is lost. Give the resource a token (the czxid of the node) so that it can refuse who comes too late.</source>
        <translation>监听连接的状态：连接挂起时就停止锁所保护的工作，最迟在会话丢失时停止。把令牌（节点的 czxid）交给资源，让它能够拒绝来得太晚的人。</translation>
    </message>
    <message>
        <source>Lost session, lost lock</source>
        <translation>会话丢失，锁也丢失</translation>
    </message>
    <message>
        <source>Make ephemeral nodes, with an id in the name; after a create whose reply was lost look for that id in the list, and delete the node whenever you give up.</source>
        <translation>创建临时节点，并在名字里带上标识；创建的回复丢失后，在列表中查找这个标识；放弃时总要删除节点。</translation>
    </message>
    <message>
        <source>No copy has said &quot;acquired&quot; within %1.</source>
        <translation>%1 之内没有任何副本说过“acquired”。</translation>
    </message>
    <message>
        <source>No node left behind</source>
        <translation>不留下节点</translation>
    </message>
    <message>
        <source>No watch left over</source>
        <translation>不留下监视</translation>
    </message>
    <message>
        <source>Nobody has had the lock for %1, though no fault is in force.</source>
        <translation>%1 之内没有人拿到过锁，尽管没有故障在起作用。</translation>
    </message>
    <message>
        <source>One at a time</source>
        <translation>同一时刻只有一个</translation>
    </message>
    <message>
        <source>Read the list again after every wake-up and every reconnect, and watch a node only if it is still there.</source>
        <translation>每次被唤醒、每次重新连接之后都要重新读取列表，并且只监视仍然存在的节点。</translation>
    </message>
    <message>
        <source>Somebody gets it</source>
        <translation>总有人能拿到</translation>
    </message>
    <message>
        <source>Tell the czxid of the node by which you hold the lock.</source>
        <translation>报告你持有锁所凭的节点的 czxid。</translation>
    </message>
    <message>
        <source>The faults of this run are planned.</source>
        <translation>这次运行的故障是事先安排好的。</translation>
    </message>
    <message>
        <source>The server had %1 of %2 in the queue: %2 was entitled to the lock.</source>
        <translation>服务器的队列中有 %2 的%1：%2 有资格拥有锁。</translation>
    </message>
    <message>
        <source>The server knew of no node of %1.</source>
        <translation>服务器上没有 %1 的节点。</translation>
    </message>
    <message>
        <source>The token in its line &quot;%1&quot; is no whole number.</source>
        <translation>它的行“%1”中的令牌不是整数。</translation>
    </message>
    <message>
        <source>Watch the node in front of your own, and nothing else.</source>
        <translation>只监视排在自己前面的那个节点，别的都不监视。</translation>
    </message>
    <message>
        <source>Watch the node in front with getData instead of exists, which leaves a watch on the server when the node is gone already.</source>
        <translation>用 getData 而不是 exists 监视前面的节点：节点已经不在时，exists 会在服务器上留下一个监视。</translation>
    </message>
    <message>
        <source>What passes between %1 and the server is not understood from here on (TLS, or a frame above 4 MB?): only its lines are judged.</source>
        <translation>从这里开始，%1 与服务器之间经过的内容无法读懂（TLS，或者超过 4 MB 的帧？）：只判断它的各行。</translation>
    </message>
    <message>
        <source>Choose another printer or file.</source>
        <translation>请选择另一台打印机或另一个文件。</translation>
    </message>
    <message>
        <source>The window cannot be printed.</source>
        <translation>窗口无法打印。</translation>
    </message>
    <message>
        <source>%1 events are too many for a page, which plays at most %2.</source>
        <translation>%1 个事件对一个网页来说太多了，一个网页最多播放 %2 个。</translation>
    </message>
    <message>
        <source>Choose a shorter time.</source>
        <translation>请选择更短的时间段。</translation>
    </message>
    <message>
        <source>Choose a shorter time: --from and --to on the command line, a closer look at the timeline in the window. The first %1 events end at %2.</source>
        <translation>请选择更短的时间段：在命令行用 --from 和 --to，在窗口里放大时间线。前 %1 个事件到 %2 为止。</translation>
    </message>
    <message>
        <source>Choose another time.</source>
        <translation>请选择另一个时间段。</translation>
    </message>
    <message>
        <source>The page would have %1 bytes, more than %2.</source>
        <translation>网页会有 %1 字节，超过了 %2。</translation>
    </message>
    <message>
        <source>There is nothing to play: no event lies in this time.</source>
        <translation>没有可播放的内容：这段时间里没有事件。</translation>
    </message>
    <message>
        <source>%1 holds no token.</source>
        <translation>%1 里没有令牌。</translation>
    </message>
    <message>
        <source>It is a number and a line feed. Without it nobody can tell which writer is the latest: write the greatest token that you know into it.</source>
        <translation>其内容应是一个数字加一个换行。没有它就无法判断谁是最新的写入者：请把您所知的最大令牌写进去。</translation>
    </message>
    <message>
        <source>It may have been written; read it.</source>
        <translation>它可能已被写入；请读取确认。</translation>
    </message>
    <message>
        <source>Its node is deleted in the background.</source>
        <translation>它的节点会在后台删除。</translation>
    </message>
    <message>
        <source>Look for a process that is stopped: it has locked %1.</source>
        <translation>请查找一个被暂停的进程：它锁住了 %1。</translation>
    </message>
    <message>
        <source>The file %1 cannot be locked: %2.</source>
        <translation>无法锁定文件 %1：%2。</translation>
    </message>
    <message>
        <source>The file %1 cannot be read: %2.</source>
        <translation>无法读取文件 %1：%2。</translation>
    </message>
    <message>
        <source>The file %1 cannot be written: %2.</source>
        <translation>无法写入文件 %1：%2。</translation>
    </message>
    <message>
        <source>The file %1 is to be written without a token.</source>
        <translation>要写入文件 %1，却没有令牌。</translation>
    </message>
    <message>
        <source>The file %1 was not written: another writer has not ended in time.</source>
        <translation>文件 %1 未写入：另一个写入者没有及时结束。</translation>
    </message>
    <message>
        <source>The file %1 was not written: its token is %2, and that of this writer %3.</source>
        <translation>文件 %1 未写入：它的令牌是 %2，而这个写入者的令牌是 %3。</translation>
    </message>
    <message>
        <source>The first in its queue was &quot;%1&quot; with the node %2, there since %3; ahead of this acquire: %4.</source>
        <translation>队列中的第一个是“%1”，其节点为 %2，自 %3 起就在那里；排在这次获取之前的节点数：%4。</translation>
    </message>
    <message>
        <source>The first in its queue was the node %1; ahead of this acquire: %2.</source>
        <translation>队列中的第一个是节点 %1；排在这次获取之前的节点数：%2。</translation>
    </message>
    <message>
        <source>The leader latch %1 was closed.</source>
        <translation>领导者选举 %1 已关闭。</translation>
    </message>
    <message>
        <source>The lock was lost, and another client holds it or has held it since. Do not repeat the write.</source>
        <translation>锁已丢失，此后另一个客户端持有或持有过它。请不要重复这次写入。</translation>
    </message>
    <message>
        <source>The node %1 was not written: %2, the node of the holder of the lock, is gone.</source>
        <translation>节点 %1 未写入：锁持有者的节点 %2 已不存在。</translation>
    </message>
    <message>
        <source>The node %1 was not written: %2.</source>
        <translation>节点 %1 未写入：%2。</translation>
    </message>
    <message>
        <source>The server has not confirmed in time that the leader latch %1 has left.</source>
        <translation>服务器没有及时确认领导者选举 %1 已退出。</translation>
    </message>
    <message>
        <source>Who has no token does not hold the lock.</source>
        <translation>没有令牌就没有持有锁。</translation>
    </message>
    <message>
        <source>A key was given (%1), but no certificate.</source>
        <translation>给出了密钥（%1），但没有证书。</translation>
    </message>
    <message>
        <source>Check that this is its secureClientPort.</source>
        <translation>请检查这是否是它的 secureClientPort。</translation>
    </message>
    <message>
        <source>Check the clocks of the server and of this computer.</source>
        <translation>请检查服务器和本机的时钟。</translation>
    </message>
    <message>
        <source>Connect by a name or an address that the certificate has, or have it issued for this one (subjectAltName).</source>
        <translation>请用证书中有的名字或地址连接，或者为这一个签发证书（subjectAltName）。</translation>
    </message>
    <message>
        <source>Connect to its secureClientPort, or without TLS.</source>
        <translation>请连接它的 secureClientPort，或者不用 TLS。</translation>
    </message>
    <message>
        <source>Cut the link, or run on a server in plain text.</source>
        <translation>请改为切断连接，或者在不用 TLS 的服务器上运行。</translation>
    </message>
    <message>
        <source>Expected one in PEM, which begins with -----BEGIN CERTIFICATE-----.</source>
        <translation>需要 PEM 格式的证书，以 -----BEGIN CERTIFICATE----- 开头。</translation>
    </message>
    <message>
        <source>Expected one in PEM, which begins with -----BEGIN PRIVATE KEY-----.</source>
        <translation>需要 PEM 格式的密钥，以 -----BEGIN PRIVATE KEY----- 开头。</translation>
    </message>
    <message>
        <source>Give one with --cert, and its key with --key.</source>
        <translation>请用 --cert 给出证书，用 --key 给出它的密钥。</translation>
    </message>
    <message>
        <source>Give one without a password, in a file that only you can read: %1</source>
        <translation>请给出没有密码的密钥，放在只有你能读的文件里：%1</translation>
    </message>
    <message>
        <source>Give the authority&apos;s certificate with --ca.</source>
        <translation>请用 --ca 给出该机构的证书。</translation>
    </message>
    <message>
        <source>Give the certificate with --cert.</source>
        <translation>请用 --cert 给出证书。</translation>
    </message>
    <message>
        <source>Give the two that were made for each other.</source>
        <translation>请给出成对的证书和密钥。</translation>
    </message>
    <message>
        <source>Have it issued anew, for a TLS server.</source>
        <translation>请重新签发，用途为 TLS 服务器。</translation>
    </message>
    <message>
        <source>Have it renewed, or check the clock of this computer.</source>
        <translation>请更新它，或者检查本机的时钟。</translation>
    </message>
    <message>
        <source>It must be valid, and from an authority in the server&apos;s trust store (ssl.trustStore.location).</source>
        <translation>它必须有效，并来自服务器信任库（ssl.trustStore.location）中的机构。</translation>
    </message>
    <message>
        <source>No single reply can be lost on a connection with TLS: it cannot be told from the others.</source>
        <translation>在使用 TLS 的连接上不能丢弃某一个回复：无法把它与其他回复区分开。</translation>
    </message>
    <message>
        <source>Put tls:// in front of the addresses, or connect to the server&apos;s clientPort.</source>
        <translation>请在地址前加上 tls://，或者连接服务器的 clientPort。</translation>
    </message>
    <message>
        <source>Set ssl.enabledProtocols and ssl.ciphersuites in its zoo.cfg.</source>
        <translation>请在它的 zoo.cfg 中设置 ssl.enabledProtocols 和 ssl.ciphersuites。</translation>
    </message>
    <message>
        <source>The certificate in %1 cannot be used: %2.</source>
        <translation>%1 中的证书无法使用：%2。</translation>
    </message>
    <message>
        <source>The certificate of the server at %1 cannot be accepted: %2.</source>
        <translation>%1 处服务器的证书不能接受：%2。</translation>
    </message>
    <message>
        <source>The certificate of the server at %1 has expired.</source>
        <translation>%1 处服务器的证书已过期。</translation>
    </message>
    <message>
        <source>The certificate of the server at %1 is for another host than %2.</source>
        <translation>%1 处服务器的证书不是为 %2 签发的，而是为其他主机。</translation>
    </message>
    <message>
        <source>The certificate of the server at %1 is from an authority that is not trusted here.</source>
        <translation>%1 处服务器的证书来自这里不信任的机构。</translation>
    </message>
    <message>
        <source>The certificate of the server at %1 is not valid yet.</source>
        <translation>%1 处服务器的证书尚未生效。</translation>
    </message>
    <message>
        <source>The connection to the server at %1 cannot be secured: %2.</source>
        <translation>无法保护到 %1 处服务器的连接：%2。</translation>
    </message>
    <message>
        <source>The file %1 is empty.</source>
        <translation>文件 %1 是空的。</translation>
    </message>
    <message>
        <source>The key in %1 does not belong to the certificate in %2.</source>
        <translation>%1 中的密钥不属于 %2 中的证书。</translation>
    </message>
    <message>
        <source>The key in %1 is encrypted.</source>
        <translation>%1 中的密钥是加密的。</translation>
    </message>
    <message>
        <source>The server at %1 closes the connection instead of answering the TLS handshake.</source>
        <translation>%1 处的服务器不回答 TLS 握手，而是关闭连接。</translation>
    </message>
    <message>
        <source>The server at %1 demands a certificate of its clients, and none was given.</source>
        <translation>%1 处的服务器要求客户端出示证书，但没有给出。</translation>
    </message>
    <message>
        <source>The server at %1 does not speak TLS.</source>
        <translation>%1 处的服务器不使用 TLS。</translation>
    </message>
    <message>
        <source>The server at %1 expects TLS, and was spoken to without it.</source>
        <translation>%1 处的服务器要求 TLS，而连接没有使用它。</translation>
    </message>
    <message>
        <source>The server at %1 has no version of TLS or cipher in common with LockScope, which speaks TLS 1.2 and 1.3.</source>
        <translation>%1 处的服务器与 LockScope 没有共同的 TLS 版本或加密套件，后者使用 TLS 1.2 和 1.3。</translation>
    </message>
    <message>
        <source>The server at %1 is a ZooKeeper, but this port speaks no TLS.</source>
        <translation>%1 处的服务器是 ZooKeeper，但该端口不使用 TLS。</translation>
    </message>
    <message>
        <source>The server at %1 refuses our certificate.</source>
        <translation>%1 处的服务器拒绝我们的证书。</translation>
    </message>
    <message>
        <source>There is no private key in %1.</source>
        <translation>%1 中没有私钥。</translation>
    </message>
    <message>
        <source>%1 and %2 are the same trace.</source>
        <translation>%1 和 %2 是同一份轨迹。</translation>
    </message>
    <message>
        <source>%1 and %2 name no node with the same zxid: it is unknown whether they are of one ensemble, and which events came first.</source>
        <translation>%1 和 %2 没有提到 zxid 相同的同一个节点：不知道它们是否属于同一个集群，也不知道哪些事件在先。</translation>
    </message>
    <message>
        <source>%1 ends before its run: its writer was killed, or it was still running.</source>
        <translation>%1 在它的运行结束之前就断了：写它的进程被杀死，或者当时仍在运行。</translation>
    </message>
    <message>
        <source>%1 has no event.</source>
        <translation>%1 没有事件。</translation>
    </message>
    <message>
        <source>%1 numbers its sessions, as older versions did: they cannot be told from those of other traces.</source>
        <translation>%1 像旧版本那样给会话编号：无法与其他轨迹的会话区分。</translation>
    </message>
    <message>
        <source>Add a trace of a client that queued between theirs, or the servers&apos; transaction logs (--history).</source>
        <translation>请加上排在它们中间的某个客户端的轨迹，或者服务器的事务日志（--history）。</translation>
    </message>
    <message>
        <source>Events of different traces that are closer than %1 ns are in no certain order.</source>
        <translation>不同轨迹的事件相距小于 %1 纳秒时，先后不确定。</translation>
    </message>
    <message>
        <source>Give each trace once.</source>
        <translation>每份轨迹只给一次。</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>请去掉它。</translation>
    </message>
    <message>
        <source>Merge fewer traces.</source>
        <translation>请合并少一些轨迹。</translation>
    </message>
    <message>
        <source>Nothing bounds the clock of %1 on both sides against that of %2: it is unknown which events came first.</source>
        <translation>%1 的时钟与 %2 的时钟之差没有在两侧都受到限定：不知道哪些事件在先。</translation>
    </message>
    <message>
        <source>One of %1 and %2 has real session ids and the other has pseudonyms: their clients cannot be joined.</source>
        <translation>%1 和 %2 一个用真实的会话 id，另一个用化名：无法把它们的客户端合在一起。</translation>
    </message>
    <message>
        <source>The clock of %1 is that of %2 when shifted by %3 ns, or by up to %4 ns more or less.</source>
        <translation>%1 的时钟移动 %3 纳秒就与 %2 的一致，误差不超过 %4 纳秒。</translation>
    </message>
    <message>
        <source>The clocks of %1 and %2 contradict each other by %3 ns: no shift of the one against the other puts every effect after its cause.</source>
        <translation>%1 和 %2 的时钟相互矛盾 %3 纳秒：无论怎样移动其中一个，都不能使每个结果都在原因之后。</translation>
    </message>
    <message>
        <source>The merged trace has more than %1 events, the most that can be opened.</source>
        <translation>合并后的轨迹超过 %1 个事件，这是能打开的上限。</translation>
    </message>
    <message>
        <source>They are traces of different ensembles, or a clock was set or ran at another rate while they were written. Merge shorter traces.</source>
        <translation>它们是不同集群的轨迹，或者写轨迹时某个时钟被调过，或走得快慢不同。请合并较短的轨迹。</translation>
    </message>
    <message>
        <source>Write both with the same --key-file.</source>
        <translation>请用同一个 --key-file 写这两份轨迹。</translation>
    </message>
    <message>
        <source>Record the run again.</source>
        <translation>请重新录制这次运行。</translation>
    </message>
    <message>
        <source>%1 is not saved: %2 moments are being saved already.</source>
        <translation>未保存 %1：已有 %2 个时刻正在保存。</translation>
    </message>
    <message>
        <source>%1 is not saved: the saved files in %2 take as much as the ring may.</source>
        <translation>未保存 %1：%2 里已保存的文件占用的空间已达到循环记录的上限。</translation>
    </message>
    <message>
        <source>Another process records in %1.</source>
        <translation>另一个进程正在 %1 里记录。</translation>
    </message>
    <message>
        <source>Files are removed there in time: give a folder of its own.</source>
        <translation>那里的文件到时会被删除：请给它一个单独的文件夹。</translation>
    </message>
    <message>
        <source>Give credentials that may, with --auth-file.</source>
        <translation>请用 --auth-file 给出有此权限的凭据。</translation>
    </message>
    <message>
        <source>Give each recording a folder of its own.</source>
        <translation>请给每个记录一个单独的文件夹。</translation>
    </message>
    <message>
        <source>Interrupted: nothing was deleted.</source>
        <translation>已中断：什么也没有删除。</translation>
    </message>
    <message>
        <source>Move them away, or raise --keep-bytes.</source>
        <translation>请移走它们，或增大 --keep-bytes。</translation>
    </message>
    <message>
        <source>Nothing was deleted: %1 has over %2 bytes with the chroot.</source>
        <translation>什么也没有删除：%1 连同 chroot 超过 %2 字节。</translation>
    </message>
    <message>
        <source>%1:%2: this line is no claim.</source>
        <translation>%1:%2：这一行不是持有声明。</translation>
    </message>
    <message>
        <source>Expected a time, as in 2026-11-23T03:04:05.678Z or 1795403045.678, then a node or a token, then begins or ends.</source>
        <translation>应为一个时间（如 2026-11-23T03:04:05.678Z 或 1795403045.678），然后是节点或 token，然后是 begins 或 ends。</translation>
    </message>
    <message>
        <source>Its own client has to delete it.</source>
        <translation>须由它自己的客户端删除。</translation>
    </message>
    <message>
        <source>Nothing was deleted: %1 has children, so it is no node of a lock.</source>
        <translation>什么也没有删除：%1 有子节点，所以它不是锁的节点。</translation>
    </message>
    <message>
        <source>Nothing was deleted: children of %1 are made all the time, so that it is never certain that the node is still the one that was shown.</source>
        <translation>什么也没有删除：%1 一直有新的子节点，无法确定该节点仍是显示过的那个。</translation>
    </message>
    <message>
        <source>Nothing was deleted: no permission to %1 children of %2.</source>
        <translation>什么也没有删除：没有对 %2 的子节点执行 %1 的权限。</translation>
    </message>
    <message>
        <source>Nothing was deleted: no server has answered at %1.</source>
        <translation>什么也没有删除：%1 没有服务器回答。</translation>
    </message>
    <message>
        <source>Nothing was deleted: the connection was lost before the request.</source>
        <translation>什么也没有删除：在请求之前连接就丢失了。</translation>
    </message>
    <message>
        <source>Nothing was deleted: the server answers for %1: %2.</source>
        <translation>什么也没有删除：服务器对 %1 的回答是：%2。</translation>
    </message>
    <message>
        <source>Nothing was deleted: the server refuses the credentials.</source>
        <translation>什么也没有删除：服务器拒绝了凭据。</translation>
    </message>
    <message>
        <source>The folder of the recording, %1, cannot be used: %2.</source>
        <translation>记录的文件夹 %1 不能使用：%2。</translation>
    </message>
    <message>
        <source>The folder of the recording, %1, has a file that is none of a recording: %2.</source>
        <translation>记录的文件夹 %1 里有一个不属于记录的文件：%2。</translation>
    </message>
    <message>
        <source>Try again when fewer clients come.</source>
        <translation>请在到来的客户端较少时再试。</translation>
    </message>
    <message>
        <source>%1 loses its connection until its session has expired</source>
        <translation>%1 失去连接，直到会话过期</translation>
    </message>
    <message>
        <source>%1 loses its connection, and what is under way to it</source>
        <translation>%1 失去连接，发给它的消息也丢失</translation>
    </message>
    <message>
        <source>%1 stands still for a moment</source>
        <translation>%1 停顿片刻</translation>
    </message>
    <message>
        <source>%1 stands still until its session has expired</source>
        <translation>%1 停顿，直到会话过期</translation>
    </message>
    <message>
        <source>An administrator deletes %1</source>
        <translation>管理员删除 %1</translation>
    </message>
    <message>
        <source>An administrator ends the session of %1</source>
        <translation>管理员结束 %1 的会话</translation>
    </message>
    <message>
        <source>It connects again</source>
        <translation>它重新连接</translation>
    </message>
    <message>
        <source>It learns that it is connected</source>
        <translation>它得知已连接</translation>
    </message>
    <message>
        <source>It learns that it is disconnected</source>
        <translation>它得知连接已断开</translation>
    </message>
    <message>
        <source>It learns that its session has expired</source>
        <translation>它得知会话已过期</translation>
    </message>
    <message>
        <source>It releases the lock</source>
        <translation>它释放锁</translation>
    </message>
    <message>
        <source>Its session expires</source>
        <translation>它的会话过期</translation>
    </message>
    <message>
        <source>Its watch tells it: %1 has changed</source>
        <translation>它的监视通知它：%1 已改变</translation>
    </message>
    <message>
        <source>Its watch tells it: %1 was deleted</source>
        <translation>它的监视通知它：%1 已被删除</translation>
    </message>
    <message>
        <source>The reply to %1 reaches it</source>
        <translation>%1 的回复到达它</translation>
    </message>
    <message>
        <source>The reply to %1 reaches it: %2</source>
        <translation>%1 的回复到达它：%2</translation>
    </message>
    <message>
        <source>Time passes</source>
        <translation>时间流逝</translation>
    </message>
    <message>
        <source>ZooKeeper executes: %1</source>
        <translation>ZooKeeper 执行：%1</translation>
    </message>
    <message>
        <source>ZooKeeper is too busy for the next request of %1</source>
        <translation>ZooKeeper 太忙，不执行 %1 的下一个请求</translation>
    </message>
    <message>
        <source>a list of clients, such as [&quot;bo&quot;]</source>
        <translation>客户端的列表，例如 [&quot;bo&quot;]</translation>
    </message>
    <message>
        <source>a list of kinds of fault: %1</source>
        <translation>故障种类的列表：%1</translation>
    </message>
    <message>
        <source>a list of moves, such as [&quot;serve ada&quot;, &quot;deliver ada&quot;, &quot;time&quot;]</source>
        <translation>走法的列表，例如 [&quot;serve ada&quot;, &quot;deliver ada&quot;, &quot;time&quot;]</translation>
    </message>
    <message>
        <source>a mistake: %1</source>
        <translation>一个错误：%1</translation>
    </message>
    <message>
        <source>a puzzle table</source>
        <translation>一个题目表</translation>
    </message>
    <message>
        <source>a puzzle without a solution</source>
        <translation>没有解法的题目</translation>
    </message>
    <message>
        <source>a recipe with readers beside it: %1</source>
        <translation>旁边有一个带读者的配方：%1</translation>
    </message>
    <message>
        <source>a recipe: %1</source>
        <translation>一个配方：%1</translation>
    </message>
    <message>
        <source>a request</source>
        <translation>一个请求</translation>
    </message>
    <message>
        <source>closing its session</source>
        <translation>关闭会话</translation>
    </message>
    <message>
        <source>number of nodes: %1</source>
        <translation>节点数：%1</translation>
    </message>
    <message>
        <source>setting its watches again</source>
        <translation>重新设置监视</translation>
    </message>
    <message>
        <source>%1 asks for its node</source>
        <translation>%1 请求创建自己的节点</translation>
    </message>
    <message>
        <source>%1 asks for the list</source>
        <translation>%1 请求列表</translation>
    </message>
    <message>
        <source>%1 deletes its node</source>
        <translation>%1 删除自己的节点</translation>
    </message>
    <message>
        <source>%1 has read that one node is in front of its own</source>
        <translation>%1 读到自己的节点前面只有一个节点</translation>
    </message>
    <message>
        <source>%1 has said &quot;acquired&quot;</source>
        <translation>%1 说了“acquired”</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 在运行</translation>
    </message>
    <message>
        <source>Planned, and not met within %3, when %1: %2.</source>
        <translation>按计划，但在 %3 内没有等到，当%1时：%2。</translation>
    </message>
    <message>
        <source>Planned, when %1: %2.</source>
        <translation>按计划，当%1时：%2。</translation>
    </message>
    <message>
        <source>a copy</source>
        <translation>一个副本</translation>
    </message>
    <message>
        <source>its connection is reset</source>
        <translation>它的连接被重置</translation>
    </message>
    <message>
        <source>its link is cut</source>
        <translation>它的链路被切断</translation>
    </message>
    <message>
        <source>its link is slow</source>
        <translation>它的链路变慢</translation>
    </message>
    <message>
        <source>its process is killed, and another one started</source>
        <translation>它的进程被杀死，另启动一个</translation>
    </message>
    <message>
        <source>its process is paused</source>
        <translation>它的进程被暂停</translation>
    </message>
    <message>
        <source>its session ends while its process is paused</source>
        <translation>它的进程被暂停时，它的会话结束</translation>
    </message>
    <message>
        <source>its session ends</source>
        <translation>它的会话结束</translation>
    </message>
    <message>
        <source>the reply is lost</source>
        <translation>回复丢失</translation>
    </message>
    <message>
        <source>the server is killed, and comes back</source>
        <translation>服务器被杀死，然后恢复</translation>
    </message>
    <message>
        <source>Another thread of this process holds the lock %1, or waits for it.</source>
        <translation>本进程的另一个线程持有锁 %1，或正在等待它。</translation>
    </message>
    <message>
        <source>The lock %1 was not acquired in time.</source>
        <translation>没有及时获取到锁 %1。</translation>
    </message>
    <message>
        <source>counter</source>
        <extracomment>what a client writes under the lock, in &quot;ada writes: counter 2&quot;: how many writes there were</extracomment>
        <translation>计数器</translation>
    </message>
    <message>
        <source>%1 believes that it holds the lock and has contact to its server, but its session has ended.</source>
        <translation>%1 相信自己持有锁，也与服务器有联系，但它的会话已经结束。</translation>
    </message>
    <message>
        <source>%1 believes that it holds the lock with %2, but the queue is: %3.</source>
        <translation>%1 相信自己以 %2 持有锁，但队列是：%3。</translation>
    </message>
    <message>
        <source>%1 could not enter again: %2</source>
        <translation>%1 无法再次进入：%2</translation>
    </message>
    <message>
        <source>%1 could not release: %2</source>
        <translation>%1 无法释放：%2</translation>
    </message>
    <message>
        <source>%1 goes on believing that it holds the lock with %2, which an administrator has deleted.</source>
        <translation>%1 仍相信自己以 %2 持有锁，而管理员已删除该节点。</translation>
    </message>
    <message>
        <source>%1 got an answer for which there is no reason: %2</source>
        <translation>%1 得到了一个没有理由的回答：%2</translation>
    </message>
    <message>
        <source>%1 sessions were woken when %2 went.</source>
        <translation>%2 消失时有 %1 个会话被唤醒。</translation>
    </message>
    <message>
        <source>%1 still believes that it holds the lock though its session is over.</source>
        <translation>%1 的会话已经结束，它却仍相信自己持有锁。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with %2 after %3, whose token is not smaller.</source>
        <translation>%1 在 %3 之后以 %2 获得锁，但后者的令牌并不更小。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with %2 before %3.</source>
        <translation>%1 先于 %3 以 %2 获得锁。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with %2, a node of another session.</source>
        <translation>%1 以 %2 获得锁，但这是另一个会话的节点。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with %2, but by the messages it had received the queue was: %3.</source>
        <translation>%1 以 %2 获得锁，但按它收到的消息，队列是：%3。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with a token that is not the czxid of %2.</source>
        <translation>%1 获得锁时的令牌不是 %2 的 czxid。</translation>
    </message>
    <message>
        <source>%1 was granted the lock with the node &quot;%2&quot;, which never was.</source>
        <translation>%1 以从未存在过的节点“%2”获得锁。</translation>
    </message>
    <message>
        <source>%1 was not notified that its hold is gone.</source>
        <translation>%1 没有得到通知：它已不再持有锁。</translation>
    </message>
    <message>
        <source>%1 was told that it is inside after its hold was lost.</source>
        <translation>%1 失去锁之后还被告知它在里面。</translation>
    </message>
    <message>
        <source>A recipe is a short TOML file.</source>
        <translation>配方是一个简短的 TOML 文件。</translation>
    </message>
    <message>
        <source>After %1 steps a client is still not done.</source>
        <translation>%1 步之后仍有客户端没有完成。</translation>
    </message>
    <message>
        <source>After waking</source>
        <translation>醒来之后</translation>
    </message>
    <message>
        <source>All is done, but a client keeps a watch on %1.</source>
        <translation>一切都已完成，但一个客户端仍监视着 %1。</translation>
    </message>
    <message>
        <source>All is done, but a server keeps a watch on %1.</source>
        <translation>一切都已完成，但一个服务器仍保留着对 %1 的监视。</translation>
    </message>
    <message>
        <source>All is done, but these nodes are left: %1.</source>
        <translation>一切都已完成，但留下了这些节点：%1。</translation>
    </message>
    <message>
        <source>Every client that wants the lock gets it in the end.</source>
        <translation>每个想要锁的客户端最终都能得到它。</translation>
    </message>
    <message>
        <source>Expected a recipe in TOML.</source>
        <translation>应为 TOML 格式的配方。</translation>
    </message>
    <message>
        <source>Fencing</source>
        <translation>防护</translation>
    </message>
    <message>
        <source>It breaks in %1 steps: %2.</source>
        <translation>它在 %1 步内出错：%2。</translation>
    </message>
    <message>
        <source>It is a herd: when a holder leaves, every client that waits is woken.</source>
        <translation>它是羊群：持有者离开时，所有等待的客户端都被唤醒。</translation>
    </message>
    <message>
        <source>No client overwrites what another has written since it read the data.</source>
        <translation>客户端不会覆盖别人在它读取数据之后写下的内容。</translation>
    </message>
    <message>
        <source>No write is lost</source>
        <translation>没有写入丢失</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Nothing can happen any more, but these wait: %1; the queue is: %2.</source>
        <translation>再也不会发生什么了，但这些仍在等待：%1；队列是：%2。</translation>
    </message>
    <message>
        <source>One of the nodes of the session of %1 belongs to no client any more; the queue is: %2.</source>
        <translation>%1 所属会话的节点中有一个已不属于任何客户端；队列是：%2。</translation>
    </message>
    <message>
        <source>Order of the nodes</source>
        <translation>节点的顺序</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Protected</source>
        <translation>保护</translation>
    </message>
    <message>
        <source>Sequential</source>
        <translation>顺序编号</translation>
    </message>
    <message>
        <source>Something goes on though its session was closed.</source>
        <translation>会话已关闭，却仍有事情在进行。</translation>
    </message>
    <message>
        <source>The data is damaged: writes accepted: %1, but it counts %2.</source>
        <translation>数据已损坏：接受的写入有 %1 次，计数却是 %2。</translation>
    </message>
    <message>
        <source>The data is whole: it counts %1. Refused by the fence: %2.</source>
        <translation>数据完好：计数为 %1。被防护令牌拒绝：%2。</translation>
    </message>
    <message>
        <source>The data is whole: it counts %1.</source>
        <translation>数据完好：计数为 %1。</translation>
    </message>
    <message>
        <source>The rules hold in %1 schedules, but these were not all.</source>
        <translation>规则在 %1 种调度中成立，但这不是全部。</translation>
    </message>
    <message>
        <source>The rules hold in all %1 schedules.</source>
        <translation>规则在全部 %1 种调度中成立。</translation>
    </message>
    <message>
        <source>There is no recipe &quot;%1&quot;.</source>
        <translation>没有名为“%1”的配方。</translation>
    </message>
    <message>
        <source>They all believe that they hold the lock: %1.</source>
        <translation>它们都相信自己持有锁：%1。</translation>
    </message>
    <message>
        <source>What is watched</source>
        <translation>监视什么</translation>
    </message>
    <message>
        <source>While the connection is suspended</source>
        <translation>连接挂起期间</translation>
    </message>
    <message>
        <source>a late write is accepted</source>
        <translation>接受迟到的写入</translation>
    </message>
    <message>
        <source>a name begins with a random guid</source>
        <translation>名字以随机的 GUID 开头</translation>
    </message>
    <message>
        <source>accepted writes: %1</source>
        <translation>接受的写入：%1</translation>
    </message>
    <message>
        <source>all are woken</source>
        <translation>所有客户端都被唤醒</translation>
    </message>
    <message>
        <source>and begin again</source>
        <translation>然后重新开始</translation>
    </message>
    <message>
        <source>by the number that the server gave</source>
        <translation>按服务器给的编号</translation>
    </message>
    <message>
        <source>by the whole name</source>
        <translation>按完整名字</translation>
    </message>
    <message>
        <source>client %1.%2</source>
        <translation>客户端 %1.%2</translation>
    </message>
    <message>
        <source>each client has a node with a number of its own</source>
        <translation>每个客户端有自己的带编号的节点</translation>
    </message>
    <message>
        <source>ephemeral: it goes with its session</source>
        <translation>临时：随会话消失</translation>
    </message>
    <message>
        <source>it believes that it holds the lock</source>
        <translation>它相信自己持有锁</translation>
    </message>
    <message>
        <source>it gives the lock up</source>
        <translation>它放弃锁</translation>
    </message>
    <message>
        <source>it outlives its client</source>
        <translation>它比客户端活得久</translation>
    </message>
    <message>
        <source>just deleted</source>
        <translation>刚被删除</translation>
    </message>
    <message>
        <source>look again who is there</source>
        <translation>再看一遍有谁</translation>
    </message>
    <message>
        <source>no client</source>
        <translation>没有客户端</translation>
    </message>
    <message>
        <source>nobody wakes it</source>
        <translation>没有谁唤醒它</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>什么都不监视</translation>
    </message>
    <message>
        <source>one node for all: who makes it has the lock</source>
        <translation>所有客户端共用一个节点：谁创建了它谁就有锁</translation>
    </message>
    <message>
        <source>persistent: it stays until it is deleted</source>
        <translation>持久：一直保留到被删除</translation>
    </message>
    <message>
        <source>take the lock</source>
        <translation>直接取锁</translation>
    </message>
    <message>
        <source>the first node stays, and nobody knows whose it is</source>
        <translation>第一个节点仍在，没有谁知道它是谁的</translation>
    </message>
    <message>
        <source>the list of the children</source>
        <translation>子节点列表</translation>
    </message>
    <message>
        <source>the node before, with exists</source>
        <translation>前一个节点，用 exists</translation>
    </message>
    <message>
        <source>the node before, with getData</source>
        <translation>前一个节点，用 getData</translation>
    </message>
    <message>
        <source>the resource accepts every write</source>
        <translation>资源接受所有写入</translation>
    </message>
    <message>
        <source>the resource refuses a smaller token</source>
        <translation>资源拒绝更小的令牌</translation>
    </message>
    <message>
        <source>the resource refuses a token that is too old</source>
        <translation>资源拒绝太旧的令牌</translation>
    </message>
    <message>
        <source>the watch stays</source>
        <translation>监视仍保留</translation>
    </message>
    <message>
        <source>until the session is lost</source>
        <translation>直到会话丢失</translation>
    </message>
    <message>
        <source>we hold it</source>
        <translation>由本客户端持有</translation>
    </message>
    <message>
        <source>with a GUID, by which a node is found whose create had no reply</source>
        <translation>带 GUID：创建没有得到回复时能凭它找到节点</translation>
    </message>
    <message>
        <source>without looking who is there</source>
        <translation>不看有谁</translation>
    </message>
    <message>
        <source>without: a create that had no reply is sent again</source>
        <translation>没有：没有得到回复的创建会再次发送</translation>
    </message>
    <message>
        <source>The recipe %1 cannot be written: %2.</source>
        <translation>无法写入配方 %1：%2。</translation>
    </message>
    <message>
        <source>Give the logs of the time and of the ensemble of the traces.</source>
        <translation>请给出与跟踪记录同一时间、同一集群的日志。</translation>
    </message>
    <message>
        <source>The logs have no event of the locks in these traces.</source>
        <translation>日志中没有这些跟踪记录里的锁的任何事件。</translation>
    </message>
    <message>
        <source>The merged run does not fit into memory.</source>
        <translation>内存放不下合并后的运行。</translation>
    </message>
    <message>
        <source>There are too many locks or participants for a trace; some are left out.</source>
        <translation>锁或参与者太多，一份跟踪记录放不下；有些被略去了。</translation>
    </message>
    <message>
        <source>No way was found in which the recipe of this step breaks.</source>
        <translation>没有找到使这一步的配方坏掉的过程。</translation>
    </message>
    <message>
        <source>a change: the recipe is so already</source>
        <translation>一处改动：配方现在就是这样</translation>
    </message>
    <message>
        <source>a choice and its option, such as &quot;watch getData&quot;</source>
        <translation>一个选择和它的选项，例如 &quot;watch getData&quot;</translation>
    </message>
    <message>
        <source>a recipe to mend without a goal or a puzzle beside it</source>
        <translation>要修的配方，旁边没有 goal 也没有 puzzle</translation>
    </message>
    <message>
        <source>a recipe to mend</source>
        <translation>要修的配方</translation>
    </message>
    <message>
        <source>a step in a simulated world without &quot;%1&quot;</source>
        <translation>模拟世界里的一步，不带 &quot;%1&quot;</translation>
    </message>
    <message>
        <source>a table of what is to be mended</source>
        <translation>说明要修什么的表</translation>
    </message>
    <message>
        <source>both &quot;recipe&quot; and &quot;solution&quot;</source>
        <translation>&quot;recipe&quot; 和 &quot;solution&quot; 两者</translation>
    </message>
    <message>
        <source>the solution under [step.task.puzzle] or [step.task.mend]</source>
        <translation>solution 写在 [step.task.puzzle] 或 [step.task.mend] 下</translation>
    </message>
    <message>
        <source>%1 cannot be created: %2.</source>
        <translation>无法创建 %1：%2。</translation>
    </message>
    <message>
        <source>%1 exists already.</source>
        <translation>%1 已经存在。</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>请检查地址。</translation>
    </message>
    <message>
        <source>Choose another place with --runs-path.</source>
        <translation>请用 --runs-path 另选位置。</translation>
    </message>
    <message>
        <source>Each worker is started with: lockscope-cli join %1 --connect %2</source>
        <translation>每个 worker 这样启动：lockscope-cli join %1 --connect %2</translation>
    </message>
    <message>
        <source>Give another --run-id, or none.</source>
        <translation>请给出另一个 --run-id，或者不给。</translation>
    </message>
    <message>
        <source>Interrupted before the start.</source>
        <translation>在开始之前被中断。</translation>
    </message>
    <message>
        <source>Interrupted before there was a connection.</source>
        <translation>在建立连接之前被中断。</translation>
    </message>
    <message>
        <source>No permission to create %1.</source>
        <translation>没有创建 %1 的权限。</translation>
    </message>
    <message>
        <source>Of %1 workers only %2 came within %3 s.</source>
        <translation>%1 个 worker 中，%3 秒内只来了 %2 个。</translation>
    </message>
    <message>
        <source>Several workers cannot carry out %1: %2</source>
        <translation>几个 worker 不能分担 %1：%2</translation>
    </message>
    <message>
        <source>Start it with lockscope-cli run --workers, with the same --run-id.</source>
        <translation>请用 lockscope-cli run --workers 启动它，并给出相同的 --run-id。</translation>
    </message>
    <message>
        <source>The connection to %1 was lost for longer than %2 s: the run is over.</source>
        <translation>与 %1 的连接断开超过 %2 秒：运行已结束。</translation>
    </message>
    <message>
        <source>The coordinator of the run has gone: it is over.</source>
        <translation>运行的协调者不在了：运行已结束。</translation>
    </message>
    <message>
        <source>The run %1 has its workers already.</source>
        <translation>运行 %1 的 worker 已经到齐。</translation>
    </message>
    <message>
        <source>The run was made by another version of LockScope, or is not one.</source>
        <translation>这个运行是由另一个版本的 LockScope 建立的，或者根本不是运行。</translation>
    </message>
    <message>
        <source>The run was made by another version of LockScope.</source>
        <translation>这个运行是由另一个版本的 LockScope 建立的。</translation>
    </message>
    <message>
        <source>The scenario is too long for a node of ZooKeeper.</source>
        <translation>场景太长，放不进 ZooKeeper 的一个节点。</translation>
    </message>
    <message>
        <source>There is a run at %1 already, or one that ended moments ago.</source>
        <translation>%1 处已经有一个运行，或者它刚刚结束。</translation>
    </message>
    <message>
        <source>There is no run at %1.</source>
        <translation>%1 处没有运行。</translation>
    </message>
    <message>
        <source>Use the same version on all machines.</source>
        <translation>请在所有机器上使用相同的版本。</translation>
    </message>
    <message>
        <source>it has fewer processes of clients (%1) than there are workers (%2).</source>
        <translation>它的客户端进程（%1 个）少于 worker（%2 个）。</translation>
    </message>
    <message>
        <source>it has no clients.</source>
        <translation>它没有客户端。</translation>
    </message>
    <message>
        <source>its clients take steps in turn, which one process decides.</source>
        <translation>它的客户端轮流走步，由一个进程决定顺序。</translation>
    </message>
    <message>
        <source>what its holders count is kept in the memory of one process.</source>
        <translation>它的持有者所计的数保存在一个进程的内存里。</translation>
    </message>
    <message>
        <source>Not checked across the workers, each of which sees its own clients alone: a trace merged of theirs is judged as a whole.</source>
        <translation>未跨 worker 检查：每个 worker 只看得到自己的客户端。由它们的轨迹合并成的轨迹会作为整体检查。</translation>
    </message>
    <message>
        <source>a client that never gets the lock</source>
        <translation>有客户端永远得不到锁</translation>
    </message>
    <message>
        <source>a lost write</source>
        <translation>有一次写入丢失</translation>
    </message>
    <message>
        <source>The connection of %1 has no fault.</source>
        <translation>%1 的连接没有故障。</translation>
    </message>
    <message>
        <source>A spare worker is one of a scenario with replace_workers = true.</source>
        <translation>备用的 worker 只用于写有 replace_workers = true 的场景。</translation>
    </message>
    <message>
        <source>Check the lines of --auth-file.</source>
        <translation>检查 --auth-file 的各行。</translation>
    </message>
    <message>
        <source>Give the --auth-file of the run.</source>
        <translation>给出这次运行的 --auth-file。</translation>
    </message>
    <message>
        <source>Leave out --auth-file, or give it to lockscope-cli run, too.</source>
        <translation>去掉 --auth-file，或者也给 lockscope-cli run。</translation>
    </message>
    <message>
        <source>No permission to read the run at %1.</source>
        <translation>没有权限读取 %1 处的运行。</translation>
    </message>
    <message>
        <source>The run %1 is for everyone: credentials have no effect.</source>
        <translation>运行 %1 对所有人开放：凭据不起作用。</translation>
    </message>
    <message>
        <source>The server refuses the credentials.</source>
        <translation>服务器拒绝这些凭据。</translation>
    </message>
    <message>
        <source>The write of %1 is lost: %2 has overwritten it with what it had made of older data.</source>
        <translation>%1 的写入丢失：%2 用基于较旧数据的结果覆盖了它。</translation>
    </message>
    <message>
        <source>--tui needs a terminal, and standard output is none.</source>
        <translation>--tui 需要终端,而标准输出不是终端。</translation>
    </message>
    <message>
        <source>--tui reads keys, and standard input is no terminal.</source>
        <translation>--tui 读取按键,而标准输入不是终端。</translation>
    </message>
    <message>
        <source>Leave --tui out, or do not redirect the input.</source>
        <translation>请去掉 --tui,或不要重定向输入。</translation>
    </message>
    <message>
        <source>Leave --tui out: the locks are then printed as lines.</source>
        <translation>请去掉 --tui:锁会逐行打印出来。</translation>
    </message>
    <message>
        <source>Set TERM, for example TERM=xterm, or leave --tui out.</source>
        <translation>请设置 TERM,例如 TERM=xterm,或去掉 --tui。</translation>
    </message>
    <message>
        <source>The type of the terminal, TERM=%1, is not known, or it has no cursor to move.</source>
        <translation>终端类型 TERM=%1 未知,或者它没有可移动的光标。</translation>
    </message>
    <message>
        <source>%1 is held already.</source>
        <translation>%1 已经被停住。</translation>
    </message>
    <message>
        <source>%1 is held before %2 already.</source>
        <translation>%1 已经会停在 %2 之前。</translation>
    </message>
    <message>
        <source>%1 is not held before %2.</source>
        <translation>%1 不会停在 %2 之前。</translation>
    </message>
    <message>
        <source>%1 is not held.</source>
        <translation>%1 没有被停住。</translation>
    </message>
    <message>
        <source>All clients are held already.</source>
        <translation>所有客户端已经都被停住。</translation>
    </message>
    <message>
        <source>All clients are held: %1 goes on by steps, or with all of them.</source>
        <translation>所有客户端都被停住：%1 只能逐步前进，或与全体一起放行。</translation>
    </message>
    <message>
        <source>No client is held.</source>
        <translation>没有客户端被停住。</translation>
    </message>
    <message>
        <source>The number of leases is %1 already.</source>
        <translation>租约数已经是 %1。</translation>
    </message>
    <message>
        <source>The run is not paused.</source>
        <translation>运行没有暂停。</translation>
    </message>
    <message>
        <source>The run is paused already.</source>
        <translation>运行已经暂停。</translation>
    </message>
    <message>
        <source>&amp;Waits as CSV…</source>
        <translation>等待导出为 CSV(&amp;W)…</translation>
    </message>
    <message>
        <source>A table with one row per wait, and where its time went.</source>
        <translation>每次等待一行的表格，以及它的时间去了哪里。</translation>
    </message>
    <message>
        <source>Export the Waits</source>
        <translation>导出等待</translation>
    </message>
    <message>
        <source>The hold of %1 was lost.</source>
        <translation>%1 的持有已经失去。</translation>
    </message>
    <message>
        <source>%1 does not name a lesson.</source>
        <translation>%1 没有写明课程。</translation>
    </message>
    <message>
        <source>Expected the bets of a learner, as the window writes them.</source>
        <translation>应为一个学习者的赌注，由窗口写成。</translation>
    </message>
    <message>
        <source>Expected the bets of a learner.</source>
        <translation>应为一个学习者的赌注。</translation>
    </message>
    <message>
        <source>No file %1.</source>
        <translation>没有文件 %1。</translation>
    </message>
    <message>
        <source>a list of bets</source>
        <translation>赌注的列表</translation>
    </message>
    <message>
        <source>Check krb5.conf, and the ticket with klist.</source>
        <translation>检查 krb5.conf，并用 klist 查看票据。</translation>
    </message>
    <message>
        <source>Check that it is a ZooKeeper of 3.4 or later.</source>
        <translation>检查它是不是 3.4 或更高版本的 ZooKeeper。</translation>
    </message>
    <message>
        <source>Check the KDC in krb5.conf, and that it is up.</source>
        <translation>检查 krb5.conf 中的 KDC，以及它是否在运行。</translation>
    </message>
    <message>
        <source>Check the realm and its KDC in krb5.conf, and that the KDC is up.</source>
        <translation>检查 krb5.conf 中的领域和它的 KDC，以及 KDC 是否在运行。</translation>
    </message>
    <message>
        <source>Check their scheme and format: servers know &quot;digest&quot; with USER:PASSWORD, and other schemes only with an authProvider. SASL is not given there, but with --sasl.</source>
        <translation>检查凭据的方案和格式：服务器认识 &quot;digest&quot; 加 USER:PASSWORD，其他方案需要配置 authProvider。SASL 不在那里给出，而用 --sasl。</translation>
    </message>
    <message>
        <source>Compare the first line of %1 with user_NAME=&quot;PASSWORD&quot; in the server&apos;s JAAS file.</source>
        <translation>将 %1 的第一行与服务器 JAAS 文件中的 user_NAME=&quot;PASSWORD&quot; 比较。</translation>
    </message>
    <message>
        <source>Connect without --sasl, or give the server a section Server in its JAAS file (java.security.auth.login.config). From ZooKeeper 3.9.4 on, DIGEST-MD5 also needs zookeeper.fips-mode=false.</source>
        <translation>不用 --sasl 连接，或在服务器的 JAAS 文件（java.security.auth.login.config）中加上 Server 部分。从 ZooKeeper 3.9.4 起，DIGEST-MD5 还需要 zookeeper.fips-mode=false。</translation>
    </message>
    <message>
        <source>Get a new one with kinit.</source>
        <translation>用 kinit 取得新的票据。</translation>
    </message>
    <message>
        <source>Get one with kinit; klist shows it.</source>
        <translation>用 kinit 取得票据；klist 可以查看它。</translation>
    </message>
    <message>
        <source>Give --sasl digest-md5 with --sasl-file, or --sasl gssapi with a Kerberos ticket. Where zookeeper.enforce.auth.schemes names x509 or digest, a certificate or --auth-file does.</source>
        <translation>给出 --sasl digest-md5 和 --sasl-file，或给出 --sasl gssapi 并备好 Kerberos 票据。如果 zookeeper.enforce.auth.schemes 列有 x509 或 digest，用证书或 --auth-file 即可。</translation>
    </message>
    <message>
        <source>Give the client a credential that the server demands. ZooKeeper&apos;s C client library has no SASL here: use a certificate (x509) or digest, and a server that accepts these too (zookeeper.enforce.auth.schemes instead of zookeeper.sessionRequireClientSASLAuth).</source>
        <translation>请为客户端提供服务器要求的凭据。这里的 ZooKeeper C 客户端库没有 SASL：请使用证书（x509）或 digest，并让服务器也接受它们（用 zookeeper.enforce.auth.schemes 代替 zookeeper.sessionRequireClientSASLAuth）。</translation>
    </message>
    <message>
        <source>Give what its zookeeper.enforce.auth.schemes names: a certificate (x509), or --auth-file with digest USER:PASSWORD.</source>
        <translation>给出它的 zookeeper.enforce.auth.schemes 所列的内容：证书（x509），或 --auth-file 中的 digest USER:PASSWORD。</translation>
    </message>
    <message>
        <source>Install the package %1.</source>
        <translation>安装软件包 %1。</translation>
    </message>
    <message>
        <source>Its log may say why; it must be a ZooKeeper of 3.4 or later.</source>
        <translation>它的日志可能说明原因；它必须是 3.4 或更高版本的 ZooKeeper。</translation>
    </message>
    <message>
        <source>Its log says why: its keytab has another key than the KDC, the clocks are too far apart, or its JAAS file names no Kerberos (--sasl digest-md5).</source>
        <translation>原因在它的日志里：它的密钥表与 KDC 的密钥不同，时钟相差太大，或它的 JAAS 文件没有使用 Kerberos（--sasl digest-md5）。</translation>
    </message>
    <message>
        <source>Kerberos finds no KDC for %1: %2.</source>
        <translation>Kerberos 找不到 %1 的 KDC：%2。</translation>
    </message>
    <message>
        <source>Kerberos gives no ticket for %1: %2.</source>
        <translation>Kerberos 没有给出 %1 的票据：%2。</translation>
    </message>
    <message>
        <source>Kerberos has not answered yet: no ticket for %1.</source>
        <translation>Kerberos 尚未应答：没有 %1 的票据。</translation>
    </message>
    <message>
        <source>Name the server as its principal does, or the service with --sasl-service.</source>
        <translation>按主体中的名字来写服务器，或用 --sasl-service 给出服务。</translation>
    </message>
    <message>
        <source>SASL DIGEST-MD5 needs a file whose first line is USER:PASSWORD (--sasl-file).</source>
        <translation>SASL DIGEST-MD5 需要一个第一行为 USER:PASSWORD 的文件（--sasl-file）。</translation>
    </message>
    <message>
        <source>Set them by the same time server.</source>
        <translation>用同一个时间服务器校准它们。</translation>
    </message>
    <message>
        <source>The KDC does not know the server as %1.</source>
        <translation>KDC 不认识名为 %1 的服务器。</translation>
    </message>
    <message>
        <source>The Kerberos ticket has expired.</source>
        <translation>Kerberos 票据已过期。</translation>
    </message>
    <message>
        <source>The clocks of this computer and of the KDC are too far apart.</source>
        <translation>这台计算机与 KDC 的时钟相差太大。</translation>
    </message>
    <message>
        <source>The exchange of SASL with the server at %1 failed: %2.</source>
        <translation>与服务器 %1 的 SASL 认证失败：%2。</translation>
    </message>
    <message>
        <source>The server at %1 does not answer SASL.</source>
        <translation>服务器 %1 不应答 SASL。</translation>
    </message>
    <message>
        <source>The server at %1 does not speak DIGEST-MD5.</source>
        <translation>服务器 %1 不支持 DIGEST-MD5。</translation>
    </message>
    <message>
        <source>The server at %1 has no SASL.</source>
        <translation>服务器 %1 没有 SASL。</translation>
    </message>
    <message>
        <source>The server at %1 refuses the Kerberos ticket for %2.</source>
        <translation>服务器 %1 拒绝 %2 的 Kerberos 票据。</translation>
    </message>
    <message>
        <source>The server at %1 refuses the user or the password (SASL DIGEST-MD5).</source>
        <translation>服务器 %1 拒绝用户名或密码（SASL DIGEST-MD5）。</translation>
    </message>
    <message>
        <source>The server demands another authentication than SASL.</source>
        <translation>服务器要求 SASL 以外的认证。</translation>
    </message>
    <message>
        <source>The server demands that clients authenticate, by SASL as a rule.</source>
        <translation>服务器要求客户端认证，通常用 SASL。</translation>
    </message>
    <message>
        <source>There is no Kerberos ticket: %1.</source>
        <translation>没有 Kerberos 票据：%1。</translation>
    </message>
    <message>
        <source>This system has no %1 for SASL.</source>
        <translation>本系统没有用于 SASL 的 %1。</translation>
    </message>
    <message>
        <source>Use --sasl gssapi if its JAAS file names Kerberos; from ZooKeeper 3.9.4 on, DIGEST-MD5 needs zookeeper.fips-mode=false.</source>
        <translation>如果它的 JAAS 文件使用 Kerberos，请用 --sasl gssapi；从 ZooKeeper 3.9.4 起，DIGEST-MD5 需要 zookeeper.fips-mode=false。</translation>
    </message>
    <message>
        <source>What the server at %1 answers to SASL cannot be understood.</source>
        <translation>服务器 %1 对 SASL 的应答无法理解。</translation>
    </message>
</context>
<context>
    <name>CoreErrors</name>
    <message>
        <source>cut</source>
        <extracomment>of a connection: closed, and none can be made</extracomment>
        <translation>已切断</translation>
    </message>
    <message>
        <source>nothing reaches the server</source>
        <translation>没有数据到达服务器</translation>
    </message>
    <message>
        <source>nothing comes from the server</source>
        <translation>没有数据从服务器返回</translation>
    </message>
    <message>
        <source>half-open</source>
        <translation>半开</translation>
    </message>
    <message>
        <source>%1 slower each way</source>
        <translation>每个方向慢 %1</translation>
    </message>
    <message>
        <source>up to %1 slower each way</source>
        <translation>每个方向最多慢 %1</translation>
    </message>
    <message>
        <source>%1 bytes a second</source>
        <translation>每秒 %1 字节</translation>
    </message>
    <message>
        <source>+- %1</source>
        <translation>±%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>FormRows</name>
    <message>
        <source>Mutex</source>
        <extracomment>a choice: a recipe for locks</extracomment>
        <translation>互斥锁</translation>
    </message>
    <message>
        <source>Read/write lock</source>
        <translation>读写锁</translation>
    </message>
    <message>
        <source>Semaphore</source>
        <extracomment>a choice: a recipe for locks</extracomment>
        <translation>信号量</translation>
    </message>
    <message>
        <source>Non-reentrant mutex</source>
        <translation>不可重入的互斥锁</translation>
    </message>
    <message>
        <source>Several locks as one</source>
        <translation>多把锁合为一把</translation>
    </message>
    <message>
        <source>Every waiter watches one node</source>
        <translation>所有等待者监视同一个节点</translation>
    </message>
    <message>
        <source>Read/write, every waiter watches the list</source>
        <translation>读写锁，所有等待者监视列表</translation>
    </message>
    <message>
        <source>Watches with exists</source>
        <translation>用 exists 监视</translation>
    </message>
    <message>
        <source>Loses its node when a reply is lost</source>
        <translation>回复丢失时丢掉自己的节点</translation>
    </message>
    <message>
        <source>Read/write with the old downgrade</source>
        <translation>采用旧式降级的读写锁</translation>
    </message>
    <message>
        <source>No lock at all</source>
        <translation>完全不加锁</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>标题(&amp;T)</translation>
    </message>
    <message>
        <source>One line. Empty: the file name is used.</source>
        <translation>一行。留空：使用文件名。</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>正文(&amp;X)</translation>
    </message>
    <message>
        <source>What the reader should look at.</source>
        <translation>给读者：该看什么。</translation>
    </message>
    <message>
        <source>Title in &amp;Chinese</source>
        <translation>中文标题(&amp;C)</translation>
    </message>
    <message>
        <source>Text in C&amp;hinese</source>
        <translation>中文正文(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Workers of each</source>
        <translation>每个的工作线程(&amp;W)</translation>
    </message>
    <message>
        <source>Workers share the session of their client, as the threads of a process do.</source>
        <translation>工作线程共用其客户端的会话，就像一个进程的各个线程。</translation>
    </message>
    <message>
        <source>Arri&amp;val</source>
        <translation>到达方式(&amp;V)</translation>
    </message>
    <message>
        <source>all at once</source>
        <translation>全部同时</translation>
    </message>
    <message>
        <source>together, when all are connected</source>
        <translation>全部到齐后一起</translation>
    </message>
    <message>
        <source>in groups of</source>
        <translation>到齐后一起，每批数量</translation>
    </message>
    <message>
        <source>one after the other, every</source>
        <translation>依次加入，间隔</translation>
    </message>
    <message>
        <source>at random (Poisson), on average every</source>
        <translation>随机（泊松），平均间隔</translation>
    </message>
    <message>
        <source>&amp;Locks</source>
        <translation>锁(&amp;L)</translation>
    </message>
    <message>
        <source>A path on each line.</source>
        <translation>每行一个路径。</translation>
    </message>
    <message>
        <source>&amp;Recipe</source>
        <translation>配方(&amp;R)</translation>
    </message>
    <message>
        <source>L&amp;eases</source>
        <translation>租约(&amp;E)</translation>
    </message>
    <message>
        <source>The maximum number of leases held at once.</source>
        <translation>同时发出的最大数目。</translation>
    </message>
    <message>
        <source>&amp;Handoff</source>
        <translation>交接(&amp;H)</translation>
    </message>
    <message>
        <source>like Curator: list again after every wake-up</source>
        <translation>与 Curator 相同：每次唤醒后再次列出</translation>
    </message>
    <message>
        <source>announced: the holder announces its hold</source>
        <translation>宣告式：持有者宣告自己持有</translation>
    </message>
    <message>
        <source>&amp;Protects</source>
        <translation>保护(&amp;P)</translation>
    </message>
    <message>
        <source>a section: checks who is inside, and with which token</source>
        <translation>临界区：谁在里面，带着哪个令牌</translation>
    </message>
    <message>
        <source>a stock: each holder takes one item; at first</source>
        <translation>库存：每个持有者取走一件；起初有</translation>
    </message>
    <message>
        <source>order numbers from the clock</source>
        <translation>由时钟得出的订单号</translation>
    </message>
    <message>
        <source>&amp;Fencing</source>
        <translation>防护(&amp;F)</translation>
    </message>
    <message>
        <source>refuse tokens older than the newest one seen</source>
        <translation>拒绝比已见过的最新令牌更旧的令牌</translation>
    </message>
    <message>
        <source>like the other clients</source>
        <translation>与其他客户端相同</translation>
    </message>
    <message>
        <source>&amp;Cycles</source>
        <translation>轮次(&amp;C)</translation>
    </message>
    <message>
        <source>unlimited</source>
        <extracomment>in place of a number of cycles</extracomment>
        <translation>无限</translation>
    </message>
    <message>
        <source>How often each client acquires and releases the lock.</source>
        <translation>每个客户端获取并释放锁的次数。</translation>
    </message>
    <message>
        <source>&amp;Think</source>
        <translation>思考(&amp;T)</translation>
    </message>
    <message>
        <source>The time before each acquire call, with a unit: 250us, 20ms, 2s, 1m.</source>
        <translation>每次调用 acquire 之前的时间，带单位：250us、20ms、2s、1m。</translation>
    </message>
    <message>
        <source>&amp;Hold</source>
        <translation>持有(&amp;H)</translation>
    </message>
    <message>
        <source>How long the client holds the lock.</source>
        <translation>持有锁多久。</translation>
    </message>
    <message>
        <source>R&amp;e-entries</source>
        <translation>重入(&amp;E)</translation>
    </message>
    <message>
        <source>How often the holder acquires the lock again.</source>
        <translation>重入已持有的锁的次数。</translation>
    </message>
    <message>
        <source>Ta&amp;kes</source>
        <translation>获取(&amp;K)</translation>
    </message>
    <message>
        <source>the first lock</source>
        <translation>第一把锁</translation>
    </message>
    <message>
        <source>Locks by the last part of their paths, in this order: left, right. For a read/write lock add the side: book:read.</source>
        <translation>按路径末段列出的锁，依次获取：left, right。读写锁注明读或写：book:read。</translation>
    </message>
    <message>
        <source>Release &amp;order</source>
        <translation>释放顺序(&amp;O)</translation>
    </message>
    <message>
        <source>last acquired first</source>
        <translation>先释放最后获取的</translation>
    </message>
    <message>
        <source>first acquired first</source>
        <translation>先释放最先获取的</translation>
    </message>
    <message>
        <source>&amp;Writes</source>
        <translation>写(&amp;W)</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>The share of cycles that write; the others read.</source>
        <translation>用于写的轮次所占的比例；其余为读。</translation>
    </message>
    <message>
        <source>&amp;Leases at once</source>
        <translation>同时的租约数(&amp;L)</translation>
    </message>
    <message>
        <source>Gives &amp;up after</source>
        <translation>放弃前等待(&amp;U)</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>T&amp;ries</source>
        <translation>尝试次数(&amp;R)</translation>
    </message>
    <message>
        <source>The number of such attempts; then the lock counts as busy.</source>
        <translation>这样等待的次数；之后视为锁正忙。</translation>
    </message>
    <message>
        <source>Re&amp;vocable</source>
        <translation>可撤销(&amp;V)</translation>
    </message>
    <message>
        <source>release the lock when another client asks for it</source>
        <translation>其他客户端请求时释放锁</translation>
    </message>
    <message>
        <source>&amp;Duration</source>
        <translation>时长(&amp;D)</translation>
    </message>
    <message>
        <source>until all cycles are done</source>
        <translation>直到全部轮次完成</translation>
    </message>
    <message>
        <source>No client starts a new cycle after this time.</source>
        <translation>此后没有客户端再开始新的一轮。</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>种子(&amp;N)</translation>
    </message>
    <message>
        <source>The same seed draws the same times.</source>
        <translation>相同的种子得到相同的时间。</translation>
    </message>
    <message>
        <source>Session &amp;timeout</source>
        <translation>会话超时(&amp;T)</translation>
    </message>
    <message>
        <source>10s</source>
        <translation>10s</translation>
    </message>
    <message>
        <source>&amp;Pace</source>
        <translation>每步延时(&amp;P)</translation>
    </message>
    <message>
        <source>no delay</source>
        <translation>无延迟</translation>
    </message>
    <message>
        <source>The delay before every protocol step.</source>
        <translation>每个协议步骤之前的延迟。</translation>
    </message>
    <message>
        <source>&amp;ZooKeeper</source>
        <translation>&amp;ZooKeeper</translation>
    </message>
    <message>
        <source>one private server</source>
        <translation>一台私有服务器</translation>
    </message>
    <message>
        <source>three private servers</source>
        <translation>三台私有服务器</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>the private servers</source>
        <translation>私有服务器</translation>
    </message>
    <message>
        <source>Servers of your own instead: HOST:PORT, separated by commas.</source>
        <translation>改用您自己的服务器：HOST:PORT，以逗号分隔。</translation>
    </message>
    <message>
        <source>&amp;Join</source>
        <translation>加入(&amp;J)</translation>
    </message>
    <message>
        <source>also a lock in which other programs have nodes</source>
        <translation>其他程序在其中有节点的锁也加入</translation>
    </message>
    <message>
        <source>&amp;Links that can fail</source>
        <translation>可出故障的链路(&amp;L)</translation>
    </message>
    <message>
        <source>when the script needs them</source>
        <translation>脚本需要时</translation>
    </message>
    <message>
        <source>always</source>
        <extracomment>a choice for whether clients connect through links that can fail</extracomment>
        <translation>始终</translation>
    </message>
    <message>
        <source>never</source>
        <extracomment>a choice for whether clients connect through links that can fail</extracomment>
        <translation>从不</translation>
    </message>
    <message>
        <source>&amp;Stepping</source>
        <translation>步进(&amp;S)</translation>
    </message>
    <message>
        <source>stop every client before each step, from the start</source>
        <translation>从一开始，所有客户端都停在每一步之前</translation>
    </message>
    <message>
        <source>St&amp;eps</source>
        <translation>步骤(&amp;E)</translation>
    </message>
    <message>
        <source>A client and its step on each line, in the order in which they are taken: %1.</source>
        <translation>每行一个客户端及其步骤，按此顺序执行：%1。</translation>
    </message>
    <message>
        <source>&amp;Workers</source>
        <translation>多机(&amp;W)</translation>
    </message>
    <message>
        <source>of several machines: a spare one takes the place of one that dies</source>
        <translation>多台机器的 worker 有死去的，由备用的顶替</translation>
    </message>
</context>
<context>
    <name>FormatText</name>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>wall-clock time not recorded</source>
        <translation>未记录实际时间</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>client</source>
        <extracomment>what is inspected; as the label of a fact: which client</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>lock node</source>
        <translation>锁节点</translation>
    </message>
    <message>
        <source>handoff</source>
        <extracomment>what is inspected</extracomment>
        <translation>交接</translation>
    </message>
    <message>
        <source>event</source>
        <extracomment>what is inspected</extracomment>
        <translation>事件</translation>
    </message>
    <message>
        <source>yes</source>
        <extracomment>the value of a fact such as &quot;frozen&quot;</extracomment>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <extracomment>the value of a fact such as &quot;frozen&quot;</extracomment>
        <translation>否</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（共 %2）</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Client</source>
        <extracomment>heading of facts</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>name</source>
        <extracomment>label of a fact: of a client or a node</extracomment>
        <translation>名称</translation>
    </message>
    <message>
        <source>state</source>
        <extracomment>label of a fact: of a client or a node</extracomment>
        <translation>状态</translation>
    </message>
    <message>
        <source>in this state for</source>
        <translation>此状态已持续</translation>
    </message>
    <message>
        <source>last event</source>
        <translation>最近的事件</translation>
    </message>
    <message>
        <source>Lock</source>
        <extracomment>heading of facts, a noun: the lock that the client holds or waits for</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>Another lock</source>
        <translation>另一把锁</translation>
    </message>
    <message>
        <source>session</source>
        <extracomment>label of a fact: of a client or a node</extracomment>
        <translation>会话</translation>
    </message>
    <message>
        <source>session state</source>
        <translation>会话状态</translation>
    </message>
    <message>
        <source>process</source>
        <translation>所属进程</translation>
    </message>
    <message>
        <source>frozen</source>
        <extracomment>label of a fact, yes or no: the client does not run</extracomment>
        <translation>冻结</translation>
    </message>
    <message>
        <source>connection</source>
        <extracomment>label of a fact: whether the connection of the client has faults</extracomment>
        <translation>连接</translation>
    </message>
    <message>
        <source>no faults</source>
        <extracomment>of a connection: without faults</extracomment>
        <translation>无故障</translation>
    </message>
    <message>
        <source>stopped</source>
        <extracomment>label of a fact: before which step</extracomment>
        <translation>停住</translation>
    </message>
    <message>
        <source>path</source>
        <extracomment>label of a fact: of the lock</extracomment>
        <translation>路径</translation>
    </message>
    <message>
        <source>its node</source>
        <translation>它的节点</translation>
    </message>
    <message>
        <source>depth</source>
        <extracomment>label of a fact: how often the client has entered the lock</extracomment>
        <translation>重入深度</translation>
    </message>
    <message>
        <source>×%1</source>
        <translation>×%1</translation>
    </message>
    <message>
        <source>fencing token</source>
        <translation>防护令牌</translation>
    </message>
    <message>
        <source>watches</source>
        <extracomment>label of a fact, a verb: which node the client watches</extracomment>
        <translation>监视</translation>
    </message>
    <message>
        <source>the whole list</source>
        <translation>整个列表</translation>
    </message>
    <message>
        <source>waits for</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>server&apos;s view</source>
        <translation>服务器的视角</translation>
    </message>
    <message>
        <source>node deleted %1 ago</source>
        <translation>节点已于 %1 前删除</translation>
    </message>
    <message>
        <source>agrees</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>waited</source>
        <extracomment>label of a fact: for how long</extracomment>
        <translation>等待时长</translation>
    </message>
    <message>
        <source>acquired at</source>
        <translation>获取于</translation>
    </message>
    <message>
        <source>held</source>
        <extracomment>label of a fact: for how long</extracomment>
        <translation>持有时长</translation>
    </message>
    <message>
        <source>%1 in %2 · %3 each</source>
        <translation>%2 次共 %1 · 平均 %3</translation>
    </message>
    <message>
        <source>So far</source>
        <translation>到目前为止</translation>
    </message>
    <message>
        <source>acquisitions</source>
        <extracomment>label of a fact: how often the client got the lock</extracomment>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>not acquired</source>
        <translation>未获取次数</translation>
    </message>
    <message>
        <source>waits that ended</source>
        <translation>已结束的等待</translation>
    </message>
    <message>
        <source>holds that ended</source>
        <translation>已结束的持有</translation>
    </message>
    <message>
        <source>requests sent</source>
        <translation>已发请求</translation>
    </message>
    <message>
        <source>wake-ups</source>
        <translation>被唤醒次数</translation>
    </message>
    <message>
        <source>faults injected</source>
        <translation>注入的故障</translation>
    </message>
    <message>
        <source>last fault</source>
        <translation>最近的故障</translation>
    </message>
    <message>
        <source>event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>Event</source>
        <extracomment>heading of facts</extracomment>
        <translation>事件</translation>
    </message>
    <message>
        <source>text</source>
        <extracomment>label of a fact: what happened</extracomment>
        <translation>内容</translation>
    </message>
    <message>
        <source>number</source>
        <extracomment>label of a fact, a noun: of an event, a handoff or a node</extracomment>
        <translation>序号</translation>
    </message>
    <message>
        <source>time</source>
        <extracomment>label of a fact: the moment of the event</extracomment>
        <translation>时间</translation>
    </message>
    <message>
        <source>lock</source>
        <extracomment>label of a fact: the path of the lock</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>kind</source>
        <extracomment>label of a fact: of an event or a node</extracomment>
        <translation>种类</translation>
    </message>
    <message>
        <source>caused by</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>after its cause</source>
        <translation>距起因</translation>
    </message>
    <message>
        <source>ends the handoff</source>
        <translation>完成的交接</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>各字段</translation>
    </message>
    <message>
        <source>Handoff</source>
        <extracomment>heading of facts</extracomment>
        <translation>交接</translation>
    </message>
    <message>
        <source>%1 in this run</source>
        <translation>本次运行的第 %1 次</translation>
    </message>
    <message>
        <source>from</source>
        <extracomment>label of a fact: who handed the lock over</extracomment>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <extracomment>label of a fact: who received the lock</extracomment>
        <translation>到</translation>
    </message>
    <message>
        <source>deleted node</source>
        <translation>被删除的节点</translation>
    </message>
    <message>
        <source>next holder&apos;s node</source>
        <translation>下一个持有者的节点</translation>
    </message>
    <message>
        <source>took</source>
        <extracomment>label of a fact: how long the handoff took</extracomment>
        <translation>耗时</translation>
    </message>
    <message>
        <source>clients woken</source>
        <translation>唤醒的客户端</translation>
    </message>
    <message>
        <source>%1 · +%2</source>
        <translation>%1 · +%2</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>各部分</translation>
    </message>
    <message>
        <source>release called</source>
        <translation>调用释放</translation>
    </message>
    <message>
        <source>hold taken away</source>
        <translation>失去持有</translation>
    </message>
    <message>
        <source>acquired</source>
        <extracomment>label of a fact: when the owner of the node got the lock</extracomment>
        <translation>获取于</translation>
    </message>
    <message>
        <source>foreign</source>
        <extracomment>the kind of a node: it belongs to no client of the run</extracomment>
        <translation>外来</translation>
    </message>
    <message>
        <source>lease</source>
        <extracomment>the kind of a node</extracomment>
        <translation>租约</translation>
    </message>
    <message>
        <source>read</source>
        <extracomment>the kind of a node: of a read lock</extracomment>
        <translation>读</translation>
    </message>
    <message>
        <source>write</source>
        <extracomment>the kind of a node: of a write lock</extracomment>
        <translation>写</translation>
    </message>
    <message>
        <source>mutex</source>
        <extracomment>the kind of a node</extracomment>
        <translation>互斥锁</translation>
    </message>
    <message>
        <source>Lock node</source>
        <translation>锁节点</translation>
    </message>
    <message>
        <source>owner</source>
        <extracomment>label of a fact: the client that the node belongs to</extracomment>
        <translation>所有者</translation>
    </message>
    <message>
        <source>created</source>
        <extracomment>label of a fact: when the node was created</extracomment>
        <translation>创建于</translation>
    </message>
    <message>
        <source>Watched by</source>
        <translation>监视者</translation>
    </message>
    <message>
        <source>clients</source>
        <extracomment>label of a fact: how many clients watch the node</extracomment>
        <translation>客户端数</translation>
    </message>
    <message>
        <source>gone</source>
        <extracomment>label of a fact: when the node was deleted; as a value: it was deleted</extracomment>
        <translation>已消失</translation>
    </message>
    <message>
        <source>known from</source>
        <translation>得知于</translation>
    </message>
    <message>
        <source>woken first</source>
        <translation>最先唤醒</translation>
    </message>
    <message>
        <source>%1 · %2, at %3 s</source>
        <translation>%1 · %2，位于 %3 s</translation>
    </message>
    <message>
        <source>paused</source>
        <extracomment>label of a fact: the run was paused during the handoff</extracomment>
        <translation>曾暂停</translation>
    </message>
    <message>
        <source>the run was paused during it: the latency figures leave it out</source>
        <translation>期间运行暂停过：延迟统计不包括它</translation>
    </message>
    <message>
        <source>place in the queue</source>
        <translation>队列位置</translation>
    </message>
    <message>
        <source>token (czxid)</source>
        <translation>令牌（czxid）</translation>
    </message>
    <message>
        <source>requested at</source>
        <translation>请求于</translation>
    </message>
    <message>
        <source>czxid</source>
        <translation>czxid</translation>
    </message>
    <message>
        <source>already there when LockScope began to watch</source>
        <translation>开始观察时已存在</translation>
    </message>
    <message>
        <source>first seen</source>
        <translation>首次看到</translation>
    </message>
    <message>
        <source>Transaction</source>
        <extracomment>heading of facts: a write in ZooKeeper&apos;s log</extracomment>
        <translation>事务</translation>
    </message>
    <message>
        <source>zxid</source>
        <translation>zxid</translation>
    </message>
    <message>
        <source>cxid</source>
        <translation>cxid</translation>
    </message>
    <message>
        <source>data, bytes</source>
        <translation>数据（字节）</translation>
    </message>
    <message>
        <source>data</source>
        <extracomment>label of a fact: of the node</extracomment>
        <translation>数据</translation>
    </message>
    <message>
        <source>ACL</source>
        <translation>ACL</translation>
    </message>
    <message>
        <source>by</source>
        <extracomment>label of a fact: the client that did it</extracomment>
        <translation>执行者</translation>
    </message>
    <message>
        <source>trace</source>
        <extracomment>label of a fact, a noun: of a run that was merged of several traces, the one that the client is from</extracomment>
        <translation>跟踪记录</translation>
    </message>
</context>
<context>
    <name>LaneNames</name>
    <message>
        <source>another client</source>
        <translation>另一个客户端</translation>
    </message>
</context>
<context>
    <name>LogFilter</name>
    <message>
        <source>this quotation mark is not closed.</source>
        <translation>这个引号没有闭合。</translation>
    </message>
    <message>
        <source>expected a term after the minus: what a line must not contain.</source>
        <translation>减号后应写出行中不得出现的内容。</translation>
    </message>
    <message>
        <source>unknown key. Expected client, op, node, lock, kind, after or before; put text with a colon in quotation marks.</source>
        <translation>未知的键。应为 client、op、node、lock、kind、after 或 before；含冒号的文本要放在引号里。</translation>
    </message>
    <message>
        <source>expected a value after the colon.</source>
        <translation>冒号之后应当有一个值。</translation>
    </message>
    <message>
        <source>expected a time such as 1.2s or 250ms.</source>
        <translation>应当是时间，例如 1.2s 或 250ms。</translation>
    </message>
    <message>
        <source>expected request, reply, watch, lock, session or run.</source>
        <translation>应当是 request、reply、watch、lock、session 或 run。</translation>
    </message>
    <message>
        <source>Character %1: %2</source>
        <translation>第 %1 个字符：%2</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Shows or hides the card &quot;%1&quot;.</source>
        <translation>显示或隐藏卡片“%1”。</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>S&amp;cenario</source>
        <translation>场景(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>G&amp;o to Card</source>
        <translation>转到卡片(&amp;O)</translation>
    </message>
    <message>
        <source>Raises the card and gives it the keyboard focus.</source>
        <translation>把该卡片移到最前，并让它接收按键。</translation>
    </message>
    <message>
        <source>Handoff latency</source>
        <translation>交接延迟</translation>
    </message>
    <message>
        <source>Handoff latency over time</source>
        <translation>交接延迟的变化</translation>
    </message>
    <message>
        <source>Queue length</source>
        <translation>队列长度</translation>
    </message>
    <message>
        <source>Wake-ups per release</source>
        <translation>每次释放的唤醒数</translation>
    </message>
    <message>
        <source>Requests per acquisition</source>
        <translation>每次获取的请求数</translation>
    </message>
    <message>
        <source>Acquisitions per client</source>
        <translation>各客户端的获取次数</translation>
    </message>
    <message>
        <source>&amp;Open Scenario or Trace…</source>
        <translation>打开场景或跟踪记录(&amp;O)…</translation>
    </message>
    <message>
        <source>Opens and runs a scenario (.toml), or opens a recorded run (.jsonl).</source>
        <translation>打开并运行一个场景（.toml），或打开一份录制的运行（.jsonl）查看。</translation>
    </message>
    <message>
        <source>Open &amp;History…</source>
        <translation>打开历史(&amp;H)…</translation>
    </message>
    <message>
        <source>Lists the locks in a ZooKeeper server&apos;s transaction log and shows their events.</source>
        <translation>列出 ZooKeeper 服务器事务日志中的锁，并显示其事件。</translation>
    </message>
    <message>
        <source>transaction log snapshot zookeeper data directory</source>
        <translation>事务日志 快照 数据目录 transaction log snapshot zookeeper</translation>
    </message>
    <message>
        <source>&amp;Save Trace…</source>
        <translation>保存跟踪记录(&amp;S)…</translation>
    </message>
    <message>
        <source>Saves all recorded events to a trace file.</source>
        <translation>把所有已记录的事件保存到跟踪记录文件。</translation>
    </message>
    <message>
        <source>Trace</source>
        <extracomment>a button: saves the trace</extracomment>
        <translation>跟踪记录</translation>
    </message>
    <message>
        <source>Save &amp;Picture…</source>
        <translation>保存图片(&amp;P)…</translation>
    </message>
    <message>
        <source>Picture</source>
        <extracomment>a button: saves a picture of the window</extracomment>
        <translation>图片</translation>
    </message>
    <message>
        <source>&amp;Compare With…</source>
        <translation>与…比较(&amp;C)…</translation>
    </message>
    <message>
        <source>Compares the current run with another one, side by side.</source>
        <translation>把当前的运行与另一次运行并排比较。</translation>
    </message>
    <message>
        <source>Compare &amp;Two Scenarios…</source>
        <translation>比较两个场景(&amp;T)…</translation>
    </message>
    <message>
        <source>Runs two scenarios one after the other, or opens two traces, and shows them side by side.</source>
        <translation>依次运行两个场景，或打开两份跟踪记录，并把它们并排显示。</translation>
    </message>
    <message>
        <source>As&amp;k to Save</source>
        <translation>关闭前询问是否保存(&amp;K)</translation>
    </message>
    <message>
        <source>Asks before the window closes with a run or bookmarks that are not saved.</source>
        <translation>关闭窗口时，若运行或书签尚未保存，则先询问。</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Ends the run, stops the private ZooKeeper and closes the window.</source>
        <translation>结束运行，停止私有的 ZooKeeper，并关闭窗口。</translation>
    </message>
    <message>
        <source>&amp;New Scenario…</source>
        <translation>新建场景(&amp;N)…</translation>
    </message>
    <message>
        <source>Creates a scenario in a form: clients, locks, faults and expectations.</source>
        <translation>在表单中新建场景：客户端、锁、故障和预期。</translation>
    </message>
    <message>
        <source>&amp;Edit Scenario…</source>
        <translation>编辑场景(&amp;E)…</translation>
    </message>
    <message>
        <source>Opens the current scenario in a form to change, save and run it.</source>
        <translation>在表单中打开当前显示的场景，以便修改、保存和运行。</translation>
    </message>
    <message>
        <source>&amp;Play with Five Clients</source>
        <translation>五个客户端试试看(&amp;P)</translation>
    </message>
    <message>
        <source>Starts five clients on one lock, on a private ZooKeeper. Whatever you do to them is real.</source>
        <translation>在私有的 ZooKeeper 上启动五个争用一把锁的客户端。你对它们做的一切都是真实的。</translation>
    </message>
    <message>
        <source>Play</source>
        <extracomment>a button: plays with a lock, without a lesson</extracomment>
        <translation>试试看</translation>
    </message>
    <message>
        <source>Look at a Lock</source>
        <translation>查看一把锁</translation>
    </message>
    <message>
        <source>&amp;Welcome Page</source>
        <translation>欢迎页(&amp;W)</translation>
    </message>
    <message>
        <source>Shows all scenarios, or returns to the run.</source>
        <translation>显示所有场景，或返回运行。</translation>
    </message>
    <message>
        <source>&amp;Close Run</source>
        <translation>关闭运行(&amp;C)</translation>
    </message>
    <message>
        <source>Ends the run, stops the private ZooKeeper and shows the welcome page.</source>
        <translation>结束运行，停止私有的 ZooKeeper，并显示欢迎页。</translation>
    </message>
    <message>
        <source>Find &amp;Command…</source>
        <translation>查找命令(&amp;C)…</translation>
    </message>
    <message>
        <source>Lists all commands and scenarios. Type to filter, press Enter to run.</source>
        <translation>列出所有命令和场景；输入几个字母即可筛选，按 Enter 执行。</translation>
    </message>
    <message>
        <source>Starts, pauses or resumes the run.</source>
        <translation>启动、暂停或继续运行。</translation>
    </message>
    <message>
        <source>Run A&amp;gain</source>
        <translation>重新运行(&amp;G)</translation>
    </message>
    <message>
        <source>Ends this run and starts the same scenario from the beginning.</source>
        <translation>结束本次运行，并从头启动同一场景。</translation>
    </message>
    <message>
        <source>S&amp;lower</source>
        <translation>减慢(&amp;L)</translation>
    </message>
    <message>
        <source>Waits longer before every protocol step.</source>
        <translation>每个协议步骤之前等待更久。</translation>
    </message>
    <message>
        <source>&amp;Faster</source>
        <translation>加快(&amp;F)</translation>
    </message>
    <message>
        <source>Waits less before every protocol step.</source>
        <translation>每个协议步骤之前等待更短。</translation>
    </message>
    <message>
        <source>Follow L&amp;ive</source>
        <translation>跟随末尾(&amp;E)</translation>
    </message>
    <message>
        <source>Jumps to the newest event and follows the run.</source>
        <translation>转到最新的事件，并跟随运行。</translation>
    </message>
    <message>
        <source>Show on &amp;Timeline</source>
        <translation>在时间线上显示(&amp;T)</translation>
    </message>
    <message>
        <source>Jumps to the newest event that violates a finding.</source>
        <translation>转到违反检查项的最新事件。</translation>
    </message>
    <message>
        <source>Show</source>
        <extracomment>a button: shows the violation</extracomment>
        <translation>显示</translation>
    </message>
    <message>
        <source>Previous &amp;Event</source>
        <translation>上一个事件(&amp;B)</translation>
    </message>
    <message>
        <source>Moves one event back.</source>
        <translation>后退一个事件。</translation>
    </message>
    <message>
        <source>Ne&amp;xt Event</source>
        <translation>下一个事件(&amp;O)</translation>
    </message>
    <message>
        <source>Moves one event forward.</source>
        <translation>前进一个事件。</translation>
    </message>
    <message>
        <source>Previous Event of &amp;Client</source>
        <translation>所选客户端的上一个事件(&amp;I)</translation>
    </message>
    <message>
        <source>Moves to the selected client&apos;s previous event.</source>
        <translation>转到所选客户端的上一个事件。</translation>
    </message>
    <message>
        <source>&amp;Next Event of Client</source>
        <translation>所选客户端的下一个事件(&amp;N)</translation>
    </message>
    <message>
        <source>Moves to the selected client&apos;s next event.</source>
        <translation>转到所选客户端的下一个事件。</translation>
    </message>
    <message>
        <source>Go to &amp;Start</source>
        <translation>回到开头(&amp;H)</translation>
    </message>
    <message>
        <source>Moves to the beginning of the run.</source>
        <translation>转到运行的开头。</translation>
    </message>
    <message>
        <source>&amp;Play from Here</source>
        <translation>从这里播放(&amp;P)</translation>
    </message>
    <message>
        <source>Plays the recording from the current moment.</source>
        <translation>从当前时刻起播放录制的内容。</translation>
    </message>
    <message>
        <source>A&amp;dd Bookmark…</source>
        <translation>在此添加书签(&amp;K)…</translation>
    </message>
    <message>
        <source>Adds a bookmark with a note at the current moment. It is saved with the trace.</source>
        <translation>在当前时刻添加带备注的书签。它与跟踪记录一同保存。</translation>
    </message>
    <message>
        <source>Book&amp;marks</source>
        <translation>书签列表(&amp;M)</translation>
    </message>
    <message>
        <source>Lists the bookmarks beside the timeline: to jump to, rename or remove.</source>
        <translation>在时间线旁显示书签，可跳转、改名或删除。</translation>
    </message>
    <message>
        <source>Next Bookmar&amp;k</source>
        <translation>下一个书签(&amp;X)</translation>
    </message>
    <message>
        <source>Jumps to the next bookmark.</source>
        <translation>转到所示时刻之后的第一个书签。</translation>
    </message>
    <message>
        <source>Pre&amp;vious Bookmark</source>
        <translation>上一个书签(&amp;V)</translation>
    </message>
    <message>
        <source>Jumps to the previous bookmark.</source>
        <translation>转到所示时刻之前的最后一个书签。</translation>
    </message>
    <message>
        <source>&amp;Inspect Selection</source>
        <translation>检查所选内容(&amp;I)</translation>
    </message>
    <message>
        <source>Shows all details of the selected client, node, handoff or event.</source>
        <translation>显示所选客户端、节点、交接或事件的全部已知信息。</translation>
    </message>
    <message>
        <source>&amp;System Theme</source>
        <translation>跟随系统主题(&amp;S)</translation>
    </message>
    <message>
        <source>Follows the desktop&apos;s light or dark theme.</source>
        <translation>跟随桌面的浅色或深色。</translation>
    </message>
    <message>
        <source>Li&amp;ght Theme</source>
        <translation>浅色主题(&amp;G)</translation>
    </message>
    <message>
        <source>Dark text on light cards.</source>
        <translation>浅色卡片，深色文字。</translation>
    </message>
    <message>
        <source>&amp;Dark Theme</source>
        <translation>深色主题(&amp;D)</translation>
    </message>
    <message>
        <source>Light text on dark cards.</source>
        <translation>深色卡片，浅色文字。</translation>
    </message>
    <message>
        <source>&amp;Wall-Clock Time</source>
        <translation>显示时钟时间(&amp;W)</translation>
    </message>
    <message>
        <source>Shows the time of day in log and timeline, if recorded, instead of the time since the start.</source>
        <translation>日志和时间线中显示一天中的时间（若有记录），而不是从开始算起的时间。</translation>
    </message>
    <message>
        <source>Pr&amp;esentation Mode</source>
        <translation>讲课模式(&amp;E)</translation>
    </message>
    <message>
        <source>Fills the screen with two enlarged cards of your choice.</source>
        <translation>用你选择的两张放大的卡片填满屏幕。</translation>
    </message>
    <message>
        <source>Ma&amp;ximize Card</source>
        <translation>最大化卡片(&amp;X)</translation>
    </message>
    <message>
        <source>Maximizes the focused card, or restores all cards.</source>
        <translation>最大化焦点所在的卡片，或恢复所有卡片。</translation>
    </message>
    <message>
        <source>Learn La&amp;yout</source>
        <translation>学习布局(&amp;Y)</translation>
    </message>
    <message>
        <source>Shows few cards: the watch chain and the timeline.</source>
        <translation>只显示少数卡片：监视链和时间线。</translation>
    </message>
    <message>
        <source>All Cards Layou&amp;t</source>
        <translation>全部卡片布局(&amp;T)</translation>
    </message>
    <message>
        <source>Shows all cards, as you arranged them.</source>
        <translation>显示全部卡片，按你的安排。</translation>
    </message>
    <message>
        <source>&amp;Next Layout</source>
        <translation>下一种布局(&amp;N)</translation>
    </message>
    <message>
        <source>Switches between few cards, all cards, and two large cards for a lecture.</source>
        <translation>在少数卡片、全部卡片和讲课用的两张大卡片之间切换。</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>Restores the default layout.</source>
        <translation>恢复默认布局。</translation>
    </message>
    <message>
        <source>Show &amp;Menu Bar</source>
        <translation>显示菜单栏(&amp;M)</translation>
    </message>
    <message>
        <source>Shows or hides the menus. Shortcuts keep working.</source>
        <translation>显示或隐藏菜单；所有快捷键照常可用。</translation>
    </message>
    <message>
        <source>M&amp;essages</source>
        <translation>消息(&amp;E)</translation>
    </message>
    <message>
        <source>Lists all messages, the newest first.</source>
        <translation>列出所有消息，最新的在前。</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>使用手册(&amp;M)</translation>
    </message>
    <message>
        <source>Opens the manual at the page about the focused card.</source>
        <translation>打开手册中关于焦点所在卡片的那一页。</translation>
    </message>
    <message>
        <source>&amp;About LockScope</source>
        <translation>关于 LockScope(&amp;A)</translation>
    </message>
    <message>
        <source>Shows the version of LockScope.</source>
        <translation>显示 LockScope 的版本。</translation>
    </message>
    <message>
        <source>Next Lesso&amp;n</source>
        <translation>下一课(&amp;N)</translation>
    </message>
    <message>
        <source>Opens the next lesson: bet on what happens next, on a real ZooKeeper.</source>
        <translation>打开下一课：在真正的 ZooKeeper 上，先押接下来会发生什么。</translation>
    </message>
    <message>
        <source>L&amp;eave the Lesson</source>
        <translation>退出课程(&amp;E)</translation>
    </message>
    <message>
        <source>Restores the cards as they were. The lesson continues at the same step the next time.</source>
        <translation>恢复卡片原来的样子。下次从同一步继续。</translation>
    </message>
    <message>
        <source>Step &amp;Mode</source>
        <translation>步进模式(&amp;M)</translation>
    </message>
    <message>
        <source>Stops every client before its next protocol step. Sessions stay alive.</source>
        <translation>让每个客户端停在下一个协议步骤之前。会话保持存活。</translation>
    </message>
    <message>
        <source>Step &amp;Next in Turn</source>
        <translation>轮到的客户端走一步(&amp;N)</translation>
    </message>
    <message>
        <source>The client whose last step was longest ago takes its next one.</source>
        <translation>最久没有走步的客户端走下一步。</translation>
    </message>
    <message>
        <source>&amp;Step the Selected Client</source>
        <translation>所选客户端走一步(&amp;S)</translation>
    </message>
    <message>
        <source>The selected client takes its next step; all others stay stopped.</source>
        <translation>选中的客户端走下一步，其余的仍停着。</translation>
    </message>
    <message>
        <source>&amp;Continue the Selected Client</source>
        <translation>继续运行选中的客户端(&amp;C)</translation>
    </message>
    <message>
        <source>The client continues by itself; its breakpoints are removed.</source>
        <translation>它自行继续运行，其断点被取消。</translation>
    </message>
    <message>
        <source>Continue &amp;All</source>
        <translation>继续运行全部客户端(&amp;A)</translation>
    </message>
    <message>
        <source>Ends the step mode and removes all breakpoints.</source>
        <translation>结束步进模式；取消所有断点。</translation>
    </message>
    <message>
        <source>The client stops there each time. When the breakpoint at which it is stopped is removed, it continues.</source>
        <translation>客户端每次经过都停在那里。去掉它所停的断点，它就继续运行。</translation>
    </message>
    <message>
        <source>&amp;Any Client Acquires</source>
        <translation>有客户端获得锁(&amp;S)</translation>
    </message>
    <message>
        <source>The run continues and pauses when that happens.</source>
        <translation>运行继续，等它发生时暂停。</translation>
    </message>
    <message>
        <source>The Selected &amp;Client Acquires</source>
        <translation>所选客户端获得锁(&amp;C)</translation>
    </message>
    <message>
        <source>Number of &amp;Handoffs…</source>
        <translation>完成若干次交接(&amp;H)…</translation>
    </message>
    <message>
        <source>A &amp;Watch Fires</source>
        <translation>有监视触发(&amp;W)</translation>
    </message>
    <message>
        <source>A Child &amp;List Is Evaluated</source>
        <translation>有列表被读取并判断(&amp;R)</translation>
    </message>
    <message>
        <source>A Lock Is &amp;Released</source>
        <translation>有锁被释放(&amp;G)</translation>
    </message>
    <message>
        <source>An Acquire &amp;Fails</source>
        <translation>有获取失败(&amp;F)</translation>
    </message>
    <message>
        <source>A Client L&amp;oses the Lock</source>
        <translation>有客户端失去持有(&amp;L)</translation>
    </message>
    <message>
        <source>A Session &amp;Ends</source>
        <translation>有会话结束(&amp;E)</translation>
    </message>
    <message>
        <source>A F&amp;inding Is Violated</source>
        <translation>有检查项被违反(&amp;I)</translation>
    </message>
    <message>
        <source>Save Step &amp;Order as Scenario…</source>
        <translation>把步骤顺序保存为场景(&amp;O)…</translation>
    </message>
    <message>
        <source>Saves a scenario that repeats the steps up to the current moment, whether or not they were taken by hand.</source>
        <translation>保存一个场景，重复到当前时刻为止的步骤，无论这些步骤是否手动执行。</translation>
    </message>
    <message>
        <source>&amp;Fork from Here</source>
        <translation>从这里分叉(&amp;F)</translation>
    </message>
    <message>
        <source>Starts a new live run that repeats the steps up to the current moment and stops all clients there. The old run is kept.</source>
        <translation>启动一次新的实时运行，重复到当前时刻为止的步骤，并在那里停住所有客户端。旧的运行保留。</translation>
    </message>
    <message>
        <source>Sort Clients by &amp;Queue Position</source>
        <translation>客户端按排队位置排列(&amp;Q)</translation>
    </message>
    <message>
        <source>Lists holders first, then the queue in its order. Otherwise clients are listed as added.</source>
        <translation>持有者在最前，其后按队列的顺序。否则按加入的先后列出。</translation>
    </message>
    <message>
        <source>Node in Front</source>
        <translation>前一个节点</translation>
    </message>
    <message>
        <source>Node Behind</source>
        <translation>后一个节点</translation>
    </message>
    <message>
        <source>Select No Client</source>
        <translation>不选择客户端</translation>
    </message>
    <message>
        <source>Previous Line</source>
        <translation>上一行</translation>
    </message>
    <message>
        <source>Next Line</source>
        <translation>下一行</translation>
    </message>
    <message>
        <source>Breakpoint at This Line</source>
        <translation>此行断点</translation>
    </message>
    <message>
        <source>Zoom In</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom Out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Earlier</source>
        <extracomment>a command: shows an earlier part of the run</extracomment>
        <translation>更早</translation>
    </message>
    <message>
        <source>Later</source>
        <extracomment>a command: shows a later part of the run</extracomment>
        <translation>更晚</translation>
    </message>
    <message>
        <source>Whole Run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>&amp;Zoom to Selection</source>
        <translation>缩放到所选内容(&amp;Z)</translation>
    </message>
    <message>
        <source>Shows the selected handoff, hold or wait across the timeline.</source>
        <translation>把所选的交接、持有或等待放大到整条时间线。</translation>
    </message>
    <message>
        <source>Lane Above</source>
        <translation>上一条泳道</translation>
    </message>
    <message>
        <source>Lane Below</source>
        <translation>下一条泳道</translation>
    </message>
    <message>
        <source>&amp;Fold or Unfold the Selected Lane</source>
        <translation>折叠或展开所选泳道(&amp;F)</translation>
    </message>
    <message>
        <source>Sort by Acquisitio&amp;n Order</source>
        <translation>按获得顺序排序(&amp;N)</translation>
    </message>
    <message>
        <source>Sorts the lanes by who gets the lock next. Otherwise they are listed as added.</source>
        <translation>按下一个得到锁的客户端排列泳道；否则按加入的先后排列。</translation>
    </message>
    <message>
        <source>Compact &amp;Lanes</source>
        <translation>紧凑泳道(&amp;L)</translation>
    </message>
    <message>
        <source>Draws the lanes lower than their names, so that more of them are in sight.</source>
        <translation>把泳道画得比名字更矮，从而看到更多泳道。</translation>
    </message>
    <message>
        <source>L&amp;egend</source>
        <extracomment>a command: shows or hides what the colors mean</extracomment>
        <translation>图例(&amp;E)</translation>
    </message>
    <message>
        <source>Shows what the colors of the timeline mean.</source>
        <translation>说明时间线中各种颜色的含义。</translation>
    </message>
    <message>
        <source>&amp;Go to Holder</source>
        <translation>转到持有者(&amp;G)</translation>
    </message>
    <message>
        <source>Scrolls the timeline to the lane of the lock&apos;s holder.</source>
        <translation>把时间线滚动到锁的持有者所在的泳道。</translation>
    </message>
    <message>
        <source>&amp;Measure from Cursor</source>
        <translation>从光标处测量(&amp;M)</translation>
    </message>
    <message>
        <source>Measures a time on the timeline, from the cursor on.</source>
        <translation>在时间线上从光标处起测量一段时间。</translation>
    </message>
    <message>
        <source>End the Measurement, Select Nothing</source>
        <translation>结束测量，取消选择</translation>
    </message>
    <message>
        <source>&amp;Search…</source>
        <translation>搜索(&amp;S)…</translation>
    </message>
    <message>
        <source>Searches the events of the run, and marks them on the timeline.</source>
        <translation>搜索这次运行的事件，并在时间线上标出。</translation>
    </message>
    <message>
        <source>Co&amp;py Measurement</source>
        <translation>复制测量结果(&amp;P)</translation>
    </message>
    <message>
        <source>Copies the measured time and what lies in it.</source>
        <translation>复制测得的时间以及其中的内容。</translation>
    </message>
    <message>
        <source>Event Before</source>
        <translation>前一个事件</translation>
    </message>
    <message>
        <source>Event After</source>
        <translation>后一个事件</translation>
    </message>
    <message>
        <source>Columns to the Left</source>
        <translation>左边的列</translation>
    </message>
    <message>
        <source>Columns to the Right</source>
        <translation>右边的列</translation>
    </message>
    <message>
        <source>Normal Size</source>
        <translation>原始大小</translation>
    </message>
    <message>
        <source>Select Nothing</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <source>Previous Release</source>
        <translation>上一次释放</translation>
    </message>
    <message>
        <source>Next Release</source>
        <translation>下一次释放</translation>
    </message>
    <message>
        <source>Scroll Up</source>
        <translation>向上滚动</translation>
    </message>
    <message>
        <source>Scroll Down</source>
        <translation>向下滚动</translation>
    </message>
    <message>
        <source>&amp;Copy Rows</source>
        <translation>复制选中的行(&amp;C)</translation>
    </message>
    <message>
        <source>Inspector: &amp;Back</source>
        <translation>检查器：返回(&amp;B)</translation>
    </message>
    <message>
        <source>Goes back to what was inspected before the last link.</source>
        <translation>回到上一次点击链接之前检查的内容。</translation>
    </message>
    <message>
        <source>Back</source>
        <extracomment>a button: goes back to what was inspected before</extracomment>
        <translation>返回</translation>
    </message>
    <message>
        <source>Inspector: Copy as &amp;Text</source>
        <translation>检查器：复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Copies all details of the selected item, one fact per line.</source>
        <translation>复制所选内容的全部已知信息，每项一行。</translation>
    </message>
    <message>
        <source>Copy as Text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Inspector: Copy as &amp;JSON</source>
        <translation>检查器：复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Copies all details of the selected item as JSON.</source>
        <translation>以 JSON 格式复制所选内容的全部已知信息。</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Clients</source>
        <extracomment>title of a card: the list of the clients</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Watch chain</source>
        <translation>监视链</translation>
    </message>
    <message>
        <source>Handoff timeline</source>
        <translation>交接时间线</translation>
    </message>
    <message>
        <source>Protocol log</source>
        <translation>协议日志</translation>
    </message>
    <message>
        <source>Protocol</source>
        <extracomment>title of a card: the messages between the clients and the server</extracomment>
        <translation>协议</translation>
    </message>
    <message>
        <source>Charts</source>
        <extracomment>title of a card</extracomment>
        <translation>图表</translation>
    </message>
    <message>
        <source>Lock children, sorted</source>
        <translation>锁的子节点（已排序）</translation>
    </message>
    <message>
        <source>Watches</source>
        <extracomment>title of a card, a noun: the watches of the server and of the clients</extracomment>
        <translation>监视</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <extracomment>title of a card: the lock recipe as lines of pseudocode</extracomment>
        <translation>算法</translation>
    </message>
    <message>
        <source>Findings</source>
        <extracomment>title of a card: the rules that were checked</extracomment>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Inspector</source>
        <extracomment>title of a card: all that is known of the selected item</extracomment>
        <translation>检查器</translation>
    </message>
    <message>
        <source>csv table</source>
        <translation>csv 表格</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Animated GIF of a Time Span…</source>
        <translation>一段时间的 GIF 动画(&amp;A)…</translation>
    </message>
    <message>
        <source>Saves the changes of a view as one endlessly looping GIF.</source>
        <translation>把视图的变化保存为一个循环播放的 GIF。</translation>
    </message>
    <message>
        <source>gif animation film</source>
        <translation>gif 动图 动画 影片</translation>
    </message>
    <message>
        <source>N&amp;umbered Pictures of a Time Span…</source>
        <translation>一段时间的编号图片(&amp;U)…</translation>
    </message>
    <message>
        <source>Saves one PNG per moment, and the command that turns them into a film.</source>
        <translation>每个时刻一张 PNG，以及把它们做成影片的命令。</translation>
    </message>
    <message>
        <source>png pictures film</source>
        <translation>png 图片 影片</translation>
    </message>
    <message>
        <source>&amp;Picture Of</source>
        <translation>图片导出(&amp;P)</translation>
    </message>
    <message>
        <source>C&amp;opy Picture Of</source>
        <translation>复制图片(&amp;O)</translation>
    </message>
    <message>
        <source>png svg picture</source>
        <translation>png svg 图片</translation>
    </message>
    <message>
        <source>Copies the picture at twice the screen size, and as SVG.</source>
        <translation>把图片放到剪贴板：屏幕尺寸的两倍，另附 SVG。</translation>
    </message>
    <message>
        <source>clipboard picture</source>
        <translation>剪贴板 图片</translation>
    </message>
    <message>
        <source>Chart &amp;Data</source>
        <translation>图表数据(&amp;N)</translation>
    </message>
    <message>
        <source>The whole window</source>
        <translation>整个窗口</translation>
    </message>
    <message>
        <source>Saves the chart&apos;s data up to the cursor as CSV.</source>
        <translation>把光标之前的图表数据保存为 CSV。</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>学习(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;What If</source>
        <translation>假如(&amp;W)</translation>
    </message>
    <message>
        <source>Kill the &amp;Holder&apos;s Session</source>
        <translation>终止持有者的会话(&amp;H)</translation>
    </message>
    <message>
        <source>Ends the holder&apos;s session at the server. Its node is deleted, and the next client wakes. On LockScope&apos;s own server the old holder learns of it only half a second or six steps later: until then it believes that it holds.</source>
        <translation>在服务器上结束持有者的会话。它的节点被删除，下一个客户端被唤醒。在 LockScope 自己的服务器上，原来的持有者要过半秒或六步才知道：在那之前它还以为自己持有。</translation>
    </message>
    <message>
        <source>&amp;Kill the Session of %1</source>
        <translation>终止 %1 的会话(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Kill the Selected Client&apos;s Session</source>
        <translation>终止所选客户端的会话(&amp;K)</translation>
    </message>
    <message>
        <source>Ends the session at the server. Its node in the queue is deleted; the client that watches it wakes and reads the queue again.</source>
        <translation>在服务器上终止该会话。它在队列中的节点被删除；监视该节点的客户端被唤醒并重新读取队列。</translation>
    </message>
    <message>
        <source>&amp;Close the Session of %1</source>
        <translation>关闭 %1 的会话(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Close the Selected Client&apos;s Session</source>
        <translation>关闭所选客户端的会话(&amp;C)</translation>
    </message>
    <message>
        <source>The client closes its session, which deletes its nodes at once, and connects with a new one.</source>
        <translation>客户端关闭自己的会话，其节点随即删除，然后以新会话重新连接。</translation>
    </message>
    <message>
        <source>&amp;Freeze %1</source>
        <translation>冻结 %1(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Freeze or Thaw the Selected Client</source>
        <translation>冻结或解冻所选客户端(&amp;F)</translation>
    </message>
    <message>
        <source>The client stops sending heartbeats. The server ends its session after the timeout; a frozen holder still believes that it holds the lock.</source>
        <translation>客户端不再发送心跳。超时后服务器会结束其会话；被冻结的持有者仍以为自己持有锁。</translation>
    </message>
    <message>
        <source>&amp;Disconnect %1 Gracefully</source>
        <translation>让 %1 正常离开(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Disconnect the Selected Client Gracefully</source>
        <translation>让所选客户端正常离开(&amp;D)</translation>
    </message>
    <message>
        <source>The client releases the lock or leaves the queue, then closes its session.</source>
        <translation>客户端先释放锁或退出队列，再关闭会话。</translation>
    </message>
    <message>
        <source>Reconnec&amp;t %1</source>
        <translation>重新连接 %1(&amp;B)</translation>
    </message>
    <message>
        <source>Reconnec&amp;t a Client That Left</source>
        <translation>重新连接离开的客户端(&amp;B)</translation>
    </message>
    <message>
        <source>A client that left connects under its old name with a new session, and queues at the end.</source>
        <translation>离开的客户端以原来的名字和新的会话重新连接，并排到队尾。</translation>
    </message>
    <message>
        <source>&amp;Add a Client</source>
        <translation>添加一个客户端(&amp;A)</translation>
    </message>
    <message>
        <source>Connects another client, which queues for the lock like the others.</source>
        <translation>再连接一个客户端，它和其他客户端一样排队等锁。</translation>
    </message>
    <message>
        <source>&amp;Remove a Client</source>
        <translation>移除一个客户端(&amp;R)</translation>
    </message>
    <message>
        <source>The last client releases the lock or leaves the queue, then closes its session.</source>
        <translation>最后一个客户端先释放锁或退出队列，再关闭会话。</translation>
    </message>
    <message>
        <source>&amp;Slow Down the Connection of %1…</source>
        <translation>减慢 %1 的连接(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Slow Down the Selected Client&apos;s Connection…</source>
        <translation>减慢所选客户端的连接(&amp;S)…</translation>
    </message>
    <message>
        <source>Delays all traffic between the client and ZooKeeper, each way. A handoff to the client takes longer, and so do the waits behind it.</source>
        <translation>该客户端与 ZooKeeper 之间的所有数据在每个方向上都延迟。交接给它需要更久，排在它后面的等待也更久。</translation>
    </message>
    <message>
        <source>&amp;Cut the Connection of %1…</source>
        <translation>切断 %1 的连接(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Cut the Selected Client&apos;s Connection…</source>
        <translation>切断所选客户端的连接(&amp;C)…</translation>
    </message>
    <message>
        <source>Resets the connection and refuses new ones. The client is suspended; its session lives until the timeout.</source>
        <translation>重置连接，并拒绝新的连接。客户端被挂起；它的会话存活到超时为止。</translation>
    </message>
    <message>
        <source>Block &amp;Incoming Traffic of %1</source>
        <translation>阻断发往 %1 的数据(&amp;I)</translation>
    </message>
    <message>
        <source>Block &amp;Incoming Traffic of the Selected Client</source>
        <translation>阻断发往所选客户端的数据(&amp;I)</translation>
    </message>
    <message>
        <source>Replies and watch events from ZooKeeper no longer arrive. Requests of the client still do.</source>
        <translation>ZooKeeper 的回复和监视事件不再送达。客户端的请求仍会送达。</translation>
    </message>
    <message>
        <source>Block &amp;Outgoing Traffic of %1</source>
        <translation>阻断 %1 发出的数据(&amp;O)</translation>
    </message>
    <message>
        <source>Block &amp;Outgoing Traffic of the Selected Client</source>
        <translation>阻断所选客户端发出的数据(&amp;O)</translation>
    </message>
    <message>
        <source>Requests and heartbeats of the client no longer arrive: the server ends its session after the timeout.</source>
        <translation>客户端的请求和心跳不再送达：超时后服务器结束其会话。</translation>
    </message>
    <message>
        <source>Limit the &amp;Bandwidth of %1…</source>
        <translation>限制 %1 的带宽(&amp;B)…</translation>
    </message>
    <message>
        <source>Limit the Selected Client&apos;s &amp;Bandwidth…</source>
        <translation>限制所选客户端的带宽(&amp;B)…</translation>
    </message>
    <message>
        <source>Limits the bandwidth; long child lists become slow.</source>
        <translation>限制带宽；很长的子节点列表会变慢。</translation>
    </message>
    <message>
        <source>&amp;Reset the Connection of %1</source>
        <translation>重置 %1 的连接(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reset the Selected Client&apos;s Connection</source>
        <translation>重置所选客户端的连接(&amp;R)</translation>
    </message>
    <message>
        <source>Ends the connection once. The client reconnects with the same session and reads the queue again.</source>
        <translation>连接断开一次。客户端用同一会话重新连接，并重新查看队列。</translation>
    </message>
    <message>
        <source>Make the Connection of %1 &amp;Half-Open</source>
        <translation>让 %1 的连接变成半开(&amp;H)</translation>
    </message>
    <message>
        <source>Make the Selected Client&apos;s Connection &amp;Half-Open</source>
        <translation>让所选客户端的连接变成半开(&amp;H)</translation>
    </message>
    <message>
        <source>The server drops the connection while the client&apos;s end stays open: the client notices only when no reply comes.</source>
        <translation>服务器丢弃该连接，而客户端一端仍然开着：直到收不到回复时客户端才会发现。</translation>
    </message>
    <message>
        <source>Lose the &amp;Next Reply to %1</source>
        <translation>丢失给 %1 的下一个回复(&amp;N)</translation>
    </message>
    <message>
        <source>Lose the &amp;Next Reply to the Selected Client</source>
        <translation>丢失给所选客户端的下一个回复(&amp;N)</translation>
    </message>
    <message>
        <source>The request is executed, but its reply is lost with the connection: the client cannot know whether it took effect.</source>
        <translation>请求已执行，但回复随连接一起丢失：客户端无法知道请求是否生效。</translation>
    </message>
    <message>
        <source>Lose the Reply to the Ne&amp;xt Create of %1</source>
        <translation>丢失 %1 下一次 create 的回复(&amp;X)</translation>
    </message>
    <message>
        <source>Lose the Reply to the Selected Client&apos;s Ne&amp;xt Create</source>
        <translation>丢失所选客户端下一次 create 的回复(&amp;X)</translation>
    </message>
    <message>
        <source>The node is created, but the client does not learn of it. The client must find its own node, or the orphaned node blocks the queue.</source>
        <translation>节点已创建，但客户端没有得到通知。它必须重新找到自己的节点，否则这个孤儿节点会阻塞队列。</translation>
    </message>
    <message>
        <source>R&amp;estore the Connection of %1</source>
        <translation>恢复 %1 的连接(&amp;E)</translation>
    </message>
    <message>
        <source>R&amp;estore the Selected Client&apos;s Connection</source>
        <translation>恢复所选客户端的连接(&amp;E)</translation>
    </message>
    <message>
        <source>All traffic passes again, at full speed.</source>
        <translation>所有数据重新以全速通过。</translation>
    </message>
    <message>
        <source>&amp;Pause ZooKeeper…</source>
        <translation>暂停 ZooKeeper(&amp;P)…</translation>
    </message>
    <message>
        <source>Suspends the server&apos;s process for a time. Clients notice that it does not answer; sessions may expire meanwhile.</source>
        <translation>将服务器进程暂停一段时间。客户端会察觉到没有响应；会话可能在此期间过期。</translation>
    </message>
    <message>
        <source>&amp;Kill ZooKeeper</source>
        <translation>终止 ZooKeeper(&amp;K)</translation>
    </message>
    <message>
        <source>Ends the server&apos;s process at once and starts it again a moment later with its data.</source>
        <translation>立即终止服务器进程，稍后带着数据重新启动。</translation>
    </message>
    <message>
        <source>&amp;Restart with Data</source>
        <translation>带数据重启(&amp;R)</translation>
    </message>
    <message>
        <source>Restarts the server with all its nodes and sessions; in an ensemble, the server that is down.</source>
        <translation>重新启动服务器，原有的节点和会话都在；有多台服务器时，重启停掉的那一台。</translation>
    </message>
    <message>
        <source>R&amp;estart without Data</source>
        <translation>不带数据重启(&amp;E)</translation>
    </message>
    <message>
        <source>Restarts the server without its nodes and sessions. In an ensemble, it copies them from the other servers.</source>
        <translation>不带数据重新启动服务器：节点和会话都不复存在。多台服务器中的一台会从其他服务器同步全部数据。</translation>
    </message>
    <message>
        <source>Kill the &amp;Leader</source>
        <translation>终止领导者(&amp;L)</translation>
    </message>
    <message>
        <source>Ends the leader&apos;s process. The other servers elect a new leader, and its clients move there with their sessions.</source>
        <translation>终止领导者进程。其余服务器选出新的领导者，它的客户端带着会话迁移过去。</translation>
    </message>
    <message>
        <source>Pause &amp;the Leader…</source>
        <translation>暂停领导者(&amp;T)…</translation>
    </message>
    <message>
        <source>Suspends the leader&apos;s process for a time. The other servers elect a new leader; the old one learns of it when it continues.</source>
        <translation>将领导者进程暂停一段时间。其余服务器选出新的领导者；旧领导者继续运行时才会得知。</translation>
    </message>
    <message>
        <source>Kill a &amp;Server…</source>
        <translation>终止一台服务器(&amp;S)…</translation>
    </message>
    <message>
        <source>Ends the server&apos;s process until it is restarted. The locks keep working while a majority of the servers runs.</source>
        <translation>终止服务器进程，直到被重启为止。只要多数服务器仍在运行，锁就继续工作。</translation>
    </message>
    <message>
        <source>Pa&amp;use a Server…</source>
        <translation>暂停一台服务器(&amp;U)…</translation>
    </message>
    <message>
        <source>Suspends the server&apos;s process for a time. Its clients notice that it does not answer and move to another server.</source>
        <translation>将服务器进程暂停一段时间。它的客户端察觉到没有响应，会转到另一台服务器。</translation>
    </message>
    <message>
        <source>&amp;Delete the Node of %1</source>
        <translation>删除 %1 的节点(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Delete the Selected Client&apos;s Node</source>
        <translation>删除所选客户端的节点(&amp;D)</translation>
    </message>
    <message>
        <source>Deletes the node as an administrator would. A holder loses the lock with its node, and the next client acquires it.</source>
        <translation>像管理员那样删除节点。持有者失去节点也就失去锁，由下一个客户端获得。</translation>
    </message>
    <message>
        <source>&amp;Write to the Node of %1</source>
        <translation>写入 %1 的节点(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Write to the Selected Client&apos;s Node</source>
        <translation>写入所选客户端的节点(&amp;W)</translation>
    </message>
    <message>
        <source>Writes foreign data to the node; its watchers wake for nothing.</source>
        <translation>把外来的数据写入节点；监视它的客户端被白白唤醒。</translation>
    </message>
    <message>
        <source>&amp;Ask %1 to Release the Lock</source>
        <translation>请求 %1 让出锁(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Ask the Selected Client to Release the Lock</source>
        <translation>请求所选客户端让出锁(&amp;A)</translation>
    </message>
    <message>
        <source>Writes Curator&apos;s revocation request to the client&apos;s node. A holder that agrees releases the lock; other clients ignore it.</source>
        <translation>向该客户端的节点写入 Curator 的撤销请求。同意的持有者会释放锁；其他客户端不理会。</translation>
    </message>
    <message>
        <source>Remove the Lock&apos;s &amp;Container</source>
        <translation>移除锁的容器节点(&amp;C)</translation>
    </message>
    <message>
        <source>Deletes the lock&apos;s container node, as the server does with unused containers. Refused while the queue is not empty; the sequence numbers start at 0 again.</source>
        <translation>像服务器清理不再使用的容器那样，删除锁的容器节点。队列不为空时会被拒绝；之后编号重新从 0 开始。</translation>
    </message>
    <message>
        <source>Set the Number of &amp;Leases…</source>
        <translation>设置租约数(&amp;L)…</translation>
    </message>
    <message>
        <source>Sets how many clients may have a lease at the same time. Waiting clients notice the change.</source>
        <translation>设置同时最多有多少个客户端可以持有租约。等待的客户端会察觉这一变化。</translation>
    </message>
    <message>
        <source>There is no live run. Start one first.</source>
        <translation>当前没有实时运行。请先启动一个。</translation>
    </message>
    <message>
        <source>The run is still starting.</source>
        <translation>运行仍在启动。</translation>
    </message>
    <message>
        <source>Select a client first.</source>
        <translation>请先选中一个客户端。</translation>
    </message>
    <message>
        <source>%1 has left the run.</source>
        <translation>%1 已离开运行。</translation>
    </message>
    <message>
        <source>%1 has no session at the moment.</source>
        <translation>%1 此刻没有会话。</translation>
    </message>
    <message>
        <source>%1 has no node in the queue at the moment.</source>
        <translation>%1 此刻在队列中没有节点。</translation>
    </message>
    <message>
        <source>%1 does not accept requests to release: its locks are not revocable.</source>
        <translation>%1 不接受释放请求：它的锁不可撤销。</translation>
    </message>
    <message>
        <source>With more than %1 clients, connection faults need links = true in the scenario.</source>
        <translation>客户端超过 %1 个时，只有场景写明 links = true，连接才能出故障。</translation>
    </message>
    <message>
        <source>On an external ZooKeeper, connection faults need links = true in the scenario.</source>
        <translation>使用外部 ZooKeeper 时，只有场景写明 links = true，连接才能出故障。</translation>
    </message>
    <message>
        <source>This scenario sets links = false: its clients connect directly.</source>
        <translation>此场景让客户端直接连接：它写明了 links = false。</translation>
    </message>
    <message>
        <source>LockScope did not start this ZooKeeper and does not interfere with it.</source>
        <translation>这个 ZooKeeper 不是由 LockScope 启动的，因此 LockScope 不会动它。</translation>
    </message>
    <message>
        <source>This run has a single server. Use a scenario with an ensemble, for example leader-loss.</source>
        <translation>此运行只有一台服务器。请改用多台服务器的场景，例如 leader-loss。</translation>
    </message>
    <message>
        <source>This run has several servers. Choose a server.</source>
        <translation>此运行有多台服务器。请选择一台。</translation>
    </message>
    <message>
        <source>Only a semaphore has leases.</source>
        <translation>只有信号量才有租约。</translation>
    </message>
    <message>
        <source>No client has left the run.</source>
        <translation>没有客户端离开过此运行。</translation>
    </message>
    <message>
        <source>There is no client left to remove.</source>
        <translation>已没有可移除的客户端。</translation>
    </message>
    <message>
        <source>Duration</source>
        <extracomment>label of a field: how long the fault lasts</extracomment>
        <translation>时长</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Server</source>
        <extracomment>label of a field: the number of a server</extracomment>
        <translation>服务器</translation>
    </message>
    <message>
        <source>This run only watches another program&apos;s lock: LockScope changes nothing.</source>
        <translation>此次运行只观察其他程序的锁：LockScope 不会改动那里的任何东西。</translation>
    </message>
    <message>
        <source>Tha&amp;w %1</source>
        <translation>解冻 %1(&amp;T)</translation>
    </message>
    <message>
        <source>The client communicates with the server again. It learns only then whether its session has expired.</source>
        <translation>客户端重新与服务器通信。此时它才会得知自己的会话是否已过期。</translation>
    </message>
    <message>
        <source>&amp;Delete Node %1, an Orphan of %2</source>
        <translation>删除节点 %1，%2 的孤儿节点(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Write to Node %1, an Orphan of %2</source>
        <translation>写入节点 %1，%2 的孤儿节点(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;ZooKeeper</source>
        <translation>&amp;ZooKeeper</translation>
    </message>
    <message>
        <source>&amp;Nodes and Data</source>
        <translation>节点和数据(&amp;N)</translation>
    </message>
    <message>
        <source>Connect&amp;ion of %1</source>
        <translation>%1 的连接(&amp;I)</translation>
    </message>
    <message>
        <source>Connect&amp;ion of the Selected Client</source>
        <translation>所选客户端的连接(&amp;I)</translation>
    </message>
    <message>
        <source>Delay each way</source>
        <translation>单向延迟</translation>
    </message>
    <message>
        <source>Jitter</source>
        <extracomment>label of a field: by how much the delay varies</extracomment>
        <translation>抖动</translation>
    </message>
    <message>
        <source>until restored</source>
        <translation>直到恢复</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>至多</translation>
    </message>
    <message>
        <source> kB/s</source>
        <translation> kB/s</translation>
    </message>
    <message>
        <source>Leases</source>
        <extracomment>label of a field: how many leases the semaphore has</extracomment>
        <translation>租约数</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>步进(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Run Until</source>
        <translation>运行到(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Earlier Runs</source>
        <translation>先前的运行(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Step %1: %2</source>
        <translation>%1 走一步：%2(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Continue %1</source>
        <translation>继续运行 %1(&amp;C)</translation>
    </message>
    <message>
        <source>%1 A&amp;cquires</source>
        <translation>%1 获得锁(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Breakpoints of %1</source>
        <translation>%1 的断点(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Breakpoints</source>
        <translation>断点(&amp;B)</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Stop Watching</source>
        <translation>停止观察</translation>
    </message>
    <message>
        <source>Pause</source>
        <extracomment>a button</extracomment>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <extracomment>a button: the run continues after a pause</extracomment>
        <translation>继续</translation>
    </message>
    <message>
        <source>Run</source>
        <extracomment>a button: starts a run</extracomment>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run Live</source>
        <translation>实时运行</translation>
    </message>
    <message>
        <source>Run Again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Stop &amp;Playback</source>
        <translation>停止播放(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;System Language</source>
        <translation>系统语言(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Back to the Views</source>
        <translation>返回各视图(&amp;B)</translation>
    </message>
    <message>
        <source>Handoffs</source>
        <extracomment>title of a card: the table of the handoffs</extracomment>
        <translation>交接</translation>
    </message>
    <message>
        <source>Pin or Unpin the Selecte&amp;d Lane</source>
        <translation>固定或取消固定所选泳道(&amp;D)</translation>
    </message>
    <message>
        <source>A pinned lane stays at the top of the timeline, whatever the filter and the order.</source>
        <translation>无论如何筛选和排序，固定的泳道都留在时间线顶部。</translation>
    </message>
    <message>
        <source>Go to Bloc&amp;ker</source>
        <translation>转到阻塞者(&amp;K)</translation>
    </message>
    <message>
        <source>Selects the client that the selected one waits for.</source>
        <translation>选择所选客户端正在等待的客户端。</translation>
    </message>
    <message>
        <source>Go to &amp;Root Blocker</source>
        <translation>转到最终阻塞者(&amp;R)</translation>
    </message>
    <message>
        <source>Selects the client for which, over all locks, the selected one waits in the end.</source>
        <translation>跨所有锁，选择所选客户端最终在等待的客户端。</translation>
    </message>
    <message>
        <source>Wa&amp;iting Clients</source>
        <translation>等待的客户端(&amp;I)</translation>
    </message>
    <message>
        <source>Shows below the lanes how many clients wait.</source>
        <translation>在泳道下方显示有多少客户端在等待。</translation>
    </message>
    <message>
        <source>Ta&amp;ble of the Measured Range</source>
        <translation>测量范围的表格(&amp;B)</translation>
    </message>
    <message>
        <source>Shows how often and how long each client held and waited in the measured range.</source>
        <translation>显示测量范围内每个客户端持有和等待的次数与时间。</translation>
    </message>
    <message>
        <source>statistics csv markdown copy</source>
        <translation>统计 csv markdown 复制</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>重新打开(&amp;L)</translation>
    </message>
    <message>
        <source>Opens again the file that was opened last.</source>
        <translation>再次打开最近打开的文件。</translation>
    </message>
    <message>
        <source>New &amp;Window</source>
        <translation>新窗口(&amp;W)</translation>
    </message>
    <message>
        <source>Opens a second window, with the file that was opened last in this one.</source>
        <translation>打开第二个窗口，其中是这个窗口最近打开的文件。</translation>
    </message>
    <message>
        <source>Saves the window as a PNG at twice its size, or as an SVG or PDF.</source>
        <translation>把窗口保存为两倍大小的 PNG，或者 SVG 或 PDF。</translation>
    </message>
    <message>
        <source>png svg pdf</source>
        <translation>png svg pdf 图片</translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation>打印(&amp;I)…</translation>
    </message>
    <message>
        <source>Prints the window on a page.</source>
        <translation>把窗口打印在一页纸上。</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>首选项(&amp;F)…</translation>
    </message>
    <message>
        <source>Language, theme, times, updates per second, and the keys of all commands.</source>
        <translation>语言、主题、时间、每秒更新次数，以及所有命令的按键。</translation>
    </message>
    <message>
        <source>settings options shortcuts</source>
        <translation>设置 选项 快捷键</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>Goes back to the moment and the selection before the last jump.</source>
        <translation>回到上次跳转之前的时刻和选择。</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>Goes to the moment and the selection from which Back came.</source>
        <translation>回到“后退”之前的时刻和选择。</translation>
    </message>
    <message>
        <source>Saves a PNG at twice the screen size, or an SVG or PDF with text as text.</source>
        <translation>保存两倍屏幕大小的 PNG，或者文字仍是文字的 SVG 或 PDF。</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>Page That P&amp;lays the Run…</source>
        <translation>播放运行的网页(&amp;L)…</translation>
    </message>
    <message>
        <source>Saves an HTML page that shows the run step by step in any browser, with explanations.</source>
        <translation>保存一个 HTML 网页，在任何浏览器里逐步展示这次运行，并附解释。</translation>
    </message>
    <message>
        <source>html player page</source>
        <translation>html 网页 播放</translation>
    </message>
    <message>
        <source>&amp;Judge a Program…</source>
        <translation>判断一个程序(&amp;J)…</translation>
    </message>
    <message>
        <source>Runs copies of your own program under faults, and says whether its lock is right.</source>
        <translation>在故障之下运行你自己的程序的几个副本，并说出它的锁对不对。</translation>
    </message>
    <message>
        <source>is my lock right verdict grade</source>
        <translation>我的锁对吗 判断 结论 评分</translation>
    </message>
    <message>
        <source>A program is being judged: the faults of this run are planned.</source>
        <translation>正在判断一个程序：这次运行的故障是计划好的。</translation>
    </message>
    <message>
        <source>&amp;Build Your Own Lock</source>
        <translation>自己搭一把锁(&amp;B)</translation>
    </message>
    <message>
        <source>Builds a lock recipe from choices, and proves it on every schedule.</source>
        <translation>用几个选择搭出一个锁的配方，并在每一种调度上证明它。</translation>
    </message>
    <message>
        <source>Open Se&amp;veral…</source>
        <translation>打开多个(&amp;V)…</translation>
    </message>
    <message>
        <source>Makes one run of the traces of several machines and the logs of the servers.</source>
        <translation>把多台机器的跟踪记录和服务器的日志合成一次运行。</translation>
    </message>
    <message>
        <source>merge hosts clocks</source>
        <translation>合并 主机 时钟</translation>
    </message>
    <message>
        <source>Look at a &amp;Lock…</source>
        <translation>查看一把锁(&amp;L)…</translation>
    </message>
    <message>
        <source>Shows another program&apos;s lock on a running ZooKeeper: only watches it, or joins its queue.</source>
        <translation>显示运行中的 ZooKeeper 上其他程序的锁：只是观察，或者加入它的队列。</translation>
    </message>
    <message>
        <source>attach connect watch join server ensemble</source>
        <translation>连接 观察 加入 服务器 集群</translation>
    </message>
</context>
<context>
    <name>MergeTraces</name>
    <message numerus="yes">
        <source>%Ln more traces</source>
        <translation>
            <numerusform>另外 %Ln 份跟踪记录</numerusform>
        </translation>
    </message>
    <message>
        <source>logs</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>Pace</name>
    <message>
        <source>full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>%1/step</source>
        <translation>%1/步</translation>
    </message>
</context>
<context>
    <name>PlotUnit</name>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>min</source>
        <extracomment>unit at an axis: minutes</extracomment>
        <translation>min</translation>
    </message>
</context>
<context>
    <name>RunTitle</name>
    <message numerus="yes">
        <source>%1 · %Ln clients</source>
        <translation>
            <numerusform>%1 · %Ln 个客户端</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln locks</source>
        <translation>
            <numerusform>%Ln 把锁</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScenarioEntry</name>
    <message>
        <source>Start Here</source>
        <translation>从这里开始</translation>
    </message>
    <message>
        <source>What Goes Wrong</source>
        <translation>会出什么问题</translation>
    </message>
    <message>
        <source>Other Locks</source>
        <translation>其他锁</translation>
    </message>
    <message>
        <source>Why the Recipe Is Like This</source>
        <translation>配方为何如此</translation>
    </message>
    <message>
        <source>More Scenarios</source>
        <translation>更多场景</translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>Ephemeral node: a node that belongs to a session. ZooKeeper deletes it when the session ends, so a lock cannot be held by a client that is gone.</source>
        <translation>临时节点：属于一个会话的节点。会话结束时 ZooKeeper 把它删除，所以锁不会被已经不在的客户端占住。</translation>
    </message>
    <message>
        <source>Sequential node: a node to whose name ZooKeeper appends a number that grows with every node created at that path. The numbers are the order of the queue.</source>
        <translation>顺序节点：ZooKeeper 在它的名字后面加一个编号，在该路径下每创建一个节点，编号就增大。编号就是队列的次序。</translation>
    </message>
    <message>
        <source>Watch: a client&apos;s request to be notified once when a node changes or is deleted. When it has fired it is used up; until then the client can sleep.</source>
        <translation>监视：客户端请求在某个节点变化或被删除时通知一次。触发之后就用完了；在那之前客户端可以休眠。</translation>
    </message>
    <message>
        <source>zxid: the number that ZooKeeper gives to every write; later writes have larger ones. czxid: the zxid of the write that created a node.</source>
        <translation>zxid：ZooKeeper 给每次写入的编号，后来的更大。czxid：创建该节点的那次写入的 zxid。</translation>
    </message>
    <message>
        <source>Fencing token: a number that a client gets with the lock, here the czxid of its node. A resource that refuses tokens smaller than the largest it has seen keeps out a holder that has lost the lock without knowing it. This is called fencing.</source>
        <translation>防护令牌：客户端随锁得到的一个数，这里就是它的节点的 czxid。资源若拒绝小于所见最大者的令牌，就能把失去了锁却不知道的持有者挡在外面：这就是防护。</translation>
    </message>
    <message>
        <source>Herd effect: many clients watch the same node, so one change wakes all of them, and all but one are woken in vain.</source>
        <translation>羊群效应：许多客户端监视同一个节点，一次变化唤醒所有客户端，其中只有一个不是白白醒来。</translation>
    </message>
    <message>
        <source>Lease: one of the permits of a semaphore. As many clients as there are leases may hold one at once; a lock has only one.</source>
        <translation>租约：信号量的一个名额。有多少个租约，就有多少个客户端可以同时持有；锁只有一个。</translation>
    </message>
    <message>
        <source>Handoff: the lock passes from one holder to the next: release, deletion of the node, watch event, list of the nodes, acquisition.</source>
        <translation>交接：锁从一个持有者传给下一个：释放、删除节点、监视事件、读取节点列表、获得锁。</translation>
    </message>
    <message>
        <source>Reentrant: the owner may acquire the lock again without waiting. The client counts how often, and releases the lock with the last release.</source>
        <translation>可重入：所有者可以再次获取锁而不必等待。客户端记着次数，最后一次释放才真正放开锁。</translation>
    </message>
    <message>
        <source>Protection: the client puts an id of its own, a GUID, into the node&apos;s name. When the reply to its create is lost, it finds its node in the list by this id.</source>
        <translation>保护（protection）：客户端把自己的标识（GUID）写进节点的名字。创建的回复丢失时，它凭这个标识在列表里找到自己的节点。</translation>
    </message>
    <message>
        <source>Session: what ZooKeeper knows of a client, with the ephemeral nodes that belong to it. It is not the TCP connection, which may break and be made again meanwhile. Heartbeats keep it alive; it ends when the client closes it or is silent for longer than its timeout.</source>
        <translation>会话：ZooKeeper 所知道的一个客户端，连同属于它的临时节点。它不是 TCP 连接，连接可以断开再建立。心跳维持着它；客户端关闭它，或者沉默超过超时时间，它就结束。</translation>
    </message>
    <message>
        <source>Suspended: the client has no connection with ZooKeeper and cannot know whether its session still lives. A holder should stop its work until it is connected again.</source>
        <translation>挂起：客户端与 ZooKeeper 没有连接，无从知道会话是否还在。持有者应当停下工作，直到重新连上。</translation>
    </message>
</context>
<context>
    <name>Texts</name>
    <message>
        <source>joins (frozen)</source>
        <extracomment>a client&apos;s state: it creates its node</extracomment>
        <translation>加入（已冻结）</translation>
    </message>
    <message>
        <source>joins</source>
        <extracomment>a client&apos;s state: it creates its node</extracomment>
        <translation>加入</translation>
    </message>
    <message>
        <source>HOLDS (frozen)</source>
        <extracomment>a client&apos;s state: it has the lock</extracomment>
        <translation>持有（已冻结）</translation>
    </message>
    <message>
        <source>HOLDS</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>waits (frozen)</source>
        <extracomment>a client&apos;s state</extracomment>
        <translation>等待（已冻结）</translation>
    </message>
    <message>
        <source>waits</source>
        <extracomment>a client&apos;s state</extracomment>
        <translation>等待</translation>
    </message>
    <message>
        <source>releases (frozen)</source>
        <extracomment>a client&apos;s state: it deletes its node</extracomment>
        <translation>释放中（已冻结）</translation>
    </message>
    <message>
        <source>releases</source>
        <extracomment>a client&apos;s state: it deletes its node</extracomment>
        <translation>释放中</translation>
    </message>
    <message>
        <source>foreign</source>
        <extracomment>a node&apos;s state: it belongs to no client of the run</extracomment>
        <translation>外来</translation>
    </message>
    <message>
        <source>orphan</source>
        <extracomment>a node&apos;s state: its client does not know of it</extracomment>
        <translation>孤儿节点</translation>
    </message>
    <message>
        <source>session ended</source>
        <translation>会话已结束</translation>
    </message>
    <message>
        <source>deleted</source>
        <extracomment>a node&apos;s state
----------
short for &quot;…00012 deleted&quot;: of a node</extracomment>
        <translation>已删除</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>also holds %1</source>
        <translation>同时持有 %1</translation>
    </message>
    <message>
        <source>Deadlock</source>
        <extracomment>title of a box: clients wait for one another in a circle</extracomment>
        <translation>死锁</translation>
    </message>
    <message>
        <source>not ours</source>
        <translation>非本次运行</translation>
    </message>
    <message>
        <source>not a lock node</source>
        <translation>不是锁节点</translation>
    </message>
    <message>
        <source>R</source>
        <extracomment>on a node&apos;s card, short for a read lock</extracomment>
        <translation>读</translation>
    </message>
    <message>
        <source>W</source>
        <extracomment>on a node&apos;s card, short for a write lock</extracomment>
        <translation>写</translation>
    </message>
    <message>
        <source>held %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>token %1 · %2</source>
        <translation>令牌 %1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>counts as place %1</source>
        <translation>计为第 %1 位</translation>
    </message>
    <message>
        <source>place %1</source>
        <translation>第 %1 位</translation>
    </message>
    <message>
        <source>its client forgot it</source>
        <translation>其客户端已忘记它</translation>
    </message>
    <message>
        <source>forgotten</source>
        <extracomment>of an orphan node: its client forgot it</extracomment>
        <translation>被遗忘</translation>
    </message>
    <message>
        <source>not deleted yet</source>
        <translation>尚未删除</translation>
    </message>
    <message>
        <source>waited %1</source>
        <translation>已等待 %1</translation>
    </message>
    <message>
        <source>‖ %1</source>
        <translation>‖ %1</translation>
    </message>
    <message>
        <source>‖ stopped</source>
        <translation>‖ 停住</translation>
    </message>
    <message>
        <source>%1 · each waiter watches only the node in front of it</source>
        <translation>%1 · 每个等待者只监视自己前面的那个节点</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 leases out</source>
        <translation>%1 · 已发出 %2 个租约，共 %3 个</translation>
    </message>
    <message>
        <source> · %1 %2</source>
        <translation> · %1 %2</translation>
    </message>
    <message>
        <source>No lock yet: it appears when the run begins.</source>
        <translation>尚无锁：运行开始时会出现。</translation>
    </message>
    <message>
        <source>%1
The next client creates node %2 and holds the lock immediately.</source>
        <translation>%1
下一个客户端创建节点 %2 后会立即获得锁。</translation>
    </message>
    <message>
        <source>%1 counts in the queue but belongs to no client here</source>
        <translation>%1 计入队列，但不属于这里的任何客户端</translation>
    </message>
    <message>
        <source>%1 is not in the queue: it is not connected</source>
        <translation>%1 不在队列中：它没有连接</translation>
    </message>
    <message>
        <source>%1 is not in the queue</source>
        <translation>%1 不在队列中</translation>
    </message>
    <message>
        <source>%1 is not in the queue: it will create the next sequential node, %2</source>
        <translation>%1 不在队列中：它将创建下一个顺序节点 %2</translation>
    </message>
    <message>
        <source>%1 and %2 are not in the queue</source>
        <translation>%1 和 %2 不在队列中</translation>
    </message>
    <message>
        <source>%1, %2 and %3 are not in the queue</source>
        <translation>%1、%2 和 %3 不在队列中</translation>
    </message>
    <message>
        <source>%1 clients are not in the queue</source>
        <translation>%1 个客户端不在队列中</translation>
    </message>
    <message>
        <source>every client is in the queue</source>
        <translation>所有客户端都在队列中</translation>
    </message>
    <message>
        <source>NodeDeleted → wakes %1 clients</source>
        <translation>NodeDeleted → 唤醒 %1 个客户端</translation>
    </message>
    <message>
        <source>NodeDeleted → wakes exactly one client</source>
        <translation>NodeDeleted → 只唤醒一个客户端</translation>
    </message>
    <message>
        <source>NodeDataChanged → sent to %1</source>
        <translation>NodeDataChanged → 通知 %1</translation>
    </message>
    <message>
        <source>NodeCreated → wakes %1</source>
        <translation>NodeCreated → 唤醒 %1</translation>
    </message>
    <message>
        <source>NodeChildrenChanged → wakes %1</source>
        <translation>NodeChildrenChanged → 唤醒 %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>watch</source>
        <extracomment>at the arrow from a waiter to the node that it watches: a noun
----------
a step that is next: to set a watch</extracomment>
        <translation>监视</translation>
    </message>
    <message>
        <source>gone</source>
        <extracomment>on the card of a node that was deleted</extracomment>
        <translation>已消失</translation>
    </message>
    <message>
        <source>%1 still believes it holds · its node was deleted %2 ago</source>
        <translation>%1 仍以为自己持有 · 其节点已于 %2 前被删除</translation>
    </message>
    <message>
        <source>not a client of this run</source>
        <translation>不是本次运行的客户端</translation>
    </message>
    <message>
        <source>%1 · %2 · place %3 of %4</source>
        <translation>%1 · %2 · 第 %3 位，共 %4 位</translation>
    </message>
    <message>
        <source>session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>令牌 %1</translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>重入深度 %1</translation>
    </message>
    <message>
        <source>watches %1</source>
        <translation>监视 %1</translation>
    </message>
    <message>
        <source>created %1 ago</source>
        <translation>创建于 %1 前</translation>
    </message>
    <message>
        <source>list of children</source>
        <translation>子节点列表</translation>
    </message>
    <message>
        <source>stray</source>
        <extracomment>at a watch that no client needs any more</extracomment>
        <translation>多余</translation>
    </message>
    <message>
        <source>square: reads · cut corner: writes</source>
        <translation>方块：读 · 缺角：写</translation>
    </message>
    <message>
        <source>circle: reads · square: writes</source>
        <translation>圆：读 · 方：写</translation>
    </message>
    <message>
        <source>NodeDeleted → wakes all its watchers, %1 so far</source>
        <translation>NodeDeleted → 唤醒所有监视者，目前 %1 个</translation>
    </message>
    <message>
        <source>NodeChildrenChanged → wakes all watchers of the list, %1 so far</source>
        <translation>NodeChildrenChanged → 唤醒所有监视列表者，目前 %1 个</translation>
    </message>
    <message>
        <source>%1 is not in the queue: it is frozen</source>
        <translation>%1 不在队列中：它被冻结</translation>
    </message>
    <message>
        <source>every client that is not finished is in the queue</source>
        <translation>未完成的客户端都在队列中</translation>
    </message>
    <message>
        <source>no node yet</source>
        <translation>尚无节点</translation>
    </message>
    <message>
        <source>list changed</source>
        <translation>列表变化</translation>
    </message>
    <message>
        <source>place %1: %2 · %3 · %4</source>
        <translation>第 %1 位：%2 · %3 · %4</translation>
    </message>
    <message>
        <source>and %1 more · scroll to see all</source>
        <translation>另有 %1 个 · 滚动可看全部</translation>
    </message>
    <message>
        <source>woken</source>
        <extracomment>a client&apos;s state: its watch has fired</extracomment>
        <translation>被唤醒</translation>
    </message>
    <message>
        <source>node %1 deleted</source>
        <translation>节点 %1 已删除</translation>
    </message>
    <message>
        <source>node %1 written</source>
        <translation>节点 %1 被写入</translation>
    </message>
    <message>
        <source>The run could not start: the message says why.</source>
        <translation>运行未能启动：消息说明了原因。</translation>
    </message>
    <message>
        <source>%1 is not in the queue yet: its create is on its way</source>
        <translation>%1 还不在队列中：它的 create 正在途中</translation>
    </message>
    <message>
        <source>already held</source>
        <translation>此前已持有</translation>
    </message>
    <message>
        <source>already held when LockScope began to watch</source>
        <translation>在开始观察之前就已持有</translation>
    </message>
    <message>
        <source>already there when LockScope began to watch</source>
        <translation>在开始观察之前就已存在</translation>
    </message>
    <message>
        <source>czxid %1</source>
        <translation>czxid %1</translation>
    </message>
    <message>
        <source>first seen %1 ago</source>
        <translation>%1 前首次看到</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>According to the recipe, its client watches this node; the transaction log does not record watches.</source>
        <translation>根据配方，其客户端监视此节点；事务日志不记录监视。</translation>
    </message>
    <message>
        <source>Deadlock: each client waits for the next one: %1. None of them continues unless one gives up.</source>
        <extracomment>%1 is a list such as &quot;ada → bo → ada&quot;.</extracomment>
        <translation>死锁：每个客户端都在等待下一个：%1。除非其中一个放弃，否则谁都无法继续。</translation>
    </message>
    <message>
        <source>%1 · all waiters watch the one node</source>
        <translation>%1 · 所有等待者都监视这一个节点</translation>
    </message>
    <message>
        <source>No client holds %1 or waits for it.</source>
        <translation>无人持有 %1，也无人等待。</translation>
    </message>
    <message>
        <source>%1 · server data only: what the clients believe is unknown</source>
        <translation>%1 · 仅有服务器的数据：客户端的认知未知</translation>
    </message>
    <message>
        <source>frozen</source>
        <comment>on a card</comment>
        <extracomment>a client&apos;s state, short for &quot;waits (frozen)&quot;: it does not run, or &quot;waits (suspended)&quot;: it has no contact</extracomment>
        <translation>冻结</translation>
    </message>
    <message numerus="yes">
        <source>%Ln watch</source>
        <extracomment>clients that watch</extracomment>
        <translation>
            <numerusform>%Ln 个在监视</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more believe it, too</source>
        <translation>
            <numerusform>另有 %Ln 个也这样认为</numerusform>
        </translation>
    </message>
    <message>
        <source>joins (suspended)</source>
        <translation>加入（挂起）</translation>
    </message>
    <message>
        <source>HOLDS? (suspended)</source>
        <translation>持有？（挂起）</translation>
    </message>
    <message>
        <source>waits (suspended)</source>
        <translation>等待（挂起）</translation>
    </message>
    <message>
        <source>releases (suspended)</source>
        <translation>释放（挂起）</translation>
    </message>
    <message>
        <source>suspended</source>
        <extracomment>a client&apos;s state: it has no contact with the server
----------
of a session: without contact with the server</extracomment>
        <translation>挂起</translation>
    </message>
    <message>
        <source>%1
The run is over: play it from the beginning, or click a moment on the ruler of the timeline.</source>
        <translation>%1
运行已结束：可以从头播放，或在时间线的标尺上点击某一时刻。</translation>
    </message>
    <message>
        <source>The run has not started: it is not known yet who holds %1 or waits for it.</source>
        <translation>运行尚未开始：还不知道谁持有 %1、谁在等待它。</translation>
    </message>
    <message>
        <source>HOLDS?</source>
        <extracomment>the state of a node that no session owns: whether somebody has the lock is not known</extracomment>
        <translation>持有？</translation>
    </message>
    <message>
        <source>waits · first</source>
        <translation>等待 · 队首</translation>
    </message>
    <message>
        <source>waits · next</source>
        <translation>等待 · 下一个</translation>
    </message>
    <message>
        <source>holds ×%1</source>
        <translation>持有 ×%1</translation>
    </message>
    <message>
        <source>holds</source>
        <extracomment>a client&apos;s state: it has the lock</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>believes it holds</source>
        <translation>自以为持有</translation>
    </message>
    <message>
        <source>session lost</source>
        <translation>会话丢失</translation>
    </message>
    <message>
        <source>holds · frozen</source>
        <translation>持有 · 已冻结</translation>
    </message>
    <message>
        <source>frozen</source>
        <extracomment>a client&apos;s state: it does not run, so it sends nothing</extracomment>
        <translation>已冻结</translation>
    </message>
    <message>
        <source>connects</source>
        <extracomment>a client&apos;s state: it connects with the server</extracomment>
        <translation>连接中</translation>
    </message>
    <message>
        <source>idle</source>
        <extracomment>a client&apos;s state: it does not want the lock now</extracomment>
        <translation>空闲</translation>
    </message>
    <message>
        <source>thinks</source>
        <extracomment>a client&apos;s state: it lets time pass before it asks for the lock</extracomment>
        <translation>思考</translation>
    </message>
    <message>
        <source>done</source>
        <extracomment>a client&apos;s state: it has ended its work</extracomment>
        <translation>已完成</translation>
    </message>
    <message>
        <source>removed</source>
        <extracomment>a client&apos;s state: it has left the run</extracomment>
        <translation>已移除</translation>
    </message>
    <message>
        <source>the server deleted its node %1 ago</source>
        <translation>服务器已于 %1 前删除其节点</translation>
    </message>
    <message>
        <source>no heartbeat</source>
        <translation>没有心跳</translation>
    </message>
    <message>
        <source>no session yet</source>
        <translation>尚无会话</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>%1 · %2 acquired, %3 failed</source>
        <translation>%1 · 获取 %2 次，失败 %3 次</translation>
    </message>
    <message>
        <source>%1 · %2 acquired</source>
        <translation>%1 · 获取 %2 次</translation>
    </message>
    <message>
        <source>create</source>
        <extracomment>a step that is next: to create the node</extracomment>
        <translation>创建</translation>
    </message>
    <message>
        <source>continue after create</source>
        <translation>创建后继续</translation>
    </message>
    <message>
        <source>list</source>
        <extracomment>a step that is next: to list the children
----------
a moment of a handoff: the children were listed</extracomment>
        <translation>列出</translation>
    </message>
    <message>
        <source>decide</source>
        <extracomment>a step that is next: to find out from the list who is in front</extracomment>
        <translation>判断</translation>
    </message>
    <message>
        <source>sleep</source>
        <extracomment>a step that is next: to wait for the watch</extracomment>
        <translation>休眠</translation>
    </message>
    <message>
        <source>continue after the wake-up</source>
        <translation>唤醒后继续</translation>
    </message>
    <message>
        <source>hold</source>
        <extracomment>a step that is next: to hold the lock</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>re-enter</source>
        <translation>重入</translation>
    </message>
    <message>
        <source>delete</source>
        <extracomment>a step that is next: to delete the node</extracomment>
        <translation>删除</translation>
    </message>
    <message>
        <source>continue after delete</source>
        <translation>删除后继续</translation>
    </message>
    <message>
        <source>stopped after create</source>
        <translation>停在创建之后</translation>
    </message>
    <message>
        <source>stopped after the wake-up</source>
        <translation>停在唤醒之后</translation>
    </message>
    <message>
        <source>stopped after delete</source>
        <translation>停在删除之后</translation>
    </message>
    <message>
        <source>stopped before %1</source>
        <translation>停在“%1”之前</translation>
    </message>
    <message>
        <source>lock</source>
        <extracomment>instead of the path of a lock that is not known
----------
what a node asks for</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>%1 entrance</source>
        <translation>%1 入口</translation>
    </message>
    <message>
        <source>%1 (read)</source>
        <translation>%1（读）</translation>
    </message>
    <message>
        <source>%1 (write)</source>
        <translation>%1（写）</translation>
    </message>
    <message>
        <source>%1 locks</source>
        <translation>%1 把锁</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>持有 %1</translation>
    </message>
    <message>
        <source>holds %1, waits for %2</source>
        <translation>持有 %1，等待 %2</translation>
    </message>
    <message>
        <source>%1 ×%2</source>
        <translation>%1 ×%2</translation>
    </message>
    <message>
        <source>expires in %1</source>
        <translation>%1后过期</translation>
    </message>
    <message>
        <source>expires now</source>
        <translation>即将过期</translation>
    </message>
    <message>
        <source>no new session yet</source>
        <translation>尚无新会话</translation>
    </message>
    <message>
        <source>waits · %1 ahead</source>
        <translation>等待 · 前面 %1 个</translation>
    </message>
    <message>
        <source>believes it waits</source>
        <translation>以为自己在等待</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1，已 %2</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有应答</translation>
    </message>
    <message>
        <source>after create</source>
        <translation>创建之后</translation>
    </message>
    <message>
        <source>after the wake-up</source>
        <translation>唤醒之后</translation>
    </message>
    <message>
        <source>after delete</source>
        <translation>删除之后</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>“%1”之前</translation>
    </message>
    <message>
        <source>not known</source>
        <extracomment>a client&apos;s state: its recipe does not show whether it holds or waits</extracomment>
        <translation>未知</translation>
    </message>
    <message>
        <source>a client</source>
        <translation>一个客户端</translation>
    </message>
    <message>
        <source>release</source>
        <extracomment>a step that is next: to release the lock, or one level of it
----------
in the log, a verb: a client begins to release the lock</extracomment>
        <translation>释放</translation>
    </message>
    <message>
        <source>holds? · suspended</source>
        <extracomment>a client&apos;s state: it has no contact with the server</extracomment>
        <translation>持有？· 挂起</translation>
    </message>
    <message>
        <source>%1&apos;s node %2</source>
        <translation>%1 的节点 %2</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>节点 %1</translation>
    </message>
    <message>
        <source>When it releases, that wakes only %1.</source>
        <translation>它释放时只会唤醒 %1。</translation>
    </message>
    <message>
        <source>When it releases, all %1 clients that watch the node are woken, and one of them gets the lock.</source>
        <translation>它释放时，监视该节点的 %1 个客户端都会被唤醒，其中一个得到锁。</translation>
    </message>
    <message>
        <source>When it releases, all %1 clients that watch the list are woken.</source>
        <translation>它释放时，监视列表的 %1 个客户端都会被唤醒。</translation>
    </message>
    <message>
        <source>When it releases, the %1 clients that watch its node are woken.</source>
        <translation>它释放时，监视其节点的 %1 个客户端会被唤醒。</translation>
    </message>
    <message>
        <source>%1 has had the only lease since %2.</source>
        <translation>%1 自 %2 起拥有唯一的租约。</translation>
    </message>
    <message>
        <source>%1 has had a lease since %2; %3 of %4 are out.</source>
        <translation>%1 自 %2 起拥有一个租约；共 %4 个，已发出 %3 个。</translation>
    </message>
    <message>
        <source>%1 has held the lock for writing since %2, alone.</source>
        <translation>%1 自 %2 起独占写锁。</translation>
    </message>
    <message>
        <source>%1 has held the lock for reading since %2, one of %3 readers.</source>
        <translation>%1 自 %2 起持有读锁，是 %3 个读者之一。</translation>
    </message>
    <message>
        <source>%1 has held the lock for reading since %2.</source>
        <translation>%1 自 %2 起持有读锁。</translation>
    </message>
    <message>
        <source>Readers hold together. %1</source>
        <translation>读者共同持有。%1</translation>
    </message>
    <message>
        <source>It entered %1 times: only its last release deletes the node. %2</source>
        <translation>它进入了 %1 次：只有最后一次释放才删除节点。%2</translation>
    </message>
    <message>
        <source>%1 has held the lock since %2: it created the one node.</source>
        <translation>%1 自 %2 起持有锁：它创建了那唯一的节点。</translation>
    </message>
    <message>
        <source>%1 has been first at the entrance since %2: it may look for a lease.</source>
        <translation>%1 自 %2 起排在入口第一位：它可以查看租约。</translation>
    </message>
    <message>
        <source>When it has a lease, it lets the next client in.</source>
        <translation>它得到租约后，让下一个客户端进来。</translation>
    </message>
    <message>
        <source>%1 has held %2 since %3: its node %4 is first.</source>
        <translation>%1 自 %3 起持有 %2：它的节点 %4 排在第一位。</translation>
    </message>
    <message>
        <source>%1 has been in the protected section since %2, without a lock.</source>
        <translation>%1 自 %2 起在临界区内，没有加锁。</translation>
    </message>
    <message>
        <source>%1 has held the lock since %2: its node %3 is first.</source>
        <translation>%1 自 %2 起持有锁：它的节点 %3 排在第一位。</translation>
    </message>
    <message>
        <source>%1 sleeps until the one node is gone.</source>
        <translation>%1 休眠，直到那唯一的节点消失。</translation>
    </message>
    <message>
        <source>%1 sleeps until the list of nodes changes.</source>
        <translation>%1 休眠，直到节点列表变化。</translation>
    </message>
    <message>
        <source>%1 is first at the entrance and sleeps until a lease comes back: %2 of %3 are out.</source>
        <translation>%1 排在入口第一位，休眠直到有租约归还：共 %3 个，已发出 %2 个。</translation>
    </message>
    <message>
        <source>%1 wants to read and sleeps until %2, a writer in front of its %3, is gone.</source>
        <translation>%1 要读，休眠直到其 %3 前面的写者 %2 消失。</translation>
    </message>
    <message>
        <source>%1 wants to write and sleeps until %2, directly in front of its %3, is gone.</source>
        <translation>%1 要写：它休眠，等待排在自己（%3）正前面的 %2 消失。</translation>
    </message>
    <message>
        <source>%1 sleeps at the entrance until %2, directly in front of its %3, is gone.</source>
        <translation>%1 在入口休眠，等待排在自己（%3）正前面的 %2 消失。</translation>
    </message>
    <message>
        <source>%1 waits for %2 and sleeps until %3, directly in front of its %4, is gone.</source>
        <translation>%1 等待 %2：它休眠，等待排在自己（%4）正前面的 %3 消失。</translation>
    </message>
    <message>
        <source>%1 sleeps until %2, directly in front of its %3, is gone.</source>
        <translation>%1 休眠，等待排在自己（%3）正前面的 %2 消失。</translation>
    </message>
    <message>
        <source>Only the first client there looks for a lease.</source>
        <translation>只有排在入口第一位的客户端才查看租约。</translation>
    </message>
    <message>
        <source>It set its watch with exists, which leaves a watch behind if the node was already deleted.</source>
        <translation>它用 exists 设置监视；若节点已被删除，监视会遗留下来。</translation>
    </message>
    <message>
        <source>If the owner of that node had announced its hold, %1 takes the lock at once; if not, it lists again.</source>
        <translation>若该节点的所有者宣告过自己持有，%1 立即得到锁；否则再次列出节点。</translation>
    </message>
    <message>
        <source>%1 connects to ZooKeeper.</source>
        <translation>%1 正在连接 ZooKeeper。</translation>
    </message>
    <message>
        <source>Without a session it can have no node.</source>
        <translation>没有会话就不能拥有节点。</translation>
    </message>
    <message>
        <source>%1 does not need the lock at the moment.</source>
        <translation>%1 目前不需要锁。</translation>
    </message>
    <message>
        <source>%1 wants the lock and checks whether it may take it.</source>
        <translation>%1 想要锁，正在查看能否得到。</translation>
    </message>
    <message>
        <source>%1 was woken and checks whether it may take the lock.</source>
        <translation>%1 被唤醒，正在查看能否取得锁。</translation>
    </message>
    <message>
        <source>%1 releases: the delete of its node is on its way.</source>
        <translation>%1 正在释放：删除其节点的请求已在途中。</translation>
    </message>
    <message>
        <source>%1 knows that its session is lost.</source>
        <translation>%1 知道自己的会话已丢失。</translation>
    </message>
    <message>
        <source>Its nodes were deleted with the session; it needs a new one.</source>
        <translation>它的节点已随会话删除；它需要新的会话。</translation>
    </message>
    <message>
        <source>%1 has finished all its cycles.</source>
        <translation>%1 已完成全部轮次。</translation>
    </message>
    <message>
        <source>It will not ask for the lock again.</source>
        <translation>它不会再请求锁。</translation>
    </message>
    <message>
        <source>%1 left the run.</source>
        <translation>%1 离开了运行。</translation>
    </message>
    <message>
        <source>Its session is closed, so it leaves no node behind.</source>
        <translation>它的会话已关闭，因此没有留下节点。</translation>
    </message>
    <message>
        <source>%1 believes that it holds the lock; the server deleted its node %2 ago.</source>
        <translation>%1 自以为持有锁；服务器已于 %2 前删除其节点。</translation>
    </message>
    <message>
        <source>It learns this only when it hears from the server. Until then, a checked token keeps it out.</source>
        <translation>它收到服务器的消息时才会得知。在此之前，受检查的令牌会把它挡在外面。</translation>
    </message>
    <message>
        <source>It is frozen: it takes no step and sends no heartbeat. If this lasts longer than its timeout, the server ends its session.</source>
        <translation>它被冻结：不走任何一步，也不发送心跳。如果持续时间超过会话超时，服务器会结束其会话。</translation>
    </message>
    <message>
        <source>It lost contact with ZooKeeper and cannot know whether its node is still there.</source>
        <translation>它与 ZooKeeper 失去联系，无法知道自己的节点是否还在。</translation>
    </message>
    <message>
        <source>%1 believes that it waits, but the server no longer has its node.</source>
        <translation>%1 以为自己在等待；服务器上已没有它的节点。</translation>
    </message>
    <message>
        <source>The server does not answer: nothing happens until it does.</source>
        <translation>服务器没有响应：在它恢复之前，一切都停着。</translation>
    </message>
    <message>
        <source>It watches the list of leases: every change wakes it.</source>
        <translation>它监视租约的列表：每次变化都会唤醒它。</translation>
    </message>
    <message>
        <source>Once it has this lock, it asks for the next one; it enters when it has them all.</source>
        <translation>拿到这把锁后，它请求下一把；全部拿到才能进入。</translation>
    </message>
    <message>
        <source>Node %1 of %2 is first in the server&apos;s queue: it is entitled to the lock.</source>
        <translation>%2 的节点 %1 排在最前：按服务器的队列有资格持有。</translation>
    </message>
    <message>
        <source>Node %1 of %2 is in the queue.</source>
        <translation>%2 的节点 %1 在队列中。</translation>
    </message>
    <message>
        <source>%1 has no node in the queue.</source>
        <translation>%1 在队列中没有节点。</translation>
    </message>
    <message>
        <source>All clients that watch it are woken then and try to create it; one of them succeeds.</source>
        <translation>届时所有监视它的客户端都被唤醒并尝试创建；其中一个会成功。</translation>
    </message>
    <message>
        <source>Every change wakes all waiting clients: each lists again and holds if no earlier request blocks it.</source>
        <translation>每次变化都唤醒所有等待者：各自再次列出节点，无人阻挡者即持有。</translation>
    </message>
    <message>
        <source>A reader waits for writers only: when woken, it lists again and ignores other readers.</source>
        <translation>读者只等待写者：被唤醒后再次列出节点，并越过其他读者。</translation>
    </message>
    <message>
        <source>A writer waits for all nodes in front of it: when woken, it lists again.</source>
        <translation>写者等待前面的所有节点：被唤醒后再次列出节点。</translation>
    </message>
    <message>
        <source>When woken, it lists again and holds if it is first.</source>
        <translation>被唤醒后再次列出节点，排在第一就持有。</translation>
    </message>
    <message>
        <source>Its session ended, or the node was deleted. It will notice when it hears from the server.</source>
        <translation>它的会话已结束，或节点被删除。收到服务器的消息后它才会知道。</translation>
    </message>
    <message>
        <source>When it returns the lease, the first client at the entrance can take it.</source>
        <translation>它归还租约时，入口第一位可以取走。</translation>
    </message>
    <message>
        <source>No client watches its node at the moment.</source>
        <translation>目前无人监视它的节点。</translation>
    </message>
    <message>
        <source>The run starts.</source>
        <translation>运行启动。</translation>
    </message>
    <message>
        <source>The run is in progress.</source>
        <translation>运行进行中。</translation>
    </message>
    <message>
        <source>The run is paused.</source>
        <translation>运行已暂停。</translation>
    </message>
    <message>
        <source>No client takes its next step; sessions are kept alive.</source>
        <translation>客户端都不走下一步；会话保持存活。</translation>
    </message>
    <message>
        <source>The run is over.</source>
        <translation>运行已结束。</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>运行失败。</translation>
    </message>
    <message>
        <source>ZooKeeper is starting.</source>
        <translation>ZooKeeper 正在启动。</translation>
    </message>
    <message>
        <source>ZooKeeper %1 answers at %2.</source>
        <translation>ZooKeeper %1 在 %2 应答。</translation>
    </message>
    <message>
        <source>ZooKeeper at %1 does not answer.</source>
        <translation>%1 处的 ZooKeeper 没有应答。</translation>
    </message>
    <message>
        <source>Sessions are suspended: no client can know whether it still holds.</source>
        <translation>会话处于挂起状态：没有客户端能知道自己是否仍然持有。</translation>
    </message>
    <message>
        <source>ZooKeeper was stopped.</source>
        <translation>ZooKeeper 已停止。</translation>
    </message>
    <message>
        <source>This lock has one node, which is created and deleted below %1.</source>
        <translation>这把锁只有一个节点，它在 %1 之下创建和删除。</translation>
    </message>
    <message>
        <source>The children of %1 are the leases that are out.</source>
        <translation>%1 的子节点就是已发出的租约。</translation>
    </message>
    <message>
        <source>The children of %1 are the queue of this lock.</source>
        <translation>%1 的子节点就是这把锁的队列。</translation>
    </message>
    <message>
        <source>The child with the lowest number holds it; the others wait in order.</source>
        <translation>编号最小的子节点持有锁；其余按顺序等待。</translation>
    </message>
    <message>
        <source>%1 joins the run.</source>
        <translation>%1 加入运行。</translation>
    </message>
    <message>
        <source>It first opens a ZooKeeper session of its own.</source>
        <translation>它先打开自己的 ZooKeeper 会话。</translation>
    </message>
    <message>
        <source>What if %1&apos;s session is killed?</source>
        <translation>如果终止 %1 的会话会怎样？</translation>
    </message>
    <message>
        <source>The server deletes its nodes at once; %1 learns of it only later.</source>
        <translation>服务器立即删除其节点；%1 稍后才会得知。</translation>
    </message>
    <message>
        <source>What if the holder&apos;s session is killed? It is %1.</source>
        <translation>如果终止持有者的会话会怎样？持有者是 %1。</translation>
    </message>
    <message>
        <source>The server deletes its node at once, and the next in the queue is woken.</source>
        <translation>服务器立即删除其节点，队列中的下一个被唤醒。</translation>
    </message>
    <message>
        <source>What if %1 freezes? It takes no step and sends no heartbeat.</source>
        <translation>如果 %1 冻结会怎样？它不走任何一步，也不发送心跳。</translation>
    </message>
    <message>
        <source>If that lasts longer than its timeout, the server ends its session.</source>
        <translation>如果持续时间超过会话超时，服务器会结束其会话。</translation>
    </message>
    <message>
        <source>%1 continues from where it was frozen.</source>
        <translation>%1 从冻结处继续。</translation>
    </message>
    <message>
        <source>It may still rely on something that has changed meanwhile.</source>
        <translation>它可能仍依赖此间已经改变的情况。</translation>
    </message>
    <message>
        <source>Command: %1.</source>
        <translation>命令：%1。</translation>
    </message>
    <message>
        <source>Command: %1, %2.</source>
        <translation>命令：%1，%2。</translation>
    </message>
    <message>
        <source>The command was refused: %1.</source>
        <translation>命令被拒绝：%1。</translation>
    </message>
    <message>
        <source>Every step is taken at once: full speed.</source>
        <translation>每一步都立即执行：全速。</translation>
    </message>
    <message>
        <source>Every protocol step now waits %1 first.</source>
        <translation>现在每个协议步骤之前都先等待 %1。</translation>
    </message>
    <message>
        <source>The steps and their order stay as they are; only the time between them grows.</source>
        <translation>步骤及其顺序不变；变长的只是步骤之间的时间。</translation>
    </message>
    <message>
        <source>A notice without text.</source>
        <translation>一条没有文字的通知。</translation>
    </message>
    <message>
        <source>session %1 %2</source>
        <translation>会话 %1 %2</translation>
    </message>
    <message>
        <source>%1 is connected: session %2, timeout %3.</source>
        <translation>%1 已连接：会话 %2，超时 %3。</translation>
    </message>
    <message>
        <source>Its nodes live as long as this session does.</source>
        <translation>其节点与该会话共存亡。</translation>
    </message>
    <message>
        <source>%1 lost contact with ZooKeeper.</source>
        <translation>%1 与 ZooKeeper 失去联系。</translation>
    </message>
    <message>
        <source>Its session may still live until the timeout, so %1 cannot know whether its node is still there.</source>
        <translation>它的会话可能存活到超时为止，因此 %1 无法知道自己的节点是否还在。</translation>
    </message>
    <message>
        <source>%1 knows now that its session is lost.</source>
        <translation>%1 现在知道自己的会话已丢失。</translation>
    </message>
    <message>
        <source>It has lost all locks that it held or waited for; it needs a new session.</source>
        <translation>它持有或等待的锁都已失去；它需要新的会话。</translation>
    </message>
    <message>
        <source>%1 closed its session.</source>
        <translation>%1 关闭了自己的会话。</translation>
    </message>
    <message>
        <source>The server deletes its nodes at once.</source>
        <translation>服务器立即删除其节点。</translation>
    </message>
    <message>
        <source>session %1 ended, its nodes were deleted</source>
        <translation>会话 %1 已结束，其节点已删除</translation>
    </message>
    <message>
        <source>ended</source>
        <extracomment>of a session</extracomment>
        <translation>已结束</translation>
    </message>
    <message>
        <source>The server ended %1&apos;s session %2 and deleted its node.</source>
        <translation>服务器结束了 %1 的会话 %2，并删除了其节点。</translation>
    </message>
    <message>
        <source>%1 does not know this yet: it still believes that it holds the lock.</source>
        <translation>%1 还没有得知：它仍以为自己持有锁。</translation>
    </message>
    <message>
        <source>The server ended session %1.</source>
        <translation>服务器结束了会话 %1。</translation>
    </message>
    <message>
        <source>The server ended %1&apos;s session %2.</source>
        <translation>服务器结束了 %1 的会话 %2。</translation>
    </message>
    <message>
        <source>Its ephemeral nodes were deleted with it.</source>
        <translation>它的临时节点也随之删除。</translation>
    </message>
    <message>
        <source>%1 does not need the lock for a moment.</source>
        <translation>%1 暂时不需要锁。</translation>
    </message>
    <message>
        <source>%1 works on something else for %2.</source>
        <translation>%1 先做 %2 别的事。</translation>
    </message>
    <message>
        <source>It does not need the lock, so it has no node in the queue.</source>
        <translation>它不需要锁，所以在队列中没有节点。</translation>
    </message>
    <message>
        <source>token %1 refused by the resource</source>
        <translation>令牌 %1 被资源拒绝</translation>
    </message>
    <message>
        <source>two in the protected section at once</source>
        <translation>两个客户端同时在临界区内</translation>
    </message>
    <message>
        <source>%1 uses the protected resource with token %2.</source>
        <translation>%1 用令牌 %2 使用受保护的资源。</translation>
    </message>
    <message>
        <source>The resource remembers the highest token it has seen.</source>
        <translation>资源记住它见过的最大令牌。</translation>
    </message>
    <message>
        <source>%1 is done with the protected resource.</source>
        <translation>%1 已用完受保护的资源。</translation>
    </message>
    <message>
        <source>%1 uses the resource while another client uses it too.</source>
        <translation>%1 正在使用资源，而此时另一个客户端也在使用。</translation>
    </message>
    <message>
        <source>Two clients believed they held. A lock alone cannot prevent that; a checked token can.</source>
        <translation>两个客户端都以为自己持有。单靠锁无法防止；经过检查的令牌可以。</translation>
    </message>
    <message>
        <source>The resource refused %1: its token %2 is out of date.</source>
        <translation>资源拒绝了 %1：它的令牌 %2 已过时。</translation>
    </message>
    <message>
        <source>A later holder has already used a higher token, so no harm was done.</source>
        <translation>后来的持有者已使用了更大的令牌，因此没有造成损害。</translation>
    </message>
    <message>
        <source>Server %1 is starting.</source>
        <translation>服务器 %1 正在启动。</translation>
    </message>
    <message>
        <source>Server %1 answers.</source>
        <translation>服务器 %1 有应答。</translation>
    </message>
    <message>
        <source>Server %1 answers; it is the %2.</source>
        <translation>服务器 %1 有应答；它是 %2。</translation>
    </message>
    <message>
        <source>Every write goes through the leader and is committed when a majority of the servers has stored it.</source>
        <translation>每次写入都经过领导者，多数服务器保存后才算提交。</translation>
    </message>
    <message>
        <source>Server %1 does not answer.</source>
        <translation>服务器 %1 没有应答。</translation>
    </message>
    <message>
        <source>The locks keep working while a majority of the servers runs.</source>
        <translation>只要多数服务器仍在运行，锁就继续工作。</translation>
    </message>
    <message>
        <source>Server %1 was stopped.</source>
        <translation>服务器 %1 已停止。</translation>
    </message>
    <message>
        <source>Each holder has a node of its own; any further client waits.</source>
        <translation>每个持有者都有自己的节点；超出数目的客户端要等待。</translation>
    </message>
    <message>
        <source>%1&apos;s connection to ZooKeeper works again.</source>
        <translation>%1 到 ZooKeeper 的连接恢复正常。</translation>
    </message>
    <message>
        <source>%1&apos;s connection to ZooKeeper: %2.</source>
        <translation>%1 到 ZooKeeper 的连接：%2。</translation>
    </message>
    <message>
        <source>Neither side knows why the other is silent.</source>
        <translation>双方都不知道对方为什么沉默。</translation>
    </message>
    <message>
        <source>%1 is stopped.</source>
        <translation>%1 已停住。</translation>
    </message>
    <message>
        <source>step: %1</source>
        <translation>一步：%1</translation>
    </message>
    <message>
        <source>%1 continues: it %2.</source>
        <translation>%1 继续：它%2。</translation>
    </message>
    <message>
        <source>%1 continues.</source>
        <translation>%1 继续。</translation>
    </message>
    <message>
        <source>%1 writes: %2 %3.</source>
        <translation>%1 写入：%2 %3。</translation>
    </message>
    <message>
        <source>That is wrong: %1.</source>
        <translation>这不正确：%1。</translation>
    </message>
    <message>
        <source>acquire</source>
        <extracomment>in the log, a verb: a client asks for the lock</extracomment>
        <translation>获取</translation>
    </message>
    <message>
        <source>acquire, at most %1</source>
        <translation>获取，最多 %1</translation>
    </message>
    <message>
        <source>%1 asks for the lock that it holds already.</source>
        <translation>%1 请求它已经持有的锁。</translation>
    </message>
    <message>
        <source>It may enter again: only its own count will go up.</source>
        <translation>它可以重入：只有它自己的计数会增加。</translation>
    </message>
    <message>
        <source>%1 asks for the lock.</source>
        <translation>%1 请求锁。</translation>
    </message>
    <message>
        <source>%1 It gives up after %2.</source>
        <translation>%1它在 %2 后放弃。</translation>
    </message>
    <message>
        <source>first of %1</source>
        <translation>%1 个中的第一个</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 个，共 %2 个</translation>
    </message>
    <message>
        <source>%1 of %2, behind %3</source>
        <translation>第 %1 个，共 %2 个，在 %3 之后</translation>
    </message>
    <message>
        <source>behind %1</source>
        <translation>在 %1 之后</translation>
    </message>
    <message>
        <source>Too few leases are left, so %1 has to wait.</source>
        <translation>剩下的租约不够，%1 必须等待。</translation>
    </message>
    <message>
        <source>It watches the list of leases, not one of them: any may come back.</source>
        <translation>它监视租约列表而非其中某一个：任何一个都可能归还。</translation>
    </message>
    <message>
        <source>It watches the whole list: every change wakes it and all other waiters.</source>
        <translation>它监视整个列表：每次变化都会唤醒它和其他所有等待者。</translation>
    </message>
    <message>
        <source>It will watch %1, which is directly in front of its own %2.</source>
        <translation>它将监视 %1，即紧排在自己的 %2 前面的那个。</translation>
    </message>
    <message>
        <source>It will watch %1, a writer: other readers do not matter to it.</source>
        <translation>它将监视写者节点 %1：其他读者与它无关。</translation>
    </message>
    <message>
        <source>It will watch only %1, directly in front of it: when that node is deleted, no other client has to wake up.</source>
        <translation>它只监视紧排在前面的 %1：该节点被删除时，其他客户端都不必醒来。</translation>
    </message>
    <message>
        <source>%1 is still in front, so %2 has to wait.</source>
        <translation>%1 仍在前面，因此 %2 必须等待。</translation>
    </message>
    <message>
        <source>%1 writers are in front of %2&apos;s %3, so it has to wait.</source>
        <translation>%2 的 %3 前面有 %1 个写者，因此它必须等待。</translation>
    </message>
    <message>
        <source>%1 nodes are in front of %2&apos;s %3, so it has to wait.</source>
        <translation>%2 的 %3 前面有 %1 个节点，因此它必须等待。</translation>
    </message>
    <message>
        <source>acquired, token %1</source>
        <translation>已获取，令牌 %1</translation>
    </message>
    <message>
        <source>acquired</source>
        <extracomment>short for &quot;acquired, token 0x1f3&quot;: a client has got the lock
----------
a moment of a handoff: the next client has the lock</extracomment>
        <translation>已获取</translation>
    </message>
    <message>
        <source>%1 has a lease: its node %2.</source>
        <translation>%1 得到了租约：它的节点 %2。</translation>
    </message>
    <message>
        <source>%1 is first at the entrance with node %2.</source>
        <translation>%1 凭节点 %2 排在入口第一位。</translation>
    </message>
    <message>
        <source>It can look for a lease now; no other client does meanwhile.</source>
        <translation>它现在可以查看租约；期间没有别人查看。</translation>
    </message>
    <message>
        <source>%1 holds the lock to read: no writer is in front of its node %2.</source>
        <translation>%1 持有读锁：它的节点 %2 前面没有写者。</translation>
    </message>
    <message>
        <source>Its fencing token is %1; every later writer&apos;s is higher.</source>
        <translation>它的防护令牌是 %1；以后每个写者的都更大。</translation>
    </message>
    <message>
        <source>%1 holds the lock: it created the one node.</source>
        <translation>%1 持有锁：它创建了那唯一的节点。</translation>
    </message>
    <message>
        <source>%1 holds the lock: its node %2 is first.</source>
        <translation>%1 持有锁：它的节点 %2 排在第一位。</translation>
    </message>
    <message>
        <source>Its fencing token is %1; every later holder&apos;s is higher.</source>
        <translation>它的防护令牌是 %1；以后每个持有者的都更大。</translation>
    </message>
    <message>
        <source>entered again, ×%1</source>
        <translation>重入，×%1</translation>
    </message>
    <message>
        <source>%1 took the lock again: depth %2.</source>
        <translation>%1 再次获取锁：重入深度 %2。</translation>
    </message>
    <message>
        <source>Only the client counts this; ZooKeeper is not notified. The client must release as often.</source>
        <translation>只有客户端自己计数；ZooKeeper 得不到通知。客户端必须释放同样多次。</translation>
    </message>
    <message>
        <source>not acquired: %1</source>
        <translation>未获取：%1</translation>
    </message>
    <message>
        <source>%1 reached its time limit and gave up.</source>
        <translation>%1 到了自己的时限，放弃了。</translation>
    </message>
    <message>
        <source>It deletes its node; the client that watched that node lists again.</source>
        <translation>它删除自己的节点；监视该节点的客户端会重新查看。</translation>
    </message>
    <message>
        <source>%1 was asked to stop waiting.</source>
        <translation>%1 被告知停止等待。</translation>
    </message>
    <message>
        <source>It deletes its node, so that no client waits for it.</source>
        <translation>它删除自己的节点，以免有人等它。</translation>
    </message>
    <message>
        <source>%1 cannot get the lock: its session is lost.</source>
        <translation>%1 无法获得锁：它的会话已丢失。</translation>
    </message>
    <message>
        <source>Its node and its place in the queue were lost with the session.</source>
        <translation>它的节点和在队列中的位置都随会话一起失去。</translation>
    </message>
    <message>
        <source>%1 gave up after its retries.</source>
        <translation>%1 在多次重试后放弃。</translation>
    </message>
    <message>
        <source>%1 failed to get the lock.</source>
        <translation>%1 未能获得锁。</translation>
    </message>
    <message>
        <source>starts over: %1</source>
        <translation>重新开始：%1</translation>
    </message>
    <message>
        <source>starts over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>%1 starts over with a new node.</source>
        <translation>%1 用新节点重新开始。</translation>
    </message>
    <message>
        <source>%1 starts over: its node %2 is not in the list.</source>
        <translation>%1 重新开始：它的节点 %2 不在列表中。</translation>
    </message>
    <message>
        <source>A new node goes to the end of the queue.</source>
        <translation>新节点排到队尾。</translation>
    </message>
    <message>
        <source>release, from ×%1</source>
        <translation>释放，当前 ×%1</translation>
    </message>
    <message>
        <source>%1 gives back one of %2 levels and still holds.</source>
        <translation>%1 退还 %2 层中的一层，仍然持有。</translation>
    </message>
    <message>
        <source>Only the last release deletes the node.</source>
        <translation>只有最后一次释放才会删除节点。</translation>
    </message>
    <message>
        <source>That wakes all clients that watch the node; one of them will acquire the lock.</source>
        <translation>这会唤醒所有监视该节点的客户端；其中一个会得到锁。</translation>
    </message>
    <message>
        <source>That changes the list and wakes all clients that watch it.</source>
        <translation>这会改变列表，并唤醒所有监视者。</translation>
    </message>
    <message>
        <source>That changes the list of leases, which the first client at the entrance watches.</source>
        <translation>这会改变租约列表，入口第一位正监视着它。</translation>
    </message>
    <message>
        <source>That fires the watches of the clients that wait for this node: several readers, or a writer.</source>
        <translation>这会触发等待该节点的客户端的监视：若干读者，或一个写者。</translation>
    </message>
    <message>
        <source>The next client at the entrance is woken and looks for a lease.</source>
        <translation>入口的下一个客户端被唤醒并查看租约。</translation>
    </message>
    <message>
        <source>That fires the watch of the one client directly behind it.</source>
        <translation>这会触发紧跟其后的那个客户端的监视。</translation>
    </message>
    <message>
        <source>%1 gives its lease back: it deletes its node %2.</source>
        <translation>%1 归还租约：它删除自己的节点 %2。</translation>
    </message>
    <message>
        <source>%1 leaves the entrance: it deletes its node %2.</source>
        <translation>%1 离开入口：它删除自己的节点 %2。</translation>
    </message>
    <message>
        <source>%1 releases the lock: it deletes its node %2.</source>
        <translation>%1 释放锁：删除自己的节点 %2。</translation>
    </message>
    <message>
        <source>released to ×%1</source>
        <translation>已释放，剩 ×%1</translation>
    </message>
    <message>
        <source>released</source>
        <extracomment>in the log: a client has released the lock</extracomment>
        <translation>已释放</translation>
    </message>
    <message>
        <source>%1 still holds the lock, at depth %2.</source>
        <translation>%1 仍持有锁，重入深度 %2。</translation>
    </message>
    <message>
        <source>%1 has released: the server confirmed that %2 is deleted.</source>
        <translation>%1 已释放：服务器确认 %2 已删除。</translation>
    </message>
    <message>
        <source>The release took effect with the delete, not with this reply.</source>
        <translation>释放在删除的那一刻就已生效，而不是在收到此回复时。</translation>
    </message>
    <message>
        <source>lost the lock: %1</source>
        <translation>失去锁：%1</translation>
    </message>
    <message>
        <source>lost the lock</source>
        <translation>失去锁</translation>
    </message>
    <message>
        <source>It still believed that it held for %1 after the server had deleted its node.</source>
        <translation>服务器删除其节点后，它仍以为自己持有了 %1。</translation>
    </message>
    <message>
        <source>Until now it believed that it held; a checked token keeps such a client out.</source>
        <translation>在此之前它一直以为自己持有；经过检查的令牌能把这样的客户端挡在外面。</translation>
    </message>
    <message>
        <source>%1 learned that it does not hold any more: its session expired.</source>
        <translation>%1 得知自己不再持有：会话已过期。</translation>
    </message>
    <message>
        <source>%1 learned that it does not hold any more: its session was killed.</source>
        <translation>%1 得知自己不再持有：会话被终止。</translation>
    </message>
    <message>
        <source>%1 gave up its hold: it heard nothing from ZooKeeper for a whole timeout.</source>
        <translation>%1 放弃了持有：整个超时时间内没有收到 ZooKeeper 的任何消息。</translation>
    </message>
    <message>
        <source>It cannot know whether its node is still there, so it must not continue.</source>
        <translation>它无法知道自己的节点是否还在，因此不能继续。</translation>
    </message>
    <message>
        <source>%1 no longer holds the lock: its node %2 was deleted.</source>
        <translation>%1 不再持有锁：它的节点 %2 已被删除。</translation>
    </message>
    <message>
        <source>%1 does not hold any more: its session was closed.</source>
        <translation>%1 不再持有：它的会话已关闭。</translation>
    </message>
    <message>
        <source>(its own node)</source>
        <translation>（自己的节点）</translation>
    </message>
    <message>
        <source>(sent together)</source>
        <translation>（一起发出）</translation>
    </message>
    <message>
        <source>%1 (its own node)</source>
        <translation>%1（自己的节点）</translation>
    </message>
    <message>
        <source>%1 + watch: own</source>
        <translation>%1 + watch：自己</translation>
    </message>
    <message>
        <source>%1 tries to create the one node: ephemeral, without a number.</source>
        <translation>%1 尝试创建那唯一的节点：临时节点，不带编号。</translation>
    </message>
    <message>
        <source>Only one create can succeed, and the client that sent it holds the lock.</source>
        <translation>只有一个创建会成功：谁成功，谁就持有锁。</translation>
    </message>
    <message>
        <source>%1 asks for a node of its own: create, ephemeral and sequential.</source>
        <translation>%1 请求一个自己的节点：create，临时顺序节点。</translation>
    </message>
    <message>
        <source>The server picks the number, so the order is the server&apos;s.</source>
        <translation>编号由服务器分配，因此顺序以服务器为准。</translation>
    </message>
    <message>
        <source>%1 sends the delete of its node %2.</source>
        <translation>%1 发出对自己节点 %2 的删除请求。</translation>
    </message>
    <message>
        <source>The release takes effect when the server deletes the node, before %1 gets the reply.</source>
        <translation>服务器删除节点时释放即生效，早于 %1 收到回复。</translation>
    </message>
    <message>
        <source>%1 asks for the list of all nodes.</source>
        <translation>%1 请求所有节点的列表。</translation>
    </message>
    <message>
        <source>With a watch on the whole list: it is notified of the next change.</source>
        <translation>并监视整个列表：下一次变化会通知它。</translation>
    </message>
    <message>
        <source>Sent together with the create: the server answers in order, so one round trip is saved.</source>
        <translation>与 create 一起发出：服务器按顺序应答，因此省去一次往返。</translation>
    </message>
    <message>
        <source>Without a watch: it wants to know its place, not every change.</source>
        <translation>不设监视：它想知道自己的位置，而不是每次变化。</translation>
    </message>
    <message>
        <source>%1 reads node %2.</source>
        <translation>%1 读取节点 %2。</translation>
    </message>
    <message>
        <source>%1 sets a watch on its own node %2.</source>
        <translation>%1 监视自己的节点 %2。</translation>
    </message>
    <message>
        <source>It will be notified if the node is deleted while it holds.</source>
        <translation>若该节点在持有期间被删除，它会得到通知。</translation>
    </message>
    <message>
        <source>%1 sets a watch on %2, a writer in front.</source>
        <translation>%1 监视前面的写者节点 %2。</translation>
    </message>
    <message>
        <source>%1 sets a watch on %2, the node in front.</source>
        <translation>%1 监视前一个节点 %2。</translation>
    </message>
    <message>
        <source>getData, not exists: if the node is gone already, no stray watch is left behind.</source>
        <translation>用 getData 而不是 exists：如果节点已经不在，就不会留下多余的监视。</translation>
    </message>
    <message>
        <source>%1 writes into its node that it holds.</source>
        <translation>%1 在自己的节点里写明它持有锁。</translation>
    </message>
    <message>
        <source>%1 writes to node %2.</source>
        <translation>%1 写入节点 %2。</translation>
    </message>
    <message>
        <source>Its successor reads this during the hold, and need not list again after it.</source>
        <translation>它的后继者在持有期间读到这一内容，之后无须再次列出。</translation>
    </message>
    <message>
        <source>%1 asks whether node %2 exists.</source>
        <translation>%1 询问节点 %2 是否存在。</translation>
    </message>
    <message>
        <source>With a watch, which stays even if the node does not exist.</source>
        <translation>带监视；即使节点不存在，监视也会保留。</translation>
    </message>
    <message>
        <source>%1 asks its server to catch up.</source>
        <translation>%1 请求它的服务器追上最新状态。</translation>
    </message>
    <message>
        <source>What it reads next is not older than this moment.</source>
        <translation>它接下来读到的内容不会早于此刻。</translation>
    </message>
    <message>
        <source>created %1</source>
        <translation>已创建 %1</translation>
    </message>
    <message>
        <source>The one node was deleted before %1 could see it.</source>
        <translation>那唯一的节点在 %1 看到之前就被删除了。</translation>
    </message>
    <message>
        <source>%1 does not sleep: it tries again to create it.</source>
        <translation>%1 不休眠：它再次尝试创建。</translation>
    </message>
    <message>
        <source>Node %1 was just deleted; %2&apos;s watch on it stays behind.</source>
        <translation>节点 %1 刚被删除；%2 对它的监视遗留了下来。</translation>
    </message>
    <message>
        <source>%1 does not sleep: it lists the nodes again.</source>
        <translation>%1 不休眠：它再次列出节点。</translation>
    </message>
    <message>
        <source>Node %1 was deleted before %2 could watch it.</source>
        <translation>%2 还没来得及监视，节点 %1 就被删除了。</translation>
    </message>
    <message>
        <source>%1&apos;s node %2 was already deleted.</source>
        <translation>%1 的节点 %2 已被删除。</translation>
    </message>
    <message>
        <source>There is nothing left to delete.</source>
        <translation>没有可删除的了。</translation>
    </message>
    <message>
        <source>%1 could not create its node: the lock&apos;s path does not exist yet.</source>
        <translation>%1 无法创建节点：锁的路径还不存在。</translation>
    </message>
    <message>
        <source>It creates the path as a container and tries again.</source>
        <translation>它把该路径创建为容器节点，然后重试。</translation>
    </message>
    <message>
        <source>The server replied to %1 that there is no such node.</source>
        <translation>服务器回复 %1：没有这个节点。</translation>
    </message>
    <message>
        <source>%1 could not create the node: another client has created it.</source>
        <translation>%1 无法创建节点：另一个客户端已创建它。</translation>
    </message>
    <message>
        <source>It will watch that node, as all waiting clients do.</source>
        <translation>它将像所有等待者一样监视该节点。</translation>
    </message>
    <message>
        <source>The server replied to %1 that the node exists already.</source>
        <translation>服务器回复 %1：该节点已经存在。</translation>
    </message>
    <message>
        <source>The server refused %1&apos;s %2.</source>
        <translation>服务器拒绝了 %1 的 %2。</translation>
    </message>
    <message>
        <source>The request had no effect.</source>
        <translation>该请求没有生效。</translation>
    </message>
    <message>
        <source>The reply to %1&apos;s %2 was lost: the request may or may not have taken effect.</source>
        <translation>%1 的 %2 的回复丢失了：请求可能已生效，也可能没有。</translation>
    </message>
    <message>
        <source>%1 looks for a node with its own _c_ id before it creates another.</source>
        <translation>%1 在再创建节点之前，先查找带有自己 _c_ 标识的节点。</translation>
    </message>
    <message>
        <source>%1 has to find out before it continues.</source>
        <translation>%1 必须先弄清楚才能继续。</translation>
    </message>
    <message>
        <source>%1&apos;s %2 failed: the session has ended.</source>
        <translation>%1 的 %2 失败：会话已结束。</translation>
    </message>
    <message>
        <source>Its nodes were deleted with the session.</source>
        <translation>其节点已随会话一起删除。</translation>
    </message>
    <message>
        <source>%1&apos;s own node %2 was deleted.</source>
        <translation>%1 自己的节点 %2 被删除了。</translation>
    </message>
    <message>
        <source>Its place in the queue was lost with it.</source>
        <translation>它在队列中的位置也随之失去。</translation>
    </message>
    <message>
        <source>%1 was notified that node %2 changed.</source>
        <translation>%1 收到通知：节点 %2 发生了变化。</translation>
    </message>
    <message>
        <source>%1 announces that it holds; %2 reads that and sets its watch again.</source>
        <translation>%1 宣告自己持有；%2 读到后重新设置监视。</translation>
    </message>
    <message>
        <source>A watch fires once; %1 has to set it again.</source>
        <translation>监视只触发一次；%1 必须重新设置。</translation>
    </message>
    <message>
        <source>%1 was notified that node %2 exists now.</source>
        <translation>%1 收到通知：节点 %2 现在存在了。</translation>
    </message>
    <message>
        <source>%1 was notified that the list of nodes changed.</source>
        <translation>%1 收到通知：节点列表发生了变化。</translation>
    </message>
    <message>
        <source>It reads the list of leases again.</source>
        <translation>它再次读取租约列表。</translation>
    </message>
    <message>
        <source>This wakes all clients that watch the list.</source>
        <translation>所有监视该列表的客户端都会因此被唤醒。</translation>
    </message>
    <message>
        <source>queued with %1</source>
        <translation>以 %1 进入队列</translation>
    </message>
    <message>
        <source>foreign node %1</source>
        <translation>外来节点 %1</translation>
    </message>
    <message>
        <source>The server has node %1: %2, %3.</source>
        <translation>服务器上有节点 %1：%2，%3。</translation>
    </message>
    <message>
        <source>The server has node %1.</source>
        <translation>服务器上有节点 %1。</translation>
    </message>
    <message>
        <source>Read by the observer, which takes no part in the lock.</source>
        <translation>由观察会话读取，它不参与锁。</translation>
    </message>
    <message>
        <source>The server has a node that is not of this run: %1.</source>
        <translation>服务器上有一个不属于本次运行的节点：%1。</translation>
    </message>
    <message>
        <source>Curator counts every child, so it counts in the queue.</source>
        <translation>Curator 计入每个子节点，因此它也计入队列。</translation>
    </message>
    <message>
        <source>The server has node %1, of session %2.</source>
        <translation>服务器上有节点 %1，属于会话 %2。</translation>
    </message>
    <message>
        <source>The server has node %1 of %2, session %3.</source>
        <translation>服务器上有 %2 的节点 %1，会话 %3。</translation>
    </message>
    <message>
        <source>The server does not have node %1 any more.</source>
        <translation>服务器上已没有节点 %1。</translation>
    </message>
    <message>
        <source>This agrees with the events before it.</source>
        <translation>这与此前的事件一致。</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 不存在</translation>
    </message>
    <message>
        <source>%1 is a folder of %2 locks</source>
        <translation>%1 是含 %2 把锁的目录</translation>
    </message>
    <message>
        <source>%1 exists</source>
        <translation>%1 存在</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>The server sends a notification when it is created.</source>
        <translation>它被创建时服务器会通知。</translation>
    </message>
    <message>
        <source>%1 is a folder: %2 of its %3 children are locks.</source>
        <translation>%1 是一个目录：其 %3 个子节点中有 %2 个是锁。</translation>
    </message>
    <message>
        <source>Its children are not a queue.</source>
        <translation>它的子节点不是队列。</translation>
    </message>
    <message>
        <source>%1 exists.</source>
        <translation>%1 存在。</translation>
    </message>
    <message>
        <source>Its children are read, and read again after every change.</source>
        <translation>会读取它的子节点，并在每次变化后重新读取。</translation>
    </message>
    <message>
        <source>The server&apos;s table has a watch on node %1, of session %2.</source>
        <translation>服务器的表中有会话 %2 对节点 %1 的监视。</translation>
    </message>
    <message>
        <source>The servers are asked for all watches by path (wchp).</source>
        <translation>按路径向各服务器询问所有监视（wchp）。</translation>
    </message>
    <message>
        <source>The server&apos;s table does not have the watch on node %1 of session %2 any more.</source>
        <translation>服务器的表中不再有会话 %2 对节点 %1 的监视。</translation>
    </message>
    <message>
        <source>A watch is removed when it fires or when its connection ends.</source>
        <translation>监视触发或其连接断开时即被移除。</translation>
    </message>
    <message>
        <source>The server does not show its watches.</source>
        <translation>服务器不显示它的监视。</translation>
    </message>
    <message>
        <source>zk</source>
        <extracomment>short for ZooKeeper, as the author of a line of the log</extracomment>
        <translation>zk</translation>
    </message>
    <message>
        <source>you</source>
        <extracomment>the user of this program, as the author of a line of the log</extracomment>
        <translation>你</translation>
    </message>
    <message>
        <source>%1 are out, and %2 is one of them: %3 may take its lease.</source>
        <translation>已发出 %1 个租约，%2 是其中之一：%3 可以取得租约。</translation>
    </message>
    <message>
        <source>Only a limited number of leases may be out at once.</source>
        <translation>可同时发出的租约数量有限。</translation>
    </message>
    <message>
        <source>%1 is the first at the entrance, so %2 may look for a lease.</source>
        <translation>%1 排在入口第一位，因此 %2 可以查看租约。</translation>
    </message>
    <message>
        <source>Only one looks at a time, so the leases go out in order.</source>
        <translation>一次只有一个查看，因此租约按顺序发出。</translation>
    </message>
    <message>
        <source>No writer is in front of %1, so %2 may read.</source>
        <translation>%1 前面没有写者，因此 %2 可以读。</translation>
    </message>
    <message>
        <source>Readers hold together; a writer that comes later waits for them.</source>
        <translation>读者共同持有；后来的写者等待它们。</translation>
    </message>
    <message>
        <source>%1 is the first of %2 nodes, so %3 may take the lock.</source>
        <translation>%1 是 %2 个节点中的第一个，因此 %3 可以取得锁。</translation>
    </message>
    <message>
        <source>%1 is the only node, so %2 may take the lock.</source>
        <translation>%1 是唯一的节点，因此 %2 可以取得锁。</translation>
    </message>
    <message>
        <source>No node can get in front of it: later nodes get higher numbers.</source>
        <translation>没有谁能排到它前面：后来的节点编号更大。</translation>
    </message>
    <message>
        <source>%1 has its node: %2.</source>
        <translation>%1 有了自己的节点：%2。</translation>
    </message>
    <message>
        <source>Created by transaction %1, which will be its fencing token.</source>
        <translation>由事务 %1 创建，该事务号将作为它的防护令牌。</translation>
    </message>
    <message>
        <source>The server deleted %1&apos;s node %2.</source>
        <translation>服务器删除了 %1 的节点 %2。</translation>
    </message>
    <message>
        <source>The clients that watched it have been notified.</source>
        <translation>监视它的客户端都已收到通知。</translation>
    </message>
    <message>
        <source>It sorts them by their numbers and looks for its own.</source>
        <translation>它按编号排序，并查找自己的节点。</translation>
    </message>
    <message>
        <source>%1 is still in front, so %2 set a watch on it and sleeps.</source>
        <translation>%1 仍在前面，因此 %2 对它设了监视并休眠。</translation>
    </message>
    <message>
        <source>getData, not exists: no stray watch is left behind.</source>
        <translation>用 getData 而不是 exists：不会留下多余的监视。</translation>
    </message>
    <message>
        <source>%1 watches its own node %2.</source>
        <translation>%1 正监视自己的节点 %2。</translation>
    </message>
    <message>
        <source>%1 is still there; %2 has read it.</source>
        <translation>%1 仍在；%2 已读取它。</translation>
    </message>
    <message>
        <source>The server stored %1&apos;s announcement that it holds the lock.</source>
        <translation>服务器已保存 %1 的宣告：它持有锁。</translation>
    </message>
    <message>
        <source>The server wrote the data of node %1 for %2.</source>
        <translation>服务器为 %2 写入了节点 %1 的数据。</translation>
    </message>
    <message>
        <source>The one node is there, and %1 watches it.</source>
        <translation>那唯一的节点存在，%1 监视它。</translation>
    </message>
    <message>
        <source>When it is deleted, all clients that watch it are woken.</source>
        <translation>它被删除时，所有监视它的客户端都会被唤醒。</translation>
    </message>
    <message>
        <source>The server replied to %2 that node %1 exists.</source>
        <translation>服务器回复 %2：节点 %1 存在。</translation>
    </message>
    <message>
        <source>%1&apos;s server has caught up.</source>
        <translation>%1 的服务器已追上最新状态。</translation>
    </message>
    <message>
        <source>The one node was deleted: its watch woke %1.</source>
        <translation>那唯一的节点被删除了：其监视唤醒了 %1。</translation>
    </message>
    <message>
        <source>All other clients that watched it were woken too; each tries to create it.</source>
        <translation>其他监视者也都被唤醒；各自尝试创建它。</translation>
    </message>
    <message>
        <source>The writer in front of %1, %2, was deleted: its watch woke %1.</source>
        <translation>%1 前面的写者 %2 被删除了：其监视唤醒了 %1。</translation>
    </message>
    <message>
        <source>Another writer may be in front, so %1 lists again.</source>
        <translation>前面可能还有别的写者，因此 %1 再次列出节点。</translation>
    </message>
    <message>
        <source>The node in front of %1, %2, was deleted: its watch woke %1.</source>
        <translation>%1 前面的节点 %2 被删除了：其监视唤醒了 %1。</translation>
    </message>
    <message>
        <source>If the owner of node %1 had announced its hold, no node is left in front; if not, %2 lists again.</source>
        <translation>如果节点 %1 的所有者宣告过自己持有，前面就没有其他节点了；如果没有，%2 会再次列出。</translation>
    </message>
    <message>
        <source>%1 may have been a waiter that gave up, so %2 lists again and holds only if it is first.</source>
        <translation>%1 可能是一个放弃的等待者，因此 %2 会再次列出，排在第一位时才持有。</translation>
    </message>
    <message numerus="yes">
        <source>From now on %Ln may hold at once.</source>
        <translation>
            <numerusform>从现在起，%Ln 个客户端可以同时持有。</numerusform>
        </translation>
    </message>
    <message>
        <source>It shares the session of its process.</source>
        <translation>它与所在进程共用会话。</translation>
    </message>
    <message>
        <source>connection works again</source>
        <translation>连接恢复正常</translation>
    </message>
    <message>
        <source>connection: %1</source>
        <translation>连接：%1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln children</source>
        <translation>
            <numerusform>%Ln 个子节点</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The observer read the whole list: %Ln nodes.</source>
        <translation>
            <numerusform>观察会话读取了整个列表：%Ln 个节点。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server&apos;s watch table was read: %Ln watches.</source>
        <translation>
            <numerusform>读了服务器的监视表：%Ln 个监视。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 got the list: %Ln nodes.</source>
        <translation>
            <numerusform>%1 拿到了列表：%Ln 个节点。</numerusform>
        </translation>
    </message>
    <message>
        <source>delete sent</source>
        <translation>已发送删除</translation>
    </message>
    <message>
        <source>delete committed</source>
        <translation>删除已提交</translation>
    </message>
    <message>
        <source>watch fired</source>
        <translation>监视触发</translation>
    </message>
    <message>
        <source>list sent</source>
        <translation>已发送列表请求</translation>
    </message>
    <message>
        <source>list answered</source>
        <translation>列表已返回</translation>
    </message>
    <message>
        <source>%1 → %2: %3</source>
        <translation>%1 → %2：%3</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1：%2 %3</translation>
    </message>
    <message>
        <source>The run was paused during this handoff: the latency figures leave it out.</source>
        <translation>这次交接期间运行暂停过：延迟统计不包括它。</translation>
    </message>
    <message>
        <source>releasing</source>
        <extracomment>a client&apos;s state: it deletes its node</extracomment>
        <translation>释放中</translation>
    </message>
    <message>
        <source>stale</source>
        <extracomment>a client&apos;s state: it believes that it holds the lock, and its node is gone</extracomment>
        <translation>误以为持有</translation>
    </message>
    <message>
        <source>neither waits nor holds</source>
        <translation>既不等待也不持有</translation>
    </message>
    <message>
        <source>releasing: waits for the answer to its release</source>
        <translation>释放中：等待释放请求的回复</translation>
    </message>
    <message>
        <source>suspended: no contact with the server</source>
        <translation>挂起：与服务器失去联系</translation>
    </message>
    <message>
        <source>frozen: reads and sends nothing</source>
        <translation>已冻结：不读取也不发送任何内容</translation>
    </message>
    <message>
        <source>believes it holds, but the server took the lock away</source>
        <translation>自以为持有，但服务器已收回锁</translation>
    </message>
    <message>
        <source>mutex</source>
        <extracomment>a recipe for locks</extracomment>
        <translation>互斥锁</translation>
    </message>
    <message>
        <source>read/write</source>
        <translation>读写锁</translation>
    </message>
    <message>
        <source>semaphore</source>
        <extracomment>a recipe for locks</extracomment>
        <translation>信号量</translation>
    </message>
    <message>
        <source>leader latch</source>
        <translation>领导者选举（latch）</translation>
    </message>
    <message>
        <source>kazoo lock</source>
        <translation>kazoo 锁</translation>
    </message>
    <message>
        <source>kazoo read/write</source>
        <translation>kazoo 读写锁</translation>
    </message>
    <message>
        <source>kazoo semaphore</source>
        <translation>kazoo 信号量</translation>
    </message>
    <message>
        <source>ZooKeeper C lock</source>
        <translation>ZooKeeper C 锁</translation>
    </message>
    <message>
        <source>single node</source>
        <translation>单一节点</translation>
    </message>
    <message>
        <source>sequential nodes</source>
        <translation>顺序节点</translation>
    </message>
    <message>
        <source>two naming schemes</source>
        <translation>两种命名方式</translation>
    </message>
    <message>
        <source>A gap: no transactions between %1 and %2.</source>
        <translation>空缺：%1 与 %2 之间没有事务。</translation>
    </message>
    <message>
        <source>At %1 the leader&apos;s clock went back by %2.</source>
        <translation>在 %1 处，领导者的时钟被调回了 %2。</translation>
    </message>
    <message>
        <source>The history continues from a snapshot.</source>
        <translation>之后从快照继续。</translation>
    </message>
    <message>
        <source>Unconfirmed: another leader followed, which may not have had the last transactions before the gap.</source>
        <translation>未经确认：之后换了领导者，它可能没有此前的最后几个事务。</translation>
    </message>
    <message>
        <source>The server&apos;s view only: a transaction log does not contain what clients believed. &quot;Entitled&quot; is the client that is first by the rule of the recipe.</source>
        <translation>仅为服务器一方的记录：事务日志中没有客户端当时的认知。“有资格持有”指按配方的规则排在最前。</translation>
    </message>
    <message>
        <source>one entitled at a time</source>
        <translation>同一时刻仅一个有资格持有</translation>
    </message>
    <message>
        <source>order kept</source>
        <translation>顺序得到保持</translation>
    </message>
    <message>
        <source>no holder&apos;s node until its session expired</source>
        <translation>没有持有者的节点一直留到会话过期</translation>
    </message>
    <message>
        <source>no delete by another session</source>
        <translation>没有被其他会话删除</translation>
    </message>
    <message>
        <source>sequence numbers not used up</source>
        <translation>序号未用尽</translation>
    </message>
    <message>
        <source>one naming scheme</source>
        <translation>只有一种命名方式</translation>
    </message>
    <message>
        <source>no herd</source>
        <translation>没有羊群效应</translation>
    </message>
    <message>
        <source>no lost wake-up</source>
        <translation>没有丢失的唤醒</translation>
    </message>
    <message>
        <source>tokens increase</source>
        <translation>令牌递增</translation>
    </message>
    <message>
        <source>belief matches server</source>
        <translation>认知与服务器一致</translation>
    </message>
    <message>
        <source>– %1: not checked, not recorded in a transaction log</source>
        <translation>– %1：未检查，事务日志没有此信息</translation>
    </message>
    <message>
        <source>✓ %1: %2 checked</source>
        <translation>✓ %1：已检查 %2 次</translation>
    </message>
    <message>
        <source>✗ %1: violated %2 of %3 times, last at %4 by %5</source>
        <translation>✗ %1：%3 次中违反 %2 次，最近一次在 %4，节点 %5</translation>
    </message>
    <message>
        <source>– %1: nothing to check</source>
        <translation>– %1：没有可检查的</translation>
    </message>
    <message>
        <source>A gap: a parent&apos;s cversion shows that transactions between %1 and %2 are missing.</source>
        <translation>空缺：父节点的 cversion 表明 %1 与 %2 之间缺少事务。</translation>
    </message>
    <message>
        <source>Which nodes were there after it is unknown until they are named.</source>
        <translation>在节点被提到之前，此后有哪些节点是未知的。</translation>
    </message>
    <message>
        <source>Left out: %1 transactions from %2 to %3, which were never confirmed. Another leader went on without them.</source>
        <translation>已略去：从 %2 到 %3 的 %1 个事务，它们从未被确认。另一个领导者没有采用它们。</translation>
    </message>
    <message>
        <source>– %1: unknown; %2 checked, but gaps hide more</source>
        <translation>– %1：未知；检查了 %2 次，但空缺遮住了其余的</translation>
    </message>
    <message>
        <source>election</source>
        <extracomment>a recipe: clients elect a leader</extracomment>
        <translation>选举</translation>
    </message>
    <message>
        <source>registrations</source>
        <extracomment>nodes by which clients register; no lock</extracomment>
        <translation>注册节点</translation>
    </message>
    <message>
        <source>ok</source>
        <extracomment>the outcome of a request</extracomment>
        <translation>成功</translation>
    </message>
    <message>
        <source>no such node</source>
        <translation>节点不存在</translation>
    </message>
    <message>
        <source>node exists</source>
        <translation>节点已存在</translation>
    </message>
    <message>
        <source>refused</source>
        <extracomment>the outcome of a request</extracomment>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>outcome unknown</source>
        <translation>结果未知</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>canceled</source>
        <extracomment>why a wait for the lock failed</extracomment>
        <translation>已取消</translation>
    </message>
    <message>
        <source>retries exhausted</source>
        <translation>重试用尽</translation>
    </message>
    <message>
        <source>error</source>
        <extracomment>why a wait for the lock failed</extracomment>
        <translation>错误</translation>
    </message>
    <message>
        <source>session expired</source>
        <translation>会话过期</translation>
    </message>
    <message>
        <source>session killed</source>
        <translation>会话被终止</translation>
    </message>
    <message>
        <source>session timed out</source>
        <translation>会话超时</translation>
    </message>
    <message>
        <source>node deleted</source>
        <translation>节点已删除</translation>
    </message>
    <message>
        <source>closed</source>
        <extracomment>of a session: ended by its client</extracomment>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>connecting</source>
        <extracomment>of a session</extracomment>
        <translation>连接中</translation>
    </message>
    <message>
        <source>connected</source>
        <extracomment>of a session</extracomment>
        <translation>已连接</translation>
    </message>
    <message>
        <source>lost</source>
        <extracomment>of a session</extracomment>
        <translation>丢失</translation>
    </message>
    <message>
        <source>session closed</source>
        <translation>会话已关闭</translation>
    </message>
    <message>
        <source>watches the one node</source>
        <translation>监视那唯一的节点</translation>
    </message>
    <message>
        <source>watches the node in front</source>
        <translation>监视前一个节点</translation>
    </message>
    <message>
        <source>takes its lease</source>
        <translation>取得租约</translation>
    </message>
    <message>
        <source>takes its turn at the entrance</source>
        <translation>轮到它进入入口</translation>
    </message>
    <message>
        <source>takes the lock for reading</source>
        <translation>取得读锁</translation>
    </message>
    <message>
        <source>takes the lock</source>
        <translation>取得锁</translation>
    </message>
    <message>
        <source>It wants the lock: the client that creates the one node holds it.</source>
        <translation>它想要锁：谁创建那唯一的节点，谁就持有锁。</translation>
    </message>
    <message>
        <source>It wants a lease: each lease that is out has a node.</source>
        <translation>它想要租约：每个已发出的租约都有一个节点。</translation>
    </message>
    <message>
        <source>It wants the lock: its node will be its place in the queue.</source>
        <translation>它想要锁：它的节点就是它在队列中的位置。</translation>
    </message>
    <message>
        <source>Its watch fired: a lease may have been returned.</source>
        <translation>它的监视触发了：可能有租约归还。</translation>
    </message>
    <message>
        <source>Its watch fired, and it must learn whether it is first now.</source>
        <translation>它的监视触发了，它必须弄清自己现在是否排在第一。</translation>
    </message>
    <message>
        <source>It must learn how many leases are out.</source>
        <translation>它必须弄清已发出多少租约。</translation>
    </message>
    <message>
        <source>It must learn its place in the queue.</source>
        <translation>它必须弄清自己在队列中的位置。</translation>
    </message>
    <message>
        <source>Its node is created, and it must learn its place.</source>
        <translation>它的节点已创建，它必须弄清自己的位置。</translation>
    </message>
    <message>
        <source>The server has answered that its node is created.</source>
        <translation>服务器已应答：它的节点已创建。</translation>
    </message>
    <message>
        <source>It has the list: if a lease is free, it may take it.</source>
        <translation>它已拿到列表：若有空闲的租约，它就可以取得一个。</translation>
    </message>
    <message>
        <source>Another client has created it; the watch fires when it is deleted.</source>
        <translation>另一个客户端已创建它；它被删除时监视会触发。</translation>
    </message>
    <message>
        <source>Too few leases are left; the watch fires when one is returned.</source>
        <translation>剩下的租约不够；有租约归还时监视会触发。</translation>
    </message>
    <message>
        <source>That node is in front of its own; the watch fires when that node is deleted.</source>
        <translation>那个节点排在它的节点前面；那个节点被删除时监视会触发。</translation>
    </message>
    <message>
        <source>Its watch is set: there is nothing to do until it fires.</source>
        <translation>监视已设好：触发之前无事可做。</translation>
    </message>
    <message>
        <source>Its watch fired: it must look at the queue again.</source>
        <translation>它的监视触发了：它必须再次查看队列。</translation>
    </message>
    <message>
        <source>It has created the one node.</source>
        <translation>它已创建那唯一的节点。</translation>
    </message>
    <message>
        <source>It holds the lock already: only its own count goes up.</source>
        <translation>它已经持有锁：只有它自己的计数增加。</translation>
    </message>
    <message>
        <source>It is done with the lock: deleting the node passes it on.</source>
        <translation>它已用完锁：删除节点就把锁交给下一个。</translation>
    </message>
    <message>
        <source>It gives up: its node must not block the others.</source>
        <translation>它放弃：它的节点不得阻挡别人。</translation>
    </message>
    <message>
        <source>The server has answered that its node is deleted.</source>
        <translation>服务器已应答：它的节点已删除。</translation>
    </message>
    <message>
        <source>tries to create the one node</source>
        <translation>尝试创建那唯一的节点</translation>
    </message>
    <message>
        <source>creates its node</source>
        <translation>创建自己的节点</translation>
    </message>
    <message>
        <source>continues with its new node</source>
        <translation>带着新节点继续</translation>
    </message>
    <message>
        <source>lists the leases</source>
        <translation>列出租约</translation>
    </message>
    <message>
        <source>lists the children</source>
        <translation>列出子节点</translation>
    </message>
    <message>
        <source>counts the leases</source>
        <translation>清点租约</translation>
    </message>
    <message>
        <source>checks its place</source>
        <translation>查看自己的位置</translation>
    </message>
    <message>
        <source>watches the list of leases</source>
        <translation>监视租约列表</translation>
    </message>
    <message>
        <source>goes to sleep</source>
        <translation>进入休眠</translation>
    </message>
    <message>
        <source>wakes up</source>
        <translation>醒来</translation>
    </message>
    <message>
        <source>enters the lock again</source>
        <translation>重入锁</translation>
    </message>
    <message>
        <source>deletes its node</source>
        <translation>删除自己的节点</translation>
    </message>
    <message>
        <source>continues without its node</source>
        <translation>在节点删除后继续</translation>
    </message>
    <message>
        <source>%1 is stopped: next it %2.</source>
        <translation>%1 已停住：下一步它%2。</translation>
    </message>
    <message>
        <source>It has the list and checks which nodes are in front of its own.</source>
        <translation>它已拿到列表，查看哪些节点排在自己的节点前面。</translation>
    </message>
    <message>
        <source>It has entered more than once: only its own count goes down.</source>
        <translation>它重入过：只有它自己的计数减一。</translation>
    </message>
    <message>
        <source>gives back one level</source>
        <translation>退出一层重入</translation>
    </message>
    <message>
        <source>No earlier request blocks it.</source>
        <translation>没有更早的请求挡住它。</translation>
    </message>
    <message>
        <source>It will create a numbered node, to read or to write, and check which nodes block it.</source>
        <translation>它将创建一个用于读或写的带编号节点，并查看哪些节点挡住它。</translation>
    </message>
    <message>
        <source>It will try to create the one node that all clients want: the client that creates it holds the lock.</source>
        <translation>它将尝试创建人人都想要的那唯一节点：谁创建成功谁持有。</translation>
    </message>
    <message>
        <source>It will create a numbered node and read the list with a watch on all of it.</source>
        <translation>它将创建一个带编号的节点，读取列表并监视整个列表。</translation>
    </message>
    <message>
        <source>It will queue at the entrance, and look for a lease when it is first there.</source>
        <translation>它将在入口排队，排到第一位时查看是否有租约。</translation>
    </message>
    <message>
        <source>It will take the locks one after another, with a numbered node in each.</source>
        <translation>它将逐一获取各把锁，在每把锁中各有一个带编号的节点。</translation>
    </message>
    <message>
        <source>No client takes a lock here: it uses the resource without one.</source>
        <translation>这里没有客户端加锁：它不加锁就使用资源。</translation>
    </message>
    <message>
        <source>It will create a numbered node without an id of its own in the name, and check which nodes are in front.</source>
        <translation>它将创建一个名称中不带自身标识的带编号节点，并查看哪些节点在前面。</translation>
    </message>
    <message>
        <source>It will create a numbered node and check which nodes are in front.</source>
        <translation>它将创建一个带编号的节点，并查看哪些节点在前面。</translation>
    </message>
    <message>
        <source>It holds until its next step: then it is done with the lock.</source>
        <translation>它持有到下一步：那时就用完了锁。</translation>
    </message>
    <message>
        <source>releases the lock</source>
        <translation>释放锁</translation>
    </message>
    <message>
        <source>The trace is being opened.</source>
        <translation>正在打开跟踪记录。</translation>
    </message>
    <message>
        <source>This is the moment before the first event. The End key goes to the end of the run.</source>
        <translation>这是第一个事件之前的时刻。按 End 键转到运行的末尾。</translation>
    </message>
    <message>
        <source>Nothing is open: start a scenario, open a trace, or choose a lock from a history.</source>
        <translation>尚未打开任何内容：请启动一个场景、打开一份跟踪记录，或从历史中选择一把锁。</translation>
    </message>
    <message>
        <source>Connecting to ZooKeeper…</source>
        <translation>正在连接 ZooKeeper…</translation>
    </message>
    <message>
        <source>%1, sent together</source>
        <translation>%1，一起发出</translation>
    </message>
    <message>
        <source>reply lost</source>
        <translation>回复丢失</translation>
    </message>
    <message>
        <source>%1: outcome unknown</source>
        <translation>%1：结果未知</translation>
    </message>
    <message>
        <source>unknown</source>
        <extracomment>short for &quot;outcome unknown&quot;: of a request</extracomment>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 without a request here</source>
        <translation>%1 在此没有请求</translation>
    </message>
    <message>
        <source>%1 · then %2 s</source>
        <translation>%1 · 然后到 %2 s</translation>
    </message>
    <message>
        <source>%1 → ZooKeeper: %2</source>
        <translation>%1 → ZooKeeper：%2</translation>
    </message>
    <message>
        <source>ZooKeeper → %1: %2</source>
        <translation>ZooKeeper → %1：%2</translation>
    </message>
    <message>
        <source>sent at %1 s</source>
        <translation>发出于 %1 s</translation>
    </message>
    <message>
        <source>at %1 s</source>
        <translation>于 %1 s</translation>
    </message>
    <message>
        <source>%1 after its cause</source>
        <translation>起因之后 %1</translation>
    </message>
    <message>
        <source>not answered yet</source>
        <translation>尚未应答</translation>
    </message>
    <message>
        <source>%1: %2
at %3 s, event %4</source>
        <translation>%1：%2
于 %3 s，事件 %4</translation>
    </message>
    <message>
        <source>%1: %2 for %3, since %4 s</source>
        <translation>%1：%2，持续 %3，始于 %4 s</translation>
    </message>
    <message>
        <source>ZooKeeper</source>
        <translation>ZooKeeper</translation>
    </message>
    <message>
        <source>up to now</source>
        <translation>至今</translation>
    </message>
    <message>
        <source>up to %1 s</source>
        <translation>至 %1 s</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 clients, scroll sideways for the others</source>
        <translation>%1 · %3 个客户端中的 %2 个，左右滚动查看其余</translation>
    </message>
    <message>
        <source>No run yet: start one or open a trace to see who sends what to the server.</source>
        <translation>还没有运行：启动一个或打开一份跟踪记录，看看谁向服务器发送了什么。</translation>
    </message>
    <message>
        <source>%1 deleted</source>
        <translation>%1 已删除</translation>
    </message>
    <message>
        <source>%1: %2
about %3 s: between request and reply, event %4</source>
        <translation>%1：%2
约 %3 s：介于请求与回复之间，事件 %4</translation>
    </message>
    <message>
        <source>%1 · then about %2 s</source>
        <translation>%1 · 然后大约到 %2 s</translation>
    </message>
    <message>
        <source>%1 after its request (round trip)</source>
        <translation>请求发出后 %1 收到，含往返</translation>
    </message>
    <message>
        <source>event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>The time at the server is not recorded: it is assumed to be halfway between request and reply.</source>
        <translation>服务器端的时刻没有记录：假定在请求与回复的正中间。</translation>
    </message>
    <message>
        <source>Not to scale: short parts are drawn longer, quiet stretches are folded.</source>
        <translation>不按比例：短的部分画得较长，安静的时段被折叠。</translation>
    </message>
    <message>
        <source>no reply will come: the session ended</source>
        <translation>不会有回复：会话已结束</translation>
    </message>
    <message>
        <source>No messages yet. Requests and replies appear here as arrows.</source>
        <translation>还没有消息。请求和回复会以箭头出现在这里。</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 clients</source>
        <translation>%1 · %3 个客户端中的 %2 个</translation>
    </message>
    <message>
        <source>no requests for %1</source>
        <translation>%1 内没有请求</translation>
    </message>
    <message>
        <source>%1 · paused for %2</source>
        <translation>%1 · 暂停了 %2</translation>
    </message>
    <message>
        <source>%1 ← %2</source>
        <translation>%1 ← %2</translation>
    </message>
    <message>
        <source>%1 believes it holds; the server deleted its node %2 ago</source>
        <translation>%1 自以为持有；服务器已于 %2 前删除其节点</translation>
    </message>
    <message>
        <source>%1 still counts on %2; the server has no such node</source>
        <translation>%1 仍依赖 %2；服务器上没有这个节点</translation>
    </message>
    <message>
        <source>%1 belongs to a session other than %2&apos;s</source>
        <translation>%1 属于另一个会话，而不是 %2 的会话</translation>
    </message>
    <message>
        <source>%1 believes it holds; %2 is in front of it</source>
        <translation>%1 自以为持有；%2 排在它前面</translation>
    </message>
    <message>
        <source>%1 is a node that its client %2 does not know</source>
        <translation>%1 这个节点，它的客户端 %2 并不知道</translation>
    </message>
    <message>
        <source>%1 differences: %2</source>
        <translation>%1 处差异：%2</translation>
    </message>
    <message>
        <source>no children</source>
        <translation>没有子节点</translation>
    </message>
    <message>
        <source>not read by the observer yet</source>
        <translation>观察会话尚未读取</translation>
    </message>
    <message>
        <source>Server&apos;s own view · watches as of %1</source>
        <translation>服务器的视角 · 截至 %1 的监视</translation>
    </message>
    <message>
        <source>Server&apos;s own view · owners of the nodes</source>
        <translation>服务器的视角 · 节点的所有者</translation>
    </message>
    <message>
        <source>+%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>agrees with the clients in the queue: %1 of %2</source>
        <translation>与队列中的客户端一致：%1/%2</translation>
    </message>
    <message>
        <source>the watched nodes no longer exist</source>
        <translation>被监视的节点都已消失</translation>
    </message>
    <message>
        <source>agreed with the clients: %1 of %1</source>
        <translation>当时与客户端一致：%1/%1</translation>
    </message>
    <message>
        <source>agreed with the clients: %1 of %2, %3 in flight</source>
        <translation>当时与客户端一致：%1/%2，%3 个尚在途中</translation>
    </message>
    <message>
        <source>no watches at that time</source>
        <translation>当时没有监视</translation>
    </message>
    <message>
        <source>%1 gone since then</source>
        <translation>其余 %1 个此后已消失</translation>
    </message>
    <message>
        <source>no node was watched then; a server does not show watches on the list</source>
        <translation>当时没有节点被监视；服务器不显示对子节点列表的监视</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>nothing to compare yet</source>
        <translation>还没有可比较的</translation>
    </message>
    <message>
        <source>last %1</source>
        <translation>最近 %1</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>从 %2 起的 %1</translation>
    </message>
    <message>
        <source>now − %1</source>
        <translation>现在 − %1</translation>
    </message>
    <message>
        <source>for %1, since %2</source>
        <translation>持续 %1，始于 %2</translation>
    </message>
    <message>
        <source>for %1, %2 to %3</source>
        <translation>持续 %1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>fencing token %1</source>
        <translation>防护令牌 %1</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation>%1，于 %2</translation>
    </message>
    <message>
        <source>%1&apos;s session has ended</source>
        <translation>%1 的会话已结束</translation>
    </message>
    <message>
        <source>server down</source>
        <translation>服务器停机</translation>
    </message>
    <message>
        <source>server ready</source>
        <translation>服务器就绪</translation>
    </message>
    <message>
        <source>×%1</source>
        <translation>×%1</translation>
    </message>
    <message>
        <source>still believes it holds, for %1</source>
        <translation>仍以为自己持有，已 %1</translation>
    </message>
    <message>
        <source>still believed it held for %1</source>
        <translation>曾仍以为自己持有 %1</translation>
    </message>
    <message>
        <source>stale %1</source>
        <translation>误以为持有 %1</translation>
    </message>
    <message>
        <source>No client yet: its lane appears here when it joins the run.</source>
        <translation>还没有客户端：加入运行后，其泳道会出现在这里。</translation>
    </message>
    <message>
        <source>No run yet: start one or open a trace to see who waits and who holds.</source>
        <translation>还没有运行：启动一个或打开一份跟踪记录，看看谁在等待、谁在持有。</translation>
    </message>
    <message>
        <source>release called</source>
        <translation>调用释放</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>event</source>
        <extracomment>a moment of a handoff: the event of the watch arrived</extracomment>
        <translation>事件</translation>
    </message>
    <message>
        <source>waits for another lock meanwhile, for %1</source>
        <translation>同时在等待另一把锁，已 %1</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>%1 s to %2 s: %3</source>
        <translation>%1 s 至 %2 s：%3</translation>
    </message>
    <message>
        <source>Bookmark at %1 s</source>
        <translation>%1 s 处的书签</translation>
    </message>
    <message>
        <source>held by</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>%1 +%2</source>
        <translation>%1 +%2</translation>
    </message>
    <message>
        <source>Holders of %1, including those whose lanes are out of sight</source>
        <translation>%1 的持有者，包括泳道不在视野内的</translation>
    </message>
    <message>
        <source>%1: zoom in to see who</source>
        <translation>%1：放大可查看持有者</translation>
    </message>
    <message>
        <source>+%1 %2</source>
        <translation>+%1 %2</translation>
    </message>
    <message>
        <source>the server does not answer</source>
        <translation>服务器没有响应</translation>
    </message>
    <message>
        <source>handoff p50 %1 · p99 %2 · longest %3</source>
        <translation>交接 p50 %1 · p99 %2 · 最长 %3</translation>
    </message>
    <message>
        <source>a session has ended</source>
        <translation>有一个会话已结束</translation>
    </message>
    <message>
        <source>the run has ended</source>
        <translation>运行已结束</translation>
    </message>
    <message numerus="yes">
        <source>%Ln spans share these pixels; zoom in to tell them apart</source>
        <translation>
            <numerusform>这些像素中有 %Ln 段；放大即可分辨</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln handoffs</source>
        <translation>
            <numerusform>%Ln 次交接</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln events</source>
        <translation>
            <numerusform>%Ln 个事件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folded</source>
        <translation>
            <numerusform>已折叠 %Ln 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no room for %Ln more rows</source>
        <translation>
            <numerusform>还有 %Ln 行放不下</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln holds</source>
        <translation>
            <numerusform>%Ln 次持有</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more who held</source>
        <translation>
            <numerusform>另有 %Ln 个持有过</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held %2, %Ln times (%3)</source>
        <translation>
            <numerusform>%1 持有 %2，%Ln 次（%3）</numerusform>
        </translation>
    </message>
    <message>
        <source>not counting %1 in which the run was paused</source>
        <translation>不计运行暂停的 %1</translation>
    </message>
    <message>
        <source>release → next holder: p50 %1</source>
        <translation>释放 → 下一个持有者：p50 %1</translation>
    </message>
    <message>
        <source>paused</source>
        <extracomment>a time in which the run was stopped</extracomment>
        <translation>暂停</translation>
    </message>
    <message>
        <source>The run was paused for %1: that time is neither waiting nor holding.</source>
        <translation>运行暂停了 %1：这段时间既不算等待，也不算持有。</translation>
    </message>
    <message>
        <source>%1 has not been read yet.</source>
        <translation>%1 尚未读取。</translation>
    </message>
    <message>
        <source>%1 does not exist yet; waiting for it to be created.</source>
        <translation>%1 尚不存在；正在等待它被创建。</translation>
    </message>
    <message>
        <source>no session</source>
        <translation>无会话</translation>
    </message>
    <message>
        <source>session not known</source>
        <translation>会话未知</translation>
    </message>
    <message>
        <source>read lock</source>
        <translation>读锁</translation>
    </message>
    <message>
        <source>write lock</source>
        <translation>写锁</translation>
    </message>
    <message>
        <source>lease</source>
        <extracomment>what a node asks for</extracomment>
        <translation>租约</translation>
    </message>
    <message>
        <source>No lock library that LockScope knows uses this naming scheme.</source>
        <translation>已知的库都不会这样命名锁节点。</translation>
    </message>
    <message>
        <source>Holds or waits: the number of leases is not known.</source>
        <translation>已持有或仍在等待：租约总数未知。</translation>
    </message>
    <message>
        <source>Nodes of another kind are in front: whether its library waits for them is not known.</source>
        <translation>前面有另一种节点：它的库是否会等待这些节点，无从得知。</translation>
    </message>
    <message>
        <source>%1 has no children: no client holds it or waits for it.</source>
        <translation>%1 没有子节点：无人持有，也无人等待。</translation>
    </message>
    <message>
        <source>The server&apos;s view only: what the clients do and believe is not known.</source>
        <translation>只有服务器的视角：客户端做什么、以为什么，无从得知。</translation>
    </message>
    <message>
        <source>leadership</source>
        <extracomment>what a node asks for: to lead</extracomment>
        <translation>领导权</translation>
    </message>
    <message>
        <source>persistent node in front</source>
        <translation>最前面是持久节点</translation>
    </message>
    <message>
        <source>foreign node in front</source>
        <translation>最前面是外来节点</translation>
    </message>
    <message>
        <source>forgotten node</source>
        <translation>被遗忘的节点</translation>
    </message>
    <message>
        <source>deadlock</source>
        <extracomment>why a lock looks stuck</extracomment>
        <translation>死锁</translation>
    </message>
    <message>
        <source>holder silent</source>
        <translation>持有者没有动静</translation>
    </message>
    <message>
        <source>next has no watch</source>
        <translation>下一个没有监视</translation>
    </message>
    <message>
        <source>slower than usual</source>
        <translation>比平常慢</translation>
    </message>
    <message>
        <source>empty parents</source>
        <translation>空的父节点</translation>
    </message>
    <message>
        <source>unknown library</source>
        <translation>未知的库</translation>
    </message>
    <message>
        <source>gone before it was read</source>
        <translation>读取前已消失</translation>
    </message>
    <message>
        <source>waits behind %1</source>
        <translation>在 %1 之后等待</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>%1–%2 s</source>
        <translation>%1–%2 秒</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>how long, and of which limit</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Node</source>
        <extracomment>heading of a fact: the path of the node</extracomment>
        <translation>节点</translation>
    </message>
    <message>
        <source>Library</source>
        <extracomment>heading of a fact: the software library of the program, such as Curator</extracomment>
        <translation>库</translation>
    </message>
    <message>
        <source>State</source>
        <extracomment>heading of a fact</extracomment>
        <translation>状态</translation>
    </message>
    <message>
        <source>Data</source>
        <extracomment>heading of a fact: what is written in the node</extracomment>
        <translation>数据</translation>
    </message>
    <message>
        <source>Address</source>
        <extracomment>heading of a fact: of the host that the session comes from</extracomment>
        <translation>地址</translation>
    </message>
    <message>
        <source>Session</source>
        <extracomment>heading of a fact: the session that the node belongs to</extracomment>
        <translation>会话</translation>
    </message>
    <message>
        <source>none</source>
        <extracomment>instead of a session: there is none</extracomment>
        <translation>无</translation>
    </message>
    <message>
        <source>Created</source>
        <extracomment>heading of a fact: when the node was created</extracomment>
        <translation>创建于</translation>
    </message>
    <message>
        <source>%1 UTC</source>
        <translation>%1 UTC</translation>
    </message>
    <message>
        <source>Held since</source>
        <translation>持有自</translation>
    </message>
    <message>
        <source>%1 UTC (%2)</source>
        <translation>%1 UTC（%2）</translation>
    </message>
    <message>
        <source>between %1 and %2 UTC</source>
        <translation>%1 与 %2 UTC 之间</translation>
    </message>
    <message>
        <source>Waiting for</source>
        <translation>已等待</translation>
    </message>
    <message>
        <source>(up to a third of the timeout is normal)</source>
        <translation>（不超过超时的三分之一属正常）</translation>
    </message>
    <message>
        <source>Silent for</source>
        <translation>无动静</translation>
    </message>
    <message>
        <source>Expires in at most</source>
        <translation>最多多久后过期</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Reading the nodes…</source>
        <translation>正在读取节点…</translation>
    </message>
    <message>
        <source>Every create and delete is seen, since %1 UTC.</source>
        <translation>自 %1 UTC 起，每次创建和删除都能看到。</translation>
    </message>
    <message>
        <source>The server has no persistent watches (%1): the nodes are listed again after each change, and quick changes are missed.</source>
        <translation>服务器没有持久监视（%1）：每次变化后重新列出节点，快速的变化会被遗漏。</translation>
    </message>
    <message>
        <source>No contact with ZooKeeper: changes until it is back are not seen.</source>
        <translation>与 ZooKeeper 失去联系：恢复之前的变化看不到。</translation>
    </message>
    <message>
        <source>quick changes missed</source>
        <translation>快速变化被遗漏</translation>
    </message>
    <message>
        <source>nothing missed</source>
        <translation>没有遗漏</translation>
    </message>
    <message>
        <source>Nodes created: %1, deleted: %2, gone before they were read: %3.</source>
        <translation>创建的节点：%1，删除的：%2，读取前已消失的：%3。</translation>
    </message>
    <message>
        <source>The server&apos;s clock agrees with this computer&apos;s.</source>
        <translation>服务器的时钟与本机一致。</translation>
    </message>
    <message>
        <source>The server&apos;s clock is about %1 ahead of this computer&apos;s.</source>
        <translation>服务器的时钟比本机快约 %1。</translation>
    </message>
    <message>
        <source>The server&apos;s clock is about %1 behind this computer&apos;s.</source>
        <translation>服务器的时钟比本机慢约 %1。</translation>
    </message>
    <message>
        <source>Acquisitions: %1. Holds ended by a delete while the session lived: %2, with the session: %3, not known: %4; still open: %5. Gave up waiting: %6.</source>
        <translation>获取：%1。持有的结束：会话存活时删除 %2，随会话结束 %3，未知 %4；仍在持有 %5。放弃等待：%6。</translation>
    </message>
    <message>
        <source>%1 does not exist; waiting for it to be created.</source>
        <translation>%1 不存在；正在等待它被创建。</translation>
    </message>
    <message>
        <source>%1 cannot be read: its ACL does not permit it.</source>
        <translation>无法读取 %1：其 ACL 不允许。</translation>
    </message>
    <message>
        <source>Nodes without read permission: %1.</source>
        <translation>无权读取的节点：%1。</translation>
    </message>
    <message>
        <source>Gap: nothing was seen between %1 and %2 UTC.</source>
        <translation>空缺：%1 与 %2 UTC 之间什么也没有看到。</translation>
    </message>
    <message>
        <source>Gap: nothing has been seen since %1 UTC.</source>
        <translation>空缺：自 %1 UTC 起什么也没有看到。</translation>
    </message>
    <message>
        <source>ZooKeeper recipe</source>
        <translation>ZooKeeper 配方</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 天</translation>
    </message>
    <message numerus="yes">
        <source>%Ln gaps</source>
        <translation>
            <numerusform>%Ln 段空缺</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln nodes gone before they were read</source>
        <translation>
            <numerusform>%Ln 个节点读取前已消失</numerusform>
        </translation>
    </message>
    <message>
        <source>session unknown to all servers</source>
        <translation>所有服务器都不认识会话</translation>
    </message>
    <message>
        <source>holder waits elsewhere</source>
        <translation>持有者在别处等待</translation>
    </message>
    <message>
        <source>No quorum: the server answers read-only, from a state that may be old.</source>
        <translation>没有法定多数：服务器以只读方式回答，其状态可能是旧的。</translation>
    </message>
    <message>
        <source>entrance blocked</source>
        <translation>入口受阻</translation>
    </message>
    <message>
        <source>no lock</source>
        <extracomment>instead of a lock&apos;s holder: its nodes are registrations</extracomment>
        <translation>不是锁</translation>
    </message>
    <message>
        <source>free</source>
        <extracomment>of a lock: it has no holder</extracomment>
        <translation>空闲</translation>
    </message>
    <message>
        <source>nobody holds it</source>
        <extracomment>of a lock for which clients wait: it has no holder</extracomment>
        <translation>无人持有</translation>
    </message>
    <message>
        <source>in front, of no lock</source>
        <extracomment>the state of a node that belongs to no lock: all clients wait for it</extracomment>
        <translation>排在最前，不属于任何锁</translation>
    </message>
    <message>
        <source>nobody can hold it</source>
        <extracomment>of a lock: a node that belongs to no lock is in front of all clients</extracomment>
        <translation>谁都无法持有</translation>
    </message>
    <message>
        <source>its connection is lost, and so is the watch until it reconnects</source>
        <translation>它的连接已断开，重新连接之前监视也不存在</translation>
    </message>
    <message>
        <source>its session has ended, and the client does not know yet</source>
        <translation>它的会话已结束，而客户端还不知道</translation>
    </message>
    <message>
        <source>%1 relies on a watch on %2 that the server does not have</source>
        <translation>%1 依赖对 %2 的监视，服务器上却没有这个监视</translation>
    </message>
    <message>
        <source>it fired, but the client is frozen and reads nothing</source>
        <translation>它已触发，但客户端已冻结，什么也不读</translation>
    </message>
    <message>
        <source>it fired, and the client has not received the event</source>
        <translation>监视已触发，但客户端尚未收到</translation>
    </message>
    <message>
        <source>the server has a watch of %1 on %2 that no client relies on</source>
        <translation>服务器上有 %1 对 %2 的监视，但没有客户端依赖它</translation>
    </message>
    <message>
        <source>drag to measure, Ctrl+wheel to zoom</source>
        <translation>拖动测量，Ctrl+滚轮缩放</translation>
    </message>
    <message>
        <source>%1, p50 %2 · %3, p50 %4</source>
        <translation>%1，p50 %2 · %3，p50 %4</translation>
    </message>
    <message numerus="yes">
        <source>%Ln waits</source>
        <translation>
            <numerusform>%Ln 次等待</numerusform>
        </translation>
    </message>
    <message>
        <source>waiting: %1</source>
        <extracomment>a number of clients</extracomment>
        <translation>等待：%1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients wait</source>
        <translation>
            <numerusform>%Ln 个客户端在等待</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 等另外 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 ← %3</source>
        <translation>%1：%2 ← %3</translation>
    </message>
    <message>
        <source>nobody holds</source>
        <translation>无人持有</translation>
    </message>
    <message>
        <source>paused for %1</source>
        <translation>暂停了 %1</translation>
    </message>
    <message>
        <source>± %1</source>
        <extracomment>on the ruler: by how much the order of events of several machines is uncertain</extracomment>
        <translation>± %1</translation>
    </message>
    <message>
        <source>Events of different traces that are closer than %1 are in no certain order.</source>
        <translation>不同跟踪记录中相距不到 %1 的事件，先后次序不能确定。</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more traces</source>
        <translation>
            <numerusform>还有 %Ln 份跟踪记录</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: its clock is that of the run</source>
        <translation>%1：它的时钟就是这次运行的时钟</translation>
    </message>
    <message>
        <source>%1: its clock is shifted by %2, or by up to %3 more or less</source>
        <translation>%1：它的时钟移动了 %2，可能还有最多 %3 的出入</translation>
    </message>
    <message>
        <source>%1 ends at %2 s, before its run: nothing is known of its clients from there on</source>
        <translation>%1 在 %2 秒处结束，早于它的运行：此后它的客户端的情况一无所知</translation>
    </message>
    <message>
        <source>there is no queue</source>
        <translation>没有队列</translation>
    </message>
    <message>
        <source>every client holds or waits</source>
        <translation>每个客户端都在持有或等待</translation>
    </message>
    <message>
        <source>%1 clients neither hold nor wait</source>
        <translation>%1 个客户端既不持有也不等待</translation>
    </message>
    <message>
        <source>%1 (not connected)</source>
        <translation>%1（未连接）</translation>
    </message>
    <message>
        <source>%1 (frozen)</source>
        <translation>%1（冻结）</translation>
    </message>
    <message>
        <source>neither holds nor waits: %1</source>
        <translation>既不持有也不等待：%1</translation>
    </message>
    <message>
        <source>The clients of this run take no lock: nothing orders them, and there is no queue.</source>
        <translation>这次运行的客户端不取锁：没有什么给它们排序，也没有队列。</translation>
    </message>
    <message>
        <source>%1 is a folder of locks, not a lock: %2 of its %3 children are locks. Look at one of them.</source>
        <translation>%1 是锁的目录，而不是一把锁：其 %3 个子节点中有 %2 个是锁。请查看其中一把。</translation>
    </message>
    <message>
        <source>%1 refused by the resource</source>
        <translation>资源拒绝了 %1</translation>
    </message>
    <message>
        <source>refused by the resource</source>
        <translation>被资源拒绝</translation>
    </message>
    <message>
        <source>%1 used the resource late: not refused</source>
        <extracomment>of the protected resource: after the client had lost the lock</extracomment>
        <translation>%1 迟到的使用：资源未拒绝</translation>
    </message>
    <message>
        <source>late use of the resource: not refused</source>
        <translation>迟到的使用：资源未拒绝</translation>
    </message>
    <message>
        <source>clock of %1</source>
        <extracomment>name of a value; %1: the trace of a machine, in a run that was merged of several</extracomment>
        <translation>%1 的时钟</translation>
    </message>
    <message>
        <source>that of the run</source>
        <extracomment>value of &quot;clock of %1&quot;: the clock by which the times of the run are told</extracomment>
        <translation>这次运行的时钟</translation>
    </message>
    <message>
        <source>length of the handoff</source>
        <extracomment>name of a value, which is &quot;± 0.212 ms&quot;</extracomment>
        <translation>交接时长</translation>
    </message>
</context>
<context>
    <name>TimelineLegend</name>
    <message>
        <source>holds</source>
        <extracomment>a client&apos;s state: it has the lock</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>entered again</source>
        <translation>重入</translation>
    </message>
    <message>
        <source>waits</source>
        <extracomment>a client&apos;s state</extracomment>
        <translation>等待</translation>
    </message>
    <message>
        <source>releasing</source>
        <extracomment>a client&apos;s state: it deletes its node</extracomment>
        <translation>释放中</translation>
    </message>
    <message>
        <source>handoff</source>
        <extracomment>at an arrow: the lock passes from one client to the next</extracomment>
        <translation>交接</translation>
    </message>
    <message>
        <source>stale belief</source>
        <translation>误以为持有</translation>
    </message>
    <message>
        <source>frozen</source>
        <extracomment>a client&apos;s state: it does not run, so it sends nothing</extracomment>
        <translation>冻结</translation>
    </message>
    <message>
        <source>what-if or fault</source>
        <translation>假设操作或故障</translation>
    </message>
    <message>
        <source>a release that woke several clients, until one has the lock</source>
        <translation>唤醒多个客户端的释放，直到其中一个得到锁</translation>
    </message>
    <message>
        <source>suspended</source>
        <extracomment>a client&apos;s state: it has no contact with the server</extracomment>
        <translation>挂起</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AlgorithmView</name>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <extracomment>name of a card for screen readers: the lock recipe as lines of pseudocode</extracomment>
        <translation>算法</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 is not using the lock</source>
        <translation>%1 没有使用这把锁</translation>
    </message>
    <message>
        <source>following %1</source>
        <translation>正在跟随 %1</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 和另外 %2 个</translation>
    </message>
    <message>
        <source>A breakpoint can be set here while a run is live.</source>
        <translation>运行进行时可在此设置断点。</translation>
    </message>
    <message>
        <source>every client</source>
        <translation>所有客户端</translation>
    </message>
    <message>
        <source>Choose a line with Up and Down first, or select a client.</source>
        <translation>请先用上下方向键选择一行，或选择一个客户端。</translation>
    </message>
    <message>
        <source>No client can be stopped at this line.</source>
        <translation>没有客户端能停在这一行。</translation>
    </message>
    <message>
        <source>Click or F9: remove the breakpoint of %1 %2</source>
        <translation>单击或 F9：取消 %1 在%2的断点</translation>
    </message>
    <message>
        <source>Click or F9: set a breakpoint of %1 %2</source>
        <translation>单击或 F9：设置 %1 在%2的断点</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::AttachDialog</name>
    <message>
        <source>&amp;Join the queue with this many clients:</source>
        <translation>以这么多客户端加入队列(&amp;J)：</translation>
    </message>
    <message>
        <source>Choose one</source>
        <translation>请选择</translation>
    </message>
    <message>
        <source>Join the lock?</source>
        <translation>加入这把锁？</translation>
    </message>
    <message>
        <source>They create nodes there, and the programs that use this lock wait for them in turn.</source>
        <translation>它们会在那里创建节点，使用这把锁的程序会依次等待它们。</translation>
    </message>
    <message>
        <source>&amp;Join</source>
        <translation>加入(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>返回(&amp;B)</translation>
    </message>
    <message>
        <source>Only &amp;watch the lock</source>
        <translation>仅观察(&amp;W)</translation>
    </message>
    <message>
        <source>ZooKeeper &amp;address</source>
        <translation>ZooKeeper 的地址(&amp;A)</translation>
    </message>
    <message>
        <source>Lock &amp;path</source>
        <translation>锁的路径(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Recent locks</source>
        <translation>最近连接(&amp;L)</translation>
    </message>
    <message>
        <source>Number of clients that join</source>
        <translation>加入的客户端数量</translation>
    </message>
    <message>
        <source>HOST:PORT of the ZooKeeper server. Separate several servers by commas; a chroot may follow the last one.</source>
        <translation>ZooKeeper 服务器的 HOST:PORT。多台服务器用逗号分隔；最后一个之后可以跟 chroot。</translation>
    </message>
    <message>
        <source>The path that the programs use for their lock. For watching, also a folder of locks, or several paths separated by commas.</source>
        <translation>这些程序用作锁的路径。观察时也可以是含有多个锁的目录，或用逗号分隔的多个路径。</translation>
    </message>
    <message>
        <source>No client joins and nothing is changed: one session reads the nodes and watches them. For a folder, all locks below it are shown; separate several paths by commas.</source>
        <translation>没有客户端加入，也不改变任何东西：一个会话读取节点并监视它们。若为目录，则显示其下所有锁；多个路径用逗号分隔。</translation>
    </message>
    <message numerus="yes">
        <source>Join %1 with %Ln clients?</source>
        <translation>
            <numerusform>以 %Ln 个客户端加入 %1？</numerusform>
        </translation>
    </message>
    <message>
        <source>The lock is in use</source>
        <translation>锁正在被使用</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was changed, and no client was started. Watch: the lock is shown, and still nothing is changed. Join: %Ln clients of LockScope create nodes there, queue with these programs, hold the lock in their turn and queue again until you end the run; the programs wait for them.</source>
        <translation>
            <numerusform>什么也没有改变，也没有启动客户端。观察：显示这把锁，仍然什么也不改变。加入：LockScope 的 %Ln 个客户端在那里创建节点，与这些程序一起排队，轮到时持有锁，再重新排队，直到你结束运行；这些程序会等它们。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>观察(&amp;W)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Join with %Ln clients</source>
        <translation>
            <numerusform>用 %Ln 个客户端加入(&amp;J)</numerusform>
        </translation>
    </message>
    <message>
        <source>LockScope&apos;s clients join this lock: they queue, hold it briefly and queue again until you end the run. The programs that use the lock wait for them in turn. If nodes of other programs are there now, you are told whose, and asked again.</source>
        <translation>LockScope 的客户端会加入这把锁：排队、短暂持有、再次排队，直到你结束运行。使用该锁的程序会依次等待它们。如果那里现在有其他程序的节点，会告诉你是谁的，并再次询问。</translation>
    </message>
    <message>
        <source>Secured by &amp;TLS</source>
        <translation>以 TLS 保护(&amp;T)</translation>
    </message>
    <message>
        <source>those of this system</source>
        <translation>本系统信任的机构</translation>
    </message>
    <message>
        <source>A file (PEM) with the certificates of the authorities to trust: --ca on the command line.</source>
        <translation>含有受信任机构的证书的文件（PEM）：命令行上的 --ca。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>A file (PEM) with our certificate, where servers demand one of their clients: --cert on the command line.</source>
        <translation>含有我们的证书的文件（PEM），用于要求客户端出示证书的服务器：命令行上的 --cert。</translation>
    </message>
    <message>
        <source>in the same file</source>
        <translation>在同一个文件中</translation>
    </message>
    <message>
        <source>A file (PEM) with the key of our certificate, not encrypted: --key on the command line. Only the names of these files are remembered.</source>
        <translation>含有我们证书的密钥的文件（PEM），不加密：命令行上的 --key。只记住这些文件的名字。</translation>
    </message>
    <message>
        <source>Choose a File in PEM</source>
        <translation>选择一个 PEM 文件</translation>
    </message>
    <message>
        <source>Certificates and keys (*.pem *.crt *.cer *.key)</source>
        <translation>证书和密钥 (*.pem *.crt *.cer *.key)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>&amp;Certificate authorities</source>
        <translation>证书颁发机构(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Our certificate</source>
        <translation>我们的证书(&amp;O)</translation>
    </message>
    <message>
        <source>Its &amp;key</source>
        <translation>它的密钥(&amp;K)</translation>
    </message>
    <message>
        <source>Look at a Lock</source>
        <translation>查看一把锁</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Join…</source>
        <extracomment>a button: LockScope&apos;s clients join the queue of another program&apos;s lock</extracomment>
        <translation>加入…</translation>
    </message>
    <message>
        <source>first line: USER:PASSWORD</source>
        <translation>第一行：USER:PASSWORD</translation>
    </message>
    <message>
        <source>A file whose first line is USER:PASSWORD: --sasl-file on the command line. Only its name is remembered.</source>
        <translation>第一行为 USER:PASSWORD 的文件：即命令行上的 --sasl-file。只记住它的名字。</translation>
    </message>
    <message>
        <source>The first part of the servers&apos; principals SERVICE/HOST@REALM. The ticket is the one that kinit got.</source>
        <translation>服务器主体 SERVICE/HOST@REALM 的第一部分。所用票据是 kinit 取得的那一张。</translation>
    </message>
    <message>
        <source>&amp;SASL</source>
        <extracomment>SASL: how a client proves who it is</extracomment>
        <translation>&amp;SASL</translation>
    </message>
    <message>
        <source>&amp;User and password</source>
        <translation>用户名和密码(&amp;U)</translation>
    </message>
    <message>
        <source>Choose a File with USER:PASSWORD</source>
        <translation>选择含 USER:PASSWORD 的文件</translation>
    </message>
    <message>
        <source>Kerberos ser&amp;vice</source>
        <translation>Kerberos 服务(&amp;V)</translation>
    </message>
    <message>
        <source>Clients that join use ZooKeeper&apos;s C client library, which has no SASL. Only watch the lock, or use TLS with a certificate of yours.</source>
        <translation>加入的客户端使用 ZooKeeper 的 C 客户端库，它没有 SASL。请只观察这把锁，或使用 TLS 和你的证书。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::BookmarkList</name>
    <message>
        <source>Bookmarks</source>
        <extracomment>name of a list for screen readers: moments of the run that the user marked</extracomment>
        <translation>书签</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Bookmarks: press Enter to jump, F2 to edit the note, Delete to remove.</source>
        <translation>书签：Enter 跳转，F2 修改备注，Delete 删除。</translation>
    </message>
    <message>
        <source>No bookmarks. Press B to set one at the cursor.</source>
        <translation>尚无书签：按 B 在光标处添加。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::BookmarksController</name>
    <message>
        <source>The bookmarks in %1 belong to another run.</source>
        <translation>%1 中的书签属于另一次运行。</translation>
    </message>
    <message>
        <source>The bookmarks are not saved: %1 belongs to another run.</source>
        <translation>书签未保存：%1 不属于此次运行。</translation>
    </message>
    <message>
        <source>The file is kept unless you replace it.</source>
        <translation>除非你替换它，否则它保持不变。</translation>
    </message>
    <message>
        <source>Replace</source>
        <extracomment>a button: writes the bookmarks over those in the file</extracomment>
        <translation>替换</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CardHeader</name>
    <message>
        <source>%1 more</source>
        <extracomment>how many further cards a menu has</extracomment>
        <translation>还有 %1 个</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ChainView</name>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>Explain · %1</source>
        <translation>说明 · %1</translation>
    </message>
    <message>
        <source>Explain</source>
        <extracomment>title of a box: says what a client does and why</extracomment>
        <translation>说明</translation>
    </message>
    <message>
        <source>Select a client to read what it does and why.</source>
        <translation>选中一个客户端，即可了解它在做什么、为什么。</translation>
    </message>
    <message>
        <source>Server&apos;s own view</source>
        <translation>服务器的视角</translation>
    </message>
    <message>
        <source>Explain · %1 at %2</source>
        <translation>说明 · %1，%2 时</translation>
    </message>
    <message>
        <source>Explain · at %1</source>
        <translation>说明 · %1 时</translation>
    </message>
    <message>
        <source>Explain · %1 is next in turn</source>
        <translation>说明 · 轮到 %1</translation>
    </message>
    <message>
        <source>%1 Next in turn: %2.</source>
        <translation>%1轮到 %2。</translation>
    </message>
    <message>
        <source>Watch chain</source>
        <translation>监视链</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ChartPanel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Move the Cursor to the Right</source>
        <translation>光标右移</translation>
    </message>
    <message>
        <source>Move the Cursor to the Left</source>
        <translation>光标左移</translation>
    </message>
    <message>
        <source>Next Bar</source>
        <translation>下一个条形</translation>
    </message>
    <message>
        <source>Previous Bar</source>
        <translation>上一个条形</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ChartsView</name>
    <message>
        <source>Chart: %1</source>
        <translation>图表：%1</translation>
    </message>
    <message>
        <source>Choose another chart, or all of them</source>
        <translation>选择另一个图表，或全部图表</translation>
    </message>
    <message>
        <source>%1 · until %2</source>
        <translation>%1 · 截至 %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>All charts</source>
        <translation>全部图表</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientCountBox</name>
    <message>
        <source>Clients</source>
        <extracomment>label of a field: how many clients the run has</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Number of clients</source>
        <translation>客户端数量</translation>
    </message>
    <message>
        <source>How many clients contend for the lock.
One more: +  ·  one fewer: -</source>
        <translation>有多少个客户端争用这把锁。
增加一个：+  ·  减少一个：-</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientRow</name>
    <message>
        <source>start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Name</source>
        <extracomment>name of a field: of a client; and the placeholder in it</extracomment>
        <translation>名称</translation>
    </message>
    <message>
        <source>Count</source>
        <extracomment>name of a field: how many clients are like this one</extracomment>
        <translation>数量</translation>
    </message>
    <message>
        <source>Process</source>
        <extracomment>name of a field, a noun: the process whose session the client shares</extracomment>
        <translation>进程</translation>
    </message>
    <message>
        <source>Start</source>
        <extracomment>name of a field, a noun: the time at which the client starts</extracomment>
        <translation>开始</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>own process</source>
        <translation>独立进程</translation>
    </message>
    <message>
        <source>Removes this client from the scenario.</source>
        <translation>从场景中移除此客户端。</translation>
    </message>
    <message>
        <source>Name of client %1</source>
        <translation>客户端 %1 的名称</translation>
    </message>
    <message>
        <source>Process of client %1</source>
        <translation>客户端 %1 的进程</translation>
    </message>
    <message>
        <source>Start of client %1</source>
        <translation>客户端 %1 的开始时间</translation>
    </message>
    <message>
        <source>Remove client %1</source>
        <translation>移除客户端 %1</translation>
    </message>
    <message>
        <source>own workload</source>
        <translation>自己的负载</translation>
    </message>
    <message>
        <source>Clients of one process share its session.</source>
        <translation>同一进程的客户端共用其会话，就像它的线程一样。</translation>
    </message>
    <message>
        <source>Time after the start of the run. Empty: with the other clients.</source>
        <translation>运行启动之后的时间；留空：与其他客户端一起。</translation>
    </message>
    <message>
        <source>Count of client %1</source>
        <translation>客户端 %1 的数量</translation>
    </message>
    <message>
        <source>Client %1 has its own workload</source>
        <translation>客户端 %1 有自己的负载</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientsModel</name>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1，%2，%3</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>the server deleted its node</source>
        <translation>服务器已删除它的节点</translation>
    </message>
    <message>
        <source>connection: %1</source>
        <translation>连接：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientsPage</name>
    <message>
        <source>&amp;Clients</source>
        <translation>客户端(&amp;C)</translation>
    </message>
    <message>
        <source>Add &amp;Named Client</source>
        <translation>添加命名客户端(&amp;N)</translation>
    </message>
    <message>
        <source>Named clients: name, count, the process whose session they share, and when they arrive.</source>
        <translation>有自己名称的客户端：名称、数量、共用其会话的进程，以及何时加入。</translation>
    </message>
    <message>
        <source>Clients without a row of their own below. They are named ada, bo, cyd, …</source>
        <translation>下面没有单独一行的客户端，依次命名为 ada、bo、cyd…</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ClientsView</name>
    <message>
        <source>Clients</source>
        <extracomment>name of a card for screen readers: the list of the clients</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source> · %1 %2</source>
        <translation> · %1 %2</translation>
    </message>
    <message>
        <source> · %1 ended</source>
        <translation> · %1 个已结束</translation>
    </message>
    <message>
        <source>by place · %1</source>
        <translation>按位置 · %1</translation>
    </message>
    <message>
        <source>No client has joined at this time. Go to a later time, or add a client.</source>
        <translation>此刻尚无客户端加入：请转到稍后的时刻，或添加客户端。</translation>
    </message>
    <message numerus="yes">
        <source> · wrong %Ln times</source>
        <translation>
            <numerusform> · 出错 %Ln 次</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions</source>
        <translation>
            <numerusform>%Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>All clients have left.</source>
        <translation>所有客户端都已离开。</translation>
    </message>
    <message>
        <source>No client has joined at this time. Go to a later time.</source>
        <translation>此刻尚无客户端加入：请转到稍后的时刻。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CloseQuestion</name>
    <message numerus="yes">
        <source>%1 · %Ln bookmark(s)</source>
        <translation>
            <numerusform>%1 · %Ln 个书签</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>另有 %Ln 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Close LockScope</source>
        <translation>关闭 LockScope</translation>
    </message>
    <message>
        <source>Save what is in no file yet?</source>
        <translation>要保存尚未存入文件的内容吗？</translation>
    </message>
    <message>
        <source>From now on, discard without asking (Ask to Save in the File menu undoes it)</source>
        <translation>今后不再询问，直接放弃（可在“文件”菜单的“关闭前询问是否保存”中恢复）</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Save All…</source>
        <translation>全部保存(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃(&amp;D)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>Traces (*.jsonl)</source>
        <translation>跟踪记录 (*.jsonl)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CommandPalette</name>
    <message>
        <source>Commands</source>
        <extracomment>title of a window, and its list: all commands of the program</extracomment>
        <translation>命令</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Type to filter, press Enter to run</source>
        <translation>输入以筛选，按 Enter 执行</translation>
    </message>
    <message>
        <source>No matching command.</source>
        <translation>没有匹配的命令。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareBars</name>
    <message>
        <source>%1: %2; %3: %4</source>
        <translation>%1：%2；%3：%4</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareChainView</name>
    <message>
        <source>each waiter watches one node ahead</source>
        <translation>每个等待者监视前面的一个节点</translation>
    </message>
    <message>
        <source>no waiter is woken here</source>
        <translation>这里没有等待者被唤醒</translation>
    </message>
    <message>
        <source>%1 releases · %2</source>
        <translation>%1 释放 · %2</translation>
    </message>
    <message>
        <source>%1: %2 gets the lock</source>
        <translation>%1：%2 得到锁</translation>
    </message>
    <message>
        <source>this release wakes all %1 waiters</source>
        <translation>这次释放唤醒全部 %1 个等待者</translation>
    </message>
    <message>
        <source>this release wakes %1 waiters</source>
        <translation>这次释放唤醒 %1 个等待者</translation>
    </message>
    <message>
        <source>%1; only one can take the lock</source>
        <translation>%1；只有一个能拿到锁</translation>
    </message>
    <message>
        <source>%1 holds · %2</source>
        <translation>%1 持有 · %2</translation>
    </message>
    <message>
        <source>no client holds or waits at this moment</source>
        <translation>此刻无人持有，也无人等待</translation>
    </message>
    <message>
        <source>this release wakes exactly one of %1 waiters</source>
        <translation>这次释放在 %1 个等待者中恰好唤醒一个</translation>
    </message>
    <message>
        <source>%1: %2 gets the lock, the others wake in vain</source>
        <translation>%1：%2 得到锁，其余的白白醒来</translation>
    </message>
    <message numerus="yes">
        <source>%Ln watches on one node</source>
        <translation>
            <numerusform>%Ln 个监视都在同一个节点上</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareController</name>
    <message>
        <source>Cancel</source>
        <extracomment>a button: stops the comparison</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>There is no run to compare.</source>
        <translation>还没有可比较的运行。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareDialog</name>
    <message>
        <source>&amp;First</source>
        <translation>第一个(&amp;F)</translation>
    </message>
    <message>
        <source>S&amp;econd</source>
        <translation>第二个(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Clients</source>
        <translation>客户端(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;ycles of each</source>
        <translation>每个的轮次(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>种子(&amp;S)</translation>
    </message>
    <message>
        <source>Scenarios run one after the other, with the same changes. A trace stays as it is.</source>
        <translation>两个场景依次运行，改动相同。跟踪记录保持原样。</translation>
    </message>
    <message>
        <source>Compare</source>
        <extracomment>a button, a verb: starts the comparison</extracomment>
        <translation>比较</translation>
    </message>
    <message>
        <source>Scenarios and traces (*.toml *.jsonl)</source>
        <translation>场景和跟踪记录 (*.toml *.jsonl)</translation>
    </message>
    <message>
        <source>Compare Two Runs</source>
        <translation>比较两次运行</translation>
    </message>
    <message>
        <source>Current run: %1</source>
        <translation>当前显示的运行：%1</translation>
    </message>
    <message>
        <source>Selects a scenario (.toml) or a trace (.jsonl).</source>
        <translation>选择场景（.toml）或跟踪记录（.jsonl）。</translation>
    </message>
    <message>
        <source>As in the scenario</source>
        <translation>与场景相同</translation>
    </message>
    <message>
        <source>Open a Scenario or a Trace</source>
        <translation>打开场景或跟踪记录</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareJob</name>
    <message>
        <source>Opening trace %1 of 2…</source>
        <translation>正在打开第 %1 份跟踪记录，共 2 份…</translation>
    </message>
    <message>
        <source>Run %1 of 2: %2 starts…</source>
        <translation>运行 %1/2：%2 正在启动…</translation>
    </message>
    <message>
        <source>Run %1 of 2: %2, %3 events so far…</source>
        <translation>运行 %1/2：%2，目前 %3 个事件…</translation>
    </message>
    <message>
        <source>announced handoff</source>
        <translation>宣告式交接</translation>
    </message>
    <message>
        <source>Curator&apos;s handoff</source>
        <translation>Curator 式交接</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Evaluating run %1 of 2…</source>
        <translation>正在评估第 %1 次运行，共 2 次…</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareTableModel</name>
    <message>
        <source>%1, better</source>
        <translation>%1，更好</translation>
    </message>
    <message>
        <source>left compared with right</source>
        <translation>左与右相比</translation>
    </message>
    <message>
        <source>%1 It depends on the workload, and the two workloads differ.</source>
        <translation>%1它取决于负载，而这里的负载不同。</translation>
    </message>
    <message>
        <source>The average number of watches that fire when a watched node is deleted.</source>
        <translation>一个被监视的节点消失时，平均触发多少个监视。</translation>
    </message>
    <message>
        <source>From the release to the next acquisition: the median, or the 99th percentile.</source>
        <translation>从释放到下一个持有者：一半或 99% 的交接最多这么久。</translation>
    </message>
    <message>
        <source>From the acquire call to the acquisition: the median, or the 99th percentile.</source>
        <translation>从请求锁到拿到锁：一半或 99% 的等待最多这么久。</translation>
    </message>
    <message>
        <source>How often the lock was acquired. An acquisition of a free lock, or again by the same client, is not a handoff.</source>
        <translation>锁被获取了多少次。取得空闲的锁，或者自己再次取得，不算交接。</translation>
    </message>
    <message>
        <source>From the start of the run, when the server was ready, to its end.</source>
        <translation>从服务器就绪后运行启动，到运行结束。</translation>
    </message>
    <message>
        <source>Jain&apos;s index of the acquisitions per client: 1 when all clients have the same number.</source>
        <translation>各客户端获取次数的 Jain 指数：次数全都相同时为 1。</translation>
    </message>
    <message>
        <source>The largest number of clients that asked after a waiting client and were served before it.</source>
        <translation>后请求的客户端中，最多有多少个先于已在排队休眠的客户端得到服务。</translation>
    </message>
    <message>
        <source>The findings that the run violates.</source>
        <translation>该运行所违反的检查项。</translation>
    </message>
    <message>
        <source>The requests that a client sends for one acquisition, from its acquire call to the end of its release.</source>
        <translation>客户端为一次获取发送的请求数，从调用 acquire 到释放结束。</translation>
    </message>
    <message>
        <source>The number of waits that timed out.</source>
        <translation>超时的等待次数。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareTimelineView</name>
    <message>
        <source>%1 · %2 on both sides</source>
        <translation>%1 · 左右两图各 %2</translation>
    </message>
    <message>
        <source>typical release: %1 (median %2)</source>
        <translation>典型释放：%1（中位数 %2）</translation>
    </message>
    <message>
        <source>release shown above: %1 (median %2)</source>
        <translation>上图的释放：%1（中位数 %2）</translation>
    </message>
    <message>
        <source>shown above: %1</source>
        <translation>见上图：%1</translation>
    </message>
    <message>
        <source>shown above</source>
        <translation>见上图</translation>
    </message>
    <message>
        <source>Click to see the queue at a release. The left and right arrow keys go to the previous and next one.</source>
        <translation>点击可查看某次释放时的队列；左右方向键逐次切换。</translation>
    </message>
    <message>
        <source>%1 of %2 lanes: the holders in this range</source>
        <translation>%2 条泳道中的 %1 条：此处持有过锁的</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lanes</source>
        <translation>
            <numerusform>%Ln 条泳道</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareVerdictView</name>
    <message>
        <source>Verdict</source>
        <extracomment>name for screen readers: the table that compares two runs</extracomment>
        <translation>结论</translation>
    </message>
    <message>
        <source>Show Difference</source>
        <translation>显示差异</translation>
    </message>
    <message>
        <source>Shows a typical release with a long queue in both runs. When off, shows the whole runs.</source>
        <translation>显示两次运行中队列较长时的一次典型释放。关闭时显示整个运行。</translation>
    </message>
    <message>
        <source>Saves this page as one file for any browser.</source>
        <translation>把本页保存为任何浏览器都能打开的单个文件。</translation>
    </message>
    <message>
        <source>Saves the page and each of its parts as PNG and SVG files.</source>
        <translation>把本页及其各部分写成 PNG 和 SVG 文件。</translation>
    </message>
    <message>
        <source>Show Whole Runs</source>
        <translation>显示整个运行</translation>
    </message>
    <message>
        <source>Save as HTML…</source>
        <translation>保存为 HTML…</translation>
    </message>
    <message>
        <source>Save Pictures…</source>
        <translation>保存图片…</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::CompareWindow</name>
    <message>
        <source>%1 and %2 - LockScope</source>
        <translation>%1 与 %2 - LockScope</translation>
    </message>
    <message>
        <source>Verdict</source>
        <extracomment>title of a panel: the table that compares two runs</extracomment>
        <translation>结论</translation>
    </message>
    <message>
        <source>Queue of %1</source>
        <translation>%1 的队列</translation>
    </message>
    <message>
        <source>Handoff timeline of %1</source>
        <translation>%1 的交接时间线</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>Saved the pictures in %1.</source>
        <translation>已把图片保存到 %1。</translation>
    </message>
    <message>
        <source>same seed</source>
        <translation>种子相同</translation>
    </message>
    <message>
        <source>different seeds</source>
        <translation>种子不同</translation>
    </message>
    <message>
        <source>Compare · %1, %2, same load</source>
        <translation>比较 · %1，%2，负载相同</translation>
    </message>
    <message>
        <source>Compare · %1, %2</source>
        <translation>比较 · %1，%2</translation>
    </message>
    <message>
        <source>%1 and %2 handoffs from one client to another, one run each</source>
        <translation>客户端之间交接 %1 次与 %2 次，各运行一次</translation>
    </message>
    <message>
        <source>Save the Comparison as HTML</source>
        <translation>把比较保存为 HTML</translation>
    </message>
    <message>
        <source>Save the Pictures to a Folder</source>
        <translation>把图片保存到文件夹</translation>
    </message>
    <message>
        <source>Compare · %1</source>
        <translation>比较 · %1</translation>
    </message>
    <message>
        <source>Handoff timeline</source>
        <translation>交接时间线</translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients each</source>
        <translation>
            <numerusform>各 %Ln 个客户端</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <extracomment>&quot;1 client&quot; and &quot;5 clients&quot;</extracomment>
        <translation>%1和 %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients</source>
        <translation>
            <numerusform>%Ln 个客户端</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln clients · %1 · ZooKeeper %2</source>
        <translation>
            <numerusform>%Ln 个客户端 · %1 · ZooKeeper %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DockCard</name>
    <message>
        <source>&amp;Maximize</source>
        <translation>最大化(&amp;M)</translation>
    </message>
    <message>
        <source>All Cards</source>
        <translation>所有卡片</translation>
    </message>
    <message>
        <source>Restores all cards (Shift+F11, or double-click here).</source>
        <translation>恢复所有卡片（Shift+F11，或在此处双击）。</translation>
    </message>
    <message>
        <source>&amp;Restore All Cards</source>
        <translation>恢复所有卡片(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Dock</source>
        <translation>放回窗口(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Float</source>
        <translation>移出窗口(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Hide (the View menu shows it again)</source>
        <translation>隐藏（可从“视图”菜单恢复）(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::DurationChart</name>
    <message>
        <source>p50 %1 · p99 %2 · longest %3</source>
        <translation>p50 %1 · p99 %2 · 最长 %3</translation>
    </message>
    <message>
        <source>p50 %1 · p99 %2</source>
        <translation>p50 %1 · p99 %2</translation>
    </message>
    <message>
        <source>p50 %1</source>
        <translation>p50 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::EndsChart</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Why holds ended</source>
        <translation>持有为何结束</translation>
    </message>
    <message>
        <source>released</source>
        <extracomment>a bar of &quot;Why holds ended&quot;: the holder released the lock</extracomment>
        <translation>已释放</translation>
    </message>
    <message>
        <source>session closed by its client</source>
        <translation>会话由其客户端关闭</translation>
    </message>
    <message>
        <source>session expired</source>
        <translation>会话过期</translation>
    </message>
    <message>
        <source>deleted by another session</source>
        <translation>被另一会话删除</translation>
    </message>
    <message>
        <source>still held at the end</source>
        <translation>结束时仍持有</translation>
    </message>
    <message>
        <source>left the queue, never first</source>
        <translation>离开队列，从未排到最前</translation>
    </message>
    <message>
        <source>unknown whether it held</source>
        <extracomment>a bar of &quot;Why holds ended&quot;: a gap of the log hides whether these nodes were ever first</extracomment>
        <translation>是否持有过未知</translation>
    </message>
    <message>
        <source>end unknown</source>
        <extracomment>a bar of &quot;Why holds ended&quot;: they may have ended in a gap of the log</extracomment>
        <translation>何时结束未知</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ExpectPage</name>
    <message>
        <source>holds</source>
        <extracomment>a choice for what is expected of a finding: it is kept</extracomment>
        <translation>成立</translation>
    </message>
    <message>
        <source>is violated</source>
        <translation>被违反</translation>
    </message>
    <message>
        <source>either</source>
        <extracomment>a choice for what is expected of a finding: kept or violated</extracomment>
        <translation>皆可</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ExportController</name>
    <message>
        <source>Exporting %1…</source>
        <translation>正在导出 %1…</translation>
    </message>
    <message>
        <source>Exported %1.</source>
        <translation>已导出 %1。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <extracomment>a button: stops the export</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 图形 (*.svg)</translation>
    </message>
    <message>
        <source>Saved the picture %1.</source>
        <translation>已保存图片 %1。</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已在剪贴板上。</translation>
    </message>
    <message>
        <source>The window at the moment of the export</source>
        <translation>导出时刻的窗口</translation>
    </message>
    <message>
        <source>There is no run to export.</source>
        <translation>还没有可导出的运行。</translation>
    </message>
    <message>
        <source>Save a Picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Save the Data of a Chart</source>
        <translation>保存图表的数据</translation>
    </message>
    <message>
        <source>Saved the data as %1.</source>
        <translation>数据已保存为 %1。</translation>
    </message>
    <message>
        <source>Copies the picture at twice the screen size, and as SVG.</source>
        <translation>把图片放到剪贴板：屏幕尺寸的两倍，另附 SVG。</translation>
    </message>
    <message>
        <source>Saves the chart&apos;s data up to the cursor as CSV.</source>
        <translation>把光标之前的图表数据保存为 CSV。</translation>
    </message>
    <message>
        <source>&amp;Save Picture…</source>
        <translation>保存图片(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Copy Picture</source>
        <translation>复制图片(&amp;C)</translation>
    </message>
    <message>
        <source>Save D&amp;ata…</source>
        <translation>保存数据(&amp;N)…</translation>
    </message>
    <message numerus="yes">
        <source>Created %1 from %Ln picture(s).</source>
        <translation>
            <numerusform>已用 %Ln 张图片制作 %1。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Created %Ln picture(s) in %1; make-a-film.txt explains how to turn them into a film.</source>
        <translation>
            <numerusform>已在 %1 中制作 %Ln 张图片；其中的 make-a-film.txt 说明如何做成影片。</numerusform>
        </translation>
    </message>
    <message>
        <source>The whole window</source>
        <translation>整个窗口</translation>
    </message>
    <message>
        <source>PDF page (*.pdf)</source>
        <translation>PDF 页面 (*.pdf)</translation>
    </message>
    <message>
        <source>Creating pictures of the run for %1…</source>
        <translation>正在为 %1 生成运行的图片…</translation>
    </message>
    <message>
        <source>Saves a PNG at twice the screen size, or an SVG or PDF with text as text.</source>
        <translation>保存两倍屏幕大小的 PNG，或者文字仍是文字的 SVG 或 PDF。</translation>
    </message>
    <message>
        <source>Printed the window.</source>
        <translation>已打印窗口。</translation>
    </message>
    <message>
        <source>Export a Page That Plays the Run</source>
        <translation>导出播放运行的网页</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FileDialogs</name>
    <message>
        <source>Scenarios and traces (*.toml *.jsonl)</source>
        <translation>场景和跟踪记录 (*.toml *.jsonl)</translation>
    </message>
    <message>
        <source>Scenarios (*.toml)</source>
        <translation>场景 (*.toml)</translation>
    </message>
    <message>
        <source>Traces (*.jsonl)</source>
        <translation>跟踪记录 (*.jsonl)</translation>
    </message>
    <message>
        <source>Open a Scenario or a Trace</source>
        <translation>打开场景或跟踪记录</translation>
    </message>
    <message>
        <source>Save the Trace</source>
        <translation>保存跟踪记录</translation>
    </message>
    <message>
        <source>Open the Traces and Logs of Several Machines</source>
        <translation>打开多台机器的跟踪记录和日志</translation>
    </message>
    <message>
        <source>Traces and logs of servers (*.jsonl log.* snapshot.*)</source>
        <translation>跟踪记录和服务器的日志 (*.jsonl log.* snapshot.*)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FindingsModel</name>
    <message>
        <source>%1 times. Last: %2</source>
        <translation>%1 次。最近一次：%2</translation>
    </message>
    <message>
        <source>%1: not checked yet, %2</source>
        <translation>%1：尚未检查，%2</translation>
    </message>
    <message>
        <source>%1: holds, %2</source>
        <translation>%1：成立，%2</translation>
    </message>
    <message>
        <source>%1: violated. %2</source>
        <translation>%1：被违反。%2</translation>
    </message>
    <message>
        <source>show ›</source>
        <translation>查看 ›</translation>
    </message>
    <message>
        <source>%1, but %2 acts on a lock it lost</source>
        <translation>%1，但 %2 仍凭已失去的锁行事</translation>
    </message>
    <message>
        <source>%1, but %2 clients act on a lock they lost</source>
        <translation>%1，但 %2 个客户端仍凭已失去的锁行事</translation>
    </message>
    <message>
        <source>%1: disputed, %2</source>
        <translation>%1：有争议，%2</translation>
    </message>
    <message>
        <source>As the scenario shows: %1</source>
        <translation>正如场景所要展示的：%1</translation>
    </message>
    <message>
        <source>%1: violated as expected. %2</source>
        <translation>%1：如预期被违反。%2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FindingsPills</name>
    <message>
        <source>one holder</source>
        <translation>一个持有者</translation>
    </message>
    <message>
        <source>two holders</source>
        <translation>两个持有者</translation>
    </message>
    <message>
        <source>first come, first served</source>
        <translation>先来先服务</translation>
    </message>
    <message>
        <source>out of order</source>
        <translation>顺序错乱</translation>
    </message>
    <message>
        <source>1 wake-up per handoff</source>
        <translation>每次交接唤醒 1 个</translation>
    </message>
    <message>
        <source>%1 wake-ups per handoff</source>
        <translation>每次交接唤醒 %1 个</translation>
    </message>
    <message>
        <source>readers or one writer</source>
        <translation>读者同持或一个写者</translation>
    </message>
    <message>
        <source>a writer not alone</source>
        <translation>写者未独占</translation>
    </message>
    <message>
        <source>leases kept</source>
        <translation>租约未超发</translation>
    </message>
    <message>
        <source>too many leases</source>
        <translation>租约超发</translation>
    </message>
    <message>
        <source>order not checked</source>
        <translation>未检查顺序</translation>
    </message>
    <message>
        <source>no herd, %1 woken at most</source>
        <translation>无羊群，最多唤醒 %1 个</translation>
    </message>
    <message>
        <source>%1: not checked</source>
        <translation>%1：未检查</translation>
    </message>
    <message>
        <source>%1, as the scenario shows</source>
        <translation>%1，正如场景所要展示</translation>
    </message>
    <message>
        <source>writer alone</source>
        <translation>写者独占</translation>
    </message>
    <message>
        <source>not alone</source>
        <translation>写者未独占</translation>
    </message>
    <message>
        <source>in order</source>
        <translation>有序</translation>
    </message>
    <message>
        <source>no herd</source>
        <translation>无羊群</translation>
    </message>
    <message>
        <source>1 wake-up</source>
        <translation>唤醒 1 个</translation>
    </message>
    <message>
        <source>%1 wake-ups</source>
        <translation>唤醒 %1 个</translation>
    </message>
    <message>
        <source>none violated</source>
        <translation>无违反</translation>
    </message>
    <message>
        <source>disputed</source>
        <extracomment>of a finding: the server keeps it, a client acts as if it did not</extracomment>
        <translation>有争议</translation>
    </message>
    <message>
        <source>violated, as the scenario shows</source>
        <translation>如场景所示被违反</translation>
    </message>
    <message>
        <source>Nothing has been checked yet.</source>
        <translation>尚未检查任何内容。</translation>
    </message>
    <message>
        <source>The Findings card lists what was checked.</source>
        <translation>“检查项”卡片列出检查了什么。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln violated</source>
        <translation>
            <numerusform>%Ln 项被违反</numerusform>
        </translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>尚未检查</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FindingsView</name>
    <message>
        <source>Findings</source>
        <extracomment>name of a card for screen readers: the rules that were checked</extracomment>
        <translation>检查项</translation>
    </message>
    <message>
        <source>%1 of %2 violated</source>
        <translation>%2 项中有 %1 项被违反</translation>
    </message>
    <message>
        <source>%1 checked, all hold</source>
        <translation>已检查 %1 项，全部成立</translation>
    </message>
    <message>
        <source>nothing checked yet</source>
        <translation>尚未检查</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FollowNotice</name>
    <message>
        <source>Follow</source>
        <extracomment>a button: goes to the end of the run and stays there</extracomment>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Follows the end of the run again.</source>
        <translation>转到运行的末尾并随之前进。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FormDialog</name>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FrameJob</name>
    <message>
        <source>LockScope wrote one picture for each %1 ms of the run. Run one of these commands in this folder to make a film of them.

With ffmpeg, a film (MP4):
%2

With ffmpeg, a film for web pages (WebM):
%3
</source>
        <translation>LockScope 为运行的每 %1 毫秒写出了一张图片。在此文件夹中运行以下命令之一，即可把它们做成影片。

用 ffmpeg 制作影片（MP4）：
%2

用 ffmpeg 制作网页影片（WebM）：
%3
</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::FramesDialog</name>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Pictures &amp;of</source>
        <translation>对象(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>从(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>到(&amp;T)</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>文件夹(&amp;O)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Animated GIF</source>
        <translation>GIF 动画</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>F&amp;ile</source>
        <translation>文件(&amp;I)</translation>
    </message>
    <message>
        <source>Animated GIFs (*.gif)</source>
        <translation>GIF 动画 (*.gif)</translation>
    </message>
    <message>
        <source>S&amp;peed</source>
        <translation>速度(&amp;P)</translation>
    </message>
    <message>
        <source>Numbered Pictures</source>
        <translation>编号图片</translation>
    </message>
    <message>
        <source>Create GIF</source>
        <translation>制作 GIF</translation>
    </message>
    <message>
        <source>Create Pictures</source>
        <translation>制作图片</translation>
    </message>
    <message>
        <source>Pictures per &amp;second</source>
        <translation>每秒图片数(&amp;S)</translation>
    </message>
    <message>
        <source>Speed of the film, relative to the run.</source>
        <translation>影片的速度，相对于运行发生时的速度。</translation>
    </message>
    <message>
        <source>Save the GIF</source>
        <translation>保存 GIF</translation>
    </message>
    <message>
        <source>Save the Pictures to a Folder</source>
        <translation>把图片保存到文件夹</translation>
    </message>
    <message>
        <source>The end is before the beginning. Enter a later end.</source>
        <translation>结束早于开始：请输入更晚的结束时刻。</translation>
    </message>
    <message>
        <source>The file exists and will be replaced.</source>
        <translation>该文件已存在，将被替换。</translation>
    </message>
    <message>
        <source>This is the maximum.</source>
        <translation>这是上限。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s), frame-0001.png and so on, and a text file with the command that turns them into a film.</source>
        <translation>
            <numerusform>%Ln 张图片（frame-0001.png 等），以及一个文本文件，写有把它们做成影片的命令。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s) in one file that repeats every %1.</source>
        <translation>
            <numerusform>%Ln 张图片在一个文件中循环播放，每次 %1。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::HandoffBar</name>
    <message>
        <source>Parts of the handoff</source>
        <translation>交接的各部分</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::HandoffsModel</name>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Time</source>
        <extracomment>table head: the time of the run</extracomment>
        <translation>时间</translation>
    </message>
    <message>
        <source>When the next client had the lock.</source>
        <translation>下一个客户端得到锁的时刻。</translation>
    </message>
    <message>
        <source>Lock</source>
        <extracomment>table head, a noun: the path of the lock</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>From</source>
        <extracomment>table head: the client that released the lock</extracomment>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <extracomment>table head: the client that got the lock</extracomment>
        <translation>到</translation>
    </message>
    <message>
        <source>Handoff</source>
        <translation>交接</translation>
    </message>
    <message>
        <source>From the release to the next hold.</source>
        <translation>从释放到下一次持有。</translation>
    </message>
    <message>
        <source>Delete</source>
        <extracomment>table head: the first part of a handoff</extracomment>
        <translation>删除</translation>
    </message>
    <message>
        <source>From the release until the node was deleted.</source>
        <translation>从释放到节点被删除。</translation>
    </message>
    <message>
        <source>Wake</source>
        <extracomment>table head: the second part of a handoff</extracomment>
        <translation>唤醒</translation>
    </message>
    <message>
        <source>Until the watch of the next client fired.</source>
        <translation>到下一个客户端的监视触发。</translation>
    </message>
    <message>
        <source>List</source>
        <extracomment>table head: the last part of a handoff</extracomment>
        <translation>列表</translation>
    </message>
    <message>
        <source>Until the next client had listed the queue, and held.</source>
        <translation>到下一个客户端列出队列并持有。</translation>
    </message>
    <message>
        <source>Waited</source>
        <extracomment>table head: how long the next client had waited</extracomment>
        <translation>等待</translation>
    </message>
    <message>
        <source>How long the next client had waited.</source>
        <translation>下一个客户端等了多久。</translation>
    </message>
    <message>
        <source>Held</source>
        <extracomment>table head: how long the former client had held</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>How long the former holder had held.</source>
        <translation>前一个持有者持有了多久。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::HandoffsView</name>
    <message>
        <source>Filter by client or lock</source>
        <translation>按客户端或锁筛选</translation>
    </message>
    <message>
        <source>Handoffs</source>
        <translation>交接次数</translation>
    </message>
    <message>
        <source>No handoff yet.</source>
        <translation>还没有交接。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln handoffs</source>
        <translation>
            <numerusform>%Ln 次交接</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 handoffs</source>
        <translation>%2 次交接中的 %1 次</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::HistoryDock</name>
    <message>
        <source>History</source>
        <extracomment>title of a panel: the locks in a server&apos;s transaction log</extracomment>
        <translation>历史</translation>
    </message>
    <message>
        <source>%1, from the transaction log</source>
        <translation>%1，来自事务日志</translation>
    </message>
    <message>
        <source>%1 and %2 more, from the transaction log</source>
        <translation>%1 及另外 %2 个，来自事务日志</translation>
    </message>
    <message>
        <source>There are too many locks or participants for one run; some are left out. Select fewer locks.</source>
        <translation>锁或参与者多于一次运行所能容纳的数量：略去了一部分。请少选一些。</translation>
    </message>
    <message>
        <source>Open ZooKeeper Data Directory</source>
        <translation>打开 ZooKeeper 数据目录</translation>
    </message>
    <message>
        <source>Open Names of Participants</source>
        <translation>打开参与者名称文件</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::HistoryPanel</name>
    <message>
        <source>&amp;Follow</source>
        <translation>跟随(&amp;F)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <extracomment>a button: stops the reading of the history</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Filter by path or recipe</source>
        <translation>按路径或配方筛选</translation>
    </message>
    <message>
        <source>Locks of the history</source>
        <translation>历史中的锁</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>显示(&amp;S)</translation>
    </message>
    <message>
        <source>Gaps and damage</source>
        <translation>空缺与损坏</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1 transactions, %2 to %3</source>
        <translation>%1 个事务，%2 至 %3</translation>
    </message>
    <message>
        <source>%1 to %2 UTC, by the leader&apos;s clock</source>
        <translation>%1 至 %2 UTC，按领导者的时钟</translation>
    </message>
    <message>
        <source>local time: %1</source>
        <translation>本地时间：%1</translation>
    </message>
    <message>
        <source>&amp;Names…</source>
        <translation>名称(&amp;N)…</translation>
    </message>
    <message>
        <source>Keeps reading as the server writes. The files are not changed.</source>
        <translation>随服务器的写入继续读取，不修改其文件。</translation>
    </message>
    <message>
        <source>Opens a text file with names for the participants: a session (0x…) or a host on each line, then the name.</source>
        <translation>读取为参与者命名的文本文件：每行一个会话（0x…）或主机，其后是名称。</translation>
    </message>
    <message>
        <source>Shows the events of the selected locks in all views.</source>
        <translation>在所有视图中显示所选锁的事件。</translation>
    </message>
    <message>
        <source>Show &amp;All in Folder</source>
        <translation>显示其目录下的全部(&amp;A)</translation>
    </message>
    <message>
        <source>Shows the events of all locks in the folder of the selected lock.</source>
        <translation>显示所选锁所在目录下所有锁的事件。</translation>
    </message>
    <message>
        <source>No transactions were read.</source>
        <translation>未读到任何事务。</translation>
    </message>
    <message>
        <source>Findings</source>
        <extracomment>a tab, and its list for screen readers: the rules that were checked</extracomment>
        <translation>检查项</translation>
    </message>
    <message>
        <source>Hold</source>
        <extracomment>heading of a chart: how long the lock was held</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>Wait</source>
        <extracomment>heading of a chart: how long clients waited</extracomment>
        <translation>等待</translation>
    </message>
    <message>
        <source>Charts</source>
        <extracomment>a tab</extracomment>
        <translation>图表</translation>
    </message>
    <message>
        <source>Charts and findings of the history</source>
        <translation>历史的图表和检查项</translation>
    </message>
    <message>
        <source>Hold and wait times · %1</source>
        <translation>持有和等待时间 · %1</translation>
    </message>
    <message>
        <source>shown locks</source>
        <translation>显示的锁</translation>
    </message>
    <message>
        <source>all locks</source>
        <translation>全部锁</translation>
    </message>
    <message>
        <source>Findings · ✗ %1</source>
        <translation>检查项 · ✗ %1</translation>
    </message>
    <message>
        <source>Why holds ended · %1</source>
        <translation>持有为何结束 · %1</translation>
    </message>
    <message>
        <source>selected locks</source>
        <translation>选中的锁</translation>
    </message>
    <message>
        <source>No transactions: this is what the snapshot of %1 has, as of %2 UTC or later.</source>
        <translation>没有事务：这是 %1 的快照的内容，时间为 %2 UTC 或更晚。</translation>
    </message>
    <message>
        <source>%1: the history begins inside its queue. It is known since %2 UTC.</source>
        <translation>%1：历史从它的队列中间开始，自 %2 UTC 起才已知。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::InspectorModel</name>
    <message>
        <source>Click a client, a node, an arrow between two holds, or a line of the log: everything that is known about it appears here.</source>
        <translation>点击一个客户端、一个节点、两次持有之间的箭头，或日志中的一行：这里会列出它的全部已知信息。</translation>
    </message>
    <message>
        <source>The selected item is not in this run. Select another one.</source>
        <translation>所选内容不在这次运行中：请另选一个。</translation>
    </message>
    <message>
        <source>The selected item does not exist at this moment. Go to another moment, or select another item.</source>
        <translation>所选内容在此刻不存在：请转到别的时刻，或另选一个。</translation>
    </message>
    <message>
        <source>go to event %1</source>
        <translation>转到事件 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Goes to event %1, in all views.</source>
        <translation>在所有视图中转到事件 %1。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::InspectorView</name>
    <message>
        <source>Inspector</source>
        <extracomment>name of a card for screen readers: all that is known of the selected item</extracomment>
        <translation>检查器</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Go to event %1</source>
        <translation>转到事件 %1</translation>
    </message>
    <message>
        <source>Inspect %1</source>
        <translation>检查 %1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::JudgeController</name>
    <message>
        <source>The program cannot be judged. %1</source>
        <translation>无法判断这个程序。%1</translation>
    </message>
    <message numerus="yes">
        <source>The lock is not right: %Ln rules are violated. %1</source>
        <translation>
            <numerusform>锁不对：违反了 %Ln 条规则。%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Show Event</source>
        <translation>显示事件</translation>
    </message>
    <message numerus="yes">
        <source>No rule is violated: %Ln planned faults met a copy, and the lock was acquired %1 times.</source>
        <translation>
            <numerusform>没有违反任何规则：%Ln 个计划的故障击中了副本，锁被获取了 %1 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>That is no proof. Try other seeds, harsh faults and more time.</source>
        <translation>这不是证明。请试试别的种子、严酷的故障和更长的时间。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::JudgeDialog</name>
    <message>
        <source>Judge a Program</source>
        <translation>判断一个程序</translation>
    </message>
    <message>
        <source>Gentle: what a session survives</source>
        <translation>温和：会话能够经受的</translation>
    </message>
    <message>
        <source>Harsh: also ended sessions, killed processes and a server that restarts</source>
        <translation>严酷：还有会话结束、进程被杀死、服务器重启</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>程序(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Copies</source>
        <translation>副本数(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Faults</source>
        <translation>故障(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>种子(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Time for faults</source>
        <translation>故障的时间(&amp;T)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>The copies run in the folder %1, on a private ZooKeeper. Each gets the server&apos;s address in the variable LOCKSCOPE_CONNECT and the path of the lock in LOCKSCOPE_LOCK, and writes the lines acquired and released. The page &quot;Is your lock right?&quot; of the manual says more.</source>
        <translation>副本在文件夹 %1 中、在一个私有的 ZooKeeper 上运行。每个副本从变量 LOCKSCOPE_CONNECT 得到服务器的地址，从 LOCKSCOPE_LOCK 得到锁的路径，并写出 acquired 和 released 这两种行。手册的“你的锁对吗？”一页有更多说明。</translation>
    </message>
    <message>
        <source>Judge</source>
        <extracomment>a button: runs copies of the user&apos;s program under faults</extracomment>
        <translation>判断</translation>
    </message>
    <message>
        <source>Name the program and its arguments, as in a terminal.</source>
        <translation>写出程序和它的参数，和在终端中一样。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LanguageMenu</name>
    <message>
        <source>Changes the language of the window. The run continues.</source>
        <translation>更改窗口的语言。运行继续。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonController</name>
    <message>
        <source>Lesson</source>
        <extracomment>title of a panel</extracomment>
        <translation>课程</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n min)</source>
        <translation>
            <numerusform>%1（%n 分钟）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Learn (%Ln Minutes)</source>
        <translation>
            <numerusform>学习（%Ln 分钟）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LessonPanel</name>
    <message>
        <source>Leave</source>
        <extracomment>a button: leaves the lesson</extracomment>
        <translation>退出</translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation>‹ 上一步</translation>
    </message>
    <message>
        <source>Do It Again</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Plays this step from its beginning, in a new run.</source>
        <translation>在一次新的运行中从头重做这一步。</translation>
    </message>
    <message>
        <source>The views show another run. &quot;Do It Again&quot; returns to the lesson.</source>
        <translation>视图中显示的是另一次运行。点“重做”回到课程。</translation>
    </message>
    <message>
        <source>Lesson %1 of %2 · %3</source>
        <translation>第 %1 课（共 %2 课）· %3</translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation>第 %1 步（共 %2 步）· %3</translation>
    </message>
    <message>
        <source>Next ›</source>
        <translation>下一步 ›</translation>
    </message>
    <message>
        <source>Skip ›</source>
        <translation>跳过 ›</translation>
    </message>
    <message>
        <source>The run continues…</source>
        <translation>运行继续…</translation>
    </message>
    <message>
        <source>No client</source>
        <translation>没有客户端</translation>
    </message>
    <message>
        <source>Place the Bet</source>
        <translation>下注</translation>
    </message>
    <message>
        <source>Or click the clients in the diagram.</source>
        <translation>也可以在图中点击客户端。</translation>
    </message>
    <message>
        <source>✓ Right.</source>
        <translation>✓ 正确。</translation>
    </message>
    <message>
        <source>✗ The run says otherwise.</source>
        <translation>✗ 运行的结果不同。</translation>
    </message>
    <message>
        <source>Your bet: %1</source>
        <translation>你所下的注：%1</translation>
    </message>
    <message>
        <source>none of these</source>
        <translation>以上都不是</translation>
    </message>
    <message>
        <source>The run: %1</source>
        <translation>运行的结果：%1</translation>
    </message>
    <message>
        <source>Show the Event That Proves It</source>
        <translation>显示证明它的事件</translation>
    </message>
    <message>
        <source>✓ Done.</source>
        <translation>✓ 完成。</translation>
    </message>
    <message>
        <source>Give Me a Hint</source>
        <translation>给我提示</translation>
    </message>
    <message>
        <source>What you know so far</source>
        <translation>已经学到的</translation>
    </message>
    <message>
        <source>The end of the lesson</source>
        <translation>课程结束</translation>
    </message>
    <message>
        <source>Next Lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Leaves the lesson. It continues at this step the next time.</source>
        <translation>退出课程。下次从这一步继续。</translation>
    </message>
    <message>
        <source>Each click or digit counts one hand, a right click or Backspace takes one back. Most hands win.</source>
        <translation>每次点击或按数字计一只手，右键或 Backspace 收回一只。举手最多的就是所下的注。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n hands were right.</source>
        <translation>
            <numerusform>%n 只手中有 %1 只举对了。</numerusform>
        </translation>
    </message>
    <message>
        <source>The run has still not reached the beginning of this step. &quot;Do It Again&quot; starts a new run.</source>
        <translation>运行过了一段时间仍未到达这一步的开头。点“重做”会开始新的运行。</translation>
    </message>
    <message>
        <source>The clients are starting…</source>
        <translation>客户端正在启动…</translation>
    </message>
    <message>
        <source>This run is over. &quot;Do It Again&quot; starts a new one.</source>
        <translation>这次运行已经结束。点“重做”会开始新的运行。</translation>
    </message>
    <message>
        <source>This run did not go as the lesson explains. &quot;Do It Again&quot; plays the step again.</source>
        <translation>这次运行的经过与课程的讲解不同。点“重做”会重新进行这一步。</translation>
    </message>
    <message>
        <source>This was so before you did anything: a mistake of the lesson file.</source>
        <translation>你还没动手，目标就已经达到：这是课程文件的错误。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n bets were right.</source>
        <translation>
            <numerusform>%n 次下注里对了 %1 次。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>✓ Done in %n moves.</source>
        <translation>
            <numerusform>✓ 用 %n 步完成。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The shortest known way has %n moves.</source>
        <translation>
            <numerusform>已知最短的走法是 %n 步。</numerusform>
        </translation>
    </message>
    <message>
        <source>Moves so far: %1.</source>
        <translation>已走步数：%1。</translation>
    </message>
    <message>
        <source>Faults (%1 left)</source>
        <translation>故障（还剩 %1 次）</translation>
    </message>
    <message>
        <source>Everybody</source>
        <translation>所有客户端</translation>
    </message>
    <message>
        <source>Nothing else can happen any more.</source>
        <translation>不会再发生别的事了。</translation>
    </message>
    <message>
        <source>Take Back a Move</source>
        <translation>撤回一步</translation>
    </message>
    <message>
        <source>Looking for the way in which it breaks…</source>
        <translation>正在寻找它怎样坏掉…</translation>
    </message>
    <message>
        <source>Every schedule is being tried…</source>
        <translation>正在尝试每一种调度…</translation>
    </message>
    <message>
        <source>Change one thing:</source>
        <translation>改动一处：</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>a choice of a recipe, and the option to take: &quot;The node: ephemeral: it goes with its session&quot;</extracomment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The views do not show this step yet.</source>
        <translation>视图还没有显示这一步。</translation>
    </message>
    <message>
        <source>The views do not show this change yet.</source>
        <translation>视图还没有显示这个改动。</translation>
    </message>
    <message>
        <source>Choose an answer first.</source>
        <translation>请先选一个答案。</translation>
    </message>
    <message numerus="yes">
        <source>You skipped %Ln steps: the lesson does not count as done yet.</source>
        <translation>
            <numerusform>你跳过了 %Ln 步：这一课还不算完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <extracomment>a button that leads there: the number and the title of a step of the lesson</extracomment>
        <translation>第 %1 步：%2</translation>
    </message>
    <message>
        <source>Your change: %1</source>
        <translation>你的改动：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LockTabs</name>
    <message>
        <source>Lock shown</source>
        <translation>显示的锁</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LocksModel</name>
    <message>
        <source>%1 UTC</source>
        <translation>%1 UTC</translation>
    </message>
    <message>
        <source>Lock</source>
        <extracomment>table head, a noun: the path of the lock</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>Recipe</source>
        <extracomment>table head: the way in which the lock works</extracomment>
        <translation>配方</translation>
    </message>
    <message>
        <source>Queue</source>
        <extracomment>table head, a noun: the greatest length of the queue</extracomment>
        <translation>队列</translation>
    </message>
    <message>
        <source>Last used (UTC)</source>
        <translation>最近使用（UTC）</translation>
    </message>
    <message>
        <source>Max. hold</source>
        <translation>最长持有</translation>
    </message>
    <message>
        <source>Max. wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>The path whose child nodes form the queue.</source>
        <translation>其子节点排队的路径。</translation>
    </message>
    <message>
        <source>The recipe, recognized by the names of the nodes.</source>
        <translation>配方，由节点名称得知。</translation>
    </message>
    <message>
        <source>The number of nodes that became first.</source>
        <translation>有多少节点排到了最前。</translation>
    </message>
    <message>
        <source>The longest time that a node was first.</source>
        <translation>单个节点排在最前的最长时间。</translation>
    </message>
    <message>
        <source>The longest time until a node was first or left the queue.</source>
        <translation>节点排到最前或离开队列之前的最长时间。</translation>
    </message>
    <message>
        <source>The maximum number of nodes at a time, including the holder.</source>
        <translation>同时存在的最多节点数，含持有者的。</translation>
    </message>
    <message>
        <source>The number of holds that ended because the session expired.</source>
        <translation>有多少次持有因会话过期而结束。</translation>
    </message>
    <message>
        <source>The time of its last transaction, in UTC.</source>
        <translation>最近一次事务的时间（UTC）。</translation>
    </message>
    <message>
        <source>Acquisitions</source>
        <extracomment>table head: how often the lock was acquired</extracomment>
        <translation>获取次数</translation>
    </message>
    <message>
        <source>Expirations</source>
        <extracomment>table head: how many holds ended because the session expired</extracomment>
        <translation>过期次数</translation>
    </message>
    <message>
        <source>%1, %2 unknown</source>
        <extracomment>a cell: how often a lock was acquired, and how many nodes more may have held it</extracomment>
        <translation>%1，%2 个未知</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LogFilterEdit</name>
    <message>
        <source>client:bo op:getData after:1.2s -watch &quot;a phrase&quot;</source>
        <translation>client:bo op:getData after:1.2s -watch &quot;a phrase&quot;</translation>
    </message>
    <message>
        <source>Words that a line must contain; a phrase in quotation marks; and client:, op:, node:, lock:, kind: (request, reply, watch, lock, session, run), after: and before: with a time such as 1.2s. A minus in front excludes a term. A line must match all terms.</source>
        <translation>一行必须包含的词；短语放在引号里；以及 client:、op:、node:、lock:、kind:（request、reply、watch、lock、session、run），after: 和 before: 后跟时间，例如 1.2s。前面的减号表示排除。所有条件必须同时成立。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LogModel</name>
    <message>
        <source>Time</source>
        <extracomment>table head: when the event happened</extracomment>
        <translation>时间</translation>
    </message>
    <message>
        <source>Client</source>
        <extracomment>table head: whose event it is</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Direction</source>
        <extracomment>table head: arrows such as &quot;to the server&quot;</extracomment>
        <translation>方向</translation>
    </message>
    <message>
        <source>Text</source>
        <extracomment>table head: what happened, in words</extracomment>
        <translation>内容</translation>
    </message>
    <message>
        <source>Duration</source>
        <extracomment>table head: how long it took</extracomment>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Event</source>
        <extracomment>table head: the number of the event</extracomment>
        <translation>事件</translation>
    </message>
    <message>
        <source>Lock</source>
        <extracomment>table head, a noun: which lock it concerns</extracomment>
        <translation>锁</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LogRules</name>
    <message>
        <source>a finding is violated here</source>
        <translation>此处违反了检查项</translation>
    </message>
    <message>
        <source>rule: %1</source>
        <translation>规则：%1</translation>
    </message>
    <message>
        <source>client: %1</source>
        <translation>客户端：%1</translation>
    </message>
    <message>
        <source>kind: %1</source>
        <translation>种类：%1</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::LogView</name>
    <message>
        <source>only %1</source>
        <translation>只看 %1</translation>
    </message>
    <message>
        <source>only the selected client</source>
        <translation>只看所选客户端</translation>
    </message>
    <message>
        <source>filter: %1</source>
        <translation>筛选：%1</translation>
    </message>
    <message>
        <source>Filter</source>
        <extracomment>menu entry: opens the field for a filter</extracomment>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter of the protocol log</source>
        <translation>协议日志的筛选器</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 of %2 lines</source>
        <translation>%2 行中的 %1 行</translation>
    </message>
    <message>
        <source>filter: %1 · %2</source>
        <translation>筛选：%1 · %2</translation>
    </message>
    <message>
        <source>the selected event is hidden</source>
        <translation>选中的事件被筛选隐藏</translation>
    </message>
    <message>
        <source>Columns</source>
        <extracomment>a menu: which columns are shown</extracomment>
        <translation>列</translation>
    </message>
    <message>
        <source>Only Selected Client</source>
        <translation>只看所选客户端</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No events yet. Each request, reply and watch event appears here as a line.</source>
        <translation>还没有事件。每个请求、回复和监视事件都会成为这里的一行。</translation>
    </message>
    <message>
        <source>Searching for lines that match the filter.</source>
        <translation>正在查找符合筛选条件的行。</translation>
    </message>
    <message>
        <source>No line matches the filter. Press Esc in its field to clear it.</source>
        <translation>没有符合筛选条件的行。在输入框中按 Esc 可清除筛选。</translation>
    </message>
    <message>
        <source>Color Lines</source>
        <translation>为行着色</translation>
    </message>
    <message>
        <source>Column Titles</source>
        <translation>列标题</translation>
    </message>
    <message>
        <source>Violated Findings</source>
        <translation>被违反的检查项</translation>
    </message>
    <message>
        <source>By Client</source>
        <translation>按客户端</translation>
    </message>
    <message>
        <source>By Kind of Event</source>
        <translation>按事件种类</translation>
    </message>
    <message>
        <source>Lines That Match the Filter (Enter a Filter First)</source>
        <translation>符合筛选的行（请先输入筛选条件）</translation>
    </message>
    <message>
        <source>Lines That Match: %1</source>
        <translation>符合筛选的行：%1</translation>
    </message>
    <message>
        <source>Remove: %1</source>
        <translation>不再着色：%1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln newer lines below</source>
        <translation>
            <numerusform>下面有 %Ln 行更新的</numerusform>
        </translation>
    </message>
    <message>
        <source>Protocol log</source>
        <translation>协议日志</translation>
    </message>
    <message>
        <source>Stays at %1, before the end of the run</source>
        <translation>停在 %1，不在运行的末尾</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MainWindow</name>
    <message>
        <source>LockScope</source>
        <translation>LockScope</translation>
    </message>
    <message>
        <source>%1 - LockScope</source>
        <translation>%1 - LockScope</translation>
    </message>
    <message>
        <source>LockScope %1</source>
        <translation>LockScope %1</translation>
    </message>
    <message>
        <source>Visualizes ZooKeeper locks while they work.</source>
        <translation>在真实的 ZooKeeper 上，实时展示 ZooKeeper 锁如何工作。</translation>
    </message>
    <message>
        <source>No finding is violated so far.</source>
        <translation>到此为止没有检查项被违反。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ManualDock</name>
    <message>
        <source>Manual</source>
        <extracomment>title of a panel, a noun: how to use the program</extracomment>
        <translation>使用手册</translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation>‹ 返回</translation>
    </message>
    <message>
        <source>Contents</source>
        <extracomment>a button: shows the table of contents</extracomment>
        <translation>目录</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MergeDialog</name>
    <message>
        <source>Open Several</source>
        <translation>打开多个</translation>
    </message>
    <message>
        <source>Merge</source>
        <extracomment>a button: makes one run of several files</extracomment>
        <translation>合并</translation>
    </message>
    <message>
        <source>none: the traces have real session ids</source>
        <translation>无：跟踪记录中是真实的会话 id</translation>
    </message>
    <message>
        <source>&amp;Key of the sessions</source>
        <translation>会话的密钥(&amp;K)</translation>
    </message>
    <message>
        <source>The file that the traces were written with.</source>
        <translation>写跟踪记录时使用的文件。</translation>
    </message>
    <message>
        <source>Choose the Key File</source>
        <translation>选择密钥文件</translation>
    </message>
    <message>
        <source>The sessions in the logs are joined with those in the traces (%1), which have other names: choose the file that was given to --key-file when the traces were written.</source>
        <translation>日志中的会话要与跟踪记录（%1）中的会话对应起来，而后者用的是别的名字：请选择写跟踪记录时交给 --key-file 的文件。</translation>
    </message>
    <message>
        <source>none: only what the clients saw</source>
        <extracomment>logs of servers</extracomment>
        <translation>无：只有客户端看到的</translation>
    </message>
    <message>
        <source>&amp;Logs of servers</source>
        <translation>服务器的日志(&amp;L)</translation>
    </message>
    <message>
        <source>Adds the data directory of a server.</source>
        <translation>添加一台服务器的数据目录。</translation>
    </message>
    <message>
        <source>Add the Data Directory of a Server</source>
        <translation>添加服务器的数据目录</translation>
    </message>
    <message>
        <source>One run is made of the traces %1. With the servers&apos; logs, what the clients believe stands beside what the servers did.</source>
        <translation>用跟踪记录 %1 组成一次运行。有了服务器的日志，客户端的看法就与服务器的实际情况并列。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MessageBar</name>
    <message>
        <source>Messages</source>
        <extracomment>name for screen readers: the bar that shows a message to the user</extracomment>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MessageBell</name>
    <message>
        <source>Messages: %1 waiting</source>
        <translation>消息：%1 条待看</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MessageList</name>
    <message>
        <source>Messages</source>
        <extracomment>title of a window: all messages to the user</extracomment>
        <translation>消息</translation>
    </message>
    <message>
        <source>There are no messages.</source>
        <translation>没有消息。</translation>
    </message>
    <message>
        <source>&amp;Remove All</source>
        <translation>全部移除(&amp;R)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::MessageRow</name>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>%1 (%2 times)</source>
        <translation>%1（%2 次）</translation>
    </message>
    <message>
        <source>Show the other messages</source>
        <translation>显示其他消息</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::OptionButton</name>
    <message numerus="yes">
        <source>%n hands</source>
        <translation>
            <numerusform>%n 只手</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PaceSlider</name>
    <message>
        <source>Pace</source>
        <extracomment>how fast the clients take their steps</extracomment>
        <translation>每步延时</translation>
    </message>
    <message>
        <source>250 ms/step</source>
        <translation>250 ms/步</translation>
    </message>
    <message>
        <source>Delay before every protocol step: from none to 2 s.
Slower: %1  ·  faster: %2</source>
        <translation>每个协议步骤之前的延迟：从无到 2 s。
减慢：%1  ·  加快：%2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ParameterDialog</name>
    <message>
        <source>Apply</source>
        <extracomment>a button: carries out the command with the numbers above</extracomment>
        <translation>执行</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ParticipantsModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>By the rule of the library that made the node.</source>
        <translation>按创建该节点的库的规则。</translation>
    </message>
    <message>
        <source>State</source>
        <extracomment>table head: whether the participant holds the lock or waits</extracomment>
        <translation>状态</translation>
    </message>
    <message>
        <source>The name in its node&apos;s data, or else its address or session.</source>
        <translation>节点数据中的名称，否则为其地址或会话。</translation>
    </message>
    <message>
        <source>Participant</source>
        <extracomment>table head: who holds the lock or waits</extracomment>
        <translation>参与者</translation>
    </message>
    <message>
        <source>Where its session comes from, as a server reports (cons).</source>
        <translation>其会话来自何处，依据服务器的答复（cons）。</translation>
    </message>
    <message>
        <source>Address</source>
        <extracomment>table head: of the host that the session comes from</extracomment>
        <translation>地址</translation>
    </message>
    <message>
        <source>The library whose naming scheme the node follows.</source>
        <translation>采用这种节点命名方式的库。</translation>
    </message>
    <message>
        <source>Library</source>
        <extracomment>table head: the software library of the program, such as Curator</extracomment>
        <translation>库</translation>
    </message>
    <message>
        <source>How long it has held or waited.</source>
        <translation>已持有或等待多久。</translation>
    </message>
    <message>
        <source>How long no server has heard from its session, compared with its timeout. Up to a third of it is normal.</source>
        <translation>服务器多久没有收到该会话的消息，与其超时相比。三分之一以内属正常。</translation>
    </message>
    <message>
        <source>Duration</source>
        <extracomment>table head: how long the participant has held or waited</extracomment>
        <translation>时长</translation>
    </message>
    <message>
        <source>Silence</source>
        <extracomment>table head: how long no server has heard of the session</extracomment>
        <translation>无动静</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::Playback</name>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PlayerJob</name>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation>第 %1 步（共 %2 步）· %3</translation>
    </message>
    <message>
        <source>%1 · %2 to %3 · played by LockScope %4</source>
        <translation>%1 · %2 到 %3 · 由 LockScope %4 生成</translation>
    </message>
    <message>
        <source>This page plays a run. It needs scripts, and a browser of 2023 or later.</source>
        <translation>这个网页播放一次运行，需要启用脚本，并使用 2023 年以后的浏览器。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Colors</source>
        <extracomment>light or dark</extracomment>
        <translation>颜色</translation>
    </message>
    <message>
        <source>As the browser</source>
        <translation>跟随浏览器</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Steps per second</source>
        <translation>每秒步数</translation>
    </message>
    <message>
        <source>Playing</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>First step (Home)</source>
        <translation>第一步（Home）</translation>
    </message>
    <message>
        <source>One step back (←)</source>
        <translation>后退一步（←）</translation>
    </message>
    <message>
        <source>Play (space)</source>
        <translation>播放（空格）</translation>
    </message>
    <message>
        <source>Pause (space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>One step on (→)</source>
        <translation>前进一步（→）</translation>
    </message>
    <message>
        <source>Last step (End)</source>
        <translation>最后一步（End）</translation>
    </message>
    <message>
        <source>All steps</source>
        <translation>所有步骤</translation>
    </message>
    <message>
        <source>Space plays and pauses, ← and → step, Home and End go to the first and the last step.</source>
        <translation>空格播放和暂停，← 和 → 逐步移动，Home 和 End 到第一步和最后一步。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Since the beginning of the run</source>
        <translation>从运行开始算起</translation>
    </message>
    <message>
        <source>By the wall clock, if recorded</source>
        <translation>按实际时间（若有记录）</translation>
    </message>
    <message>
        <source>T&amp;imes</source>
        <extracomment>label: how times are shown</extracomment>
        <translation>时间(&amp;I)</translation>
    </message>
    <message>
        <source>Fewer updates of a live run take less of the processor.</source>
        <translation>实时运行更新得越少，占用的处理器越少。</translation>
    </message>
    <message>
        <source>&amp;Updates per second</source>
        <translation>每秒更新次数(&amp;U)</translation>
    </message>
    <message>
        <source>Telemetry</source>
        <extracomment>label: whether the program sends data about its use</extracomment>
        <translation>遥测</translation>
    </message>
    <message>
        <source>None. LockScope sends nothing about you or your use of it.</source>
        <translation>无。LockScope 不发送任何关于你或你如何使用它的信息。</translation>
    </message>
    <message>
        <source>Find a command or a key</source>
        <translation>查找命令或按键</translation>
    </message>
    <message>
        <source>Keys of all commands</source>
        <translation>所有命令的按键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Double-click a key, or press F2, to press another one.</source>
        <translation>双击某个按键，或按 F2，再按另一个键。</translation>
    </message>
    <message>
        <source>&amp;No Key</source>
        <translation>不设按键(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Default Key</source>
        <translation>默认按键(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;All Defaults</source>
        <translation>全部默认(&amp;A)</translation>
    </message>
    <message>
        <source>%1 is the key of &quot;%2&quot;. Give that another one first.</source>
        <translation>%1 是“%2”的按键。请先给它换一个。</translation>
    </message>
    <message>
        <source>%1 has new keys.</source>
        <translation>%1 有了新的按键。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::PresentationView</name>
    <message>
        <source>Smaller</source>
        <extracomment>a button: draws everything smaller</extracomment>
        <translation>减小字号</translation>
    </message>
    <message>
        <source>Draws everything smaller (Ctrl+-).</source>
        <translation>缩小所有内容（Ctrl+-）。</translation>
    </message>
    <message>
        <source>Larger</source>
        <extracomment>a button: draws everything larger</extracomment>
        <translation>增大字号</translation>
    </message>
    <message>
        <source>Draws everything larger (Ctrl++).</source>
        <translation>放大所有内容（Ctrl++）。</translation>
    </message>
    <message>
        <source>Leave</source>
        <extracomment>a button: leaves the presentation</extracomment>
        <translation>退出</translation>
    </message>
    <message>
        <source>Two cards, large</source>
        <translation>两张卡片，放大</translation>
    </message>
    <message>
        <source>First card</source>
        <translation>第一张卡片</translation>
    </message>
    <message>
        <source>Second card</source>
        <translation>第二张卡片</translation>
    </message>
    <message>
        <source>Places the two cards side by side, or one above the other.</source>
        <translation>两张卡片左右并排，或上下排列。</translation>
    </message>
    <message>
        <source>Side by Side</source>
        <translation>左右并排</translation>
    </message>
    <message>
        <source>Restores the cards as they were (Esc).</source>
        <translation>恢复卡片原来的样子（Esc）。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ProblemList</name>
    <message>
        <source>Locks: %1</source>
        <translation>锁：%1</translation>
    </message>
    <message>
        <source>Locks: %1 of %2</source>
        <translation>锁：%1 / %2</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 条</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ProtocolView</name>
    <message>
        <source>Protocol</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>Clients of the protocol</source>
        <translation>协议中的客户端</translation>
    </message>
    <message>
        <source>One lane for each client and one for the server. Time runs down; arrows are requests, replies and watch events. %1</source>
        <translation>每个客户端一条泳道，服务器一条。时间向下；箭头是请求、回复和监视事件。%1</translation>
    </message>
    <message>
        <source>filter: %1 · %2</source>
        <translation>筛选：%1 · %2</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::QueueModel</name>
    <message>
        <source>foreign</source>
        <extracomment>in place of the owner of a node: it belongs to no client of the run</extracomment>
        <translation>外来</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Sequence</source>
        <extracomment>table head: the number of the node</extracomment>
        <translation>序号</translation>
    </message>
    <message>
        <source>Owner</source>
        <extracomment>table head: whose node it is</extracomment>
        <translation>所有者</translation>
    </message>
    <message>
        <source>State</source>
        <extracomment>table head: holds the lock or waits</extracomment>
        <translation>状态</translation>
    </message>
    <message>
        <source>Watches</source>
        <extracomment>table head, a verb: the owner watches a node</extracomment>
        <translation>监视</translation>
    </message>
    <message>
        <source>Depth</source>
        <extracomment>table head: how often the lock was entered</extracomment>
        <translation>重入</translation>
    </message>
    <message>
        <source>Wait</source>
        <extracomment>table head, a noun: how long it waited</extracomment>
        <translation>等待</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::QueueView</name>
    <message>
        <source>getChildren %1</source>
        <translation>getChildren %1</translation>
    </message>
    <message>
        <source>holds · frozen</source>
        <translation>持有 · 已冻结</translation>
    </message>
    <message>
        <source>releases</source>
        <extracomment>a client&apos;s state: it deletes its node</extracomment>
        <translation>释放中</translation>
    </message>
    <message>
        <source>The queue is empty. A node appears here when a client requests the lock.</source>
        <translation>队列为空：有客户端请求锁时，节点会出现在这里。</translation>
    </message>
    <message>
        <source>Lock children, sorted</source>
        <translation>锁的子节点（已排序）</translation>
    </message>
    <message>
        <source>The queue is empty.</source>
        <translation>队列是空的。</translation>
    </message>
    <message>
        <source>sorted by %1</source>
        <extracomment>of a table; %1: the title of a column</extracomment>
        <translation>按%1排序</translation>
    </message>
    <message>
        <source>%1; a click on # gives the order of the queue</source>
        <translation>%1；点击 # 恢复队列的顺序</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RecipeDock</name>
    <message>
        <source>Build Your Own Lock</source>
        <extracomment>title of a panel, and a command: a lock recipe of one&apos;s own</extracomment>
        <translation>自己搭一把锁</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Your own</source>
        <extracomment>a recipe that is none of the ready ones</extracomment>
        <translation>你自己的</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Opens the recipe of a file.</source>
        <translation>打开文件中的配方。</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Saves the recipe in a file, which lockscope-cli explore proves, too.</source>
        <translation>把配方保存为文件；lockscope-cli explore 也能证明它。</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Show Step by Step How It Breaks</source>
        <translation>逐步显示它如何出错</translation>
    </message>
    <message>
        <source>Your own lock</source>
        <translation>你自己的锁</translation>
    </message>
    <message>
        <source>Save the Recipe</source>
        <translation>保存配方</translation>
    </message>
    <message>
        <source>Open a Recipe</source>
        <translation>打开配方</translation>
    </message>
    <message>
        <source>Recipes (*.toml)</source>
        <translation>配方 (*.toml)</translation>
    </message>
    <message>
        <source>%L1 schedules, %L2 states, %L3 s…</source>
        <translation>%L1 种调度，%L2 个状态，%L3 秒…</translation>
    </message>
    <message>
        <source>Prove takes every schedule of the clients, with the faults at every place.</source>
        <translation>“证明”会走遍这些客户端的每一种调度，并在每个位置加上故障。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Prove</source>
        <translation>证明</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunBar</name>
    <message>
        <source>LockScope</source>
        <translation>LockScope</translation>
    </message>
    <message>
        <source>Stops every client before its next step.</source>
        <translation>让每个客户端停在下一步之前。</translation>
    </message>
    <message>
        <source>Starts the scenario from the beginning, live.</source>
        <translation>从头开始实时运行场景。</translation>
    </message>
    <message>
        <source>Step</source>
        <extracomment>a button</extracomment>
        <translation>单步</translation>
    </message>
    <message>
        <source>Choose a scenario first.</source>
        <translation>请先选择一个场景。</translation>
    </message>
    <message>
        <source>Next Step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>The server and the clients are starting.</source>
        <translation>服务器和客户端正在启动。</translation>
    </message>
    <message>
        <source>Ends the watching session. The recorded events are kept.</source>
        <translation>结束观察用的会话。已记录的事件会保留。</translation>
    </message>
    <message>
        <source>Resumes all clients.</source>
        <translation>让所有客户端继续。</translation>
    </message>
    <message>
        <source>Choose a scenario first: this trace does not contain one.</source>
        <translation>请先选择一个场景：此跟踪记录不包含场景。</translation>
    </message>
    <message>
        <source>Recorded run: faults cannot be injected.</source>
        <translation>这是录下的运行：无法注入故障。</translation>
    </message>
    <message>
        <source>The run has ended: faults cannot be injected.</source>
        <translation>运行已结束：无法注入故障。</translation>
    </message>
    <message>
        <source>There is no run to inject faults into.</source>
        <translation>没有可以注入故障的运行。</translation>
    </message>
    <message>
        <source>Inject a fault and watch the lock react.</source>
        <translation>注入故障，看看锁如何应对。</translation>
    </message>
    <message>
        <source>What If…  ▾</source>
        <translation>假如…  ▾</translation>
    </message>
    <message>
        <source>Ends the step mode and resumes all clients.</source>
        <translation>结束单步模式，让所有客户端继续运行。</translation>
    </message>
    <message>
        <source>Run controls</source>
        <extracomment>the name of a tool bar, for screen readers</extracomment>
        <translation>运行控制</translation>
    </message>
    <message>
        <source>Status of the run</source>
        <extracomment>the name of a tool bar, for screen readers</extracomment>
        <translation>运行状态</translation>
    </message>
    <message>
        <source>More controls</source>
        <extracomment>a button: shows the controls without room</extracomment>
        <translation>更多控件</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunController</name>
    <message>
        <source>Saved %1 events to %2.</source>
        <translation>已把 %1 个事件保存到 %2。</translation>
    </message>
    <message>
        <source>%1 is neither a scenario (.toml) nor a trace (.jsonl).</source>
        <translation>%1 既不是场景（.toml），也不是跟踪记录（.jsonl）。</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>正在打开 %1…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <extracomment>a button: stops the opening of a file</extracomment>
        <translation>取消</translation>
    </message>
    <message>
        <source>Fork of %1</source>
        <translation>分叉自 %1</translation>
    </message>
    <message>
        <source>%1 · %2 events</source>
        <translation>%1 · %2 个事件</translation>
    </message>
    <message>
        <source>The selected client has no later event.</source>
        <translation>所选客户端没有更晚的事件。</translation>
    </message>
    <message>
        <source>The selected client has no earlier event.</source>
        <translation>所选客户端没有更早的事件。</translation>
    </message>
    <message>
        <source>Evaluating %1…</source>
        <translation>正在评估 %1…</translation>
    </message>
    <message>
        <source>Select a client first: these keys move between its events.</source>
        <translation>请先选择一个客户端：这些键在其事件之间移动。</translation>
    </message>
    <message>
        <source>LockScope recognizes them by the suffix of the file name.</source>
        <translation>LockScope 根据文件名的结尾来区分。</translation>
    </message>
    <message>
        <source>There is no run to save.</source>
        <translation>还没有可保存的运行。</translation>
    </message>
    <message>
        <source>The old run is kept in the menu Step, Earlier Runs.</source>
        <translation>旧的运行保留在菜单“步进”的“先前的运行”中。</translation>
    </message>
    <message>
        <source>Show Old Run</source>
        <translation>显示旧的运行</translation>
    </message>
    <message>
        <source>The previous run was not saved; it is in the menu Step, Earlier Runs.</source>
        <translation>之前的运行没有保存：保留在菜单“步进”的“先前的运行”中。</translation>
    </message>
    <message>
        <source>Show Run</source>
        <translation>显示该运行</translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln steps to %1. Running it takes them again.</source>
        <translation>
            <numerusform>已把 %Ln 步保存到 %1。运行它会再次执行这些步骤。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A new run takes the same %Ln steps, then stops all clients.</source>
        <translation>
            <numerusform>新的运行执行同样的 %Ln 步，然后所有客户端都停住。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::RunNotices</name>
    <message>
        <source>ZooKeeper at %1 does not answer.</source>
        <translation>%1 处的 ZooKeeper 没有应答。</translation>
    </message>
    <message>
        <source>Clients are suspended until it answers again; by then their sessions may have expired.</source>
        <translation>客户端将挂起，直到它恢复应答；届时它们的会话可能已过期。</translation>
    </message>
    <message>
        <source>Try Again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScenarioChooser</name>
    <message>
        <source>Scenario</source>
        <extracomment>name of a field for screen readers: which scenario runs</extracomment>
        <translation>场景</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>The scenario that runs. Choosing one starts it; hold Shift to start it step by step.</source>
        <translation>正在运行的场景。选中一个就会启动；按住 Shift 则逐步运行。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScenarioController</name>
    <message>
        <source>Scenario %1</source>
        <translation>场景 %1</translation>
    </message>
    <message>
        <source>%1 Shift+Enter starts it step by step.</source>
        <translation>%1 按 Shift+Enter 逐步运行。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScenarioEditor</name>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>Edit %1%2 - LockScope</source>
        <translation>编辑 %1%2 - LockScope</translation>
    </message>
    <message>
        <source>Scenarios (*.toml)</source>
        <translation>场景 (*.toml)</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>%1 (edited)</source>
        <translation>%1（已修改）</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>放弃改动(&amp;D)</translation>
    </message>
    <message>
        <source>Saves the file (Ctrl+S).</source>
        <translation>写入文件（Ctrl+S）。</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Saves to another file. A built-in scenario is not changed.</source>
        <translation>写入另一个文件；内置场景保持不变。</translation>
    </message>
    <message>
        <source>Runs the scenario as shown here, saved or not (Ctrl+Return).</source>
        <translation>按此处的内容运行，无论是否已保存（Ctrl+Return）。</translation>
    </message>
    <message>
        <source>New scenario</source>
        <translation>新场景</translation>
    </message>
    <message>
        <source>Unsaved changes.</source>
        <translation>有未保存的更改。</translation>
    </message>
    <message>
        <source>Save Scenario</source>
        <translation>保存场景</translation>
    </message>
    <message>
        <source>Unsaved Changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>You have unsaved changes.</source>
        <translation>有未保存的更改。</translation>
    </message>
    <message>
        <source>Keep &amp;Editing</source>
        <translation>继续编辑(&amp;E)</translation>
    </message>
    <message numerus="yes">
        <source>%Ln mistakes, marked in the form and on the tabs.</source>
        <translation>
            <numerusform>%Ln 处错误：已标出，所在页面也已标出。</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Save As…</source>
        <translation>另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Takes the last change back (Ctrl+Z).</source>
        <translation>撤销上一次更改（Ctrl+Z）。</translation>
    </message>
    <message>
        <source>R&amp;edo</source>
        <translation>重做(&amp;E)</translation>
    </message>
    <message>
        <source>Makes the change again that was taken back (Ctrl+Shift+Z).</source>
        <translation>重做被撤销的更改（Ctrl+Shift+Z）。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScenarioForm</name>
    <message>
        <source>Clients</source>
        <extracomment>a tab: which clients there are</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Lock</source>
        <extracomment>a tab, a noun: the recipe and the paths of the locks</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>Work</source>
        <extracomment>a tab: what the clients do</extracomment>
        <translation>工作</translation>
    </message>
    <message>
        <source>Run</source>
        <extracomment>a tab: the length and the order of the run</extracomment>
        <translation>运行</translation>
    </message>
    <message>
        <source>Script</source>
        <extracomment>a tab: the faults and other actions of the run</extracomment>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Expected</source>
        <extracomment>a tab: which findings are expected to be kept or violated</extracomment>
        <translation>预期</translation>
    </message>
    <message>
        <source>%1 (%2 !)</source>
        <translation>%1（%2 !）</translation>
    </message>
    <message>
        <source>Description</source>
        <extracomment>a tab: what the scenario is about, in words</extracomment>
        <translation>说明</translation>
    </message>
    <message>
        <source>Saved file</source>
        <translation>保存后的文件内容</translation>
    </message>
    <message>
        <source>Saved &amp;file</source>
        <translation>保存后的文件内容(&amp;F)</translation>
    </message>
    <message>
        <source>Correct the mistakes in the form to see the file.</source>
        <translation>改正表单中的错误后才能看到文件。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScriptPage</name>
    <message>
        <source>&amp;Add Line</source>
        <translation>添加一行(&amp;A)</translation>
    </message>
    <message>
        <source>Each line is executed once, when its condition is met. Type a few letters to see the possible forms.</source>
        <translation>每一行在其条件满足时执行一次。输入几个字母即可看到可选的写法。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScriptRow</name>
    <message>
        <source>when bo waits</source>
        <translation>when bo waits</translation>
    </message>
    <message>
        <source>kill ada</source>
        <translation>kill ada</translation>
    </message>
    <message>
        <source>Line of the script</source>
        <translation>脚本行</translation>
    </message>
    <message>
        <source>Line %1: when</source>
        <translation>第 %1 行：何时</translation>
    </message>
    <message>
        <source>Line %1: what happens</source>
        <translation>第 %1 行：发生什么</translation>
    </message>
    <message>
        <source>Move line %1 up</source>
        <translation>上移第 %1 行</translation>
    </message>
    <message>
        <source>Move line %1 down</source>
        <translation>下移第 %1 行</translation>
    </message>
    <message>
        <source>Remove line %1</source>
        <translation>移除第 %1 行</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ScrubBar</name>
    <message>
        <source>Live</source>
        <extracomment>a button: follows the run as it goes on</extracomment>
        <translation>实时</translation>
    </message>
    <message>
        <source>End</source>
        <extracomment>a button: goes to the end</extracomment>
        <translation>末尾</translation>
    </message>
    <message>
        <source>no run</source>
        <translation>没有运行</translation>
    </message>
    <message>
        <source>%1 s · event %2 of %3</source>
        <translation>%1 s · 事件 %2/%3</translation>
    </message>
    <message>
        <source>Stop</source>
        <extracomment>a button: stops the playback</extracomment>
        <translation>停止</translation>
    </message>
    <message>
        <source>Play</source>
        <extracomment>a button: starts the playback</extracomment>
        <translation>播放</translation>
    </message>
    <message>
        <source>Playback position</source>
        <translation>播放位置</translation>
    </message>
    <message>
        <source>The playback position. At the right end the window follows the run.</source>
        <translation>播放位置。在最右端时，窗口跟随运行。</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>播放速度</translation>
    </message>
    <message>
        <source>The playback speed of a recorded run, relative to the original.</source>
        <translation>录制的运行的播放速度，相对于原来的速度。</translation>
    </message>
    <message>
        <source>no events yet</source>
        <translation>尚无事件</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::ServerBadge</name>
    <message>
        <source>no server</source>
        <translation>没有服务器</translation>
    </message>
    <message>
        <source>ZooKeeper</source>
        <translation>ZooKeeper</translation>
    </message>
    <message>
        <source>ZooKeeper %1</source>
        <translation>ZooKeeper %1</translation>
    </message>
    <message>
        <source>embedded · %1</source>
        <translation>内嵌 · %1</translation>
    </message>
    <message>
        <source>ZooKeeper starts…</source>
        <translation>ZooKeeper 正在启动…</translation>
    </message>
    <message>
        <source>starts…</source>
        <translation>启动中…</translation>
    </message>
    <message>
        <source>recorded run</source>
        <translation>录制的运行</translation>
    </message>
    <message>
        <source>recorded</source>
        <extracomment>of a server: it is seen in a recorded run</extracomment>
        <translation>已录制</translation>
    </message>
    <message>
        <source>no ZooKeeper</source>
        <translation>没有 ZooKeeper</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有应答</translation>
    </message>
    <message>
        <source>%1 · stopped</source>
        <translation>%1 · 已停止</translation>
    </message>
    <message>
        <source>stopped</source>
        <extracomment>of a server: short for &quot;ZooKeeper 3.9 · stopped&quot;</extracomment>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Address: %1</source>
        <translation>地址：%1</translation>
    </message>
    <message>
        <source>Mode: %1</source>
        <translation>模式：%1</translation>
    </message>
    <message>
        <source>answers</source>
        <extracomment>a server&apos;s state: it answers requests</extracomment>
        <translation>有应答</translation>
    </message>
    <message>
        <source>starts</source>
        <extracomment>a server&apos;s state: it is starting</extracomment>
        <translation>启动中</translation>
    </message>
    <message>
        <source>down</source>
        <extracomment>of a server</extracomment>
        <translation>停机</translation>
    </message>
    <message>
        <source>Server %1: %2</source>
        <translation>服务器 %1：%2</translation>
    </message>
    <message>
        <source>no leader</source>
        <translation>没有领导者</translation>
    </message>
    <message>
        <source>%1 leads</source>
        <translation>%1 是领导者</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 down</source>
        <translation>%1 · %2 · %3 台停机</translation>
    </message>
    <message>
        <source>recorded · %1</source>
        <translation>已录制 · %1</translation>
    </message>
    <message>
        <source>%1 · no answer</source>
        <translation>%1 · 没有应答</translation>
    </message>
    <message>
        <source>Each run starts its own ZooKeeper, unless lockscope was started with --connect.</source>
        <translation>运行会启动自己的 ZooKeeper，除非 lockscope 启动时带有 --connect。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln servers</source>
        <translation>
            <numerusform>%Ln 台服务器</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::SpanModel</name>
    <message>
        <source>Client</source>
        <extracomment>table head</extracomment>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Holds</source>
        <extracomment>table head: how many</extracomment>
        <translation>持有次数</translation>
    </message>
    <message>
        <source>Held</source>
        <extracomment>table head: for how long in all</extracomment>
        <translation>持有时间</translation>
    </message>
    <message>
        <source>Share</source>
        <extracomment>table head: the part of the time in which the lock was held</extracomment>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of the measured time, without pauses of the run.</source>
        <translation>占测量时间的比例，不含运行的暂停。</translation>
    </message>
    <message>
        <source>Hold p50</source>
        <translation>持有 p50</translation>
    </message>
    <message>
        <source>Longest Hold</source>
        <translation>最长持有</translation>
    </message>
    <message>
        <source>Waits</source>
        <extracomment>table head: how many</extracomment>
        <translation>等待次数</translation>
    </message>
    <message>
        <source>Waited</source>
        <extracomment>table head: for how long in all</extracomment>
        <translation>等待时间</translation>
    </message>
    <message>
        <source>Wait p50</source>
        <translation>等待 p50</translation>
    </message>
    <message>
        <source>Longest Wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>Handoffs</source>
        <translation>交接</translation>
    </message>
    <message>
        <source>To this client.</source>
        <translation>交给该客户端。</translation>
    </message>
    <message>
        <source>Handoff p50</source>
        <translation>交接 p50</translation>
    </message>
    <message>
        <source>Longest Handoff</source>
        <translation>最长交接</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::SpanTable</name>
    <message>
        <source>Measured range</source>
        <translation>测量范围</translation>
    </message>
    <message>
        <source>All</source>
        <extracomment>all clients</extracomment>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::StepController</name>
    <message>
        <source>A finding is violated. The run is paused.</source>
        <translation>有检查项被违反：运行已暂停。</translation>
    </message>
    <message>
        <source>The Findings card names it; Show on Timeline jumps there.</source>
        <translation>“检查项”卡片指明是哪一项；“在时间线上显示”可转到那里。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::StepMenu</name>
    <message>
        <source>Handoffs</source>
        <extracomment>label of a field: after how many handoffs the run pauses</extracomment>
        <translation>交接次数</translation>
    </message>
    <message>
        <source>Scenarios (*.toml)</source>
        <translation>场景 (*.toml)</translation>
    </message>
    <message>
        <source>Shows this run as a trace. It can be saved and compared like any other.</source>
        <translation>把这次运行作为跟踪记录显示。它可以像其他记录一样保存和比较。</translation>
    </message>
    <message>
        <source>Run Until…</source>
        <translation>运行到…</translation>
    </message>
    <message>
        <source>The run continues and pauses after this many handoffs.</source>
        <translation>运行继续，从现在起经过这么多次交接后暂停。</translation>
    </message>
    <message>
        <source>Save the Step Order</source>
        <translation>保存步骤顺序</translation>
    </message>
    <message>
        <source>The next client in turn takes one step (F8). Ctrl+F8 resumes all clients.</source>
        <translation>轮到的客户端走一步（F8）。Ctrl+F8 让全部客户端继续运行。</translation>
    </message>
    <message>
        <source>Stops every client before its next step; from then on each click is one step.</source>
        <translation>让每个客户端停在下一步之前；此后每按一次走一步。</translation>
    </message>
    <message>
        <source>Steps alone do not lead to this moment. A command came before it: %1.</source>
        <translation>只靠步骤到不了这一时刻：在此之前有一条命令：%1。</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TableTools</name>
    <message>
        <source>Copy as C&amp;SV</source>
        <translation>复制为 CSV(&amp;S)</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Fit to the Width</source>
        <extracomment>of the columns of a table</extracomment>
        <translation>适应宽度</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TimelineCanvas</name>
    <message>
        <source>The whole run: click or drag to choose what is shown above</source>
        <translation>整个运行：点击或拖动，选择上方显示的部分</translation>
    </message>
    <message>
        <source>All folded lanes together: click to unfold them</source>
        <translation>所有已折叠的泳道：单击以全部显示</translation>
    </message>
    <message>
        <source>The first %1, before any client joined</source>
        <translation>最初的 %1，那时还没有客户端</translation>
    </message>
    <message>
        <source>Bookmark note</source>
        <translation>书签的备注</translation>
    </message>
    <message>
        <source>Note at %1 s; press Enter to save</source>
        <translation>%1 s 处的备注，按 Enter 保存</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TimelineMenu</name>
    <message>
        <source>Part of a name</source>
        <translation>名称的一部分</translation>
    </message>
    <message>
        <source>Only &amp;Contenders of %1</source>
        <translation>仅 %1 的竞争者(&amp;C)</translation>
    </message>
    <message>
        <source>Only &amp;Contenders of the Lock</source>
        <translation>仅此锁的竞争者(&amp;C)</translation>
    </message>
    <message>
        <source>Lanes</source>
        <extracomment>a menu: which lanes are shown; a lane is the row of a client</extracomment>
        <translation>泳道</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Lane filter and timeline tools</source>
        <translation>泳道筛选和时间线工具</translation>
    </message>
    <message>
        <source>&amp;All Lanes</source>
        <translation>所有泳道(&amp;A)</translation>
    </message>
    <message>
        <source>Lanes That &amp;Wait in This Range</source>
        <translation>在此范围内等待的泳道(&amp;W)</translation>
    </message>
    <message>
        <source>Lanes That H&amp;old in This Range</source>
        <translation>在此范围内持有的泳道(&amp;O)</translation>
    </message>
    <message>
        <source>Suspended, Frozen or S&amp;tale Lanes</source>
        <translation>挂起、冻结或误以为持有的泳道(&amp;T)</translation>
    </message>
    <message>
        <source>Filter lanes by name</source>
        <translation>按名称筛选泳道</translation>
    </message>
    <message>
        <source>&amp;Unfold All</source>
        <translation>全部展开(&amp;U)</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TimelineSearchBar</name>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配（Shift+F3）</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一个匹配（F3）</translation>
    </message>
    <message>
        <source>%1 so far…</source>
        <translation>目前 %1 个…</translation>
    </message>
    <message>
        <source>no event matches</source>
        <translation>没有匹配的事件</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2, wrapped around</source>
        <translation>%1 / %2，已绕回</translation>
    </message>
    <message>
        <source>Timeline search</source>
        <translation>时间线搜索</translation>
    </message>
    <message>
        <source>Close Search</source>
        <translation>结束搜索</translation>
    </message>
    <message>
        <source>Close the search (Esc)</source>
        <translation>结束搜索（Esc）</translation>
    </message>
    <message numerus="yes">
        <source>%Ln events match</source>
        <translation>
            <numerusform>%Ln 个事件匹配</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::TimelineView</name>
    <message>
        <source>Lanes of the timeline</source>
        <translation>时间线的泳道</translation>
    </message>
    <message>
        <source>One lane for each client: thin bars are waits, thick bars holds, arrows handoffs. When not all lanes are in sight, rows above them name the holders. %1</source>
        <translation>每个客户端一条泳道：细条表示等待，粗条表示持有，箭头表示交接锁。泳道不能全部显示时，上方的行写明谁持有锁。%1</translation>
    </message>
    <message>
        <source>Follow Live</source>
        <translation>跟随末尾</translation>
    </message>
    <message>
        <source>The timeline does not follow the run. Click to follow its end again.</source>
        <translation>运行仍在继续，而时间线停住不动。点击后重新显示其末尾。</translation>
    </message>
    <message>
        <source>Go to End</source>
        <translation>转到末尾</translation>
    </message>
    <message>
        <source>Shows the end of the run.</source>
        <translation>显示运行的末尾。</translation>
    </message>
    <message>
        <source>Handoff timeline</source>
        <translation>交接时间线</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchDock</name>
    <message>
        <source>Watched Locks</source>
        <translation>观察的锁</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>%1 and %2 more at %3</source>
        <translation>%3 上的 %1 及另外 %2 个</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchPanel</name>
    <message>
        <source>Stop &amp;Watching</source>
        <translation>停止观察(&amp;W)</translation>
    </message>
    <message>
        <source>Filter by path, holder or recipe</source>
        <translation>按路径、持有者或配方筛选</translation>
    </message>
    <message>
        <source>Watched locks</source>
        <translation>观察的锁</translation>
    </message>
    <message>
        <source>Participants of the chosen lock</source>
        <translation>所选锁的参与者</translation>
    </message>
    <message>
        <source>Gaps and what cannot be known</source>
        <translation>空缺与无法得知的内容</translation>
    </message>
    <message>
        <source>The server&apos;s view only: what clients believe is not known.</source>
        <translation>只有服务器的视角：客户端以为什么，无从得知。</translation>
    </message>
    <message>
        <source>Watching has ended: this is the last known state.</source>
        <translation>观察已结束：这是最后已知的状态。</translation>
    </message>
    <message>
        <source>There is no lock here yet. New locks are shown at once.</source>
        <translation>这里还没有锁。一旦创建就会显示。</translation>
    </message>
    <message>
        <source>Choose a lock to see its participants.</source>
        <translation>选择一把锁以查看参与者。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Last holds</source>
        <translation>最近的持有</translation>
    </message>
    <message>
        <source>Last waits</source>
        <translation>最近的等待</translation>
    </message>
    <message numerus="yes">
        <source>! %Ln look stuck</source>
        <translation>
            <numerusform>! %Ln 个似乎卡住</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln locks</source>
        <translation>
            <numerusform>%Ln 个锁</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchedLocksModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The path whose child nodes form the queue, and why it looks stuck.</source>
        <translation>其子节点构成队列的路径，以及它为何似乎卡住。</translation>
    </message>
    <message>
        <source>Lock</source>
        <extracomment>table head, a noun: the path of the lock</extracomment>
        <translation>锁</translation>
    </message>
    <message>
        <source>The client that is first by the rule of the recipe.</source>
        <translation>按配方规则排在最前的客户端。</translation>
    </message>
    <message>
        <source>Holder</source>
        <extracomment>table head: who holds the lock</extracomment>
        <translation>持有者</translation>
    </message>
    <message>
        <source>How long it has held the lock.</source>
        <translation>已持有锁多久。</translation>
    </message>
    <message>
        <source>The number of clients that wait now.</source>
        <translation>现在等待的客户端数。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <extracomment>table head: how many clients wait</extracomment>
        <translation>等待数</translation>
    </message>
    <message>
        <source>The longest wait at present.</source>
        <translation>目前最长的等待。</translation>
    </message>
    <message>
        <source>Handoffs in the last minute.</source>
        <translation>最近一分钟的交接次数。</translation>
    </message>
    <message>
        <source>Per min</source>
        <translation>每分钟</translation>
    </message>
    <message numerus="yes">
        <source>%Ln holders</source>
        <translation>
            <numerusform>%Ln 个持有者</numerusform>
        </translation>
    </message>
    <message>
        <source>Hold</source>
        <extracomment>table head, a noun: how long the holder has held the lock</extracomment>
        <translation>持有</translation>
    </message>
    <message>
        <source>Max. wait</source>
        <translation>最长等待</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchesModel</name>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>%1 differ</source>
        <translation>%1 个不一致</translation>
    </message>
    <message>
        <source>stray: of %1</source>
        <translation>多余：%1 的</translation>
    </message>
    <message>
        <source>missing: of %1</source>
        <translation>缺少：%1 的</translation>
    </message>
    <message>
        <source>not in the table</source>
        <translation>不在表中</translation>
    </message>
    <message>
        <source>a server did not answer</source>
        <translation>有服务器未应答</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>没有询问</translation>
    </message>
    <message>
        <source>another program&apos;s</source>
        <translation>别的程序的</translation>
    </message>
    <message>
        <source>agree</source>
        <extracomment>verdict: the client&apos;s belief and the server&apos;s table are the same</extracomment>
        <translation>一致</translation>
    </message>
    <message>
        <source>children</source>
        <extracomment>in place of the name of a node: the list of all nodes is watched</extracomment>
        <translation>子节点</translation>
    </message>
    <message>
        <source>wchp lists watches on nodes, never those on a list of children.</source>
        <translation>wchp 只列出对节点的监视，从不列出对子节点列表的监视。</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%2 个中有 %1 个不一致</translation>
    </message>
    <message>
        <source>%1 of %2 servers</source>
        <translation>%2 台服务器中的 %1 台</translation>
    </message>
    <message>
        <source>as of %1 · wchp read in %2</source>
        <translation>截至 %1 · wchp 读取用时 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 (its own node)</source>
        <translation>%1（自己的节点）</translation>
    </message>
    <message>
        <source>gone since</source>
        <translation>此后已消失</translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation>尚未读到</translation>
    </message>
    <message>
        <source>on its own node</source>
        <translation>在自己的节点上</translation>
    </message>
    <message>
        <source>%1 (its own node, since)</source>
        <translation>%1（自己的节点，此后）</translation>
    </message>
    <message>
        <source>%1 (since)</source>
        <translation>%1（此后）</translation>
    </message>
    <message>
        <source>%1 nodes watched</source>
        <translation>%1 个节点被监视</translation>
    </message>
    <message>
        <source>The server has no watch on a node of these locks.</source>
        <translation>服务器上没有对这些锁的节点的监视。</translation>
    </message>
    <message>
        <source>The server has not been asked for its watches.</source>
        <translation>尚未向服务器询问其监视。</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>途中</translation>
    </message>
    <message>
        <source>Set or fired while the table was being read. The next reading will include it.</source>
        <translation>在读取监视表期间设置或触发，下一次读取会包含它。</translation>
    </message>
    <message>
        <source>the server&apos;s table was not read</source>
        <translation>未读取服务器的监视表</translation>
    </message>
    <message>
        <source>no difference, %1 in flight</source>
        <translation>没有差异，%1 个尚在途中</translation>
    </message>
    <message>
        <source>No node is watched, and the server agrees. A watch appears here when a client has to wait.</source>
        <translation>没有节点被监视，服务器的监视表也是如此。有客户端需要等待时，监视会出现在这里。</translation>
    </message>
    <message>
        <source>No node is watched. A watch appears here when a client has to wait.</source>
        <translation>没有节点被监视：有客户端需要等待时，监视会出现在这里。</translation>
    </message>
    <message>
        <source>Node</source>
        <extracomment>table head: which node is watched</extracomment>
        <translation>节点</translation>
    </message>
    <message>
        <source>Clients&apos; belief</source>
        <translation>客户端认为</translation>
    </message>
    <message>
        <source>Server&apos;s table</source>
        <translation>服务器监视表</translation>
    </message>
    <message>
        <source>Verdict</source>
        <extracomment>table head: whether the belief and the table are the same</extracomment>
        <translation>判定</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WatchesView</name>
    <message>
        <source>Watches</source>
        <extracomment>name of a card for screen readers, a noun</extracomment>
        <translation>监视</translation>
    </message>
    <message>
        <source>missing: of %1</source>
        <translation>缺少：%1 的</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WelcomeFooter</name>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
</context>
<context>
    <name>lockscope::ui::WelcomePage</name>
    <message>
        <source>All Commands  %1</source>
        <translation>全部命令  %1</translation>
    </message>
    <message>
        <source>Recently opened:</source>
        <translation>最近打开：</translation>
    </message>
    <message>
        <source>LockScope</source>
        <translation>LockScope</translation>
    </message>
    <message>
        <source>Press Enter or click to start, Shift+Enter to start step by step.</source>
        <translation>按 Enter 或单击启动，按 Shift+Enter 逐步运行。</translation>
    </message>
    <message>
        <source>See How a Distributed Lock Works</source>
        <translation>看清分布式锁如何工作</translation>
    </message>
    <message>
        <source>Real clients, a real ZooKeeper, every step on screen. Pick a scenario, or open a scenario file or a trace.</source>
        <translation>真实的客户端，真实的 ZooKeeper，每一步都在屏幕上。挑一个场景，或打开场景文件或跟踪记录。</translation>
    </message>
    <message>
        <source>Search scenarios</source>
        <translation>搜索场景</translation>
    </message>
    <message>
        <source>No matching scenario.</source>
        <translation>没有匹配的场景。</translation>
    </message>
    <message>
        <source>Learn:</source>
        <translation>学习：</translation>
    </message>
    <message numerus="yes">
        <source>Search %Ln scenarios…</source>
        <translation>
            <numerusform>搜索 %Ln 个场景…</numerusform>
        </translation>
    </message>
    <message>
        <source>Real clients, a real ZooKeeper, every step on screen.</source>
        <translation>真实的客户端，真实的 ZooKeeper，每一步都在屏幕上。</translation>
    </message>
    <message>
        <source>All Scenarios and Lessons</source>
        <extracomment>a button below the three ways to start</extracomment>
        <translation>所有场景和课程</translation>
    </message>
</context>
</TS>
