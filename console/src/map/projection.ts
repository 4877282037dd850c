/** Places on the map: the Mercator projection, and which part of it is shown. */
import outlines from "./outlines.txt";

const PER_DEGREE = 50;
const MOST_LATITUDE = 85;

/** From 0 at 180° west to 1 at 180° east. */
export function across(longitude: number): number {
  return (longitude + 180) / 360;
}

/** From 0 in the north to 1 in the south. */
export function down(latitude: number): number {
  const bounded = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude));
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360)) / (2 * Math.PI);
}

/** What is shown: the place in the middle, and how many pixels the whole width of the earth has. */
export interface Part {
  x: number;
  y: number;
  scale: number;
}

/** The part that shows these places with some room around them. */
export function partOf(places: Iterable<{ x: number; y: number }>, width: number, height: number): Part | null {
  let [left, top, right, bottom] = [1, 1, 0, 0];
  for (const { x, y } of places) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (left > right) return null;
  const scale = 0.85 * Math.min(width / Math.max(right - left, 0.005), height / Math.max(bottom - top, 0.005));
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale };
}

interface World {
  /** To fill. */
  land: Path2D;
  /** To draw. */
  lines: Path2D;
}

let read: World | null = null;

/** The land, its coasts and borders, in the projection's units; outlines.mjs says how the text is to be read. */
export function world(): World {
  if (read) return read;
  const [lines = "", rings = ""] = outlines.split("\n\n");
  const arcs = lines.split("\n").map(placesOf);
  const drawn = (paths: Iterable<readonly { x: number; y: number }[]>): Path2D => {
    const path = new Path2D();
    for (const places of paths) for (const [at, { x, y }] of places.entries()) at ? path.lineTo(x, y) : path.moveTo(x, y);
    return path;
  };
  const ring = (line: string): { x: number; y: number }[] =>
    numbersIn(line).flatMap((arc) => (arc < 0 ? [...(arcs[-1 - arc] ?? [])].reverse() : (arcs[arc] ?? [])));
  read = { land: drawn(rings.split("\n").map(ring)), lines: drawn(arcs) };
  return read;
}

function placesOf(line: string): { x: number; y: number }[] {
  const steps = numbersIn(line);
  let [longitude, latitude] = [0, 0];
  return Array.from({ length: steps.length / 2 }, (_, at) => {
    longitude += (steps[2 * at] ?? 0) / PER_DEGREE;
    latitude += (steps[2 * at + 1] ?? 0) / PER_DEGREE;
    return { x: across(longitude), y: down(latitude) };
  });
}

function numbersIn(line: string): number[] {
  return (line.match(/-?\d+/g) ?? []).map(Number);
}
