/** What became of messages, as the queue remembers it. */
import { url } from "../api";
import { count, moment } from "../format";
import { usePolled } from "../polled";

interface Explanation {
  sequence: number;
  text: string;
  time_ms: number | null;
  reason: string;
  arrival_ms: number;
  updates: number;
  user: string;
  message_id: string;
}

interface Told {
  found: readonly Explanation[];
  remembers: number;
}

/** Of which messages: a key, a sequence or a message id. */
export type Asked = Record<string, string | number>;

export function Explanations({ queue, asked }: { queue: string; asked: Asked }) {
  const { data, problem } = usePolled<Told>(url(["queues", queue, "why"], asked), 3000);
  if (problem.value) return <p class="fault" role="alert">{problem.value.detail}</p>;
  if (!data.value) return <p class="muted">Asking …</p>;
  const { found, remembers } = data.value;
  return (
    <>
      <ol class="versions" aria-label="What became of it, newest first">
        {found.map((each) => (
          <li key={each.sequence}>
            <div class="when">
              <span>{each.reason.replaceAll("_", " ") || "present"}</span>
              <span>
                {moment(each.time_ms ?? each.arrival_ms)} · {each.sequence}
              </span>
            </div>
            <div>
              {each.text}
              {each.updates > 1 && <span class="muted">; it stood for {count(each.updates)} updates</span>}
              {each.message_id && <span class="muted">; message id {each.message_id}</span>}
            </div>
          </li>
        ))}
      </ol>
      {found.length === 0 && <p class="muted">Nothing is remembered of it.</p>}
      <p class="muted">
        {remembers
          ? `The queue remembers why its last ${count(remembers)} messages left.`
          : "The queue knows only what left last; its option removal_log says of how many more messages it remembers why."}
      </p>
    </>
  );
}
