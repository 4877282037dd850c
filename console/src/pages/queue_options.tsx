/** The options of a queue, each with its origin. */
import { useSignal } from "@preact/signals";
import { ask, url } from "../api";
import { type Answers, type Field, FormDialog } from "../components/form";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { say } from "../components/toast";
import { shown } from "../format";
import { usePolled } from "../polled";
import type { Queue, QueueOption } from "../queue";
import { useLack } from "../rights";

const NEVER_MS = 3_600_000;

export function QueueOptions({ queue, refresh }: { queue: Queue; refresh: () => void }) {
  const { data, problem } = usePolled<{ options: readonly QueueOption[] }>("/queue-options", NEVER_MS);
  const edited = useSignal<QueueOption | null>(null);
  const lack = useLack(queue.name);
  const all = useSignal(false);
  if (!data.value) return problem.value ? <Refusal problem={problem.value} /> : <Waiting />;
  const options = data.value.options.filter(
    (option) => option.types.includes(queue.type) && (all.value || option.name in queue.options),
  );
  return (
    <>
      <div class="tools">
        <button type="button" aria-pressed={all.value} onClick={() => (all.value = !all.value)}>
          Show defaults
        </button>
      </div>
      <Table
        caption={`Options of ${queue.name}`}
        rows={options}
        rowKey={(option) => option.name}
        columns={[
          { name: "name", title: "Option", cell: (option) => <code>{option.name}</code> },
          { name: "value", title: "Value", cell: (option) => <b>{written(queue.options[option.name] ?? option.default, option)}</b> },
          {
            name: "origin",
            title: "Origin",
            cell: (option) => (option.name in queue.options ? <span class="tag on">declared</span> : <span class="tag">default</span>),
          },
          { name: "sentence", title: "Meaning", cell: (option) => <span class="muted">{option.sentence}</span> },
          {
            name: "edit",
            title: "",
            cell: (option) =>
              option.for_life ? (
                <span class="muted" title="Delete the queue and declare it again to change this">
                  for life
                </span>
              ) : (
                <button type="button" disabled={lack("update-queue") !== ""} title={lack("update-queue")} aria-label={`Change ${option.name}`} onClick={() => (edited.value = option)}>
                  Change
                </button>
              ),
          },
        ]}
        empty="All options have their defaults."
        isNarrow
      />
      {edited.value && <ChangeOption queue={queue} option={edited.value} refresh={refresh} onClose={() => (edited.value = null)} />}
    </>
  );
}

function ChangeOption({ queue, option, refresh, onClose }: { queue: Queue; option: QueueOption; refresh: () => void; onClose: () => void }) {
  const current = queue.options[option.name] ?? option.default;
  const field: Field = {
    name: option.name,
    label: option.unit ? `${option.name} (${option.unit})` : option.name,
    kind: option.kind === "flag" ? "checkbox" : option.kind,
    choices: option.choices,
    value: option.kind === "flag" ? current === true : shown(current ?? ""),
    help: `${option.sentence} The default is ${written(option.default, option)}.`,
  };
  return (
    <FormDialog
      title={`Change ${option.name}`}
      action="Change"
      fields={[field]}
      onClose={onClose}
      onSubmit={async (answers: Answers) => {
        await ask(url(["queues", queue.name]), { method: "PATCH", body: { [option.name]: answers[option.name] ?? option.default } });
        say(`${option.name} was changed.`);
        refresh();
      }}
    />
  );
}

function written(value: unknown, option: QueueOption): string {
  if (value === null || value === undefined) return "none";
  return option.unit && typeof value === "number" ? `${value} ${option.unit}` : shown(value);
}
