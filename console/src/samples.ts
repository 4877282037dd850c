/** Samples of a number over time, and the rates between those of a counter. */

const MOST = 240;

export class Samples {
  readonly timesMs: number[] = [];
  readonly values: number[] = [];

  /** Add a sample of a counter; one that went back has begun again, which ends what was before. */
  add(timeMs: number, value: number): void {
    const last = this.values.at(-1);
    const lastMs = this.timesMs.at(-1);
    if (lastMs !== undefined && timeMs <= lastMs) return;
    if (last !== undefined && value < last) {
      this.timesMs.length = 0;
      this.values.length = 0;
    }
    this.addLevel(timeMs, value);
  }

  /** Add a sample of what goes up and down. */
  addLevel(timeMs: number, value: number): void {
    this.timesMs.push(timeMs);
    this.values.push(value);
    if (this.values.length > MOST) {
      this.timesMs.shift();
      this.values.shift();
    }
  }

  /** The newest rate in 1/s, over the last samples; undefined while there is one sample. */
  rate(over = 3): number | undefined {
    const end = this.values.length - 1;
    const start = Math.max(0, end - over);
    if (end < 1) return undefined;
    return (1000 * (at(this.values, end) - at(this.values, start))) / (at(this.timesMs, end) - at(this.timesMs, start));
  }

  /** The rates in 1/s between samples. */
  rates(): number[] {
    return this.values
      .slice(1)
      .map((value, index) => (1000 * (value - at(this.values, index))) / (at(this.timesMs, index + 1) - at(this.timesMs, index)));
  }
}

/** Samples by name; those that are asked for least recently go when there are too many. */
export class SampleSets {
  private readonly sets = new Map<string, Samples>();

  constructor(private readonly most = 400) {}

  of(name: string): Samples {
    const found = this.sets.get(name) ?? new Samples();
    this.sets.delete(name);
    this.sets.set(name, found);
    if (this.sets.size > this.most) this.sets.delete(this.sets.keys().next().value as string);
    return found;
  }
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0;
}
