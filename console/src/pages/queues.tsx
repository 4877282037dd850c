/** The queues: server-side pages, search and order. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../api";
import { FormDialog } from "../components/form";
import { Sparkline } from "../components/plot";
import { State } from "../components/state";
import { Refusal, Waiting } from "../components/states";
import { type Column, Pager, Table } from "../components/table";
import { say } from "../components/toast";
import { count, duration, perSecond, shown } from "../format";
import type { Page, PageProps } from "../page";
import { usePolled } from "../polled";
import { conflationRatio, type Queue } from "../queue";
import { lackOfLeader } from "../rights";
import { go, link } from "../router";
import { SampleSets } from "../samples";
import { url } from "../api";

const ROWS = 50;
const BUSY_MS = 10_000;
const TYPES = ["lvq", "standard", "priority", "sorted"];
const published = new SampleSets();
const acquired = new SampleSets();
let seen: unknown;

interface Listed {
  queues: readonly Queue[];
  next?: string;
}

const COLUMNS: readonly Column<Queue>[] = [
  { name: "name", title: "Queue", isSortable: true, cell: (queue) => queue.name },
  { name: "type", title: "Type", isSortable: true, cell: (queue) => <Tags queue={queue} /> },
  { name: "state", title: "State", cell: queueState },
  { name: "keys", title: "Keys", isNumeric: true, isSortable: true, cell: (queue) => (queue.type === "lvq" ? count(queue.statistics["keys"]) : "") },
  { name: "depth", title: "Messages", isNumeric: true, isSortable: true, cell: (queue) => count(queue.depth) },
  {
    name: "unsettled",
    title: "Unacked",
    isNumeric: true,
    isSortable: true,
    help: "Messages that a consumer has and has not settled",
    cell: (queue) => count(queue.statistics["unsettled"]),
  },
  {
    name: "consumers",
    title: "Readers",
    isNumeric: true,
    isSortable: true,
    help: "Consumers, and browsers; sorted by consumers",
    cell: (queue) => readersText(queue.statistics["consumers"] ?? 0, queue.statistics["browsers"] ?? 0),
  },
  { name: "published", title: "In", isNumeric: true, isSortable: true, help: "Now; sorted by how many came since the start", cell: (queue) => perSecond(published.of(queue.name).rate()) },
  { name: "out", title: "Out", isNumeric: true, help: "To consumers; browsers are not counted", cell: (queue) => perSecond(acquired.of(queue.name).rate()) },
  {
    name: "conflation_ratio",
    title: "Conflated",
    isNumeric: true,
    isSortable: true,
    help: "The part of what came that a newer value replaced",
    cell: (queue) => (queue.type === "lvq" && queue.published ? `${(100 * conflationRatio(queue)).toFixed(1)} %` : ""),
  },
  { name: "last_in_ms", title: "Newest", isNumeric: true, isSortable: true, help: "How long ago a message came last", cell: newest },
  { name: "trend", title: "Trend", help: "What came, over the last minutes", cell: (queue) => <Sparkline values={published.of(queue.name).rates()} label={`What came to ${queue.name}`} /> },
];

function Queues({ query }: PageProps) {
  const sort = query.get("sort") ?? "name";
  const contains = query.get("contains") ?? "";
  const first = url(["queues"], { sort: sort === "name" ? "" : sort, contains, limit: ROWS });
  const before = useSignal<readonly string[]>([]);
  const path = useSignal(first);
  const isAdding = useSignal(false);
  useEffect(() => {
    path.value = first;
    before.value = [];
  }, [first]);
  const { data, problem, refresh } = usePolled<Listed>(path.value);
  const listed = data.value;
  if (listed && listed !== seen) {
    seen = listed;
    const nowMs = Date.now();
    for (const queue of listed.queues) {
      published.of(queue.name).add(nowMs, queue.published);
      acquired.of(queue.name).add(nowMs, queue.statistics["acquired"] ?? 0);
    }
  }
  const next = listed?.next;
  const previous = before.value.at(-1);
  return (
    <>
      <div class="page-head">
        <h1>Queues</h1>
        <div class="actions">
          <Search value={contains} onSearch={(text) => go(["queues"], { sort: sort === "name" ? "" : sort, contains: text })} />
          <button type="button" class="primary" disabled={lackOfLeader() !== ""} title={lackOfLeader()} onClick={() => (isAdding.value = true)}>
            Add a queue
          </button>
        </div>
      </div>
      {!listed && (problem.value ? <Refusal problem={problem.value} /> : <Waiting />)}
      {listed && (
        <>
          <Table
            caption="Queues"
            columns={COLUMNS}
            rows={listed.queues}
            rowKey={(queue) => queue.name}
            rowLink={(queue) => link(["queues", queue.name])}
            sort={sort}
            onSort={(name) => go(["queues"], { sort: name, contains })}
            empty={contains ? `No queue that you may see has “${contains}” in its name.` : "There are no queues that you may see."}
          />
          <Pager
            offset={before.value.length * ROWS}
            rows={listed.queues.length}
            onPrevious={
              previous === undefined
                ? undefined
                : () => {
                    before.value = before.value.slice(0, -1);
                    path.value = previous;
                  }
            }
            onNext={
              next === undefined
                ? undefined
                : () => {
                    before.value = [...before.value, path.value];
                    path.value = next;
                  }
            }
          />
        </>
      )}
      {isAdding.value && <AddQueue onClose={() => (isAdding.value = false)} onAdded={refresh} />}
    </>
  );
}

function readersText(consumers: number, browsers: number): string {
  return browsers ? `${count(consumers)} + ${count(browsers)}` : count(consumers);
}

/** How a queue is: what stands in its way first. */
export function queueState(queue: Queue) {
  if (queue.statistics["flow_stopped"]) return <State tone="bad" text="full" title="Its producers wait" />;
  if (queue.options["paused"] === true) return <State tone="warn" text="paused" title="It delivers nothing" />;
  const isBusy = Date.now() - (queue.statistics["last_in_ms"] ?? 0) < BUSY_MS;
  return isBusy ? <State tone="good" text="busy" title="Messages come" /> : <State tone="idle" text="idle" title="No message came for ten seconds" />;
}

export function Tags({ queue }: { queue: Queue }) {
  return (
    <>
      <span class="tag">{queue.type}</span> {queue.options["paused"] === true && <span class="tag warn">paused</span>}
      {queue.stored && <span class="tag">durable</span>}
    </>
  );
}

function Search({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  return (
    <form role="search" class="tools" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Queues with this text in their name"
        placeholder="Search by name"
        defaultValue={value}
        onInput={debounced((event: InputEvent) => onSearch((event.target as HTMLInputElement).value.trim()))}
      />
    </form>
  );
}

let waiting = 0;
function debounced(action: (event: InputEvent) => void): (event: InputEvent) => void {
  return (event) => {
    clearTimeout(waiting);
    waiting = window.setTimeout(action, 250, event);
  };
}

function AddQueue({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  return (
    <FormDialog
      title="Add a queue"
      action="Add"
      onClose={onClose}
      fields={[
        { name: "name", label: "Name", isRequired: true },
        { name: "type", label: "Type", kind: "choice", choices: TYPES, value: "lvq" },
        { name: "lvq_key", label: "Last-value key", help: "The property whose value is the key; for type lvq" },
        { name: "sort_key", label: "Sort key", help: "The property to sort by; for type sorted" },
        { name: "durable", label: "Durable", kind: "checkbox", help: "A restart keeps it, if the broker has a store" },
        { name: "more", label: "Further options", kind: "json", help: 'As a JSON object, such as {"max_messages": 1000}; the page of the queue shows all options' },
      ]}
      onSubmit={async ({ name, more, ...options }) => {
        await ask(url(["queues", shown(name)]), { method: "PUT", body: { ...options, ...(more as object) }, headers: {} });
        say(`Queue ${shown(name)} is there.`);
        onAdded();
      }}
    />
  );
}

function newest(queue: Queue): string {
  const lastMs = queue.statistics["last_in_ms"] ?? 0;
  return lastMs ? duration(Date.now() - lastMs) : "";
}

export const queuesPage: Page = { path: "queues", title: "Queues", inNavigation: true, view: Queues };
