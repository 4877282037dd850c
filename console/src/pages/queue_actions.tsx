/** What can be done with a queue; the broker decides whether the user may. */
import { useSignal } from "@preact/signals";
import { ask, url } from "../api";
import { type Field, FormDialog } from "../components/form";
import { attempt, say } from "../components/toast";
import { count, shown } from "../format";
import type { Queue } from "../queue";
import { useLack } from "../rights";

type Action = "publish" | "purge" | "move" | "copy" | "retry" | "delete";

const CHOICE: readonly Field[] = [
  { name: "selector", label: "Selector", help: "Only messages that it selects, as in price > 100 AND venue = 'X'" },
  { name: "limit", label: "At most", kind: "number", help: "So many messages, the oldest first; all if both are empty" },
];
const DESTINATION: Field = { name: "destination", label: "To the queue", isRequired: true };

interface Handled {
  messages: number;
  stayed: readonly number[];
}

export interface QueueActionsProps {
  queue: Queue;
  refresh: () => void;
  onDeleted: () => void;
}

const DESTRUCTIVE: readonly Action[] = ["purge", "delete"];
/** What the user has to be allowed to do for each. */
const VERBS: Readonly<Record<Action, string>> = {
  publish: "publish",
  purge: "purge-queue",
  move: "move",
  copy: "copy",
  retry: "move",
  delete: "delete-queue",
};

export function QueueActions({ queue, refresh, onDeleted }: QueueActionsProps) {
  const open = useSignal<Action | null>(null);
  const isPaused = queue.options["paused"] === true;
  const lack = useLack(queue.name);
  const button = (action: Action, text: string) => (
    <button
      type="button"
      class={DESTRUCTIVE.includes(action) ? "danger" : undefined}
      disabled={lack(VERBS[action]) !== ""}
      title={lack(VERBS[action])}
      onClick={() => (open.value = action)}
    >
      {text}
    </button>
  );
  const pause = async (): Promise<void> => {
    const done = isPaused ? "The queue delivers again." : "The queue delivers nothing until it is resumed.";
    await attempt(done, () => ask(url(["queues", queue.name]), { method: "PATCH", body: { paused: !isPaused } }));
    refresh();
  };
  return (
    <div class="actions">
      {button("publish", "Publish")}
      <button type="button" disabled={lack("update-queue") !== ""} title={lack("update-queue")} onClick={pause}>
        {isPaused ? "Resume" : "Pause"}
      </button>
      {button("move", "Move")}
      {button("copy", "Copy")}
      {button("retry", "Retry")}
      {button("purge", "Purge")}
      {button("delete", "Delete")}
      {open.value && <ActionDialog action={open.value} queue={queue} refresh={refresh} onClose={() => (open.value = null)} onDeleted={onDeleted} />}
    </div>
  );
}

interface ActionDialogProps extends QueueActionsProps {
  action: Action;
  onClose: () => void;
}

function ActionDialog({ action, queue, refresh, onClose, onDeleted }: ActionDialogProps) {
  const path = ["queues", queue.name];
  const shared = { onClose };
  const handle = async (command: string, body: object): Promise<void> => {
    const handled = await ask<Handled>(url([...path, "messages", command]), { method: "POST", body: chosen(body) });
    say(`${count(handled.messages)} messages${handled.stayed.length ? `; ${count(handled.stayed.length)} stayed, which were not taken` : ""}.`);
    refresh();
  };
  switch (action) {
    case "publish":
      return <Publish queue={queue} refresh={refresh} onClose={onClose} />;
    case "move":
      return <FormDialog {...shared} title="Move messages" action="Move" fields={[DESTINATION, ...CHOICE]} onSubmit={(body) => handle("move", body)} />;
    case "copy":
      return <FormDialog {...shared} title="Copy messages" action="Copy" fields={[DESTINATION, ...CHOICE]} onSubmit={(body) => handle("copy", body)} />;
    case "retry":
      return (
        <FormDialog
          {...shared}
          title="Retry dead letters"
          text="Messages go back to the queues that they left."
          action="Retry"
          fields={CHOICE}
          onSubmit={(body) => handle("retry", body)}
        />
      );
    case "purge":
      return (
        <FormDialog
          {...shared}
          title={`Purge ${queue.name}`}
          text={`Remove ${count(queue.available)} messages? Those that a consumer holds stay.`}
          action="Purge"
          isDangerous
          fields={[]}
          onSubmit={async () => {
            const { messages } = await ask<{ messages: number }>(url([...path, "purge"]), { method: "POST" });
            say(`${count(messages)} messages were removed.`);
            refresh();
          }}
        />
      );
    case "delete":
      return (
        <FormDialog
          {...shared}
          title={`Delete ${queue.name}`}
          text={`The queue and its ${count(queue.depth)} messages are gone then.`}
          action="Delete"
          isDangerous
          fields={[{ name: "name", label: "Its name, to be sure", isRequired: true }]}
          onSubmit={async ({ name }) => {
            if (name !== queue.name) throw new Error(`the name is ${queue.name}`);
            await ask(url(path), { method: "DELETE" });
            say(`Queue ${queue.name} was deleted.`);
            onDeleted();
          }}
        />
      );
  }
}

function Publish({ queue, refresh, onClose }: { queue: Queue; refresh: () => void; onClose: () => void }) {
  const property = queue.options["lvq_key"];
  const names = typeof property === "string" ? property.split(",") : [];
  const key: Field[] = names.map((name, place) => ({ name: `key ${place}`, label: `Key (${name})`, isRequired: true }));
  return (
    <FormDialog
      title={`Publish to ${queue.name}`}
      action="Publish"
      onClose={onClose}
      fields={[
        ...key,
        { name: "body", label: "Body", kind: "lines" },
        { name: "isJson", label: "The body is JSON", kind: "checkbox", help: "A number, a list or an object, instead of a text" },
        { name: "properties", label: "Properties", kind: "json", help: 'As a JSON object, such as {"venue": "X"}' },
        { name: "ttl_ms", label: "Time to live in ms", kind: "number" },
      ]}
      onSubmit={async ({ body, isJson, properties, ttl_ms, ...rest }) => {
        const text = shown(body);
        const message = {
          body: isJson ? (JSON.parse(text) as unknown) : text,
          properties: { ...(properties as object), ...Object.fromEntries(names.map((name, place) => [name, rest[`key ${place}`]])) },
          ...(ttl_ms === undefined ? {} : { ttl_ms }),
        };
        await ask(url(["queues", queue.name, "messages"]), { method: "POST", body: message });
        say("The message was confirmed.");
        refresh();
      }}
    />
  );
}

/** The body of a request for messages: all of them has to be said. */
function chosen(body: object): object {
  return "selector" in body || "limit" in body || "sequences" in body ? body : { ...body, all: true };
}
