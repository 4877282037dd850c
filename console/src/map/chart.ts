/** A map on a canvas: coasts and borders, and things that move over it. */
import { across, down, type Part, partOf, world } from "./projection";

const TRAIL = 40;
const LEAST_SCALE = 300;
const MOST_SCALE = 4_000_000;
const LABELS_UP_TO = 60;
/** What was not told for so long is faint. */
const FADES_AFTER_MS = 10_000;

interface Thing {
  x: number;
  y: number;
  /** Degrees clockwise from north; undefined is none. */
  direction: number | undefined;
  label: string;
  /** When it was told last. */
  toldMs: number;
  /** The places before, oldest first. */
  trail: { x: number; y: number }[];
}

export interface Position {
  latitude: number;
  longitude: number;
  direction: number | undefined;
  label: string;
}

/** It draws at most once a frame, and only if something has changed. */
export class Chart {
  private readonly things = new Map<string, Thing>();
  private part: Part = { x: 0.5, y: 0.4, scale: 900 };
  private isChosen = false;
  private isDue = false;
  private selected: string | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  get count(): number {
    return this.things.size;
  }

  put(key: string, { latitude, longitude, direction, label }: Position): void {
    const [x, y] = [across(longitude), down(latitude)];
    const thing = this.things.get(key);
    if (!thing) {
      this.things.set(key, { x, y, direction, label, toldMs: performance.now(), trail: [] });
    } else {
      if (thing.x !== x || thing.y !== y) {
        thing.trail.push({ x: thing.x, y: thing.y });
        if (thing.trail.length > TRAIL) thing.trail.shift();
      }
      Object.assign(thing, { x, y, direction, label, toldMs: performance.now() });
    }
    this.changed();
  }

  remove(key: string): void {
    if (this.things.delete(key)) this.changed();
  }

  /** Keep only these. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.things.keys()) if (!keys.has(key)) this.things.delete(key);
    this.changed();
  }

  select(key: string | null): void {
    this.selected = key;
    this.changed();
  }

  /** Show everything again, and go on doing so until the reader moves or zooms. */
  fit(): void {
    this.isChosen = false;
    this.changed();
  }

  /** Move by pixels. */
  move(dx: number, dy: number): void {
    this.isChosen = true;
    this.part = { ...this.part, x: this.part.x - dx / this.part.scale, y: this.part.y - dy / this.part.scale };
    this.changed();
  }

  /** Zoom by a factor, around a pixel or the middle. */
  zoom(factor: number, px = this.canvas.clientWidth / 2, py = this.canvas.clientHeight / 2): void {
    this.isChosen = true;
    const { x, y, scale } = this.part;
    const next = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, scale * factor));
    const [dx, dy] = [px - this.canvas.clientWidth / 2, py - this.canvas.clientHeight / 2];
    this.part = { x: x + dx / scale - dx / next, y: y + dy / scale - dy / next, scale: next };
    this.changed();
  }

  /** The nearest thing to a pixel, if it is near. */
  at(px: number, py: number): string | null {
    let best: string | null = null;
    let least = 14;
    for (const [key, thing] of this.things) {
      const away = Math.hypot(this.across(thing.x) - px, this.down(thing.y) - py);
      if (away < least) [best, least] = [key, away];
    }
    return best;
  }

  changed(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  private across(x: number): number {
    return (x - this.part.x) * this.part.scale + this.canvas.clientWidth / 2;
  }

  private down(y: number): number {
    return (y - this.part.y) * this.part.scale + this.canvas.clientHeight / 2;
  }

  private draw(): void {
    const { canvas } = this;
    const context = canvas.getContext("2d");
    const [width, height, dots] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio];
    if (!context || !width) return;
    if (canvas.width !== Math.round(width * dots) || canvas.height !== Math.round(height * dots)) {
      [canvas.width, canvas.height] = [Math.round(width * dots), Math.round(height * dots)];
    }
    if (!this.isChosen) this.part = partOf(this.things.values(), width, height) ?? this.part;
    const style = getComputedStyle(canvas);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    context.setTransform(dots, 0, 0, dots, 0, 0);
    context.fillStyle = colour("map-sea");
    context.fillRect(0, 0, width, height);
    this.drawWorld(context, dots, colour("map-land"), colour("map-line"));
    this.drawThings(context, colour("colour-1"), colour("colour-2"), colour("ink"));
  }

  private drawWorld(context: CanvasRenderingContext2D, dots: number, land: string, line: string): void {
    const { x, y, scale } = this.part;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    context.save();
    context.setTransform(scale * dots, 0, 0, scale * dots, (width / 2 - x * scale) * dots, (height / 2 - y * scale) * dots);
    context.lineWidth = 1 / scale;
    context.fillStyle = land;
    context.fill(world().land);
    context.strokeStyle = line;
    context.stroke(world().lines);
    context.restore();
  }

  private drawThings(context: CanvasRenderingContext2D, usual: string, chosen: string, ink: string): void {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const seen: [string, Thing, number, number][] = [];
    for (const [key, thing] of this.things) {
      const [px, py] = [this.across(thing.x), this.down(thing.y)];
      if (px > -20 && py > -20 && px < width + 20 && py < height + 20) seen.push([key, thing, px, py]);
    }
    for (const [key, thing, px, py] of seen) {
      context.strokeStyle = context.fillStyle = key === this.selected ? chosen : usual;
      context.lineWidth = 1.5;
      context.globalAlpha = 0.4;
      context.beginPath();
      for (const place of thing.trail) context.lineTo(this.across(place.x), this.down(place.y));
      context.lineTo(px, py);
      context.stroke();
      context.globalAlpha = key === this.selected || performance.now() - thing.toldMs < FADES_AFTER_MS ? 1 : 0.35;
      symbol(context, px, py, thing.direction);
    }
    context.globalAlpha = 1;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = ink;
    for (const [key, thing, px, py] of seen) {
      if (seen.length <= LABELS_UP_TO || key === this.selected) context.fillText(thing.label, px + 9, py + 4);
    }
  }
}

/** A dart that points where the thing goes, or a dot. */
function symbol(context: CanvasRenderingContext2D, px: number, py: number, direction: number | undefined): void {
  context.beginPath();
  if (direction === undefined) {
    context.arc(px, py, 3.5, 0, 2 * Math.PI);
  } else {
    const turn = (direction * Math.PI) / 180;
    const [sine, cosine] = [Math.sin(turn), Math.cos(turn)];
    for (const [x, y] of [[0, -8], [5, 6], [0, 3], [-5, 6]] as const) {
      context.lineTo(px + x * cosine - y * sine, py + x * sine + y * cosine);
    }
    context.closePath();
  }
  context.fill();
}
