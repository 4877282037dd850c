/** The newest value of each key of a followed queue, as the rows of a table.
 *
 * Updates go into a map as they come; whoever shows the rows asks for them once per frame. So the work of a frame
 * depends on the number of rows that are seen and not on the number of updates.
 */
import type { Value } from "./follow";
import { shown } from "./format";
import { Snapshots } from "./snapshots";

export interface Row {
  id: string;
  value: Value;
  /** What the value says by field: its body, if that is an object, and its properties. */
  fields: Readonly<Record<string, unknown>>;
  /** The fields of the value before. */
  before: Readonly<Record<string, unknown>> | null;
  /** How often it changed while it was followed, and when last. */
  changes: number;
  changedMs: number;
  snapshot: number;
}

export interface Order {
  column: string;
  descends: boolean;
}

const SHOWN_FIELDS = 12;
const FIELDS_FROM = 300;
/** Sorting by a value that changes all the time would move the rows away from the reader. */
const SORT_EVERY_MS = 500;

export class LiveTable {
  /** Values that came, and the updates that they stand for. */
  received = 0;
  represented = 0;
  readonly pinned = new Set<string>();
  /** The columns between the key and the number of updates. */
  columns: readonly string[] = [];

  private readonly rows = new Map<string, Row>();
  private sorted: Row[] = [];
  private order: Order = { column: "key", descends: false };
  private filter = "";
  private isDirty = true;
  private orderIsDirty = true;
  private sortedMs = 0;
  private readonly snapshots = new Snapshots();
  /** Fields that have a column, or were left without one. */
  private readonly known = new Set<string>();
  private columnsAreDirty = false;

  /** `keyProperty` is shown as the key, and not again as a field. */
  constructor(private readonly keyProperty: string) {}

  get size(): number {
    return this.rows.size;
  }

  /** A snapshot begins, of one partition or of all. */
  begin(partition?: number): void {
    this.snapshots.begin(partition);
  }

  /** The snapshot is there; what of its partition was not in it has gone. */
  complete(partition = 0): void {
    this.known.clear();
    for (const [id, row] of this.rows) {
      const of = row.value.partition ?? 0;
      if (of === partition && this.snapshots.isLeftBehind(row.snapshot, of)) this.rows.delete(id);
    }
    this.isDirty = this.orderIsDirty = true;
    for (const row of this.rows.values()) for (const name in row.fields) this.known.add(name);
    this.chooseColumns();
  }

  /** Take values in the order in which they came. */
  take(values: readonly Value[], nowMs: number): void {
    for (const value of values) this.takeOne(value, nowMs);
    this.isDirty = true;
    if (this.columnsAreDirty) this.chooseColumns();
  }

  row(id: string): Row | undefined {
    return this.rows.get(id);
  }

  /** A key has no value any more. */
  remove(id: string): void {
    this.rows.delete(id);
    this.isDirty = this.orderIsDirty = true;
  }

  sortBy(order: Order): void {
    this.order = order;
    this.isDirty = this.orderIsDirty = true;
  }

  /** Only rows with this text in their key or their fields. */
  filterBy(text: string): void {
    this.filter = text.toLowerCase();
    this.isDirty = this.orderIsDirty = true;
  }

  pin(id: string): void {
    if (!this.pinned.delete(id)) this.pinned.add(id);
    this.isDirty = this.orderIsDirty = true;
  }

  /** Whether something changed since this was asked last. */
  takeDirty(): boolean {
    const was = this.isDirty;
    this.isDirty = false;
    return was;
  }

  /** The rows in their order, pinned ones first. */
  ordered(nowMs: number): readonly Row[] {
    const changing = this.order.column !== "key" || this.filter !== "";
    if (this.orderIsDirty || (changing && nowMs - this.sortedMs > SORT_EVERY_MS)) {
      this.sorted = this.filter ? [...this.rows.values()].filter((row) => this.admits(row)) : [...this.rows.values()];
      this.sorted.sort((a, b) => this.compared(a, b));
      this.orderIsDirty = false;
      this.sortedMs = nowMs;
    }
    return this.sorted;
  }

  private takeOne(value: Value, nowMs: number): void {
    const id = idOf(value);
    const row = this.rows.get(id);
    this.received++;
    if (row === undefined) {
      this.represented++;
      const fields = this.fieldsOf(value);
      this.rows.set(id, { id, value, fields, before: null, changes: 0, changedMs: 0, snapshot: this.snapshots.current });
      this.orderIsDirty = true;
      return;
    }
    row.snapshot = this.snapshots.current;
    if (row.value.sequence === value.sequence) return;
    const more = value.updates - row.value.updates;
    this.represented += more > 0 ? more : value.updates;
    row.before = row.fields;
    row.fields = this.fieldsOf(value);
    row.value = value;
    row.changes++;
    row.changedMs = nowMs;
  }

  private fieldsOf(value: Value): Record<string, unknown> {
    const fields = fieldsOf(value, this.keyProperty);
    for (const name in fields) {
      if (this.known.has(name)) continue;
      this.known.add(name);
      this.columnsAreDirty = true;
    }
    return fields;
  }

  private chooseColumns(): void {
    this.columnsAreDirty = false;
    const counted = new Map<string, number>();
    let seen = 0;
    for (const row of this.rows.values()) {
      for (const name of Object.keys(row.fields)) counted.set(name, (counted.get(name) ?? 0) + 1);
      if (++seen === FIELDS_FROM) break;
    }
    // What came later may be in rows that were not counted.
    for (const name of this.known) if (!counted.has(name)) counted.set(name, 0);
    const chosen = new Set([...counted].sort((a, b) => b[1] - a[1]).slice(0, SHOWN_FIELDS).map(([name]) => name));
    this.columns = [...counted.keys()].filter((name) => chosen.has(name));
  }

  private admits(row: Row): boolean {
    if (this.pinned.has(row.id) || shown(row.value.key).toLowerCase().includes(this.filter)) return true;
    return Object.values(row.fields).some((value) => shown(value).toLowerCase().includes(this.filter));
  }

  private compared(a: Row, b: Row): number {
    const pins = Number(this.pinned.has(b.id)) - Number(this.pinned.has(a.id));
    if (pins) return pins;
    const order = comparedValues(cellOf(a, this.order.column), cellOf(b, this.order.column));
    return (this.order.descends ? -order : order) || comparedValues(a.value.key, b.value.key);
  }
}

/** The identity of a row: values without a key are all different. */
export function idOf(value: Pick<Value, "key" | "sequence">): string {
  return value.key === null || value.key === undefined ? `#${value.sequence}` : `${typeof value.key}:${value.key}`;
}

/** What a column of a row shows. */
export function cellOf(row: Row, column: string): unknown {
  if (column === "key") return row.value.key;
  if (column === "updates") return row.value.updates;
  if (column === "age") return -(row.value.arrival_time_ms ?? 0);
  return row.fields[column];
}

/** The fields of a value. A body that is the JSON text of an object is that object. */
export function fieldsOf(value: Value, keyProperty: string): Record<string, unknown> {
  const body = objectIn(value.body);
  const properties = { ...value.properties };
  delete properties[keyProperty];
  if (body === null) return { ...properties, body: value.body ?? value.body_base64 ?? null };
  const own = { ...body };
  if (shown(own[keyProperty]) === shown(value.key)) delete own[keyProperty];
  return { ...properties, ...own };
}

function objectIn(body: unknown): Record<string, unknown> | null {
  let found = body;
  if (typeof body === "string" && body.startsWith("{")) {
    try {
      found = JSON.parse(body);
    } catch {
      return null;
    }
  }
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : null;
}

function comparedValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : 1;
  if (b === undefined || b === null) return -1;
  const left = shown(a);
  const right = shown(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
