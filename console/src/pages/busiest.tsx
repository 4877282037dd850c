/** Which queues take most now, and which of their keys are updated most. */
import { url } from "../api";
import { Table } from "../components/table";
import { count, perSecond, shown } from "../format";
import { usePolled } from "../polled";
import type { Queue } from "../queue";
import { link } from "../router";
import { SampleSets } from "../samples";
import { queueState } from "./queues";

/** Rates are measured of so many queues: those that took most since the start. */
const MEASURED = 50;
const SHOWN = 5;
const samples = new SampleSets();
let seen: unknown;

interface Talker {
  key: unknown;
  messages: number;
}

export function Busiest() {
  const { data } = usePolled<{ queues: readonly Queue[] }>(url(["queues"], { sort: "-published", limit: MEASURED }), 3000);
  const queues = data.value?.queues ?? [];
  if (data.value && data.value !== seen) {
    seen = data.value;
    for (const queue of queues) samples.of(queue.name).add(Date.now(), queue.published);
  }
  const rateOf = (queue: Queue): number => samples.of(queue.name).rate() ?? 0;
  const busiest = [...queues].sort((a, b) => rateOf(b) - rateOf(a) || b.published - a.published).slice(0, SHOWN);
  const counted = busiest.find((queue) => Number(queue.options["top_talkers"] ?? 0) > 0);
  if (busiest.length === 0) return null;
  return (
    <div class="cards">
      <div>
        <h2>Busiest queues</h2>
        <Table
          caption="Busiest queues"
          columns={[
            { name: "name", title: "Queue", cell: (queue) => queue.name },
            { name: "state", title: "State", cell: queueState },
            { name: "rate", title: "In", isNumeric: true, cell: (queue) => perSecond(samples.of(queue.name).rate()) },
            { name: "published", title: "Came", isNumeric: true, cell: (queue) => count(queue.published) },
          ]}
          rows={busiest}
          rowKey={(queue) => queue.name}
          rowLink={(queue) => link(["queues", queue.name])}
        />
      </div>
      {counted && <BusiestKeys queue={counted.name} />}
    </div>
  );
}

/** Of a queue that counts its keys by the option `top_talkers`. */
function BusiestKeys({ queue }: { queue: string }) {
  const { data } = usePolled<{ keys: readonly Talker[] }>(url(["queues", queue, "top-talkers"], { limit: SHOWN }), 5000);
  if (!data.value) return null;
  return (
    <div>
      <h2>Busiest keys of {queue}</h2>
      <Table
        caption={`Busiest keys of ${queue}`}
        columns={[
          { name: "key", title: "Key", cell: (each) => shown(each.key) },
          { name: "messages", title: "Updates", isNumeric: true, cell: (each) => count(each.messages) },
        ]}
        rows={data.value.keys}
        rowKey={(each) => shown(each.key)}
      />
    </div>
  );
}
