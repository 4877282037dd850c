/** Candles: open, high, low and close of a price in intervals of time. */

const MOST = 400;

export interface Candle {
  /** When its interval begins. */
  startMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
}

export interface Prices {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** The candles of one key, in the order of time. */
export class Candles {
  readonly list: Candle[] = [];

  constructor(private readonly intervalMs: number) {}

  /** Add what the prices were until a time; what is older than the newest candle is left out. */
  add(timeMs: number, { open, high, low, close }: Prices): void {
    const startMs = timeMs - (timeMs % this.intervalMs);
    const last = this.list.at(-1);
    if (last && startMs < last.startMs) return;
    if (last?.startMs === startMs) {
      last.high = Math.max(last.high, high);
      last.low = Math.min(last.low, low);
      last.close = close;
      return;
    }
    this.list.push({ startMs, open, high, low, close });
    if (this.list.length > MOST) this.list.shift();
  }

  /** Put candles before these: what was known earlier. One interval may be in both. */
  precede(earlier: readonly Candle[]): void {
    const later = this.list.splice(0);
    const firstMs = later[0]?.startMs ?? Infinity;
    this.list.push(...earlier.filter((candle) => candle.startMs <= firstMs).map((candle) => ({ ...candle })));
    for (const { startMs, ...prices } of later) {
      const last = this.list.at(-1);
      if (last?.startMs === startMs) this.add(startMs, prices);
      else this.list.push({ startMs, ...prices });
    }
    this.list.splice(0, Math.max(0, this.list.length - MOST));
  }
}
