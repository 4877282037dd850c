/** The views of a queue, and the choice of the fields that they show. */
import { url } from "../api";
import { type Fields, fieldsOf, hasPlace, hasPrice } from "../fields";
import type { Value } from "../follow";
import type { Rate } from "../followed";
import { count } from "../format";
import { usePolled } from "../polled";
import { go, link, place } from "../router";
import "../pictures.css";

/** Links to the views that fit values with these fields; the table is always there. */
export function PictureLinks({ queue, fields, current }: { queue: string; fields: Fields; current: "table" | "map" | "prices" }) {
  const views = [
    { name: "table", title: "Table", fits: true, href: link(["queues", queue]) },
    { name: "map", title: "Map", fits: hasPlace(fields), href: link(["queues", queue, "map"]) },
    { name: "prices", title: "Prices", fits: hasPrice(fields), href: link(["queues", queue, "prices"]) },
  ];
  const shown = views.filter((view) => view.fits || view.name === current);
  if (shown.length < 2) return null;
  return (
    <nav class="segments" aria-label="Views of the queue">
      {shown.map((view) => (
        <a key={view.name} href={view.href} aria-current={view.name === current ? "page" : undefined}>
          {view.title}
        </a>
      ))}
    </nav>
  );
}

/** The links for a queue's page, by one of the queue's values. */
export function PicturesOf({ queue }: { queue: string }) {
  const { data } = usePolled<{ values: Value[] }>(url(["queues", queue, "keys"], { limit: 1 }), 10_000);
  const value = data.value?.values[0];
  return value ? <PictureLinks queue={queue} fields={fieldsOf(value)} current="table" /> : null;
}

export interface ChoiceProps {
  label: string;
  /** Of the parameter in the address that remembers the choice. */
  name: string;
  value: string;
  choices: readonly string[];
}

/** A choice that the address remembers. */
export function Choice({ label, name, value, choices }: ChoiceProps) {
  const { segments, query } = place.value;
  const known = choices.includes(value) ? choices : [value, ...choices];
  return (
    <label class="choice">
      <span>{label}</span>
      <select
        value={value}
        onChange={(event) => go(segments, { ...Object.fromEntries(query), [name]: event.currentTarget.value })}
      >
        {known.map((each) => (
          <option key={each} value={each} selected={each === value}>
            {each || "–"}
          </option>
        ))}
      </select>
    </label>
  );
}

/** At which rate values come, and for how many updates they stand. */
export function FollowRate({ isLive, rate }: { isLive: boolean; rate: Rate | null }) {
  const conflated = rate ? rate.updates - rate.values : 0;
  return (
    <p class="follow-rate" aria-live="off">
      <span class={isLive ? "tag on" : "tag warn"}>{isLive ? "live" : "waiting"}</span> {rate ? count(rate.values) : "–"} values/s
      {conflated > 0 && <>, which stand for {count(rate?.updates)} updates/s</>}
    </p>
  );
}
