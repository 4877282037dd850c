/** The brokers that share a log: who leads, who follows how far behind, who is missing, and handing over. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ask } from "../api";
import { FormDialog } from "../components/form";
import { Plot } from "../components/plot";
import { State } from "../components/state";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { say } from "../components/toast";
import { count, duration } from "../format";
import type { Page } from "../page";
import { usePolled } from "../polled";
import { Samples } from "../samples";

interface Cluster {
  role: "leader" | "follower";
  term: number;
  leader: string;
  lag_ms?: number;
  lag_records?: number;
  lease_ms?: number;
  followers?: { address: string; process: string; records_unsent: number }[];
  missing?: string[];
  servers?: { server: string; role: string; current: boolean; records_behind: number }[];
}

function ClusterPage() {
  const { data, problem, refresh } = usePolled<Cluster>("/cluster");
  const asking = useSignal(false);
  const cluster = data.value;
  const lag = useMemo(() => new Samples(), []);
  useMemo(() => {
    if (cluster) lag.addLevel(Date.now(), recordsBehind(cluster));
  }, [cluster]);
  if (!cluster && problem.value?.status === 409) return <Alone why={problem.value.detail} />;
  if (!cluster) return problem.value ? <Refusal problem={problem.value} /> : <Waiting />;
  const leads = cluster.role === "leader";
  const figures: [string, ComponentChildren][] = [
    ["This broker is", leads ? "the leader" : "a follower"],
    ["Leader", cluster.leader ? <Address of={cluster.leader} /> : "not known yet"],
    ["Term", count(cluster.term)],
    ...(cluster.lease_ms ? [["Lease", duration(cluster.lease_ms)] as [string, string]] : []),
  ];
  if (!leads) {
    figures.push(["Behind", duration(cluster.lag_ms ?? 0)], ["Records to apply", count(cluster.lag_records ?? 0)]);
  }
  return (
    <>
      <div class="page-head">
        <h1>Cluster</h1>
        {leads && (
          <div class="actions">
            <button type="button" onClick={() => (asking.value = true)}>
              Step down
            </button>
          </div>
        )}
      </div>
      {problem.value && <Refusal problem={problem.value} />}
      <dl class="figures">
        {figures.map(([title, value]) => (
          <div class="figure" key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {cluster.missing?.length ? (
        <p class="banner" role="status">
          {cluster.missing.length === 1 ? "A broker neither leads nor follows" : "Brokers that neither lead nor follow"}: {cluster.missing.join(", ")}
        </p>
      ) : null}
      <section class="card">
        <Plot
          label={leads ? "Records that the slowest follower lacks" : "Records behind the leader"}
          timesMs={lag.timesMs}
          lines={[{ title: "records", colour: 4, values: lag.values }]}
          written={count}
        />
      </section>
      {leads && (
        <Table
          caption="Followers"
          columns={[
            { name: "address", title: "Address", cell: (follower) => <Address of={follower.address} /> },
            { name: "process", title: "Process", cell: (follower) => follower.process },
            {
              name: "records_unsent",
              title: "Records behind",
              isNumeric: true,
              cell: (follower) => count(follower.records_unsent),
            },
          ]}
          rows={cluster.followers ?? []}
          rowKey={(follower) => follower.process}
          empty="No broker follows this one: nobody would take over."
        />
      )}
      {cluster.servers?.length ? (
        <Table
          caption="Servers of the log"
          columns={[
            { name: "server", title: "Server", cell: (server) => server.server },
            { name: "role", title: "Role", cell: (server) => server.role },
            {
              name: "current",
              title: "State",
              cell: (server) => <State tone={server.current ? "good" : "bad"} text={server.current ? "current" : "behind"} title="Whether it has all records" />,
            },
            { name: "records_behind", title: "Records behind", isNumeric: true, cell: (server) => count(server.records_behind) },
          ]}
          rows={cluster.servers}
          rowKey={(server) => server.server}
        />
      ) : null}
      {asking.value && (
        <FormDialog
          title="Step down?"
          text="A follower leads at once, and this broker ends; its service manager starts it again. Clients go to the new leader."
          action="Hand over"
          isDangerous
          fields={[
            {
              name: "alone",
              label: "Also where no broker follows",
              kind: "checkbox",
              help: "Nobody leads then until a broker is started.",
            },
          ]}
          onClose={() => (asking.value = false)}
          onSubmit={async (body) => {
            await ask("/cluster/step-down", { method: "POST", body });
            say("the broker hands over and ends");
            refresh();
          }}
        />
      )}
    </>
  );
}

/** The address of a broker, which leads to its console if that is on another host, at this one's port. */
function Address({ of: address }: { of: string }) {
  const host = address.slice(0, address.lastIndexOf(":"));
  if (!host || host === location.hostname) return <>{address}</>;
  const port = location.port ? `:${location.port}` : "";
  return (
    <a href={`${location.protocol}//${host}${port}${location.pathname}#/cluster`} title="Its console, if it is at the same port as this one">
      {address}
    </a>
  );
}

function recordsBehind(cluster: Cluster): number {
  if (cluster.role === "follower") return cluster.lag_records ?? 0;
  return Math.max(0, ...(cluster.followers ?? []).map((each) => each.records_unsent));
}

function Alone({ why }: { why: string }) {
  return (
    <>
      <div class="page-head">
        <h1>Cluster</h1>
      </div>
      <p class="notice">
        <strong>This broker works alone</strong>
        <br />
        {why[0]?.toUpperCase()}
        {why.slice(1)}. Brokers that share a log take over from each other.
      </p>
    </>
  );
}

export const clusterPage: Page = { path: "cluster", title: "Cluster", inNavigation: true, needs: "show-broker", view: ClusterPage };
