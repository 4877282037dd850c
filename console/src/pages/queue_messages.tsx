/** The messages of a queue of any type, in pages; chosen ones can be moved, copied and deleted. */
import { useSignal } from "@preact/signals";
import { ask, url } from "../api";
import { Dialog } from "../components/dialog";
import { FormDialog } from "../components/form";
import { Refusal, Waiting } from "../components/states";
import { Pager, Table } from "../components/table";
import { say, sayError } from "../components/toast";
import type { Value } from "../follow";
import { count, duration, shown } from "../format";
import { usePolled } from "../polled";
import type { Queue } from "../queue";

const ROWS = 50;

export function QueueMessages({ queue }: { queue: Queue }) {
  const selector = useSignal("");
  const pages = useSignal<readonly number[]>([0]);
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const shownMessage = useSignal<Value | null>(null);
  const destination = useSignal<"move" | "copy" | null>(null);
  const after = pages.value.at(-1) ?? 0;
  const { data, problem, refresh } = usePolled<{ messages: readonly Value[] }>(
    url(["queues", queue.name, "messages"], { after: after || "", limit: ROWS, selector: selector.value }),
  );
  const messages = data.value?.messages ?? [];
  const handle = async (command: string, more: object = {}): Promise<void> => {
    const body = { ...more, sequences: [...chosen.value] };
    const handled = await ask<{ messages: number }>(url(["queues", queue.name, "messages", command]), { method: "POST", body });
    say(`${count(handled.messages)} messages.`);
    chosen.value = new Set();
    refresh();
  };
  const toggle = (sequence: number): void => {
    const now = new Set(chosen.value);
    if (!now.delete(sequence)) now.add(sequence);
    chosen.value = now;
  };
  const last = messages.at(-1)?.sequence;
  return (
    <>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          selector.value = new FormData(event.currentTarget).get("selector")?.toString().trim() ?? "";
          pages.value = [0];
        }}
      >
        <input name="selector" type="search" aria-label="Selector" placeholder="Selector, as in price > 100" defaultValue={selector.value} />
        <button type="submit">Select</button>
        <span class="muted">{chosen.value.size ? `${count(chosen.value.size)} chosen` : ""}</span>
        <button type="button" disabled={!chosen.value.size} onClick={() => (destination.value = "move")}>
          Move chosen
        </button>
        <button type="button" disabled={!chosen.value.size} onClick={() => (destination.value = "copy")}>
          Copy chosen
        </button>
        <button type="button" class="danger" disabled={!chosen.value.size} onClick={() => handle("delete").catch(sayError)}>
          Delete chosen
        </button>
      </form>
      {problem.value ? (
        <Refusal problem={problem.value} />
      ) : !data.value ? (
        <Waiting />
      ) : (
        <>
          <Table
            caption={`Messages of ${queue.name}`}
            rows={messages}
            rowKey={(message) => String(message.sequence)}
            columns={[
              {
                name: "chosen",
                title: "",
                cell: ({ sequence }) => (
                  <input type="checkbox" aria-label={`Choose message ${sequence}`} checked={chosen.value.has(sequence)} onChange={() => toggle(sequence)} />
                ),
              },
              {
                name: "sequence",
                title: "Sequence",
                isNumeric: true,
                cell: (message) => (
                  <button type="button" class="plain mono" onClick={() => (shownMessage.value = message)}>
                    {message.sequence}
                  </button>
                ),
              },
              { name: "age", title: "Age", isNumeric: true, cell: (message) => duration(Date.now() - (message.enqueued_time_ms ?? 0)) },
              { name: "properties", title: "Properties", cell: (message) => <code>{cut(shown(message.properties ?? {}))}</code> },
              { name: "body", title: "Body", cell: (message) => <code>{cut(shown(message.body ?? message.body_base64))}</code> },
            ]}
            empty="No message that a reader could see is here."
          />
          <Pager
            offset={(pages.value.length - 1) * ROWS}
            rows={messages.length}
            onPrevious={pages.value.length > 1 ? () => (pages.value = pages.value.slice(0, -1)) : undefined}
            onNext={messages.length === ROWS && last !== undefined ? () => (pages.value = [...pages.value, last]) : undefined}
          />
        </>
      )}
      {shownMessage.value && (
        <Dialog title={`Message ${shownMessage.value.sequence}`} onClose={() => (shownMessage.value = null)} isDrawer>
          <pre tabIndex={0}>{JSON.stringify(shownMessage.value, null, 2)}</pre>
        </Dialog>
      )}
      {destination.value && (
        <FormDialog
          title={destination.value === "move" ? "Move chosen messages" : "Copy chosen messages"}
          action={destination.value === "move" ? "Move" : "Copy"}
          fields={[{ name: "destination", label: "To the queue", isRequired: true }]}
          onClose={() => (destination.value = null)}
          onSubmit={(answers) => handle(destination.value as string, answers)}
        />
      )}
    </>
  );
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)} …` : text;
}
