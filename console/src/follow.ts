/** Following a queue over server-sent events, read as fast as the browser can use them and no faster.
 *
 * The stream is read by hand, because what is not read makes the broker conflate: an EventSource would read all of it.
 */
import { Problem, reachable, request, textOf } from "./api";

export interface Value {
  key: string | number | boolean | null;
  sequence: number;
  updates: number;
  body?: unknown;
  body_base64?: string;
  properties?: Record<string, unknown>;
  arrival_time_ms?: number;
  /** Of a divided queue: which of its brokers sent it. */
  partition?: number;
  [field: string]: unknown;
}

/** A key that has no value any more, or none that the selector selects. */
export interface Removal {
  key: Value["key"];
  sequence: number;
  reason: string;
}

export interface SnapshotEnd {
  resumed: boolean;
  partition?: number;
}

export interface PartitionLoss {
  partition: number;
  detail: string;
}

export interface Follower {
  /** A snapshot may begin, of one partition or of all.
   *
   * What does not come until its `snapshotEnd` has gone, unless that says that it was resumed.
   */
  begin: (partition?: number) => void;
  values: (values: readonly Value[]) => void;
  removed: (removal: Removal) => void;
  snapshotEnd: (end: SnapshotEnd) => void;
  /** A broker of a divided queue is away; the others go on, and its next snapshot ends it. */
  partitionLost: (loss: PartitionLoss) => void;
  /** The stream ended, and is asked for again soon. */
  lost: (reason: string) => void;
  /** The gateway refused; it is asked again only for a queue that is gone. */
  refused: (problem: Problem) => void;
}

const FRAME_BUDGET_MS = 8;
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
/** The gateway says something every fifteen seconds, if only that it is there. */
const SILENT_AFTER_MS = 45_000;
const EVENT_END = /\r\n\r\n|\n\n/;

/** Follow until the signal aborts; a lost stream is asked for again, and goes on where it was if the queue can. */
export async function follow(path: string, follower: Follower, signal: AbortSignal): Promise<void> {
  let waitMs = SHORTEST_WAIT_MS;
  const position = { id: "" };
  while (!signal.aborted) {
    const idle = new IdleTimeout(signal);
    try {
      const answer = await request(path, { signal: idle.signal, headers: headersOf(position.id) });
      follower.begin();
      await readEvents(answer, follower, position, idle, () => (waitMs = SHORTEST_WAIT_MS));
      follower.lost("the stream ended");
    } catch (error) {
      if (signal.aborted) return;
      if (idle.signal.aborted) reachable.value = false;
      if (error instanceof Problem && !error.isUnreachable && error.status !== 429) {
        follower.refused(error);
        if (!error.isOfNothing) return;
        // It may be declared again.
        waitMs = LONGEST_WAIT_MS;
      } else follower.lost(idle.signal.aborted ? "the gateway has said nothing for long" : textOf(error));
    } finally {
      idle.end();
    }
    await passed(waitMs, signal);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
}

/** Aborts a stream on which nothing comes any more: its other end may be gone without a word. */
class IdleTimeout {
  private readonly ended = new AbortController();
  private timer = 0;
  private readonly stop = (): void => this.ended.abort();

  constructor(private readonly page: AbortSignal) {
    page.addEventListener("abort", this.stop, { once: true });
    this.restart();
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** Something came. */
  restart(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(this.stop, SILENT_AFTER_MS);
  }

  end(): void {
    clearTimeout(this.timer);
    this.page.removeEventListener("abort", this.stop);
  }
}

/** Where a stream goes on: the id of its last event, or empty. */
interface Position {
  id: string;
}

function headersOf(id: string): Record<string, string> {
  return { Accept: "text/event-stream", ...(id ? { "Last-Event-ID": id } : {}) };
}

async function readEvents(answer: Response, follower: Follower, position: Position, idle: IdleTimeout, alive: () => void): Promise<void> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let began = performance.now();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    idle.restart();
    const events = (rest + decoder.decode(value, { stream: true })).split(EVENT_END);
    rest = events.pop() ?? "";
    take(events, follower, position);
    alive();
    if (idle.signal.aborted) return;
    if (performance.now() - began > FRAME_BUDGET_MS) {
      await nextFrame();
      began = performance.now();
    }
  }
}

/** Give the follower what the events say. */
function take(events: readonly string[], follower: Follower, position: Position): void {
  let values: Value[] = [];
  const flush = (): void => {
    if (values.length) follower.values(values);
    values = [];
  };
  for (const event of events) {
    const { kind, data, id } = fieldsOf(event);
    if (kind === "value") {
      const value = parsed(data);
      if (value !== undefined) values.push(value);
    } else if (kind !== "") {
      flush();
      takeOther(kind, data, follower);
    }
    if (id !== null) position.id = id;
  }
  flush();
}

/** A value; undefined if it cannot be read, for then the others are still good. */
function parsed(data: string): Value | undefined {
  try {
    return JSON.parse(data) as Value;
  } catch {
    return undefined;
  }
}

function takeOther(kind: string, data: string, follower: Follower): void {
  if (kind === "removed") follower.removed(JSON.parse(data) as Removal);
  else if (kind === "snapshot-begin") follower.begin((JSON.parse(data) as { partition?: number }).partition);
  else if (kind === "snapshot-end") follower.snapshotEnd(JSON.parse(data) as SnapshotEnd);
  else if (kind === "partition-lost") {
    const loss = JSON.parse(data) as PartitionLoss;
    // When it comes back, it tells what has changed or all that it has.
    follower.begin(loss.partition);
    follower.partitionLost(loss);
  }
  else if (kind === "error") {
    const said = JSON.parse(data) as { status: number; detail: string };
    throw new Problem(said.status, said.detail);
  }
}

function fieldsOf(event: string): { kind: string; data: string; id: string | null } {
  let kind = "";
  let data = "";
  let id: string | null = null;
  for (const line of event.split(/\r?\n/)) {
    if (line.startsWith("event:")) kind = line.slice(6).trim();
    else if (line.startsWith("data:")) data += line.slice(5);
    else if (line.startsWith("id:")) id = line.slice(3).trim();
  }
  return { kind, data, id };
}

function nextFrame(): Promise<void> {
  // A hidden page has no frames; it reads slowly then, and the broker conflates.
  return new Promise((resolve) => (document.hidden ? setTimeout(resolve, 1000) : requestAnimationFrame(() => resolve())));
}

function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
