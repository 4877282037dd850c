/** Plots over time (uPlot), and small lines in tables. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../theme";

/** So much of the time before now is shown, unless a plot says otherwise. */
const WINDOW_S = 240;

export interface Line {
  title: string;
  /** Of the theme's plot colours, from 1. */
  colour: number;
  values: readonly (number | null | undefined)[];
}

export interface PlotProps {
  /** What it shows, in words. */
  label: string;
  timesMs: readonly number[];
  lines: readonly Line[];
  /** How a value is written. */
  written: (value: number) => string;
  /** They are bytes, which have other round numbers. */
  areBytes?: boolean;
  height?: number;
  /** How much of the time before now is shown. */
  windowS?: number;
}

/** Lines over time, with a legend of their newest values. */
export function Plot({ label, timesMs, lines, written, areBytes = false, height = 160, windowS = WINDOW_S }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shape = `${theme.value} ${height} ${lines.map((line) => `${line.title}${line.colour}`).join()}`;
  const data: uPlot.AlignedData = [timesMs.map((ms) => ms / 1000), ...lines.map((line) => [...line.values])];
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(options(element, lines, written, areBytes, height, windowS), data, element);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: Math.max(80, element.clientWidth), height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(data));
  const isMeasured = lines.some((line) => line.values.some((value) => value !== null && value !== undefined));
  const newest = (line: Line): string => {
    const value = line.values.at(-1);
    return value === null || value === undefined ? "–" : written(value);
  };
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-title">{label}</span>
        {lines.map((line) => (
          <span key={line.title} class="legend">
            <i class={`swatch colour-${line.colour}`} aria-hidden="true" />
            {line.title} <b>{newest(line)}</b>
          </span>
        ))}
      </figcaption>
      <div ref={place} class="plot-area" role="img" aria-label={label} hidden={!isMeasured} />
      {!isMeasured && <p class="muted">Nothing was measured yet.</p>}
    </figure>
  );
}

const POWERS_OF_2 = Array.from({ length: 50 }, (_, exponent) => 2 ** exponent);

function options(element: HTMLElement, lines: readonly Line[], written: (value: number) => string, areBytes: boolean, height: number, windowS: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis = { stroke: colour("muted"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
  return {
    width: Math.max(80, element.clientWidth),
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    padding: [8, 18, 0, 0],
    axes: [
      { ...axis, size: 24, space: 56, values: (_, ticks) => ticks.map((tick) => new Date(tick * 1000).toTimeString().slice(0, 5)), incrs: [60, 300, 600, 900] },
      { ...axis, size: 64, space: 32, values: (_, ticks) => onceEach(ticks.map(written)), ...(areBytes && { incrs: POWERS_OF_2 }) },
    ],
    scales: { x: { range: (_, __, max) => (max > 0 ? [max - windowS, max] : emptyWindow(windowS)) }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    series: [{}, ...lines.map((line) => ({ label: line.title, stroke: colour(`colour-${line.colour}`), width: 1.5, points: { show: false } }))],
  };
}

/** A scale of small whole numbers would name each of them several times. */
function onceEach(labels: readonly string[]): string[] {
  return labels.map((label, index) => (labels[index - 1] === label ? "" : label));
}

/** The last minutes, where nothing has been measured yet. */
function emptyWindow(windowS: number): [number, number] {
  const nowS = Date.now() / 1000;
  return [nowS - windowS, nowS];
}

/** A small line of numbers, for a cell. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const width = 96;
  const height = 20;
  const most = Math.max(...values, 1e-9);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${(height - 1.5 - (value / most) * (height - 3)).toFixed(1)}`);
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      {points.length > 1 && <polyline points={points.join(" ")} fill="none" stroke="currentColor" stroke-width="1.5" />}
    </svg>
  );
}
