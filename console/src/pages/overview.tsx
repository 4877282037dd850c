/** The broker at a glance: rates, memory, disk, alarms. */
import { Plot } from "../components/plot";
import { Refusal, Waiting } from "../components/states";
import { bytes, count, duration, perSecond } from "../format";
import type { Page } from "../page";
import { usePolled } from "../polled";
import { SampleSets } from "../samples";

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
  memory_alarm_since_ms: number;
  store_alarm_since_ms: number;
  store_fault_since_ms: number;
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
const samples = new SampleSets();
let seenBroker: Broker | undefined;
let seenTotals: Totals | undefined;

function Overview() {
  const broker = usePolled<Broker>("/broker");
  const totals = usePolled<Totals>("/queue-totals");
  const facts = broker.data.value;
  const sums = totals.data.value;
  sample(facts, sums);
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
      {facts && <Alarms broker={facts} />}
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
      {broker.problem.value?.status === 403 && (
        <p class="muted">Memory, disk and alarms are shown to users with the right administer on $broker.</p>
      )}
    </>
  );
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <div class="figure">
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Alarms({ broker }: { broker: Broker }) {
  const alarms: [number, string][] = [
    [broker.memory_alarm_since_ms, "Memory is short: producers wait"],
    [broker.store_alarm_since_ms, "The disk is short: producers of durable queues wait"],
    [broker.store_fault_since_ms, "The store cannot be written"],
  ];
  const raised = alarms.filter(([since]) => since > 0);
  if (raised.length === 0) return null;
  return (
    <div class="alarm" role="alert">
      {raised.map(([since, text]) => (
        <p key={text}>
          <strong>{text}</strong>, for {duration(broker.now_ms - since)}
        </p>
      ))}
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
      />
    </div>
  );
}

function Memory({ broker }: { broker: Broker }) {
  const { memory_limit_bytes: limit, held_bytes: held } = broker;
  const { timesMs, values } = samples.of("held_bytes");
  return (
    <div class="card">
      <Plot label="Memory" timesMs={timesMs} lines={[{ title: "held", colour: 1, values }]} written={bytes} areBytes />
      {limit > 0 && <Share label="of the limit" part={held} whole={limit} />}
    </div>
  );
}

function Disk({ broker }: { broker: Broker }) {
  const { timesMs, values } = samples.of("store_bytes");
  return (
    <div class="card">
      <Plot label="Store" timesMs={timesMs} lines={[{ title: "segments", colour: 2, values }]} written={bytes} areBytes />
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
      <Plot label="Event loop lag" timesMs={timesMs} lines={[{ title: "lag", colour: 4, values }]} written={duration} />
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
    for (const name of ["published", "acquired", "conflated"] as const) samples.of(name).add(nowMs, totals[name]);
    seenTotals = totals;
  }
}

export const overviewPage: Page = { path: "overview", title: "Overview", inNavigation: true, view: Overview };
