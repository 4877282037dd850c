/** Who is connected, and what each waits for: connections, sessions, consumers and producers. */
import { useSignal } from "@preact/signals";
import { ask, url } from "../api";
import { FormDialog } from "../components/form";
import { State } from "../components/state";
import { Refusal, Waiting } from "../components/states";
import { type Column, Table } from "../components/table";
import { Tabs } from "../components/tabs";
import { say } from "../components/toast";
import { bytes, count, duration } from "../format";
import type { Page, PageProps } from "../page";
import { usePolled } from "../polled";
import { go, link } from "../router";

type Peer = Record<string, string | number | boolean>;
const KINDS = ["connections", "sessions", "consumers", "producers"] as const;
type Kind = (typeof KINDS)[number];

function Connections({ query }: PageProps) {
  const kind = KINDS.find((each) => each === query.get("show")) ?? "connections";
  const contains = query.get("contains") ?? "";
  const sort = query.get("sort") ?? "name";
  const closing = useSignal<Closing | null>(null);
  const { data, problem, refresh } = usePolled<Partial<Record<Kind, Peer[]>>>(url(["peers", kind]));
  const everyone = usePolled<{ connections: Peer[] }>("/peers/connections");
  const links = [usePolled<{ consumers: Peer[] }>("/peers/consumers"), usePolled<{ producers: Peer[] }>("/peers/producers")] as const;
  const context: Context = {
    now: Date.now(),
    gateways: new Set((everyone.data.value?.connections ?? []).filter(isGateway).map((peer) => String(peer["name"]))),
    waits: waitsOf([...(links[0].data.value?.consumers ?? []), ...(links[1].data.value?.producers ?? [])]),
    close: (closed) => (closing.value = closed),
  };
  const peers = (data.value?.[kind] ?? []).filter((peer) => Object.values(peer).join(" ").includes(contains));
  return (
    <>
      <div class="page-head">
        <h1>Connections</h1>
        <Tabs label="Kinds of peers" tabs={KINDS} current={kind} hrefOf={(each) => link(["connections"], { show: each })} />
      </div>
      <div class="tools">
        <input
          type="search"
          aria-label="Search"
          placeholder="Search"
          value={contains}
          onInput={(event) => go(["connections"], { show: kind, sort, contains: event.currentTarget.value })}
        />
        <span class="muted">{count(peers.length)}</span>
      </div>
      {problem.value && <Refusal problem={problem.value} />}
      {!data.value?.[kind] ? (
        !problem.value && <Waiting />
      ) : (
        <Table
          caption={kind}
          columns={columnsOf(kind, context)}
          rows={sorted(peers, sort)}
          rowKey={(peer) => `${peer["connection"]} ${peer["session"]} ${peer["name"]} ${peer["role"]}`}
          sort={sort}
          onSort={(by) => go(["connections"], { show: kind, sort: by, contains })}
          empty={`There are no ${kind} that you may see.`}
        />
      )}
      {closing.value !== null && (
        <FormDialog
          title={`Close ${closing.value.name}?`}
          text={closing.value.text}
          action={closing.value.action}
          isDangerous
          fields={[]}
          onClose={() => (closing.value = null)}
          onSubmit={async () => {
            if (closing.value === null) return;
            await ask(closing.value.address, { method: "DELETE" });
            say(`closed ${closing.value.name}`);
            refresh();
          }}
        />
      )}
    </>
  );
}

/** What the columns need besides the row. */
interface Context {
  now: number;
  /** The connections of gateways: closing one would end somebody's page. */
  gateways: ReadonlySet<string>;
  /** What the links of a connection wait for, by the connection's name. */
  waits: ReadonlyMap<string, string>;
  close: (closed: Closing) => void;
}

function isGateway(peer: Peer): boolean {
  return String(peer["program"]).startsWith("lastvalue-http-");
}

function waitsOf(links: readonly Peer[]): Map<string, string> {
  const waits = new Map<string, Set<string>>();
  for (const link of links) {
    if (!link["waits_for"] || isIdle(link)) continue;
    const of = String(link["connection"]);
    waits.set(of, (waits.get(of) ?? new Set()).add(String(link["waits_for"])));
  }
  return new Map([...waits].map(([connection, reasons]) => [connection, [...reasons].join(", ")]));
}

/** What is to be closed, and what the user is told before. */
interface Closing {
  name: string;
  address: string;
  action: string;
  text: string;
}

function ofConnection(name: string): Closing {
  return {
    name,
    address: url(["peers", "connections", name]),
    action: "Close the connection",
    text: "Its peer is told, and may connect again. Messages that it has not settled go back to their queues.",
  };
}

function ofConsumer(peer: Peer): Closing {
  const name = String(peer["name"]);
  const where = { connection: String(peer["connection"]), session: String(peer["session"]) };
  return {
    name,
    address: url(["peers", "consumers", name], where),
    action: "Close the consumer",
    text: `Its connection ${where.connection} stays, and may subscribe again; over AMQP 0-10 its peer cannot be told. Messages that it has not settled go back to ${peer["node"]}.`,
  };
}

function columnsOf(kind: Kind, { now, gateways, waits: waiting, close }: Context): Column<Peer>[] {
  const text = (name: string, title: string): Column<Peer> => ({ name, title, isSortable: true, cell: (peer) => String(peer[name] ?? "") });
  const number = (name: string, title: string, written = count): Column<Peer> => ({
    ...text(name, title),
    isNumeric: true,
    cell: (peer) => written(Number(peer[name])),
  });
  const closing = (of: (peer: Peer) => Closing): Column<Peer> => ({
    name: "close",
    title: "Action",
    cell: (peer) => {
      const closed = of(peer);
      if (gateways.has(String(peer[kind === "connections" ? "name" : "connection"]))) {
        return (
          <span class="tag" title="The HTTP gateway's: somebody's page or program uses it">
            gateway
          </span>
        );
      }
      return (
        <button type="button" class="quiet danger" onClick={() => close(closed)} aria-label={`Close ${closed.name}`} title={closed.action}>
          Close
        </button>
      );
    },
  });
  const connection = closing((peer) => ofConnection(String(peer[kind === "connections" ? "name" : "connection"])));
  const ago = (name: string, title: string): Column<Peer> => number(name, title, (ms) => (ms ? duration(now - (ms ?? 0)) : "–"));
  if (kind === "connections") {
    return [
      text("name", "Connection"),
      text("user", "User"),
      text("peer", "Peer"),
      {
        ...text("protocol", "Protocol"),
        cell: (peer) => (
          <>
            {peer["protocol"]} {peer["tls"] ? <State tone="good" text={String(peer["tls"])} /> : <span class="tag">no TLS</span>}
          </>
        ),
      },
      text("program", "Program"),
      {
        name: "waits",
        title: "Waits for",
        cell: (peer) => (waiting.has(String(peer["name"])) ? <State tone="warn" text={waiting.get(String(peer["name"])) ?? ""} /> : ""),
      },
      {
        ...number("received", "Messages in, out"),
        cell: (peer) => `${count(Number(peer["received"]))}, ${count(Number(peer["delivered"]))}`,
      },
      {
        ...number("bytes_in", "Bytes in, out", bytes),
        cell: (peer) => `${bytes(Number(peer["bytes_in"]))}, ${bytes(Number(peer["bytes_out"]))}`,
      },
      ago("since_ms", "Since"),
      connection,
    ];
  }
  if (kind === "sessions") {
    return [
      text("name", "Session"),
      text("connection", "Connection"),
      number("channel", "Channel"),
      number("links", "Links"),
      number("unsettled", "Unsettled"),
      connection,
    ];
  }
  const node: Column<Peer> = {
    ...text("node", kind === "consumers" ? "Reads" : "Publishes to"),
    cell: (peer) => (kind === "consumers" ? <a href={link(["queues", String(peer["node"])])}>{peer["node"]}</a> : peer["node"] || "by message"),
  };
  const waits: Column<Peer> = {
    ...text("waits_for", "Waits for"),
    cell: (peer) => (peer["waits_for"] ? <span class={isIdle(peer) ? "tag" : "tag warn"}>{peer["waits_for"]}</span> : ""),
  };
  const since: Column<Peer> = ago("waits_since_ms", "For");
  const ends = [waits, since, text("user", "User"), text("connection", "Connection"), kind === "consumers" ? closing(ofConsumer) : connection];
  if (kind === "producers") return [node, number("received", "Published"), number("refused", "Refused"), ago("last_ms", "Last"), ...ends];
  const mode: Column<Peer> = { name: "browses", title: "Mode", cell: (peer) => (peer["browses"] ? "browses" : "consumes") };
  const credit = number("credit", "Credit", (value) => (value === -1 ? "any" : count(value)));
  return [node, mode, number("delivered", "Delivered"), number("unsettled", "Unsettled"), credit, ago("last_ms", "Last"), ...ends];
}

/** Whether a link has nothing to do, or nothing stops it. */
function isIdle(peer: Peer): boolean {
  return peer["waits_for"] === "empty" || !peer["waits_since_ms"];
}

function sorted(peers: readonly Peer[], sort: string): Peer[] {
  const [name, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  return [...peers].sort((first, second) => {
    const [a, b] = [first[name] ?? "", second[name] ?? ""];
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  });
}

export const connectionsPage: Page = { path: "connections", title: "Connections", inNavigation: true, view: Connections };
