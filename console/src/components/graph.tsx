/** The way of the data: sources, parts of the pipeline, queues and their readers. */
import { link } from "../router";

export interface GraphPart {
  name: string;
  kind: string;
  from?: string[];
  to?: string[];
  dead_letter_queue?: string;
  state?: string;
}

interface Node {
  id: string;
  title: string;
  text: string;
  column: number;
  href?: string;
  tone?: string;
}

const WIDTH = 164;
const HEIGHT = 44;
const GAP_X = 44;
const GAP_Y = 14;
const CHARACTERS = 21;

/** Drawn from left to right; a history reads a queue and ends in a directory. */
export function Graph({ parts, readers }: { parts: readonly GraphPart[]; readers: ReadonlyMap<string, { readers: number; slow: number }> }) {
  const { nodes, edges } = layout(parts, readers);
  const rows = [0, 1, 2, 3, 4].map((column) => nodes.filter((node) => node.column === column));
  const used = rows.filter((row) => row.length);
  const places = new Map<string, { x: number; y: number }>();
  const height = Math.max(...used.map((row) => row.length), 1) * (HEIGHT + GAP_Y);
  for (const [index, row] of used.entries()) {
    const top = (height - row.length * (HEIGHT + GAP_Y)) / 2;
    for (const [at, node] of row.entries()) places.set(node.id, { x: index * (WIDTH + GAP_X), y: top + at * (HEIGHT + GAP_Y) });
  }
  const width = used.length * (WIDTH + GAP_X) - GAP_X;
  return (
    <div class="graph" tabIndex={0} role="group" aria-label="Graph of the pipeline">
      <svg viewBox={`-1 -1 ${Math.max(width, WIDTH) + 2} ${height}`} width={Math.max(width, WIDTH) + 2} height={height}>
        {edges.map(([from, to]) => {
          const [start, end] = [places.get(from), places.get(to)];
          if (!start || !end) return null;
          const [x1, y1, x2, y2] = [start.x + WIDTH, start.y + HEIGHT / 2, end.x, end.y + HEIGHT / 2];
          const bend = Math.max(24, Math.abs(x2 - x1) / 2);
          return <path key={`${from} ${to}`} class="edge" d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} />;
        })}
        {nodes.map((node) => {
          const { x, y } = places.get(node.id) ?? { x: 0, y: 0 };
          const box = (
            <g class={`node ${node.tone ?? ""}`} transform={`translate(${x} ${y})`}>
              <title>{node.title}</title>
              <rect width={WIDTH} height={HEIGHT} rx="6" />
              <text x="10" y="18" class="node-title">
                {cut(node.title)}
              </text>
              <text x="10" y="34" class="node-text">
                {cut(node.text)}
              </text>
            </g>
          );
          return node.href ? (
            <a key={node.id} href={node.href}>
              {box}
            </a>
          ) : (
            <g key={node.id}>{box}</g>
          );
        })}
      </svg>
    </div>
  );
}

function layout(parts: readonly GraphPart[], readers: ReadonlyMap<string, { readers: number; slow: number }>) {
  const nodes = new Map<string, Node>();
  const edges: [string, string][] = [];
  const add = (node: Node): string => (nodes.has(node.id) || nodes.set(node.id, node), node.id);
  const queue = (name: string, column: number, text = "queue"): string =>
    add({ id: `queue ${name}`, title: name, text, column, href: link(["queues", name]) });
  for (const part of parts.filter((each) => each.kind === "feed")) {
    const own = add({ id: `part ${part.name}`, title: part.name, text: `feed · ${part.state ?? "not running"}`, column: 1, tone: tone(part.state) });
    for (const source of part.from ?? []) edges.push([add({ id: `source ${source}`, title: source, text: "source", column: 0 }), own]);
    for (const target of part.to ?? []) edges.push([own, queue(target, 2)]);
    if (part.dead_letter_queue) edges.push([own, queue(part.dead_letter_queue, 2, "rejected rows")]);
  }
  for (const part of parts.filter((each) => each.kind !== "feed")) {
    const own = add({ id: `part ${part.name}`, title: part.name, text: `${part.kind} · ${part.state ?? "not running"}`, column: 3, tone: tone(part.state) });
    for (const source of part.from ?? []) edges.push([queue(source, 2), own]);
    for (const target of part.to ?? []) {
      if (part.kind === "replay") edges.push([own, queue(target, 4)]);
      else edges.push([own, add({ id: `tables ${target}`, title: target, text: "tables", column: 4 })]);
    }
  }
  for (const node of [...nodes.values()]) {
    const found = node.id.startsWith("queue ") ? readers.get(node.title) : undefined;
    if (!found) continue;
    const text = found.slow ? `${found.slow} of them wait` : "none waits";
    const title = `${found.readers} ${found.readers === 1 ? "reader" : "readers"}`;
    edges.push([node.id, add({ id: `readers ${node.title}`, title, text, column: Math.min(4, node.column + 1), href: link(["connections"], { show: "consumers", contains: node.title }) })]);
  }
  return { nodes: [...nodes.values()], edges };
}

function tone(state: string | undefined): string {
  if (state === "failed" || state === "dead") return "bad";
  return state === "running" || state === "idle" ? "good" : "";
}

function cut(text: string): string {
  if (text.length <= CHARACTERS) return text;
  // Of a path the end says more.
  const tail = text.slice(text.lastIndexOf("/") + 1);
  const kind = text.includes("/") ? `${text.split(" ")[0]} ` : "";
  const short = text.includes("/") && tail ? `${kind.includes("/") ? "" : kind}…/${tail}` : text;
  return short.length > CHARACTERS ? `${short.slice(0, CHARACTERS - 1)}…` : short;
}
