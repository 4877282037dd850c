/** What a picture of a queue shows besides its values: whether it follows, and at which rate. */
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Problem, url } from "./api";
import { follow, type Value } from "./follow";

const RATE_EVERY_MS = 1000;

export interface Taker {
  take: (value: Value) => void;
  remove: (key: string) => void;
  /** A snapshot is complete: these are the keys that there are. */
  retain: (keys: ReadonlySet<string>) => void;
}

/** Follow a queue while the page is open; the broker chooses the newest values when the browser has time for them. */
export function useFollowed(queue: string, taker: Taker, parameters: Record<string, string> = {}) {
  const state = useMemo(
    () => ({
      problem: signal<Problem | null>(null),
      isLive: signal(false),
      /** Values that reached the browser, and updates that they stood for, each second. */
      rate: signal({ values: 0, updates: 0 }),
      sample: signal<Value | null>(null),
    }),
    [],
  );
  const path = url(["queues", queue, "follow"], parameters);
  useEffect(() => {
    const aborted = new AbortController();
    let [values, updates] = [0, 0];
    let keys = new Set<string>();
    // A value says how many updates it stands for since its key was consumed last; nobody consumes here.
    const known = new Map<string, number>();
    let inSnapshot = true;
    const timer = setInterval(() => {
      state.rate.value = { values, updates };
      [values, updates] = [0, 0];
    }, RATE_EVERY_MS);
    void follow(
      path,
      {
        begin: () => ([keys, inSnapshot] = [new Set(), true]),
        values: (taken) => {
          for (const value of taken) {
            const key = String(value.key);
            const before = known.get(key) ?? 0;
            known.set(key, value.updates);
            if (inSnapshot) keys.add(key);
            else [values, updates] = [values + 1, updates + value.updates - (value.updates > before ? before : 0)];
            taker.take(value);
          }
          state.sample.value ??= taken[0] ?? null;
        },
        snapshotEnd: (isResumed) => {
          inSnapshot = false;
          state.isLive.value = true;
          if (isResumed) return;
          for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
          taker.retain(keys);
        },
        removed: ({ key }) => {
          known.delete(String(key));
          keys.delete(String(key));
          taker.remove(String(key));
        },
        lost: () => (state.isLive.value = false),
        refused: (problem) => (state.problem.value = problem),
      },
      aborted.signal,
    );
    return () => {
      aborted.abort();
      clearInterval(timer);
    };
  }, [path]);
  return state;
}
