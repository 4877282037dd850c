/** The pipeline: from the sources over its parts to the queues and their readers, and how far each part is. */
import { signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ask, url } from "../api";
import { Graph } from "../components/graph";
import { FormDialog } from "../components/form";
import { Plot } from "../components/plot";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { say } from "../components/toast";
import { count, duration, perSecond, shown } from "../format";
import type { Value } from "../follow";
import { useFollowed } from "../followed";
import type { Page } from "../page";
import { usePolled } from "../polled";
import { link } from "../router";
import "../pictures.css";

interface Part {
  name: string;
  kind: "feed" | "history" | "replay";
  from?: string[];
  to?: string[];
  dead_letter_queue?: string;
  state?: string;
  rows?: number;
  rows_per_s?: number;
  published?: number;
  rejected?: number;
  lag?: number | null;
  lag_unit?: string;
  end_to_end_ms?: number | null;
  all_restarts?: number;
  error?: string;
  trace?: string;
}

interface Pipeline {
  state: string;
  error?: string;
  master?: string;
  updated?: string;
  parts: Part[];
}

interface Consumer {
  node: string;
  user: string;
  waits_for: string;
  browses: boolean;
}

const MOST = 120;
const MOST_REJECTED = 50;
const RESTARTABLE = new Set(["running", "idle", "failed", "restarting", "waiting for the broker"]);

function Pipelines() {
  const { data, problem, refresh } = usePolled<Pipeline>("/pipeline", 1000);
  const consumers = usePolled<{ consumers: Consumer[] }>("/peers/consumers", 2000);
  const restarting = useSignal<Part | null>(null);
  const rejected = useSignal<string | null>(null);
  const past = useMemo(() => ({ times: [] as number[], lag: new Map<string, (number | null)[]>(), rate: new Map<string, (number | null)[]>() }), []);
  const pipeline = data.value;
  useMemo(() => {
    if (!pipeline) return;
    past.times.push(Date.now());
    const drop = past.times.length > MOST;
    if (drop) past.times.shift();
    for (const part of pipeline.parts) {
      for (const [of, value] of [[past.lag, part.lag ?? null], [past.rate, part.rows_per_s ?? null]] as const) {
        const values = of.get(part.name) ?? past.times.slice(1).map(() => null);
        of.set(part.name, [...values.slice(drop ? 1 : 0), value]);
      }
    }
  }, [pipeline]);
  if (!pipeline) return problem.value ? <Refusal problem={problem.value} /> : <Waiting />;
  const lines = (of: Map<string, (number | null)[]>) =>
    pipeline.parts.slice(0, 4).map((part, index) => ({ title: part.name, colour: index + 1, values: of.get(part.name) ?? [] }));
  return (
    <>
      <div class="page-head">
        <h1>Pipeline</h1>
        <State state={pipeline.state} />
        <span class="muted">{pipeline.master && `Spark on ${pipeline.master}`}</span>
      </div>
      {problem.value && <Refusal problem={problem.value} />}
      {pipeline.error && <p class="banner">{pipeline.error}</p>}
      <section class="card" aria-label="From the sources to the readers">
        <Graph parts={pipeline.parts} readers={readersOf(consumers.data.value?.consumers ?? [])} />
      </section>
      <div class="cards">
        <section class="card">
          <Plot label="Lag" timesMs={past.times} lines={lines(past.lag)} written={(value) => count(value)} />
        </section>
        <section class="card">
          <Plot label="Rows read" timesMs={past.times} lines={lines(past.rate)} written={perSecond} />
        </section>
      </div>
      <Table
        caption="Parts of the pipeline"
        columns={[
          { name: "name", title: "Part", cell: (part) => part.name },
          { name: "kind", title: "Kind", cell: (part) => part.kind },
          { name: "state", title: "State", cell: (part) => <State state={part.state ?? "not running"} /> },
          { name: "rows", title: "Rows", isNumeric: true, cell: (part) => count(part.rows) },
          { name: "rate", title: "Rate", isNumeric: true, cell: (part) => perSecond(part.rows_per_s) },
          { name: "published", title: "Published", isNumeric: true, cell: (part) => count(part.published) },
          { name: "lag", title: "Lag", isNumeric: true, cell: (part) => (part.lag === null || part.lag === undefined ? "–" : `${count(part.lag)} ${part.lag_unit}`) },
          {
            name: "end_to_end_ms",
            title: "End to end",
            isNumeric: true,
            help: "How old its newest row was when the broker had it",
            cell: (part) => duration(part.end_to_end_ms ?? undefined),
          },
          { name: "all_restarts", title: "Restarts", isNumeric: true, cell: (part) => count(part.all_restarts) },
          {
            name: "rejected",
            title: "Rejected",
            isNumeric: true,
            cell: (part) =>
              part.rejected && part.dead_letter_queue ? (
                <button type="button" class="plain" onClick={() => (rejected.value = part.dead_letter_queue ?? "")}>
                  {count(part.rejected)} – why?
                </button>
              ) : (
                count(part.rejected)
              ),
          },
          { name: "error", title: "Failure", cell: (part) => <span class="fault" title={part.trace}>{part.error}</span> },
          {
            name: "restart",
            title: "Action",
            cell: (part) => (
              <button type="button" disabled={!RESTARTABLE.has(part.state ?? "")} aria-label={`Restart ${part.name}`} onClick={() => (restarting.value = part)}>
                Restart
              </button>
            ),
          },
        ]}
        rows={pipeline.parts}
        rowKey={(part) => part.name}
        empty="The file declares no parts."
      />
      {rejected.value !== null && <Rejected queue={rejected.value} />}
      {restarting.value && (
        <FormDialog
          title={`Restart ${restarting.value.name}?`}
          text="Its current work is finished first; it goes on where it was."
          action="Restart"
          fields={[]}
          onClose={() => (restarting.value = null)}
          onSubmit={async () => {
            await ask(url(["pipeline", restarting.value?.name ?? "", "restart"]), { method: "POST" });
            say("the runner was asked to restart it");
            refresh();
          }}
        />
      )}
    </>
  );
}

function State({ state }: { state: string }) {
  const kind = state === "failed" || state === "dead" ? "bad" : state === "running" || state === "idle" ? "on" : state === "finished" ? "" : "warn";
  return <span class={`tag ${kind}`}>{state}</span>;
}

/** How many read each queue, and how many of them wait. */
function readersOf(consumers: readonly Consumer[]): Map<string, { readers: number; slow: number }> {
  const readers = new Map<string, { readers: number; slow: number }>();
  for (const { node, waits_for: waits } of consumers) {
    const found = readers.get(node) ?? { readers: 0, slow: 0 };
    readers.set(node, { readers: found.readers + 1, slow: found.slow + (waits && waits !== "empty" ? 1 : 0) });
  }
  return readers;
}

/** The newest rows that a feed could not publish, and why. */
function Rejected({ queue }: { queue: string }) {
  const rows = useMemo(() => signal<readonly Value[]>([]), [queue]);
  const taker = useMemo(
    () => ({ take: (value: Value) => (rows.value = [...rows.value.slice(-MOST_REJECTED + 1), value]), remove: () => {}, retain: () => {} }),
    [rows],
  );
  const { problem } = useFollowed(queue, taker);
  return (
    <section class="card" aria-labelledby="rejected-heading">
      <h2 id="rejected-heading">
        Rejected rows, in <a href={link(["queues", queue])}>{queue}</a>
      </h2>
      {problem.value ? (
        <Refusal problem={problem.value} />
      ) : (
        <Table
          caption="Rejected rows, the newest first"
          columns={[
            { name: "sequence", title: "Message", cell: (row) => count(row.sequence) },
            { name: "reason", title: "Because", cell: (row) => shown(annotations(row)["x-opt-reason"]) },
            { name: "properties", title: "Properties", cell: (row) => <code>{shown(row.properties)}</code> },
            { name: "body", title: "Body", cell: (row) => <code>{shown(row.body).slice(0, 200)}</code> },
          ]}
          rows={[...rows.value].reverse()}
          rowKey={(row) => String(row.sequence)}
        />
      )}
    </section>
  );
}

function annotations(row: Value): Record<string, unknown> {
  return (row["annotations"] ?? {}) as Record<string, unknown>;
}

export const pipelinesPage: Page = { path: "pipelines", title: "Pipelines", inNavigation: true, needs: "show-pipeline", view: Pipelines };
