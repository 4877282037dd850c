/** What a page asks the gateway for again and again, while somebody looks at it. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ask, Problem } from "./api";

export interface Polled<T> {
  /** The newest answer; undefined until the first. */
  data: ReadonlySignal<T | undefined>;
  /** Why the newest request failed, or null. */
  problem: ReadonlySignal<Problem | null>;
  /** Ask now. */
  refresh: () => void;
}

/** Ask for a path now and every so often; null asks for nothing. Another path keeps the last answer until its own. */
export function usePolled<T>(path: string | null, everyMs = 2000): Polled<T> {
  const state = useMemo(() => ({ data: signal<T | undefined>(), problem: signal<Problem | null>(null), now: () => {} }), []);
  useEffect(() => {
    if (path === null) return;
    const aborted = new AbortController();
    let timer = 0;
    let asking = false;
    const poll = async (): Promise<void> => {
      clearTimeout(timer);
      if (asking) return;
      asking = true;
      const began = performance.now();
      try {
        if (!document.hidden) {
          const answer = await ask<T>(path, { signal: aborted.signal });
          if (aborted.signal.aborted) return;
          state.data.value = answer;
          state.problem.value = null;
        }
      } catch (error) {
        if (aborted.signal.aborted) return;
        state.problem.value = error instanceof Problem ? error : new Problem(0, String(error));
      } finally {
        asking = false;
      }
      // What takes long is asked for less often.
      timer = window.setTimeout(poll, Math.max(everyMs, 4 * (performance.now() - began)));
    };
    const look = (): void => {
      if (!document.hidden) void poll();
    };
    state.now = () => void poll();
    document.addEventListener("visibilitychange", look);
    void poll();
    return () => {
      aborted.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [path, everyMs]);
  return useMemo(() => ({ data: state.data, problem: state.problem, refresh: () => state.now() }), []);
}
