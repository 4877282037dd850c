/** The values of a last-value queue: live, or as they were. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type Problem, url } from "../api";
import { Export } from "../components/export";
import { KeyDrawer } from "../components/key_drawer";
import { LiveValues } from "../components/live_values";
import { Refusal } from "../components/states";
import { follow, type PartitionLoss, type Removal, type SnapshotEnd, type Value } from "../follow";
import { count, perSecond } from "../format";
import { idOf, LiveTable, type Row } from "../live_table";
import type { Queue } from "../queue";
import { Samples } from "../samples";
import { Past, type PastMoment } from "./queue_past";

export interface QueueValuesProps {
  name: string;
  queue: ReadonlySignal<Queue | undefined>;
  mostFollowed: number;
}

/** Which rows the broker sends: those of keys that match a pattern, and those that a selector selects. */
interface Chosen {
  glob: string;
  selector: string;
}

const ALL: Chosen = { glob: "", selector: "" };

interface Following {
  lost: string;
  refused: Problem | null;
}

export function QueueValues({ name, queue, mostFollowed }: QueueValuesProps) {
  const facts = queue.value as Queue;
  const property = String(facts.options["lvq_key"] ?? "");
  const chosen = useSignal<Chosen>(ALL);
  const past = useSignal<PastMoment | null>(null);
  const opened = useSignal<Row | null>(null);
  const live = useMemo(() => new LiveTable(property), [name, property, chosen.value]);
  const isChosen = chosen.value.selector !== "" || chosen.value.glob !== "";
  const isTooMuch = !isChosen && (facts.statistics["keys"] ?? 0) > mostFollowed;
  const path = url(["queues", name, "follow"], { ...chosen.value });
  const following = useFollowing(isTooMuch || past.value !== null ? null : path, live);
  const table = past.value?.table ?? live;
  const hasHistory = Boolean(facts.options["history"]);
  return (
    <>
      <div class="tools">
        <input
          type="search"
          aria-label="Rows with this text"
          placeholder="Filter rows"
          onInput={(event) => table.filterBy(event.currentTarget.value.trim())}
        />
        <form
          class="tools"
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const text = (field: string): string => data.get(field)?.toString().trim() ?? "";
            chosen.value = { glob: text("glob"), selector: text("selector") };
          }}
        >
          <input name="glob" type="search" class="short" aria-label="Keys that match" placeholder="Keys, as in eu.*" />
          <input name="selector" type="search" aria-label="Selector" placeholder="Selector, as in price > 100" />
          <button type="submit">Select</button>
        </form>
        <Export name={name} rows={() => table.ordered(performance.now()).map((row) => exported(row, table.columns))} />
        {past.value === null && <Saving live={live} queue={queue} isSelected={isChosen} />}
      </div>
      {hasHistory && <Past name={name} keyProperty={property} past={past} />}
      {facts.options["paused"] === true && <p class="banner">The queue is paused: nothing new comes to its readers.</p>}
      {following.lost && (
        <p class="banner" role="status">
          The rows are as they were: {following.lost}. Asking again …
        </p>
      )}
      {following.refused ? (
        <Refusal problem={following.refused} />
      ) : isTooMuch && past.value === null ? (
        <p class="notice">
          The queue has {count(facts.statistics["keys"])} keys. A pattern of keys or a selector chooses the rows to follow; the messages are listed in pages.
        </p>
      ) : (
        <LiveValues
          table={table}
          label={`Values of ${name}`}
          nowMs={() => past.value?.timeMs ?? Date.now()}
          onOpen={(row) => (opened.value = row)}
        />
      )}
      {opened.value && (
        <KeyDrawer
          key={opened.value.id}
          queue={name}
          keyProperty={property}
          row={opened.value}
          live={past.value === null ? live : null}
          hasHistory={hasHistory}
          remembers={Number(facts.options["removal_log"] ?? 0) > 0}
          onClose={() => (opened.value = null)}
        />
      )}
    </>
  );
}

/** A row as a file has it: what the table shows, and when the value came. */
function exported(row: Row, columns: readonly string[]): Record<string, unknown> {
  const { key, sequence, updates, arrival_time_ms: cameMs } = row.value;
  const inOrder = Object.fromEntries(columns.map((column) => [column, row.fields[column]]));
  return { key, ...inOrder, ...row.fields, updates, sequence, came: cameMs === undefined ? null : new Date(cameMs).toISOString() };
}

/** Follow a path into a table while the page is there; null follows nothing. */
function useFollowing(path: string | null, table: LiveTable): Following {
  const state = useSignal<Following>({ lost: "", refused: null });
  useEffect(() => {
    if (path === null) return;
    const page = new AbortController();
    const away = new Map<number, string>();
    state.value = { lost: "", refused: null };
    const follower = {
      begin: (partition?: number) => {
        if (state.value.refused) state.value = { lost: "", refused: null };
        table.begin(partition);
      },
      values: (values: readonly Value[]) => table.take(values, performance.now()),
      removed: (removal: Removal) => table.remove(idOf(removal)),
      snapshotEnd: ({ resumed, partition }: SnapshotEnd) => {
        if (!resumed) table.complete(partition);
        away.delete(partition ?? 0);
        state.value = { lost: textOfLosses(away), refused: null };
      },
      partitionLost: ({ partition, detail }: PartitionLoss) => {
        away.set(partition, detail);
        state.value = { lost: textOfLosses(away), refused: null };
      },
      lost: (reason: string) => {
        away.clear();
        state.value = { lost: reason, refused: null };
      },
      refused: (problem: Problem) => (state.value = { lost: "", refused: problem }),
    };
    void follow(path, follower, page.signal);
    return () => page.abort();
  }, [path, table]);
  return state.value;
}

function textOfLosses(away: ReadonlyMap<number, string>): string {
  return [...away].map(([partition, detail]) => `partition ${partition} is away: ${detail}`).join("; ");
}

/** How many updates the queue takes, and how few of them have to come here to show the newest of each. */
function Saving({ live, queue, isSelected }: { live: LiveTable; queue: ReadonlySignal<Queue | undefined>; isSelected: boolean }) {
  const received = useMemo(() => new Samples(), [live]);
  const taken = useMemo(() => new Samples(), [live]);
  const seen = useMemo(() => ({ queue: undefined as Queue | undefined }), [live]);
  if (queue.value !== seen.queue) {
    seen.queue = queue.value;
    received.add(Date.now(), live.received);
    taken.add(Date.now(), isSelected ? live.represented : (queue.value?.published ?? 0));
  }
  const inRate = taken.rate() ?? 0;
  const shownRate = Math.min(received.rate() ?? 0, inRate);
  const saved = inRate > 0 ? 1 - shownRate / inRate : 0;
  return (
    <div class="saving" title="What conflation saves: updates that need not come here, because a newer one of their key does">
      <span>
        <b>{perSecond(inRate)}</b> in, <b>{perSecond(shownRate)}</b> shown
      </span>
      <span class="bar" role="meter" aria-label="Saved by conflation" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(100 * saved)}>
        <i style={{ width: `${100 * saved}%` }} />
      </span>
      <span>
        <b>{Math.round(100 * saved)} %</b> saved
      </span>
    </div>
  );
}
