/** The running broker compared with its configuration file, and the file applied. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, Problem, textOf } from "../api";
import { FormDialog } from "../components/form";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { say } from "../components/toast";
import type { Page } from "../page";
import { usePolled } from "../polled";
import { type TomlTables, tomlOf } from "../toml";

interface Change {
  verdict: string;
  line: string;
  done: boolean;
  fault?: string;
}

interface Setting {
  name: string;
  value: string;
  from: "default" | "file" | "start";
}

/** What the broker goes by; secrets are masked. */
interface Read {
  file: string;
  hash: string;
  settings: readonly Setting[];
  tables: TomlTables;
}

const SOURCES = {
  default: ["default", "tag", ""],
  file: ["file", "tag on", "The file says it"],
  start: ["start", "tag on", "Given at the start: by a flag, by a variable, or by the file as it was then"],
} as const;

const TAGS: Readonly<Record<string, string>> = { add: "tag on", change: "tag on", "cannot change": "tag bad", fault: "tag bad" };

function Configuration() {
  const changes = useSignal<readonly Change[] | null>(null);
  const problem = useSignal<Problem | null>(null);
  const prunes = useSignal(false);
  const file = usePolled<Read>("/configuration", 60_000);
  const asking = useSignal(false);
  const apply = (dryRun: boolean): Promise<{ changes: Change[] }> =>
    ask("/configuration", { method: "POST", body: { dry_run: dryRun, prune: prunes.value } });
  const compare = async (): Promise<void> => {
    try {
      changes.value = (await apply(true)).changes;
      problem.value = null;
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, textOf(error));
    }
  };
  const read = file.data.value;
  useEffect(() => {
    if (read?.file) void compare();
  }, [read?.file]);
  const rows = changes.value;
  const doable = rows?.filter((change) => ["add", "change"].includes(change.verdict) || (prunes.value && change.verdict === "only in the broker")) ?? [];
  if (!read && file.problem.value) return <Refusal problem={file.problem.value} />;
  if (read && !read.file)
    return (
      <>
        <h1>Configuration</h1>
        <p class="muted">
          The broker has no configuration file; it is started with one by <code>lastvalue serve --config FILE</code>.
        </p>
        <WhatWasRead read={read} />
      </>
    );
  return (
    <>
      <div class="page-head">
        <h1>Configuration</h1>
        <div class="actions">
          <button type="button" onClick={compare}>
            Compare again
          </button>
          <button type="button" class="primary" disabled={!doable.length} onClick={() => (asking.value = true)}>
            Apply the file
          </button>
        </div>
      </div>
      <p class="muted">
        What differs between the running broker and its file{read && <> <code>{read.file}</code></>}. Nothing changes until the file is applied.{" "}
        <label>
          <input type="checkbox" checked={prunes.value} onChange={(event) => (prunes.value = event.currentTarget.checked)} /> remove what only the
          broker has
        </label>
      </p>
      {problem.value ? (
        <Refusal problem={problem.value} />
      ) : !rows ? (
        <Waiting />
      ) : (
        <Table
          caption="What differs"
          columns={[
            { name: "verdict", title: "Verdict", cell: ({ verdict, done }) => <span class={TAGS[verdict] ?? "tag"}>{done ? "done" : verdict}</span> },
            { name: "line", title: "Difference", cell: (change) => change.line },
          ]}
          rows={rows}
          rowKey={(change) => change.line}
          empty="The broker is what its file asks for."
        />
      )}
      {read && <WhatWasRead read={read} />}
      {asking.value && (
        <FormDialog
          title={`Apply ${doable.length} ${doable.length === 1 ? "change" : "changes"}?`}
          text={prunes.value ? "Queues that only the broker has are deleted with their messages." : "Each change happens wholly or not at all."}
          action="Apply"
          isDangerous={prunes.value}
          fields={[]}
          onClose={() => (asking.value = false)}
          onSubmit={async () => {
            changes.value = (await apply(false)).changes;
            file.refresh();
            say(`${changes.value.filter((change) => change.done).length} changes were applied`);
          }}
        />
      )}
    </>
  );
}

function WhatWasRead({ read }: { read: Read }) {
  const all = useSignal(false);
  return (
    <>
      <div>
        <div class="page-head">
          <h2>Settings in force</h2>
          <div class="actions">
            <button type="button" aria-pressed={all.value} onClick={() => (all.value = !all.value)}>
              Show defaults
            </button>
          </div>
        </div>
        <Table
          caption="Settings in force"
          columns={[
            { name: "name", title: "Setting", cell: ({ name }) => <code>{name}</code> },
            { name: "value", title: "Value", cell: ({ value }) => <b class="wraps">{value}</b> },
            {
              name: "from",
              title: "Origin",
              cell: ({ from }) => (
                <span class={SOURCES[from][1]} title={SOURCES[from][2]}>
                  {SOURCES[from][0]}
                </span>
              ),
            },
          ]}
          rows={read.settings.filter(({ from }) => all.value || from !== "default")}
          rowKey={({ name }) => name}
          empty="All settings have their defaults."
        />
      </div>
      {read.file && <section aria-labelledby="tables-heading">
        <h2 id="tables-heading">The rest of the file, as it was applied last</h2>
        <pre class="tall" tabIndex={0} aria-labelledby="tables-heading">
          {tomlOf(read.tables) || "It declares nothing."}
        </pre>
        <p class="muted">
          <small>
            Passwords and what may be one are <code>***</code>. The hash of the file is <code>{read.hash}</code>.
          </small>
        </p>
      </section>}
    </>
  );
}

export const configurationPage: Page = { path: "configuration", title: "Configuration", inNavigation: true, needs: "reload", view: Configuration };
