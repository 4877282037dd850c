/** The exchanges with their bindings, and where a message would go. */
import { useSignal } from "@preact/signals";
import { ask, url } from "../api";
import { Form, FormDialog } from "../components/form";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { attempt, say } from "../components/toast";
import { count, shown } from "../format";
import type { Page, PageProps } from "../page";
import { usePolled } from "../polled";
import { lackOfLeader, useLack } from "../rights";
import { go, link } from "../router";
import "../pictures.css";

interface Binding {
  destination: string;
  key: string;
  arguments: Record<string, unknown>;
}

interface Exchange {
  name: string;
  type: string;
  received: number;
  unrouted: number;
  bindings: Binding[];
  options: Record<string, unknown>;
}

interface Step extends Binding {
  exchange: string;
  to: "queue" | "exchange" | "nothing";
  gets: boolean;
  reason: string;
}

const TYPES = ["direct", "topic", "fanout", "headers", "address"];
const PAGE_ROWS = 100;

function Exchanges({ query }: PageProps) {
  const [after, contains] = [query.get("after") ?? "", query.get("contains") ?? ""];
  const path = url(["exchanges"], { after, contains, limit: PAGE_ROWS });
  const { data, problem, refresh } = usePolled<{ exchanges: Exchange[]; next?: string }>(path);
  const adding = useSignal(false);
  const exchanges = data.value?.exchanges ?? [];
  return (
    <>
      <div class="page-head">
        <h1>Exchanges</h1>
        <div class="actions">
          <button type="button" class="primary" disabled={lackOfLeader() !== ""} title={lackOfLeader()} onClick={() => (adding.value = true)}>
            Add an exchange
          </button>
        </div>
      </div>
      <div class="tools">
        <input
          type="search"
          aria-label="Search exchanges"
          placeholder="Search"
          value={contains}
          onInput={(event) => go(["exchanges"], { contains: event.currentTarget.value })}
        />
      </div>
      {problem.value && <Refusal problem={problem.value} />}
      {!data.value ? (
        !problem.value && <Waiting />
      ) : (
        <Table
          caption="Exchanges"
          columns={[
            { name: "name", title: "Exchange", cell: (exchange) => exchange.name },
            { name: "type", title: "Type", cell: (exchange) => <span class="tag">{exchange.type}</span> },
            { name: "bindings", title: "Bindings", isNumeric: true, cell: (exchange) => count(exchange.bindings.length) },
            { name: "received", title: "Received", isNumeric: true, cell: (exchange) => count(exchange.received) },
            { name: "unrouted", title: "No queue", isNumeric: true, cell: (exchange) => count(exchange.unrouted), help: "Messages that no queue got" },
            { name: "options", title: "Options", cell: ({ options }) => optionsText(options) },
          ]}
          rows={exchanges}
          rowKey={(exchange) => exchange.name}
          rowLink={(exchange) => link(["exchanges", exchange.name])}
          empty="There are no exchanges that you may see."
        />
      )}
      {data.value?.next && <a href={link(["exchanges"], { contains, after: exchanges.at(-1)?.name ?? "" })}>Next page</a>}
      {adding.value && (
        <FormDialog
          title="Add an exchange"
          action="Add"
          fields={[
            { name: "name", label: "Name", isRequired: true },
            { name: "type", label: "Type", kind: "choice", choices: TYPES, value: "topic" },
            { name: "alternate", label: "Alternate", help: "The exchange or queue that gets what no queue gets." },
            { name: "durable", label: "Durable", kind: "checkbox", value: true, help: "It survives a restart." },
          ]}
          onClose={() => (adding.value = false)}
          onSubmit={async ({ name, ...options }) => {
            await ask(url(["exchanges", String(name)]), { method: "PUT", body: options });
            say(`added exchange ${name}`);
            refresh();
          }}
        />
      )}
    </>
  );
}

function optionsText(options: Record<string, unknown>): string {
  return Object.entries(options)
    .filter(([name]) => name !== "type")
    .map(([name, value]) => (value === true ? name : `${name} ${shown(value)}`))
    .join(", ");
}

function ExchangePage({ parameters }: PageProps) {
  const name = parameters["exchange"] ?? "";
  const { data, problem, refresh } = usePolled<{ exchanges: Exchange[] }>(url(["exchanges"], { contains: name, limit: 1000 }), 4000);
  const open = useSignal<"" | "bind" | "delete">("");
  const lack = useLack(name);
  const exchange = data.value?.exchanges.find((each) => each.name === name);
  if (!data.value) return problem.value ? <Refusal problem={problem.value} /> : <Waiting />;
  if (!exchange) return <p class="notice" role="alert">There is no exchange {name} that you may see.</p>;
  const unbind = ({ destination, key }: Binding): Promise<boolean> =>
    attempt(`unbound ${destination}`, () => ask(url(["exchanges", name, "bindings"], { destination, key }), { method: "DELETE" }));
  return (
    <>
      <div class="page-head">
        <h1>{name}</h1>
        <span class="tag">{exchange.type}</span>
        <span class="muted">{optionsText(exchange.options)}</span>
        <div class="actions">
          <button type="button" disabled={lack("bind") !== ""} title={lack("bind")} onClick={() => (open.value = "bind")}>
            Bind
          </button>
          {!name.startsWith("amq.") && (
            <button
              type="button"
              class="danger"
              disabled={lack("delete-exchange") !== ""}
              title={lack("delete-exchange")}
              onClick={() => (open.value = "delete")}
            >
              Delete
            </button>
          )}
        </div>
      </div>
      <Table
        caption={`Bindings of ${name}`}
        columns={[
          { name: "destination", title: "Destination", cell: (binding) => <a href={link(["queues", binding.destination])}>{binding.destination}</a> },
          { name: "key", title: "Key", cell: (binding) => <code>{binding.key}</code> },
          { name: "arguments", title: "Arguments", cell: (binding) => <code>{Object.keys(binding.arguments).length ? shown(binding.arguments) : ""}</code> },
          {
            name: "unbind",
            title: "Action",
            cell: (binding) => (
              <button
                type="button"
                class="danger"
                aria-label={`Unbind ${binding.destination} ${binding.key}`}
                onClick={async () => (await unbind(binding)) && refresh()}
              >
                Unbind
              </button>
            ),
          },
        ]}
        rows={exchange.bindings}
        rowKey={(binding) => `${binding.destination} ${binding.key}`}
        empty="Nothing is bound to it."
      />
      <section class="card route" aria-labelledby="route-heading">
        <h2 id="route-heading">Where would this message go?</h2>
        <Route exchange={name} />
      </section>
      {open.value === "bind" && (
        <FormDialog
          title={`Bind to ${name}`}
          action="Bind"
          fields={[
            { name: "destination", label: "Queue or exchange", isRequired: true },
            { name: "key", label: "Key", help: "The routing key, or a topic's pattern." },
            { name: "arguments", label: "Arguments", kind: "json", help: 'As JSON, such as {"x-filter-jms-selector": "size > 3"}.' },
          ]}
          onClose={() => (open.value = "")}
          onSubmit={async (binding) => {
            await ask(url(["exchanges", name, "bindings"]), { method: "POST", body: binding });
            say(`bound ${binding["destination"]}`);
            refresh();
          }}
        />
      )}
      {open.value === "delete" && (
        <FormDialog
          title={`Delete exchange ${name}?`}
          text="Its bindings go with it; the queues stay."
          action="Delete the exchange"
          isDangerous
          fields={[]}
          onClose={() => (open.value = "")}
          onSubmit={async () => {
            await ask(url(["exchanges", name]), { method: "DELETE" });
            go(["exchanges"]);
          }}
        />
      )}
    </>
  );
}

/** Ask the broker to route a message that is not published. */
function Route({ exchange }: { exchange: string }) {
  const answer = useSignal<{ queues: string[]; bindings: Step[] } | null>(null);
  return (
    <>
      <Form
        action="Explain"
        fields={[
          { name: "key", label: "Routing key or subject" },
          { name: "properties", label: "Properties", kind: "json", help: 'As JSON, such as {"size": 5}.' },
        ]}
        onSubmit={async (message) => {
          answer.value = null;
          answer.value = await ask(url(["exchanges", exchange, "route"]), { method: "POST", body: message });
        }}
      />
      {answer.value && (
        <div class="answer" role="status">
          <p>
            {answer.value.queues.length ? "It would go to " : "No queue would get it."}
            {answer.value.queues.map((queue) => (
              <a key={queue} class="tag on" href={link(["queues", queue])}>
                {queue}
              </a>
            ))}
          </p>
          <Table
            caption="Why"
            columns={[
              { name: "gets", title: "Gets it", cell: (step) => <span class={step.gets ? "tag on" : "tag"}>{step.gets ? "yes" : "no"}</span> },
              { name: "exchange", title: "From", cell: (step) => step.exchange },
              { name: "destination", title: "To", cell: (step) => (step.to === "nothing" ? "nothing" : `${step.to} ${step.destination}`) },
              { name: "key", title: "Key", cell: (step) => <code>{step.key}</code> },
              { name: "reason", title: "Because", cell: (step) => step.reason },
            ]}
            rows={answer.value.bindings}
            rowKey={(step) => `${step.exchange} ${step.to} ${step.destination} ${step.key}`}
          />
        </div>
      )}
    </>
  );
}

export const exchangesPage: Page = { path: "exchanges", title: "Exchanges", inNavigation: true, view: Exchanges };
export const exchangePage: Page = { path: "exchanges/:exchange", title: "Exchange", inNavigation: false, view: ExchangePage };
