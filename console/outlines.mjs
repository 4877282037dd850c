// Writes src/map/outlines.txt from the countries of Natural Earth (public domain), in the form of `world-atlas`:
//   npm pack world-atlas@2.0.2 && tar xf world-atlas-2.0.2.tgz && node outlines.mjs package/countries-50m.json
// Each line is a coast or a border: steps in 1/50 degree, the first from 0° 0°. After an empty line follows each
// ring of the land: the numbers of its coasts and borders, those that are followed backwards as -1 - number.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PER_DEGREE = 50;
const TOLERANCE_DEGREES = 0.09;
const SMALLEST_DEGREES = 0.4;
const { arcs, objects, transform } = JSON.parse(await readFile(process.argv[2], "utf8"));

function places(arc) {
  let x = 0;
  let y = 0;
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
  });
}

// Douglas and Peucker: leaves out what lies closer to the line than the tolerance.
function simplified(line) {
  const keep = new Uint8Array(line.length);
  keep[0] = keep[line.length - 1] = 1;
  const open = [[0, line.length - 1]];
  while (open.length) {
    const [from, to] = open.pop();
    let most = TOLERANCE_DEGREES;
    let farthest = -1;
    for (let at = from + 1; at < to; at++) {
      const away = distance(line[at], line[from], line[to]);
      if (away > most) [most, farthest] = [away, at];
    }
    if (farthest < 0) continue;
    keep[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, at) => keep[at]);
}

function distance([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const part = length ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}

function size(line) {
  const [width, height] = [0, 1].map((axis) => {
    const values = line.map((place) => place[axis]);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.hypot(width, height);
}

const own = (arc) => (arc < 0 ? -1 - arc : arc);
const lines = arcs.map(places);
const rings = objects.countries.geometries
  .flatMap(({ type, arcs }) => (type === "Polygon" ? arcs : arcs.flat()))
  .filter((ring) => size(ring.flatMap((arc) => lines[own(arc)])) > SMALLEST_DEGREES);
const used = [...new Set(rings.flat().map(own))].sort((first, second) => first - second);
const numbers = new Map(used.map((arc, number) => [arc, number]));
const steps = used.map((arc) => {
  let [lastX, lastY] = [0, 0];
  return simplified(lines[arc]).flatMap(([longitude, latitude]) => {
    const [x, y] = [Math.round(longitude * PER_DEGREE), Math.round(latitude * PER_DEGREE)];
    const step = [x - lastX, y - lastY];
    [lastX, lastY] = [x, y];
    return step;
  });
});
const numbered = rings.map((ring) => ring.map((arc) => (arc < 0 ? -1 - numbers.get(own(arc)) : numbers.get(arc))));
const text = [...steps, [], ...numbered].map((line) => line.join(" ").replaceAll(" -", "-")).join("\n");
await writeFile(join(dirname(fileURLToPath(import.meta.url)), "src/map/outlines.txt"), text);
console.log(steps.length, "lines,", rings.length, "rings,", text.length, "bytes");
