/** The fields of values: which there are, and which of them are places, directions and prices. */
import type { Value } from "./follow";

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value: those of a body that is an object, or JSON text of one, and its properties. */
export function fieldsOf(value: Value): Fields {
  return { ...value.properties, ...object(value.body) };
}

function object(body: unknown): Record<string, unknown> {
  let read = body;
  if (typeof body === "string" && body.trimStart().startsWith("{")) {
    try {
      read = JSON.parse(body);
    } catch {
      return {};
    }
  }
  if (typeof read === "number") return { value: read };
  return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {};
}

/** What a field is taken for unless the reader chooses another one. */
const MEANINGS = {
  latitude: /^lat(itude)?$/i,
  longitude: /^(lon|lng|long|longitude)$/i,
  direction: /^(track|heading|course|bearing|direction)$/i,
  label: /^(callsign|label|name|title|flight)$/i,
  price: /^(price|last|mid|bid|rate|value)$/i,
  open: /^open$/i,
  high: /^high$/i,
  low: /^low$/i,
  close: /^close$/i,
} as const;

export type Meaning = keyof typeof MEANINGS;

/** The field with a meaning: the chosen one, otherwise the first whose name says so. */
export function fieldFor(meaning: Meaning, fields: Fields, chosen: string | null): string {
  if (chosen) return chosen;
  return Object.keys(fields).find((name) => MEANINGS[meaning].test(name)) ?? "";
}

export function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  const number = typeof value === "number" ? value : typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Whether values such as this one can be shown on a map. */
export function hasPlace(fields: Fields): boolean {
  const latitude = numberIn(fields, fieldFor("latitude", fields, null));
  return latitude !== undefined && Math.abs(latitude) <= 90 && numberIn(fields, fieldFor("longitude", fields, null)) !== undefined;
}

/** Whether values such as this one have prices. */
export function hasPrice(fields: Fields): boolean {
  return numberIn(fields, fieldFor("close", fields, null) || fieldFor("price", fields, null)) !== undefined;
}
