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

interface Change {
  verdict: string;
  line: string;
  done: boolean;
  fault?: string;
}

const TAGS: Readonly<Record<string, string>> = { add: "tag on", change: "tag on", "cannot change": "tag bad", fault: "tag bad" };

function Configuration() {
  const changes = useSignal<readonly Change[] | null>(null);
  const problem = useSignal<Problem | null>(null);
  const prunes = useSignal(false);
  const file = usePolled<{ file: string }>("/configuration", 60_000);
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
  useEffect(() => void compare(), []);
  const rows = changes.value;
  const doable = rows?.filter((change) => ["add", "change"].includes(change.verdict) || (prunes.value && change.verdict === "only in the broker")) ?? [];
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
        What differs between the running broker and its file{file.data.value && <> <code>{file.data.value.file}</code></>}. Nothing changes until the file is applied.{" "}
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
            say(`${changes.value.filter((change) => change.done).length} changes were applied`);
          }}
        />
      )}
    </>
  );
}

export const configurationPage: Page = { path: "configuration", title: "Configuration", inNavigation: true, needs: "reload", view: Configuration };
