/** The store: its segments, syncs and disk, and snapshots of it. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ask } from "../api";
import { FormDialog } from "../components/form";
import { Plot } from "../components/plot";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { say } from "../components/toast";
import { bytes, count, moment, perSecond } from "../format";
import type { Page } from "../page";
import { usePolled } from "../polled";
import { Samples } from "../samples";

interface Store {
  statistics: Record<string, number>;
  segments: { number: number; bytes: number }[];
  snapshot: { state: string; directory?: string; written?: number; bytes?: number; reason?: string; taken_ms?: number };
}

const MOST_TIMES = 120;

function StorePage() {
  const { data, problem, refresh } = usePolled<Store>("/store");
  const syncs = useMemo(() => new Samples(), []);
  const times = useMemo(() => ({ ms: [] as number[], took: [] as number[] }), []);
  const asking = useSignal(false);
  const store = data.value && { ...data.value, within: data.value.statistics["store_syncs_within"] as unknown as Record<string, number> | undefined };
  useMemo(() => {
    if (!store) return;
    syncs.add(Date.now(), store.statistics["store_syncs"] ?? 0);
    times.ms.push(Date.now());
    times.took.push(store.statistics["store_last_sync_ms"] ?? 0);
    if (times.ms.length > MOST_TIMES) (times.ms.shift(), times.took.shift());
  }, [data.value]);
  if (!store) return problem.value ? <Refusal problem={problem.value} /> : <Waiting />;
  const { statistics, segments, snapshot } = store;
  const of = (name: string): number => statistics[`store_${name}`] ?? 0;
  const mean = of("syncs") ? of("sync_ms") / of("syncs") : 0;
  const figures = [
    ["Size", bytes(of("bytes"))],
    ["Segments", count(of("segments"))],
    ["Free on the disk", bytes(of("free_bytes"))],
    ["Waits to be written", bytes(of("waiting_bytes"))],
    ["Syncs", perSecond(syncs.rate())],
    ["A sync takes", `${mean.toFixed(2)} ms`],
    ["Half take up to", within(store.within, 0.5)],
    ["99 % take up to", within(store.within, 0.99)],
  ];
  return (
    <>
      <div class="page-head">
        <h1>Store</h1>
        <div class="actions">
          <button type="button" onClick={() => (asking.value = true)}>
            Write a snapshot
          </button>
        </div>
      </div>
      {problem.value && <Refusal problem={problem.value} />}
      <dl class="figures">
        {figures.map(([title, value]) => (
          <div class="figure" key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section class="card">
        <Plot
          label="Time of the last sync"
          timesMs={times.ms}
          lines={[{ title: "last sync", colour: 1, values: times.took }]}
          written={(value) => `${value.toFixed(1)} ms`}
        />
      </section>
      <Snapshot snapshot={snapshot} />
      <Table
        caption="Segments, the newest first"
        columns={[
          { name: "number", title: "Segment", cell: (segment) => segment.number },
          { name: "bytes", title: "Size", isNumeric: true, cell: (segment) => bytes(segment.bytes) },
        ]}
        rows={segments.slice(-200).reverse()}
        rowKey={(segment) => String(segment.number)}
        empty="Nothing was written yet."
      />
      {asking.value && (
        <FormDialog
          title="Write a snapshot"
          text="A copy of the store as of one moment, from which `lastvalue serve --restore` starts."
          action="Begin"
          fields={[
            {
              name: "directory",
              label: "Directory on the broker's machine",
              isRequired: true,
              help: "New or empty, below the directory that `serve --snapshots` names.",
            },
          ]}
          onClose={() => (asking.value = false)}
          onSubmit={async (body) => {
            await ask("/store/snapshots", { method: "POST", body });
            say("the snapshot has begun");
            refresh();
          }}
        />
      )}
    </>
  );
}

/** Below which time a part of all syncs stays, as far as the counts of `store_syncs_within` say it. */
function within(counts: Record<string, number> | undefined, part: number): string {
  const steps = Object.entries(counts ?? {}).map(([ms, syncs]) => [Number(ms), syncs] as const).sort((a, b) => a[0] - b[0]);
  const all = steps.at(-1)?.[1] ?? 0;
  const found = steps.find(([, syncs]) => syncs >= part * all);
  return all && found ? `${found[0]} ms` : "–";
}

function Snapshot({ snapshot }: { snapshot: Store["snapshot"] }) {
  if (snapshot.state === "none") return null;
  const part = snapshot.bytes ? (snapshot.written ?? 0) / snapshot.bytes : 0;
  return (
    <section class="card" aria-label="The last snapshot">
      Snapshot in <code>{snapshot.directory}</code>: <span class={snapshot.state === "failed" ? "tag bad" : "tag on"}>{snapshot.state}</span>{" "}
      {snapshot.state === "running" && <progress value={part} aria-label="Written" />} {bytes(snapshot.bytes)} {snapshot.reason}
      {snapshot.taken_ms ? <span class="muted">, as of {moment(snapshot.taken_ms)}</span> : ""}
      {snapshot.state === "done" && (
        <p>
          To start a broker from it: <code>lastvalue serve --store NEW_DIRECTORY --restore {snapshot.directory}</code>
        </p>
      )}
    </section>
  );
}

export const storePage: Page = { path: "store", title: "Store", inNavigation: true, needs: "snapshot", view: StorePage };
