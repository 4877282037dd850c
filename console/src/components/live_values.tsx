/** The live table: a row for each key, of which only those in sight are elements of the page. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { duration, shown } from "../format";
import { cellOf, type LiveTable, type Order, type Row } from "../live_table";
import { Icon } from "./icon";

const ROW_PX = 30;
const MORE_ROWS = 6;
const FLASH_MS = 900;
const LEAST_KEY_CHARACTERS = 8;
const MOST_KEY_CHARACTERS = 36;
const LEAST_KEY_PX = 140;
/** Of the width of the table, in percent, where there are many values. */
const MOST_KEY_SHARE = 20;
const CHARACTER_PX = 8;
const PIN_PX = 44;
const UPDATES_PX = 84;
const AGE_PX = 92;

export interface LiveValuesProps {
  table: LiveTable;
  label: string;
  onOpen: (row: Row) => void;
  /** Now, by the clock of the broker. */
  nowMs: () => number;
  height?: number;
}

export function LiveValues({ table, label, onOpen, nowMs, height = 480 }: LiveValuesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const version = useSignal(0);
  const top = useSignal(0);
  const order = useSignal<Order>({ column: "key", descends: false });
  const focused = useSignal(0);
  const longest = useRef(LEAST_KEY_CHARACTERS);

  useEffect(() => {
    let handle = 0;
    let seconds = 0;
    const look = (): void => {
      const second = Math.floor(performance.now() / 1000);
      // Ages change every second, whatever else does.
      if (table.takeDirty() || second !== seconds) version.value++;
      seconds = second;
      handle = requestAnimationFrame(look);
    };
    handle = requestAnimationFrame(look);
    return () => cancelAnimationFrame(handle);
  }, [table]);

  void version.value;
  const now = performance.now();
  const rows = table.ordered(now);
  const first = Math.max(0, Math.floor(top.value / ROW_PX) - MORE_ROWS);
  const seen = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * MORE_ROWS);
  const columns = ["key", ...table.columns, "updates", "age"];
  const numeric = new Set(["updates", "age", ...table.columns.filter((name) => typeof seen[0]?.fields[name] === "number")]);
  // It only grows, so that scrolling moves nothing to the side.
  longest.current = Math.max(longest.current, ...seen.map((row) => shown(row.value.key).length));
  const widths = table.columns.map(leastWidth);
  // A long key has what the values leave it.
  const whole = `${Math.min(longest.current, MOST_KEY_CHARACTERS) * CHARACTER_PX + PIN_PX}px`;
  const key = `min(${whole}, max(${LEAST_KEY_PX}px, ${MOST_KEY_SHARE}cqw))`;
  const grid = [`minmax(${key}, ${whole})`, ...widths.map((width) => `minmax(${width}px, 1fr)`), `${UPDATES_PX}px`, `${AGE_PX}px`].join(" ");
  const least = `calc(${key} + ${widths.reduce((sum, width) => sum + width, UPDATES_PX + AGE_PX)}px)`;
  const sort = (column: string): void => {
    const isSame = order.value.column === column;
    order.value = { column, descends: isSame ? !order.value.descends : numeric.has(column) && column !== "age" };
    table.sortBy(order.value);
  };
  const move = (event: KeyboardEvent): void => {
    const page = Math.floor(height / ROW_PX) - 2;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    const step = steps[event.key];
    const row = rows[focused.value];
    if (step !== undefined) {
      focused.value = Math.min(rows.length - 1, Math.max(0, focused.value + step));
      const at = focused.value * ROW_PX;
      const element = frame.current as HTMLDivElement;
      if (at < element.scrollTop) element.scrollTop = at;
      else if (at + 2 * ROW_PX > element.scrollTop + height) element.scrollTop = at + 2 * ROW_PX - height;
    } else if (event.key === "Enter" && row) onOpen(row);
    else if (event.key === "p" && row) table.pin(row.id);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {rows.length === 0 && <p class="muted">There are no values, or none that fits.</p>}
      <div
        ref={frame}
        class="live"
        tabIndex={0}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={rows[focused.value] ? `row-${focused.value}` : undefined}
        onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
        onKeyDown={move}
      >
        <div class="live-rows" role="rowgroup" style={{ height: `${(rows.length + 1) * ROW_PX}px`, "--least": least, "--grid": grid }}>
          <div class="live-row head" role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <div
                key={column}
                class={numeric.has(column) ? "number" : ""}
                role="columnheader"
                aria-sort={order.value.column !== column ? "none" : order.value.descends ? "descending" : "ascending"}
              >
                <button type="button" class="plain" onClick={() => sort(column)}>
                  {column}
                  <span class="order" aria-hidden="true">
                    {order.value.column !== column ? "" : order.value.descends ? "▼" : "▲"}
                  </span>
                </button>
              </div>
            ))}
          </div>
          {seen.map((row, index) => (
            <LiveRow
              key={row.id}
              row={row}
              at={first + index}
              columns={columns}
              numeric={numeric}
              isPinned={table.pinned.has(row.id)}
              isFocused={first + index === focused.value}
              isFresh={now - row.changedMs < FLASH_MS && row.changes > 0}
              ageMs={nowMs() - (row.value.arrival_time_ms ?? 0)}
              onOpen={() => ((focused.value = first + index), onOpen(row))}
              onPin={() => table.pin(row.id)}
            />
          ))}
        </div>
      </div>
    </>
  );
}

/** That of a column's title with the mark of its order. */
function leastWidth(column: string): number {
  return Math.min(180, Math.max(90, column.length * CHARACTER_PX + 40));
}

interface LiveRowProps {
  row: Row;
  at: number;
  columns: readonly string[];
  numeric: ReadonlySet<string>;
  isPinned: boolean;
  isFocused: boolean;
  isFresh: boolean;
  ageMs: number;
  onOpen: () => void;
  onPin: () => void;
}

function LiveRow({ row, at, columns, numeric, isPinned, isFocused, isFresh, ageMs, onOpen, onPin }: LiveRowProps) {
  return (
    <div
      id={`row-${at}`}
      class={isFocused ? "live-row focused" : "live-row"}
      role="row"
      aria-rowindex={at + 2}
      style={{ transform: `translateY(${(at + 1) * ROW_PX}px)` }}
      onClick={onOpen}
    >
      {columns.map((column) => {
        const text = column === "age" ? duration(ageMs) : shown(cellOf(row, column));
        const flashes = isFresh && row.before !== null && shown(row.before[column]) !== shown(row.fields[column]);
        // Two equal animations in turn, because the same one would not begin again.
        const flash = flashes ? ` flash-${row.changes % 2}` : "";
        return (
          <div key={column} role="gridcell" class={(numeric.has(column) ? "number" : "") + flash} title={text.length > 24 ? text : undefined}>
            {column === "key" && (
              <button
                type="button"
                class={isPinned ? "plain pin on" : "plain pin"}
                tabIndex={-1}
                aria-label={isPinned ? `Unpin ${text}` : `Pin ${text}`}
                aria-pressed={isPinned}
                onClick={(event) => (event.stopPropagation(), onPin())}
              >
                <Icon name="pin" />
              </button>
            )}
            {text}
          </div>
        );
      })}
    </div>
  );
}
