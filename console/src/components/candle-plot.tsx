/** Candles over time (uPlot). */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Candle } from "../candles";
import { theme } from "../theme";

const HEIGHT = 380;
const WIDEST_PX = 14;
const FEWEST = 40;

export interface CandlePlotProps {
  label: string;
  candles: readonly Candle[];
  intervalMs: number;
  written: (value: number) => string;
}

export function CandlePlot({ label, candles, intervalMs, written }: CandlePlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data: uPlot.AlignedData = [
    candles.map((candle) => candle.startMs / 1000),
    ...(["open", "high", "low", "close"] as const).map((name) => candles.map((candle) => candle[name])),
  ];
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const made = new uPlot(options(element, intervalMs, written), data, element);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: Math.max(80, element.clientWidth), height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme.value, intervalMs]);
  useEffect(() => plot.current?.setData(data));
  return <div ref={place} class="plot-area" role="img" aria-label={label} />;
}

function options(element: HTMLElement, intervalMs: number, written: (value: number) => string): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis = { stroke: colour("muted"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
  const [rises, falls] = [colour("good"), colour("danger")];
  const unseen = (): null => null;
  return {
    width: Math.max(80, element.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    padding: [8, 8, 0, 0],
    axes: [
      { ...axis, size: 24, space: 64, values: (_, ticks) => ticks.map((tick) => new Date(tick * 1000).toTimeString().slice(0, 8)) },
      { ...axis, size: 72, space: 36, values: (_, ticks) => ticks.map(written) },
    ],
    scales: {
      x: { range: (made) => rangeOf(made.data[0], intervalMs / 1000) },
      y: { range: (_, least, most) => [least - (most - least || 1) * 0.08, most + (most - least || 1) * 0.08] },
    },
    series: [{}, ...["open", "high", "low", "close"].map((name) => ({ label: name, paths: unseen, points: { show: false } }))],
    hooks: { draw: [(made) => draw(made, intervalMs, rises, falls)] },
  };
}

/** From the first candle to the last, and room for so many more that a few do not look wide. */
function rangeOf(times: ArrayLike<number>, step: number): uPlot.Range.MinMax {
  const first = times[0] ?? Date.now() / 1000;
  return [first - step, Math.max(times[times.length - 1] ?? first, first + FEWEST * step) + step];
}

function draw(made: uPlot, intervalMs: number, rises: string, falls: string): void {
  const [times = [], opens = [], highs = [], lows = [], closes = []] = made.data;
  const { ctx } = made;
  const dots = devicePixelRatio;
  const step = made.valToPos(intervalMs / 1000, "x", true) - made.valToPos(0, "x", true);
  const width = Math.max(dots, Math.min(0.7 * step, WIDEST_PX * dots));
  ctx.save();
  ctx.lineWidth = dots;
  for (const [at, time] of times.entries()) {
    const [open, high, low, close] = [opens[at] ?? 0, highs[at] ?? 0, lows[at] ?? 0, closes[at] ?? 0];
    const x = made.valToPos(time + intervalMs / 2000, "x", true);
    const y = (value: number): number => made.valToPos(value, "y", true);
    ctx.strokeStyle = ctx.fillStyle = close >= open ? rises : falls;
    ctx.beginPath();
    ctx.moveTo(x, y(high));
    ctx.lineTo(x, y(low));
    ctx.stroke();
    const top = y(Math.max(open, close));
    ctx.fillRect(x - width / 2, top, width, Math.max(dots, y(Math.min(open, close)) - top));
  }
  ctx.restore();
}
