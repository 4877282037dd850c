/** The values of a queue on a map. */
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Choice, FollowRate, PictureLinks } from "../components/pictures";
import { Refusal } from "../components/states";
import { type Fields, fieldFor, fieldsOf, numberIn } from "../fields";
import { useFollowed } from "../followed";
import { count, shown } from "../format";
import { Chart } from "../map/chart";
import type { Page, PageProps } from "../page";
import { theme } from "../theme";
import "../pictures.css";

const STEP_PX = 60;
const ZOOM = 1.4;

function MapOfQueue({ parameters, query }: PageProps) {
  const queue = parameters["queue"] ?? "";
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart | null>(null);
  const state = useMemo(() => ({ newest: new Map<string, Fields>(), selected: signal<string | null>(null), count: signal(0) }), []);
  const chosen = useRef(query);
  chosen.current = query;
  const taker = useMemo(() => {
    const put = (key: string, fields: Fields): void => {
      const named = (meaning: "latitude" | "longitude" | "direction" | "label"): string =>
        fieldFor(meaning, fields, chosen.current.get(meaning));
      const latitude = numberIn(fields, named("latitude"));
      const longitude = numberIn(fields, named("longitude"));
      if (latitude === undefined || longitude === undefined) return;
      const label = shown(fields[named("label")]) || key;
      chart.current?.put(key, { latitude, longitude, direction: numberIn(fields, named("direction")), label });
    };
    return {
      put,
      take: (value: Parameters<typeof fieldsOf>[0]) => {
        const [key, fields] = [String(value.key), fieldsOf(value)];
        state.newest.set(key, fields);
        put(key, fields);
      },
      remove: (key: string) => {
        state.newest.delete(key);
        chart.current?.remove(key);
      },
      retain: (keys: ReadonlySet<string>) => {
        for (const key of state.newest.keys()) if (!keys.has(key)) state.newest.delete(key);
        chart.current?.retain(keys);
      },
    };
  }, []);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const made = (chart.current = new Chart(element));
    const watch = new ResizeObserver(() => made.changed());
    watch.observe(element);
    const stop = moveByMouse(element, made, (key) => (state.selected.value = key));
    const counting = setInterval(() => (state.count.value = made.count), 500);
    return () => {
      watch.disconnect();
      stop();
      clearInterval(counting);
    };
  }, []);
  // Other fields move what is there.
  useEffect(() => {
    for (const [key, fields] of state.newest) taker.put(key, fields);
  }, [query.toString()]);
  useEffect(() => chart.current?.changed(), [theme.value]);
  const { problem, isLive, rate, sample } = useFollowed(queue, taker);
  const selected = state.selected.value;
  useEffect(() => chart.current?.select(selected), [selected]);
  const fields = sample.value ? fieldsOf(sample.value) : {};
  const numbers = Object.keys(fields).filter((name) => numberIn(fields, name) !== undefined);
  const label = fieldFor("label", fields, query.get("label"));
  return (
    <>
      {problem.value && <Refusal problem={problem.value} />}
      <div class="page-head" hidden={problem.value !== null}>
        <h1>{queue}</h1>
        <PictureLinks queue={queue} fields={fields} current="map" />
        <div class="actions">
          <FollowRate isLive={isLive.value} rate={rate.value} />
        </div>
      </div>
      <div class="tools" hidden={problem.value !== null}>
        {(["latitude", "longitude", "direction"] as const).map((name) => (
          <Choice key={name} label={name} name={name} value={fieldFor(name, fields, query.get(name))} choices={numbers} />
        ))}
        <Choice label="label" name="label" value={label} choices={Object.keys(fields)} />
        <span class="muted">{count(state.count.value)} on the map</span>
      </div>
      <div class="map" hidden={problem.value !== null}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`Map of ${queue}. Arrow keys move it, plus and minus zoom, 0 shows everything.`}
          onKeyDown={(event) => moveByKey(event, chart.current)}
        />
        <div class="map-buttons">
          <button type="button" aria-label="Zoom in" onClick={() => chart.current?.zoom(ZOOM)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => chart.current?.zoom(1 / ZOOM)}>
            −
          </button>
          <button type="button" onClick={() => chart.current?.fit()}>
            All
          </button>
        </div>
        {selected !== null && (
          // The rate is a signal: what is selected is shown anew with it.
          <Details name={selected} fields={state.newest.get(selected) ?? {}} onClose={() => (state.selected.value = null)} />
        )}
      </div>
      <p class="muted small">Outlines: Natural Earth, public domain.</p>
    </>
  );
}

function Details({ name, fields, onClose }: { name: string; fields: Fields; onClose: () => void }) {
  return (
    <aside class="map-details" aria-label={`Fields of ${name}`}>
      <header>
        <strong>{name}</strong>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <dl>
        {Object.entries(fields).map(([field, value]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{shown(value)}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

function moveByKey(event: KeyboardEvent, chart: Chart | null): void {
  const moves: Record<string, () => void> = {
    ArrowLeft: () => chart?.move(STEP_PX, 0),
    ArrowRight: () => chart?.move(-STEP_PX, 0),
    ArrowUp: () => chart?.move(0, STEP_PX),
    ArrowDown: () => chart?.move(0, -STEP_PX),
    "+": () => chart?.zoom(ZOOM),
    "=": () => chart?.zoom(ZOOM),
    "-": () => chart?.zoom(1 / ZOOM),
    "0": () => chart?.fit(),
  };
  const move = moves[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move();
}

/** Drag to move, turn the wheel to zoom, click to select; returns what ends that. */
function moveByMouse(element: HTMLCanvasElement, chart: Chart, select: (key: string | null) => void): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  let moved = 0;
  element.addEventListener("pointerdown", (event) => ((moved = 0), element.setPointerCapture(event.pointerId)), options);
  element.addEventListener(
    "pointermove",
    (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      moved += Math.abs(event.movementX) + Math.abs(event.movementY);
      if (moved > 3) chart.move(event.movementX, event.movementY);
    },
    options,
  );
  element.addEventListener("click", (event) => moved <= 3 && select(chart.at(event.offsetX, event.offsetY)), options);
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      chart.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    },
    { ...options, passive: false },
  );
  return () => ended.abort();
}

export const mapPage: Page = { path: "queues/:queue/map", title: "Map", inNavigation: false, view: MapOfQueue };
