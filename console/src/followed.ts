/** What a picture of a queue shows besides its values: whether it follows, and at which rate. */
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Problem, url } from "./api";
import { follow, type Value } from "./follow";
import { Snapshots } from "./snapshots";

const RATE_EVERY_MS = 1000;

/** Values that reached the browser, and updates that they stood for, each second. */
export interface Rate {
  values: number;
  updates: number;
}

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
      /** Null until a whole second was measured after the values that there were at first. */
      rate: signal<Rate | null>(null),
      sample: signal<Value | null>(null),
    }),
    [],
  );
  const path = url(["queues", queue, "follow"], parameters);
  useEffect(() => {
    const aborted = new AbortController();
    let [values, updates] = [0, 0];
    // A value says how many updates it stands for since its key was consumed last; nobody consumes here.
    const known = new Map<string, { updates: number; partition: number; snapshot: number }>();
    const snapshots = new Snapshots();
    const lost = new Set<number>();
    let sinceMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      const passedS = (nowMs - sinceMs) / 1000;
      if (state.isLive.value && passedS > 0.9) state.rate.value = { values: Math.round(values / passedS), updates: Math.round(updates / passedS) };
      if (state.isLive.value && passedS <= 0.9) return;
      [values, updates, sinceMs] = [0, 0, nowMs];
    }, RATE_EVERY_MS);
    void follow(
      path,
      {
        begin: (partition) => {
          state.problem.value = null;
          snapshots.begin(partition);
        },
        values: (taken) => {
          for (const value of taken) {
            const key = String(value.key);
            const before = known.get(key)?.updates ?? 0;
            const partition = value.partition ?? 0;
            known.set(key, { updates: value.updates, partition, snapshot: snapshots.current });
            if (!snapshots.isOpen(partition)) {
              [values, updates] = [values + 1, updates + value.updates - (value.updates > before ? before : 0)];
            }
            taker.take(value);
          }
          state.sample.value ??= taken[0] ?? null;
        },
        snapshotEnd: ({ resumed, partition = 0 }) => {
          snapshots.end(partition);
          lost.delete(partition);
          if (!state.isLive.value) [values, updates, sinceMs] = [0, 0, performance.now()];
          state.isLive.value = lost.size === 0;
          if (resumed) return;
          for (const [key, seen] of known) {
            if (seen.partition === partition && snapshots.isLeftBehind(seen.snapshot, partition)) known.delete(key);
          }
          taker.retain(new Set(known.keys()));
        },
        removed: ({ key }) => {
          known.delete(String(key));
          taker.remove(String(key));
        },
        partitionLost: ({ partition }) => {
          lost.add(partition);
          state.isLive.value = false;
        },
        lost: () => {
          lost.clear();
          state.isLive.value = false;
        },
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
