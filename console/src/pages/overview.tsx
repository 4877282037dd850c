/** The broker at a glance: rates, memory, disk, alarms. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Plot } from "../components/plot";
import { Refusal, Waiting } from "../components/states";
import { ask } from "../api";
import { bytes, count, duration, moment, perSecond } from "../format";
import type { Page } from "../page";
import { Busiest } from "./busiest";
import { usePolled } from "../polled";
import { may } from "../rights";
import { OF_AN_HOUR, SampleSets } from "../samples";

interface Broker {
  now_ms: number;
  started_ms: number;
  version: string;
  compiled: boolean;
  queues: number;
  exchanges: number;
  connections: number;
  producers: number;
  held_bytes: number;
  unfinished_bytes: number;
  memory_limit_bytes: number;
  event_loop_lag_ms: number;
  descriptors: number;
  store_free_bytes?: number;
  store_bytes?: number;
  store_waiting_bytes?: number;
}

interface Totals {
  queues: number;
  depth: number;
  keys: number;
  published: number;
  acquired: number;
  conflated: number;
}

// They stay while other pages are looked at.
const samples = new SampleSets(400, OF_AN_HOUR);
const HOUR_S = 3600;
/** Since when the gateway has kept figures; null where it has none, undefined until it has said. */
const keptSince = signal<number | null | undefined>(undefined);
const COUNTERS: readonly string[] = ["published", "acquired", "conflated"];
let seenBroker: Broker | undefined;
let seenTotals: Totals | undefined;

function Overview() {
  const broker = usePolled<Broker>("/broker");
  const totals = usePolled<Totals>("/queue-totals");
  const facts = broker.data.value;
  const sums = totals.data.value;
  useKept();
  if (keptSince.value !== undefined) sample(facts, sums);
  if (!facts && !sums) return totals.problem.value ? <Refusal problem={totals.problem.value} /> : <Waiting />;
  return (
    <>
      <div class="page-head">
        <h1>Overview</h1>
        {facts && (
          <span class="muted">
            lastvalue {facts.version}
            {facts.compiled ? "" : ", plain Python"}, up {duration(facts.now_ms - facts.started_ms)}
          </span>
        )}
      </div>
      <dl class="figures">
        {sums && (
          <>
            <Figure title="Queues" value={count(sums.queues)} />
            <Figure title="Messages" value={count(sums.depth)} />
            <Figure title="Keys" value={count(sums.keys)} />
            <Figure title="Conflated" value={sums.published ? `${((100 * sums.conflated) / sums.published).toFixed(1)} %` : "–"} />
          </>
        )}
        {facts && (
          <>
            <Figure title="Connections" value={count(facts.connections)} />
            <Figure title="Producers" value={count(facts.producers)} />
            <Figure title="Event loop lag" value={duration(facts.event_loop_lag_ms)} />
          </>
        )}
      </dl>
      <div class="cards">
        {sums && <Rates />}
        {facts && <Memory broker={facts} />}
        {facts?.store_free_bytes !== undefined && <Disk broker={facts} />}
        {facts && <LoopLag />}
      </div>
      {keptSince.value !== undefined && (
        <p class="muted small">
          {keptSince.value === null ? "The plots begin when this page is opened." : `The gateway keeps the last hour; it has figures since ${moment(keptSince.value).slice(0, 19)}.`}
        </p>
      )}
      <Busiest />
      {broker.problem.value?.status === 403 && (
        <p class="muted">Memory, disk and alarms are shown to users with the right administer on $broker.</p>
      )}
    </>
  );
}

/** Begin the plots with what the gateway kept before the page was open. */
function useKept(): void {
  useEffect(() => {
    if (keptSince.value !== undefined) return;
    if (!may("show-broker")) {
      keptSince.value = null;
      return;
    }
    const begin = ({ since_ms: sinceMs, now_ms: nowMs, times_ms, figures }: Kept): void => {
      // By the clock of the browser, as what comes from now on.
      const times = times_ms.map((ms) => ms + Date.now() - nowMs);
      for (const [name, values] of Object.entries(figures)) {
        const of = samples.of(name);
        const isCounter = COUNTERS.includes(name);
        values.forEach((value, index) => (isCounter ? of.add(times[index] ?? 0, value) : of.addLevel(times[index] ?? 0, value)));
      }
      keptSince.value = sinceMs;
    };
    ask<Kept>("/recent-figures").then(begin, () => (keptSince.value = null));
  }, []);
}

interface Kept {
  since_ms: number | null;
  now_ms: number;
  times_ms: readonly number[];
  figures: Readonly<Record<string, readonly number[]>>;
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <div class="figure">
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Rates() {
  const lines = [
    { name: "published", title: "published", colour: 1 },
    { name: "acquired", title: "to consumers", colour: 2 },
    { name: "conflated", title: "conflated", colour: 3 },
  ];
  return (
    <div class="card">
      <Plot
        label="Messages a second"
        timesMs={samples.of("published").timesMs.slice(1)}
        lines={lines.map(({ name, ...line }) => ({ ...line, values: samples.of(name).rates() }))}
        written={perSecond}
        windowS={HOUR_S}
      />
    </div>
  );
}

function Memory({ broker }: { broker: Broker }) {
  const { memory_limit_bytes: limit, held_bytes: held } = broker;
  const { timesMs, values } = samples.of("held_bytes");
  return (
    <div class="card">
      <Plot label="Memory" timesMs={timesMs} lines={[{ title: "held", colour: 1, values }]} written={bytes} areBytes windowS={HOUR_S} />
      {limit > 0 && <Share label="of the limit" part={held} whole={limit} />}
    </div>
  );
}

function Disk({ broker }: { broker: Broker }) {
  const { timesMs, values } = samples.of("store_bytes");
  return (
    <div class="card">
      <Plot label="Store" timesMs={timesMs} lines={[{ title: "segments", colour: 2, values }]} written={bytes} areBytes windowS={HOUR_S} />
      <p class="muted">
        {bytes(broker.store_free_bytes)} free, {bytes(broker.store_waiting_bytes)} to be written
      </p>
    </div>
  );
}

function LoopLag() {
  const { timesMs, values } = samples.of("event_loop_lag_ms");
  return (
    <div class="card">
      <Plot label="Event loop lag" timesMs={timesMs} lines={[{ title: "lag", colour: 4, values }]} written={duration} windowS={HOUR_S} />
    </div>
  );
}

function Share({ label, part, whole }: { label: string; part: number; whole: number }) {
  return (
    <p class="share">
      <meter min={0} max={whole} high={0.8 * whole} optimum={0} value={part} aria-label={`Memory ${label}`} />
      <span class="muted">
        {((100 * part) / whole).toFixed(1)} % {label}, {bytes(whole)}
      </span>
    </p>
  );
}

function sample(broker: Broker | undefined, totals: Totals | undefined): void {
  const nowMs = Date.now();
  if (broker && broker !== seenBroker) {
    for (const name of ["held_bytes", "event_loop_lag_ms", "store_bytes"] as const) samples.of(name).addLevel(nowMs, broker[name] ?? 0);
    seenBroker = broker;
  }
  if (totals && totals !== seenTotals) {
    for (const name of COUNTERS) samples.of(name).add(nowMs, totals[name as "published"]);
    seenTotals = totals;
  }
}

export const overviewPage: Page = { path: "overview", title: "Overview", inNavigation: true, view: Overview };
