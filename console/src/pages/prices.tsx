/** The prices of a queue as candles: open, high, low and close. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ask, textOf, url } from "../api";
import { type Candle, Candles, type Prices } from "../candles";
import { CandlePlot } from "../components/candle-plot";
import { Choice, FollowRate, PictureLinks } from "../components/pictures";
import { Sparkline } from "../components/plot";
import { Refusal } from "../components/states";
import { Table } from "../components/table";
import { type Fields, fieldFor, fieldsOf, numberIn } from "../fields";
import type { Value } from "../follow";
import { useFollowed } from "../followed";
import { count } from "../format";
import { usePolled } from "../polled";
import type { Queue } from "../queue";
import type { Page, PageProps } from "../page";
import { link } from "../router";
import "../pictures.css";

const INTERVALS = ["1", "5", "15", "60", "300"];
const MOST_KEYS = 500;
const MOST_RECORDS = 5000;
const SHOWN_KEYS = 50;
const SHOW_EVERY_MS = 250;

function PricesOfQueue({ parameters, query }: PageProps) {
  const queue = parameters["queue"] ?? "";
  const intervalMs = 1000 * Number(query.get("every") ?? "5");
  const chosen = query.get("price");
  const state = useMemo(
    () => ({ byKey: new Map<string, Candles>(), updates: new Map<string, number>(), busiest: "", shown: signal(0) }),
    [intervalMs, chosen],
  );
  const taker = {
    take: (value: Value) => {
      const key = String(value.key);
      const prices = pricesIn(fieldsOf(value), chosen);
      if (!prices || (!state.byKey.has(key) && state.byKey.size >= MOST_KEYS)) return;
      const candles = state.byKey.get(key) ?? new Candles(intervalMs);
      state.byKey.set(key, candles);
      state.updates.set(key, value.updates);
      candles.add(Date.now(), prices);
    },
    remove: (key: string) => void (state.byKey.delete(key), state.updates.delete(key)),
    retain: (keys: ReadonlySet<string>) => {
      for (const key of state.byKey.keys()) if (!keys.has(key)) state.byKey.delete(key);
    },
  };
  const current = useMemo(() => ({ taker }), []);
  current.taker = taker;
  const stable = useMemo(
    () => ({
      take: (value: Value) => current.taker.take(value),
      remove: (key: string) => current.taker.remove(key),
      retain: (keys: ReadonlySet<string>) => current.taker.retain(keys),
    }),
    [],
  );
  const { problem, isLive, rate, sample } = useFollowed(queue, stable);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && state.shown.value++, SHOW_EVERY_MS);
    return () => clearInterval(timer);
  }, [state]);
  void state.shown.value;
  if (problem.value) return <Refusal problem={problem.value} />;
  const fields = sample.value ? fieldsOf(sample.value) : {};
  const keys = [...state.byKey.keys()].sort();
  if (!state.byKey.has(state.busiest) && isLive.value) state.busiest = busiestOf(state.updates);
  const key = query.get("key") ?? (state.busiest || (keys[0] ?? ""));
  const past = useFilled(queue, key, intervalMs, chosen, state.byKey);
  const candles = state.byKey.get(key)?.list ?? [];
  const isWhole = hasCandle(fields);
  return (
    <>
      <div class="page-head">
        <h1>{queue}</h1>
        <PictureLinks queue={queue} fields={fields} current="prices" />
        <div class="actions">
          <FollowRate isLive={isLive.value} rate={rate.value} />
        </div>
      </div>
      <div class="tools">
        <Choice label="key" name="key" value={key} choices={keys} />
        {!isWhole && (
          <Choice
            label="price"
            name="price"
            value={fieldFor("price", fields, chosen)}
            choices={Object.keys(fields).filter((name) => numberIn(fields, name) !== undefined)}
          />
        )}
        <Choice label="seconds of a candle" name="every" value={String(intervalMs / 1000)} choices={INTERVALS} />
        <Newest candle={candles.at(-1)} />
      </div>
      <section class="card">
        <CandlePlot label={`Candles of ${key}`} candles={[...candles]} intervalMs={intervalMs} written={written} />
      </section>
      <p class="muted small">
        {past && `${past} `}
        {isWhole
          ? "Of the open, high, low and close of each value that reached this page."
          : "Of the prices that reached this page; what newer ones replaced before is not in them. A feed with the policy ohlc has every price."}
      </p>
      <Table
        caption="Keys"
        columns={[
          { name: "key", title: "Key", cell: (each) => each },
          { name: "close", title: "Price", isNumeric: true, cell: (each) => written(state.byKey.get(each)?.list.at(-1)?.close ?? 0) },
          {
            name: "line",
            title: "Since this page is open",
            cell: (each) => <Line label={`Price of ${each}`} candles={state.byKey.get(each)?.list ?? []} />,
          },
        ]}
        rows={keys.slice(0, SHOWN_KEYS)}
        rowKey={(each) => each}
        rowLink={(each) => link(["queues", queue, "prices"], { ...Object.fromEntries(query), key: each })}
        empty="No prices came yet."
      />
      {keys.length > SHOWN_KEYS && <p class="muted small">{count(keys.length)} keys; these are the first {SHOWN_KEYS}.</p>}
    </>
  );
}

/** The key of which most updates are known. */
function busiestOf(updates: ReadonlyMap<string, number>): string {
  return [...updates].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0] as [string, number])[0];
}

interface HistoryRecord extends Value {
  time: string;
}

/** Fill the candles of a key from the queue's history; returns what there is to say about it. */
function useFilled(queue: string, key: string, intervalMs: number, chosen: string | null, byKey: ReadonlyMap<string, Candles>): string {
  const said = useSignal("");
  const { data } = usePolled<Queue>(url(["queues", queue]), 3_600_000);
  const hasHistory = Boolean(data.value?.options["history"]);
  const isThere = byKey.has(key);
  useEffect(() => {
    said.value = "";
    if (!hasHistory || !isThere) return;
    const aborted = new AbortController();
    const fill = async (): Promise<void> => {
      const path = url(["queues", queue, "keys", key, "timeline"], { newest_first: true, limit: MOST_RECORDS });
      try {
        const { records } = await ask<{ records: readonly HistoryRecord[] }>(path, { signal: aborted.signal });
        const earlier = new Candles(intervalMs);
        for (const record of [...records].reverse()) {
          const prices = record.updates === null ? null : pricesIn(fieldsOf(record), chosen);
          if (prices) earlier.add(Date.parse(record.time), prices);
        }
        byKey.get(key)?.precede(earlier.list);
        said.value = earlier.list.length ? "Before the page was open: from the queue's history." : "";
      } catch (error) {
        if (!aborted.signal.aborted) said.value = `The history cannot be read: ${textOf(error)}.`;
      }
    };
    void fill();
    return () => aborted.abort();
  }, [queue, key, intervalMs, chosen, hasHistory, isThere]);
  return said.value;
}

function Line({ label, candles }: { label: string; candles: readonly Candle[] }) {
  const closes = candles.slice(-60).map((candle) => candle.close);
  const least = Math.min(...closes);
  return <Sparkline values={closes.map((close) => close - least)} label={label} />;
}

function Newest({ candle }: { candle: Candle | undefined }) {
  if (!candle) return null;
  return (
    <span class="newest-candle">
      {(["open", "high", "low", "close"] as const).map((name) => (
        <span key={name}>
          {name} <b>{written(candle[name])}</b>
        </span>
      ))}
    </span>
  );
}

function hasCandle(fields: Fields): boolean {
  return (["open", "high", "low", "close"] as const).every((name) => numberIn(fields, fieldFor(name, fields, null)) !== undefined);
}

function pricesIn(fields: Fields, chosen: string | null): Prices | null {
  if (hasCandle(fields)) {
    const of = (name: "open" | "high" | "low" | "close"): number => numberIn(fields, fieldFor(name, fields, null)) ?? 0;
    return { open: of("open"), high: of("high"), low: of("low"), close: of("close") };
  }
  const price = numberIn(fields, fieldFor("price", fields, chosen));
  return price === undefined ? null : { open: price, high: price, low: price, close: price };
}

function written(value: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: Math.abs(value) < 1 ? 6 : 2 });
}

export const pricesPage: Page = { path: "queues/:queue/prices", title: "Prices", inNavigation: false, view: PricesOfQueue };
