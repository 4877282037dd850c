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
import { useLack } from "../rights";

const ROWS = 50;

/** Where a page begins. */
interface Place {
  /** The sequence before it; null is the queue's beginning. */
  after: number | null;
  /** How many rows the pages before it had. */
  offset: number;
}

const BEGINNING: Place = { after: null, offset: 0 };

export function QueueMessages({ queue }: { queue: Queue }) {
  const selector = useSignal("");
  const pages = useSignal<readonly Place[]>([BEGINNING]);
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const shownMessage = useSignal<Value | null>(null);
  const destination = useSignal<"move" | "copy" | null>(null);
  const lack = useLack(queue.name);
  const place = pages.value.at(-1) ?? BEGINNING;
  const { data, problem, refresh } = usePolled<{ messages: readonly Value[]; next: { after: number } | null }>(
    url(["queues", queue.name, "messages"], { after: place.after ?? "", limit: ROWS, selector: selector.value }),
  );
  const messages = data.value?.messages ?? [];
  const next = data.value?.next;
  const goOn = next ? () => (pages.value = [...pages.value, { after: next.after, offset: next.after ? place.offset + messages.length : 0 }]) : undefined;
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
  return (
    <>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          selector.value = new FormData(event.currentTarget).get("selector")?.toString().trim() ?? "";
          pages.value = [BEGINNING];
        }}
      >
        <input name="selector" type="search" aria-label="Selector" placeholder="Selector, as in price > 100" defaultValue={selector.value} />
        <button type="submit">Select</button>
        <span class="muted">{chosen.value.size ? `${count(chosen.value.size)} chosen` : ""}</span>
        <button type="button" disabled={!chosen.value.size || lack("move") !== ""} title={lack("move")} onClick={() => (destination.value = "move")}>
          Move chosen
        </button>
        <button type="button" disabled={!chosen.value.size || lack("copy") !== ""} title={lack("copy")} onClick={() => (destination.value = "copy")}>
          Copy chosen
        </button>
        <button type="button" class="danger" disabled={!chosen.value.size || lack("delete-messages") !== ""} title={lack("delete-messages")} onClick={() => handle("delete").catch(sayError)}>
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
            isNarrow
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
              { name: "age", title: "Age", isNumeric: true, cell: (message) => duration(Date.now() - (message.arrival_time_ms ?? 0)) },
              { name: "properties", title: "Properties", cell: (message) => <code>{cut(shown(message.properties ?? {}))}</code> },
              { name: "body", title: "Body", cell: (message) => <code>{cut(shown(message.body ?? message.body_base64))}</code> },
            ]}
            empty={next && selector.value ? "None of the messages of this page is selected." : "No message that a reader could see is here."}
          />
          {next && selector.value && messages.length < ROWS && (
            <p class="muted">
              Looked as far as sequence {count(next.after)}.{" "}
              <button type="button" onClick={goOn}>
                Look further
              </button>
            </p>
          )}
          <Pager
            offset={place.offset}
            rows={messages.length}
            onPrevious={pages.value.length > 1 ? () => (pages.value = pages.value.slice(0, -1)) : undefined}
            onNext={goOn}
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
