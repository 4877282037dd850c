/** Publishes a period of a queue's history again into another queue, after it has shown what that is. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, textOf, url } from "../api";
import { count, moment, shown } from "../format";
import { Dialog } from "./dialog";
import { Form } from "./form";
import { Table } from "./table";
import { say } from "./toast";

interface Preview {
  messages: number;
  keys: number;
  first: readonly { key: unknown; time: string; sequence: number; body?: unknown }[];
}

export function Replay({ queue, from, to, onClose }: { queue: string; from: number; to: number; onClose: () => void }) {
  const path = url(["queues", queue, "replay"]);
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const preview = useSignal<Preview | null>(null);
  const fault = useSignal("");
  useEffect(() => {
    const body = { ...period, dry_run: true };
    ask<Preview>(path, { method: "POST", body }).then(
      (found) => (preview.value = found),
      (error) => (fault.value = textOf(error)),
    );
  }, []);
  const found = preview.value;
  return (
    <Dialog title={`Replay ${queue}`} onClose={onClose} isDrawer>
      <p class="muted">
        {moment(from)} to {moment(to)}
        {found && `: ${count(found.messages)} messages of ${count(found.keys)} ${found.keys === 1 ? "key" : "keys"}`}
      </p>
      {fault.value && (
        <p class="fault" role="alert">
          {fault.value}
        </p>
      )}
      {!found && !fault.value && <p class="muted">Reading the history …</p>}
      {found && (
        <>
          <Form
            action={`Publish ${count(found.messages)} messages`}
            fields={[
              { name: "into", label: "Into the queue", isRequired: true, help: "Another one, which is there already; the same period again publishes nothing twice" },
              { name: "every_ms", label: "One of a key in so many ms", kind: "number", help: "The last one; if it is empty, every message" },
            ]}
            onSubmit={async (answers) => {
              const done = await ask<{ messages: number; into: string }>(path, { method: "POST", body: { ...period, ...answers } });
              say(`${count(done.messages)} messages were published to ${done.into}.`);
              onClose();
            }}
          />
          <Table
            caption="The first messages of the period"
            columns={[
              { name: "time", title: "Came", cell: (each) => moment(Date.parse(each.time)) },
              { name: "key", title: "Key", cell: (each) => shown(each.key) },
              { name: "body", title: "Body", cell: (each) => <code>{shown(each.body).slice(0, 120)}</code> },
            ]}
            rows={found.first}
            rowKey={(each) => String(each.sequence)}
            empty="Nothing came in this period."
          />
        </>
      )}
    </Dialog>
  );
}
