/** The time slider: what a queue held at any moment of its history, and how two moments differ. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, textOf, url } from "../api";
import { Dialog } from "../components/dialog";
import { Replay } from "../components/replay";
import { Changes } from "../components/key_drawer";
import type { Value } from "../follow";
import { count, moment, shown, zone } from "../format";
import { fieldsOf, LiveTable } from "../live_table";
import { usePolled } from "../polled";

const MOST_ROWS = 10_000;
const SETTLED_MS = 200;
const STEPS = 1000;

/** A moment of the past, and what the queue held then. */
export interface PastMoment {
  timeMs: number;
  table: LiveTable;
  total: number;
}

interface Extent {
  history_from: string;
  history_to: string;
}

interface Change extends Value {
  change: string;
  before?: unknown;
  reason: string | null;
}

export interface PastProps {
  name: string;
  keyProperty: string;
  past: Signal<PastMoment | null>;
}

export function Past({ name, keyProperty, past }: PastProps) {
  const { data, problem } = usePolled<Extent>(url(["queues", name, "history"]), 10_000);
  const position = useSignal(STEPS);
  const fault = useSignal("");
  const marked = useSignal<number | null>(null);
  const compared = useSignal<[number, number] | null>(null);
  const replayed = useSignal<[number, number] | null>(null);
  const asked = useRef(0);
  const wanted = useRef<number | null>(null);
  useEffect(() => () => void (past.value = null), []);
  if (problem.value) return <p class="muted">The history cannot be read: {problem.value.detail}</p>;
  if (!data.value) return <p class="muted">Reading the history …</p>;
  const fromMs = Date.parse(data.value.history_from);
  const toMs = Date.parse(data.value.history_to);
  const timeAt = (step: number): number => Math.round(fromMs + ((toMs - fromMs) * step) / STEPS);
  const stepAt = (timeMs: number): number => Math.min(STEPS, Math.max(0, Math.round((STEPS * (timeMs - fromMs)) / Math.max(1, toMs - fromMs))));
  const live = (): void => {
    clearTimeout(asked.current);
    wanted.current = null;
    position.value = STEPS;
    past.value = null;
    fault.value = "";
  };
  const look = (timeMs: number): void => {
    position.value = stepAt(timeMs);
    clearTimeout(asked.current);
    wanted.current = timeMs;
    asked.current = window.setTimeout(async () => {
      try {
        const found = await asOf(name, keyProperty, timeMs);
        // Another moment has been asked for meanwhile.
        if (wanted.current !== timeMs) return;
        past.value = found;
        fault.value = "";
      } catch (error) {
        if (wanted.current === timeMs) fault.value = textOf(error);
      }
    }, SETTLED_MS);
  };
  const shownMs = past.value?.timeMs;
  return (
    <div class="past" role="group" aria-label="The past of the queue">
      <button type="button" aria-pressed={past.value === null} onClick={live}>
        Live
      </button>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={position.value}
        aria-label="Moment"
        aria-valuetext={moment(timeAt(position.value))}
        onInput={(event) => look(timeAt(Number(event.currentTarget.value)))}
      />
      <label class="exact">
        <input
          type="text"
          aria-label="Exact moment"
          placeholder="YYYY-MM-DD hh:mm:ss"
          value={moment(shownMs ?? toMs)}
          onChange={(event) => {
            const timeMs = new Date(event.currentTarget.value.trim().replace(" ", "T")).getTime();
            if (Number.isNaN(timeMs)) fault.value = "a moment is written as 2026-01-31 09:30:00";
            else look(timeMs);
          }}
        />
        <span class="muted">{zone(shownMs ?? toMs)}</span>
      </label>
      <output>{shownMs === undefined ? "now" : `${moment(shownMs)}, ${count(past.value?.total)} rows`}</output>
      <button type="button" disabled={shownMs === undefined} onClick={() => (marked.value = shownMs ?? null)}>
        {marked.value === null ? "Mark" : `Marked ${moment(marked.value).slice(11, 19)}`}
      </button>
      <button
        type="button"
        disabled={marked.value === null || marked.value === shownMs}
        onClick={() => {
          const ends = [marked.value ?? 0, shownMs ?? Date.now()].sort((a, b) => a - b);
          compared.value = [ends[0] ?? 0, ends[1] ?? 0];
        }}
      >
        Compare with the mark
      </button>
      <button
        type="button"
        disabled={marked.value === null || marked.value === shownMs}
        title="Publish again what came between the mark and the moment that is shown"
        onClick={() => {
          const ends = [marked.value ?? 0, shownMs ?? Date.now()].sort((a, b) => a - b);
          replayed.value = [ends[0] ?? 0, ends[1] ?? 0];
        }}
      >
        Replay …
      </button>
      {fault.value && (
        <span class="fault" role="alert">
          {fault.value}
        </span>
      )}
      {compared.value && <Difference name={name} from={compared.value[0]} to={compared.value[1]} onClose={() => (compared.value = null)} />}
      {replayed.value && <Replay queue={name} from={replayed.value[0]} to={replayed.value[1]} onClose={() => (replayed.value = null)} />}
    </div>
  );
}

function Difference({ name, from, to, onClose }: { name: string; from: number; to: number; onClose: () => void }) {
  const path = url(["queues", name, "diff"], { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit: 500 });
  const { data, problem } = usePolled<{ changes: readonly Change[]; total: number }>(path, 3_600_000);
  return (
    <Dialog title="What changed" onClose={onClose} isDrawer>
      <p class="muted">
        {moment(from)} to {moment(to)}
        {data.value && `: ${count(data.value.total)} changes`}
      </p>
      {problem.value && <p class="fault">{problem.value.detail}</p>}
      <ol class="versions">
        {data.value?.changes.map((change) => (
          <li key={`${shown(change.key)} ${change.sequence}`}>
            <div class="when">
              <b>{shown(change.key ?? change.sequence)}</b>
              <span>{change.reason && change.reason !== change.change ? `${change.change}: ${change.reason}` : change.change}</span>
            </div>
            {"before" in change ? (
              <Changes before={fieldsOf({ ...change, properties: {}, body: change.before }, "")} after={fieldsOf({ ...change, properties: {} }, "")} />
            ) : (
              <Changes before={null} after={fieldsOf({ ...change, properties: {} }, "")} />
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

async function asOf(name: string, keyProperty: string, timeMs: number): Promise<PastMoment> {
  const path = url(["queues", name, "as-of"], { moment: new Date(timeMs).toISOString(), limit: MOST_ROWS });
  const answer = await ask<{ values: readonly Value[]; total: number }>(path);
  const table = new LiveTable(keyProperty);
  table.begin();
  table.take(answer.values, performance.now());
  table.complete();
  return { timeMs, table, total: answer.total };
}
