/** Samples of a number over time, and the rates between those of a counter. */

const MOST = 240;
/** Of an hour: what the gateway kept, and what came while the page is open. */
export const OF_AN_HOUR = 2200;

export class Samples {
  constructor(private readonly most = MOST) {}

  readonly timesMs: number[] = [];
  readonly values: number[] = [];

  /** Add a sample of a counter. */
  add(timeMs: number, value: number): void {
    const lastMs = this.timesMs.at(-1);
    if (lastMs !== undefined && timeMs <= lastMs) return;
    this.addLevel(timeMs, value);
  }

  /** Add a sample of what goes up and down. */
  addLevel(timeMs: number, value: number): void {
    this.timesMs.push(timeMs);
    this.values.push(value);
    if (this.values.length > this.most) {
      this.timesMs.shift();
      this.values.shift();
    }
  }

  /** The newest rate in 1/s, over the last samples; undefined while there is one sample. */
  rate(over = 3): number | undefined {
    const end = this.values.length - 1;
    const start = Math.max(0, end - over);
    if (end < 1) return undefined;
    return this.rateOf(start, end);
  }

  /** The rates in 1/s between samples. */
  rates(): number[] {
    return this.values.slice(1).map((_, index) => this.rateOf(index, index + 1));
  }

  /** A counter that went back has begun again, or a queue of the sum is gone: nothing is known of that step. */
  private rateOf(start: number, end: number): number {
    const more = at(this.values, end) - at(this.values, start);
    return Math.max(0, (1000 * more) / (at(this.timesMs, end) - at(this.timesMs, start)));
  }
}

/** Samples by name; those that are asked for least recently go when there are too many. */
export class SampleSets {
  private readonly sets = new Map<string, Samples>();

  constructor(
    private readonly most = 400,
    private readonly samplesOfEach = MOST,
  ) {}

  of(name: string): Samples {
    const found = this.sets.get(name) ?? new Samples(this.samplesOfEach);
    this.sets.delete(name);
    this.sets.set(name, found);
    if (this.sets.size > this.most) this.sets.delete(this.sets.keys().next().value as string);
    return found;
  }
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0;
}
