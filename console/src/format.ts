/** Numbers and times for people. */

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const NONE = "–";

/** A whole number with its thousands apart. */
export function count(value: number | undefined): string {
  return value === undefined ? NONE : grouped.format(value);
}

/** A number in three digits. */
export function short(value: number | undefined): string {
  return value === undefined ? NONE : compact.format(value);
}

/** A rate. */
export function perSecond(value: number | undefined): string {
  if (value === undefined) return NONE;
  return `${value > 0 && value < 10 ? value.toFixed(1) : grouped.format(value)}/s`;
}

/** A size. */
export function bytes(value: number | undefined): string {
  if (value === undefined) return NONE;
  let unit = 0;
  let size = value;
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024;
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** A duration. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return NONE;
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A moment, in the time zone of the browser. */
export function moment(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 23).replace("T", " ");
}

/** The time zone of the browser at a moment, as in `UTC+01:00`. */
export function zone(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  const two = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  return `UTC${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** A value of a message in one line. */
export function shown(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
