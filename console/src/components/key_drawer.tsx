/** A key: its value, what it was before and why it changed, and a form to change it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, Problem, textOf, url } from "../api";
import type { Value } from "../follow";
import { duration, moment, shown } from "../format";
import { fieldsOf, type LiveTable, type Row } from "../live_table";
import { usePolled } from "../polled";
import { keyQuery } from "../queue";
import { useLack } from "../rights";
import { Dialog } from "./dialog";
import { Explanations } from "./explanations";
import { Form } from "./form";
import { say, sayError } from "./toast";

const MOST_VERSIONS = 50;

/** What happened to a key: a record of the history, or a value that came while the page was open. */
interface Version {
  timeMs: number;
  what: string;
  sequence: number;
  /** Null where the value went. */
  fields: Readonly<Record<string, unknown>> | null;
}

interface HistoryRecord {
  time: string;
  effect: string;
  reason: string | null;
  sequence: number | null;
  body?: unknown;
  properties?: Record<string, unknown>;
  updates: number | null;
}

export interface KeyDrawerProps {
  queue: string;
  keyProperty: string;
  row: Row;
  /** Where the row changes; null where it is of the past. */
  live: LiveTable | null;
  hasHistory: boolean;
  /** Whether the queue remembers why messages left. */
  remembers: boolean;
  onClose: () => void;
}

export function KeyDrawer({ queue, keyProperty, row, live, hasHistory, remembers, onClose }: KeyDrawerProps) {
  const value = useSignal<Value>(row.value);
  const observed = useSignal<readonly Version[]>([versionOf(row.value, keyProperty)]);
  useEffect(() => {
    if (live === null) return;
    const timer = setInterval(() => {
      const now = live.row(row.id)?.value;
      if (now === undefined || now.sequence === value.value.sequence) return;
      value.value = now;
      observed.value = [versionOf(now, keyProperty), ...observed.value].slice(0, MOST_VERSIONS);
    }, 100);
    return () => clearInterval(timer);
  }, []);
  const { key, sequence, updates, arrival_time_ms: arrivedMs, properties } = value.value;
  const isOfKey = typeof key === "string" || typeof key === "boolean" || Number.isInteger(key);
  return (
    <Dialog title={key === null || key === undefined ? `Message ${sequence}` : shown(key)} onClose={onClose} isDrawer>
      <dl class="facts">
        <dt>Sequence</dt>
        <dd>{sequence}</dd>
        <dt>Updates</dt>
        <dd>{updates}</dd>
        {arrivedMs !== undefined && (
          <>
            <dt>Came</dt>
            <dd>
              {moment(arrivedMs)}
              {live && <span class="muted">, {duration(Date.now() - arrivedMs)} ago</span>}
            </dd>
          </>
        )}
        {properties && (
          <>
            <dt>Properties</dt>
            <dd class="mono">{shown(properties)}</dd>
          </>
        )}
      </dl>
      <pre tabIndex={0} aria-label="Body">
        {written(value.value)}
      </pre>
      {live && isOfKey && <Change queue={queue} value={value.value} onClose={onClose} />}
      <h3>What happened</h3>
      {hasHistory && isOfKey ? <Recorded queue={queue} keyProperty={keyProperty} value={value.value} /> : <Versions versions={observed.value} />}
      {!hasHistory && <p class="muted">The queue has no history: these are the values since this was opened.</p>}
      {remembers && isOfKey && (
        <>
          <h3>Why values are gone</h3>
          <Explanations queue={queue} asked={{ key: shown(key), ...keyQuery(key) }} />
        </>
      )}
    </Dialog>
  );
}

function Change({ queue, value, onClose }: { queue: string; value: Value; onClose: () => void }) {
  const isOpen = useSignal(false);
  const base = useSignal(value);
  const overtaken = useSignal("");
  const lack = useLack(queue);
  const path = url(["queues", queue, "keys", shown(value.key)], keyQuery(value.key));
  const tag = { "If-Match": `"${base.value.sequence}"` };
  const remove = async (): Promise<void> => {
    try {
      await ask(path, { method: "DELETE", headers: { "If-Match": `"${value.sequence}"` } });
      say("The value was deleted.");
      onClose();
    } catch (error) {
      sayError(error);
    }
  };
  if (!isOpen.value) {
    return (
      <div class="actions">
        <button
          type="button"
          disabled={lack("publish") !== ""}
          title={lack("publish")}
          onClick={() => ((base.value = value), (isOpen.value = true))}
        >
          Change
        </button>
        <button type="button" class="danger" disabled={lack("delete-messages") !== ""} title={lack("delete-messages")} onClick={remove}>
          Delete
        </button>
      </div>
    );
  }
  const isText = typeof base.value.body === "string";
  return (
    <>
      {overtaken.value && (
        <p class="fault" role="alert">
          {overtaken.value}: the form has the newest value now
        </p>
      )}
      <Form
      key={base.value.sequence}
      action="Put"
      fields={[
        {
          name: "body",
          label: isText ? "New body, a text" : "New body, as JSON",
          kind: isText ? "lines" : "json",
          value: isText ? shown(base.value.body) : JSON.stringify(base.value.body ?? null, null, 2),
          help: `Taken only if the value is still ${base.value.sequence}.`,
        },
      ]}
      onSubmit={async ({ body }) => {
        try {
          await ask(path, { method: "PUT", headers: tag, body: { body: body ?? "", properties: base.value.properties ?? {} } });
        } catch (error) {
          if (error instanceof Problem && error.status === 412) {
            base.value = value;
            overtaken.value = textOf(error);
            return;
          }
          throw error;
        }
        say("The value was put.");
        overtaken.value = "";
        isOpen.value = false;
      }}
      />
    </>
  );
}

/** What the history has about a key. */
function Recorded({ queue, keyProperty, value }: { queue: string; keyProperty: string; value: Value }) {
  const path = url(["queues", queue, "keys", shown(value.key), "timeline"], { ...keyQuery(value.key), newest_first: true, limit: MOST_VERSIONS });
  const { data, problem } = usePolled<{ records: readonly HistoryRecord[] }>(path, 3000);
  if (problem.value) return <p class="fault">{problem.value.detail}</p>;
  if (!data.value) return <p class="muted">Reading the history …</p>;
  const { records } = data.value;
  // That a value was replaced is told by the one that came in its place at that time.
  const isReplacement = (record: HistoryRecord): boolean => record.effect === "removed" && record.reason === "replaced";
  const replaced = new Map(records.filter(isReplacement).map((record) => [record.time, record.sequence]));
  const versions = records
    .filter((record) => !isReplacement(record))
    .map((record) => ({
      timeMs: Date.parse(record.time),
      what: whatHappened(record, replaced.get(record.time)),
      sequence: record.sequence ?? 0,
      fields:
        record.updates === null
          ? null
          : fieldsOf({ ...record, key: value.key, sequence: record.sequence ?? 0, updates: record.updates }, keyProperty),
    }));
  return <Versions versions={versions} />;
}

function whatHappened({ effect, reason }: HistoryRecord, replaced: number | null | undefined): string {
  if (reason) return `${effect}: ${reason}`;
  return replaced ? `${effect}, in place of ${replaced}` : effect;
}

/** Versions, newest first, each with what is different from the one before. */
function Versions({ versions }: { versions: readonly Version[] }) {
  return (
    <ol class="versions" aria-label="Versions, newest first">
      {versions.map((version, index) => {
        const before = versions.slice(index + 1).find((each) => each.fields !== null)?.fields ?? null;
        return (
          <li key={`${version.timeMs} ${version.sequence} ${version.what} ${versions.length - index}`}>
            <div class="when">
              <span>{version.what}</span>
              <span>
                {moment(version.timeMs)} · {version.sequence}
              </span>
            </div>
            {version.fields && <Changes before={before} after={version.fields} />}
          </li>
        );
      })}
    </ol>
  );
}

export function Changes({ before, after }: { before: Readonly<Record<string, unknown>> | null; after: Readonly<Record<string, unknown>> }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])];
  const changed = names.filter((name) => before === null || shown(before[name]) !== shown(after[name]));
  if (changed.length === 0) return <div class="muted">the same value</div>;
  return (
    <>
      {changed.map((name) => (
        <div key={name} class="change">
          {name}: {before !== null && name in before && <del>{shown(before[name])}</del>} {name in after && <ins>{shown(after[name])}</ins>}
        </div>
      ))}
    </>
  );
}

function versionOf(value: Value, keyProperty: string): Version {
  return { timeMs: value.arrival_time_ms ?? Date.now(), what: "value", sequence: value.sequence, fields: fieldsOf(value, keyProperty) };
}

function written(value: Value): string {
  if (value.body_base64 !== undefined) return value.body_base64;
  const body = value.body;
  if (typeof body === "string" && body.startsWith("{")) {
    try {
      return JSON.stringify(JSON.parse(body), null, 2);
    } catch {
      return body;
    }
  }
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}
