/** Who reads a queue, and what each waits for. */
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { count } from "../format";
import { usePolled } from "../polled";

interface Consumer {
  name: string;
  node: string;
  connection: string;
  session: string;
  user: string;
  browses: boolean;
  delivered: number;
  unsettled: number;
  credit: number;
  waits_for: string;
}

export function QueueReaders({ queue }: { queue: string }) {
  const { data, problem } = usePolled<{ consumers: readonly Consumer[] }>("/peers/consumers", 2000);
  if (!data.value) return problem.value ? <Refusal problem={problem.value} /> : <Waiting />;
  return (
    <Table
      caption={`Readers of ${queue}`}
      rows={data.value.consumers.filter((consumer) => consumer.node === queue)}
      rowKey={(consumer) => `${consumer.connection} ${consumer.session} ${consumer.name}`}
      columns={[
        { name: "name", title: "Reader", cell: (consumer) => consumer.name },
        { name: "kind", title: "", cell: (consumer) => <span class="tag">{consumer.browses ? "browser" : "consumer"}</span> },
        { name: "user", title: "User", cell: (consumer) => consumer.user },
        { name: "connection", title: "Connection", cell: (consumer) => consumer.connection },
        { name: "delivered", title: "Delivered", isNumeric: true, cell: (consumer) => count(consumer.delivered) },
        { name: "unsettled", title: "Unsettled", isNumeric: true, cell: (consumer) => count(consumer.unsettled) },
        { name: "credit", title: "Credit", isNumeric: true, cell: (consumer) => (consumer.credit < 0 ? "any" : count(consumer.credit)) },
        { name: "waits_for", title: "Waits for", cell: (consumer) => consumer.waits_for },
      ]}
      empty="Nobody reads this queue."
    />
  );
}
