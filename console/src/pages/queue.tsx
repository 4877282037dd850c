/** A queue: what it holds, its options, and what can be done with it. */
import { useSignal } from "@preact/signals";
import { url } from "../api";
import { type Asked, Explanations } from "../components/explanations";
import { Form } from "../components/form";
import { PicturesOf } from "../components/pictures";
import { Refusal, Waiting } from "../components/states";
import { count, duration, perSecond } from "../format";
import type { Page, PageProps } from "../page";
import { type Polled, usePolled } from "../polled";
import { conflationRatio, type Queue } from "../queue";
import { lackOfLeader } from "../rights";
import { link } from "../router";
import { SampleSets } from "../samples";
import { QueueActions } from "./queue_actions";
import { QueueMessages } from "./queue_messages";
import { QueueOptions } from "./queue_options";
import { QueueReaders } from "./queue_readers";
import { QueueValues } from "./queue_values";
import { Tags } from "./queues";

/** More keys than these are not followed without a selector. */
const MOST_FOLLOWED = 50_000;
const TABS = { values: "Values", messages: "Messages", options: "Options", readers: "Readers", removed: "Removed" };
type Tab = keyof typeof TABS;

const samples = new SampleSets();
let seen: Queue | undefined;

function QueueView({ parameters, query }: PageProps) {
  const name = parameters["queue"] ?? "";
  const polled = usePolled<Queue>(url(["queues", name]), 1000);
  const queue = polled.data.value;
  const isDeleted = useSignal(false);
  if (isDeleted.value) return <p class="notice">The queue {name} was deleted.</p>;
  if (!queue) return polled.problem.value ? <Refusal problem={polled.problem.value} /> : <Waiting />;
  if (polled.problem.value?.status === 404) return <Refusal problem={polled.problem.value} />;
  if (queue !== seen) {
    seen = queue;
    samples.of(`${name} in`).add(Date.now(), queue.published);
    samples.of(`${name} out`).add(Date.now(), queue.statistics["acquired"] ?? 0);
  }
  const hasKeys = queue.type === "lvq";
  const tabs = (Object.keys(TABS) as Tab[]).filter((tab) => hasKeys || tab !== "values");
  const asked = query.get("tab") as Tab | null;
  const tab = asked !== null && tabs.includes(asked) ? asked : (tabs[0] as Tab);
  return (
    <>
      <div class="page-head">
        <h1>{name}</h1>
        <Tags queue={queue} />
        {hasKeys && <PicturesOf queue={name} />}
        <QueueActions queue={queue} refresh={polled.refresh} onDeleted={() => (isDeleted.value = true)} />
      </div>
      {lackOfLeader() && (
        <p class="banner" role="status">
          {lackOfLeader()}; values and messages are shown as it has them.
        </p>
      )}
      <Figures queue={queue} />
      <nav class="tabs" aria-label="Parts of the queue">
        {tabs.map((each) => (
          <a key={each} href={link(["queues", name], { tab: each })} aria-current={each === tab ? "page" : undefined}>
            {TABS[each]}
          </a>
        ))}
      </nav>
      <Part tab={tab} polled={polled} queue={queue} />
    </>
  );
}

function Part({ tab, polled, queue }: { tab: Tab; polled: Polled<Queue>; queue: Queue }) {
  switch (tab) {
    case "values":
      return <QueueValues name={queue.name} queue={polled.data} mostFollowed={MOST_FOLLOWED} />;
    case "messages":
      return <QueueMessages queue={queue} />;
    case "options":
      return <QueueOptions queue={queue} refresh={polled.refresh} />;
    case "readers":
      return <QueueReaders queue={queue.name} />;
    case "removed":
      return (
        <>
          <Removed queue={queue} />
          <WhatBecame queue={queue} />
        </>
      );
  }
}

function Figures({ queue }: { queue: Queue }) {
  const lastMs = queue.statistics["last_in_ms"] ?? 0;
  const figures: [string, string][] = [
    ["Messages", count(queue.depth)],
    ...(queue.type === "lvq" ? ([["Keys", count(queue.statistics["keys"])]] as [string, string][]) : []),
    ["In", perSecond(samples.of(`${queue.name} in`).rate())],
    ["To consumers", perSecond(samples.of(`${queue.name} out`).rate())],
    ...(queue.type === "lvq" ? ([["Conflated", `${(100 * conflationRatio(queue)).toFixed(1)} %`]] as [string, string][]) : []),
    ["Readers", count(queue.subscriptions)],
    ["Newest", lastMs ? duration(Date.now() - lastMs) : "–"],
  ];
  return (
    <dl class="figures">
      {figures.map(([title, value]) => (
        <div key={title} class="figure">
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Removed({ queue }: { queue: Queue }) {
  const reasons = Object.entries(queue.removed).sort((a, b) => b[1] - a[1]);
  return (
    <div class="card">
      <p>
        Of {count(queue.published)} messages that came, {count(queue.depth)} are here. The others left for these reasons:
      </p>
      <dl class="facts">
        {reasons.map(([reason, messages]) => (
          <>
            <dt>{reason}</dt>
            <dd>{count(messages)}</dd>
          </>
        ))}
      </dl>
      {reasons.length === 0 && <p class="muted">None has left.</p>}
    </div>
  );
}

/** Asks what became of a message that is not there. */
function WhatBecame({ queue }: { queue: Queue }) {
  const asked = useSignal<Asked | null>(null);
  const choices = queue.type === "lvq" ? ["key", "key that is a number", "sequence", "message id"] : ["sequence", "message id"];
  return (
    <section class="card" aria-labelledby="became-heading">
      <h2 id="became-heading">What became of a message?</h2>
      <Form
        action="Ask"
        fields={[
          { name: "kind", label: "By its", kind: "choice", choices, value: choices[0] ?? "" },
          { name: "value", label: "Which", isRequired: true },
        ]}
        onSubmit={async ({ kind, value }) => {
          const text = String(value);
          if (kind === "key that is a number") asked.value = { key: text, type: "integer" };
          else asked.value = { [String(kind).replace(" ", "_")]: text };
        }}
      />
      {asked.value && <Explanations key={JSON.stringify(asked.value)} queue={queue.name} asked={asked.value} />}
    </section>
  );
}

export const queuePage: Page = { path: "queues/:queue", title: "Queue", inNavigation: false, view: QueueView };
