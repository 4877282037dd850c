/** The newest lines of the log and of the audit, followed. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, Problem, textOf, url } from "../api";
import { Export } from "../components/export";
import { Refusal } from "../components/states";
import { Table } from "../components/table";
import { shown } from "../format";
import type { Page, PageProps } from "../page";
import { go } from "../router";

interface Line {
  number: number;
  timestamp: string;
  level: string;
  component: string;
  event: string;
  message: string;
  [field: string]: unknown;
}

const LEVELS = ["debug", "info", "warning", "error", "critical"];
const MOST = 500;
const OWN = new Set(["number", "timestamp", "level", "component", "event", "message"]);
const TAGS: Readonly<Record<string, string>> = { warning: "tag warn", error: "tag bad", critical: "tag bad" };

function Log({ query }: PageProps) {
  const [level, event] = [query.get("level") ?? "info", query.get("event") ?? ""];
  const lines = useSignal<readonly Line[]>([]);
  const text = useSignal("");
  const problem = useSignal<Problem | null>(null);
  const isFollowed = useSignal(true);
  useEffect(() => {
    problem.value = null;
    if (!isFollowed.value) return;
    const stream = new EventSource(url(["log", "follow"], { level, event, limit: MOST }));
    // A stream begins with the newest lines, also one that was lost.
    stream.addEventListener("open", () => (lines.value = []));
    let waiting: Line[] = [];
    let frame = 0;
    stream.addEventListener("line", (message) => {
      waiting.push(JSON.parse(message.data) as Line);
      frame ||= requestAnimationFrame(() => {
        lines.value = [...lines.value, ...waiting].slice(-MOST);
        [waiting, frame] = [[], 0];
      });
    });
    stream.addEventListener("error", async () => {
      // A refused stream does not say why; the same request without following does.
      if (stream.readyState !== EventSource.CLOSED) return;
      try {
        await ask(url(["log"], { level, event, limit: 1 }));
      } catch (error) {
        problem.value = error instanceof Problem ? error : new Problem(0, textOf(error));
      }
    });
    return () => {
      stream.close();
      cancelAnimationFrame(frame);
    };
  }, [level, event, isFollowed.value]);
  const seen = withoutDoubles(lines.value).filter((line) => holds(line, text.value)).reverse();
  const filter = (changed: Record<string, string>): void => go(["log"], { level, event, ...changed });
  return (
    <>
      <div class="page-head">
        <h1>Log</h1>
        <div class="actions">
          <button type="button" aria-pressed={isFollowed.value} onClick={() => (isFollowed.value = !isFollowed.value)}>
            Follow
          </button>
        </div>
      </div>
      <div class="tools">
        <label class="choice">
          <span>from level</span>
          <select value={level} onChange={(change) => filter({ level: change.currentTarget.value })}>
            {LEVELS.map((each) => (
              <option key={each} value={each} selected={each === level}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <input
          key={event}
          type="search"
          aria-label="Text in the event or component"
          placeholder="Event, such as audit"
          defaultValue={event}
          onChange={(change) => filter({ event: change.currentTarget.value })}
        />
        <button type="button" aria-pressed={event === "audit"} onClick={() => filter({ event: event === "audit" ? "" : "audit" })}>
          Audit
        </button>
        <input
          type="search"
          aria-label="Lines with this text"
          placeholder="Search these lines"
          onInput={(change) => (text.value = change.currentTarget.value.trim().toLowerCase())}
        />
        <span class="muted">{seen.length} lines</span>
        <Export name="log" rows={() => seen} />
      </div>
      {problem.value ? (
        <Refusal problem={problem.value} />
      ) : (
        <Table
          caption="Lines of the log, the newest first"
          columns={[
            { name: "timestamp", title: "Time (UTC)", cell: (line) => <time>{line.timestamp.replace("T", " ").replace("Z", "")}</time> },
            { name: "level", title: "Level", cell: (line) => <span class={TAGS[line.level] ?? "tag"}>{line.level}</span> },
            { name: "event", title: "Event", cell: (line) => <code>{line.event}</code> },
            { name: "message", title: "What", cell: (line) => <LineText line={line} /> },
          ]}
          isNarrow
          rows={seen}
          rowKey={(line) => String(line.number)}
          empty="No line fits."
        />
      )}
    </>
  );
}

/** The lines without the audit's line of a login beside that of the connection which it opened. */
function withoutDoubles(lines: readonly Line[]): Line[] {
  const opened = new Set(lines.filter((line) => line.event === "connection.opened").map((line) => line["connection"]));
  return lines.filter((line) => line.event !== "audit.login" || !opened.has(line["connection"]));
}

function holds(line: Line, text: string): boolean {
  return text === "" || Object.values(line).some((value) => shown(value).toLowerCase().includes(text));
}

function LineText({ line }: { line: Line }) {
  const fields = Object.entries(line).filter(([name]) => !OWN.has(name));
  return (
    <>
      {line.message}{" "}
      {fields.map(([name, value]) => (
        <span key={name} class="log-field">
          <span class="muted">{name}=</span>
          {shown(value)}{" "}
        </span>
      ))}
    </>
  );
}

export const logPage: Page = { path: "log", title: "Log", inNavigation: true, needs: "show-log", view: Log };
