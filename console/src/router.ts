/** Where the console is: the part of the address after `#`, such as `#/queues/prices?tab=options`. */
import { computed, signal } from "@preact/signals";

export interface Place {
  /** Its segments, decoded. */
  segments: readonly string[];
  query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

/** The place that the address names now. */
export const place = computed<Place>(() => {
  const [path = "", query = ""] = hash.value.replace(/^#\/?/, "").split("?", 2);
  return { segments: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
});

/** The link to a place. */
export function link(segments: readonly string[], query: Record<string, string> = {}): string {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  const path = `#/${segments.map(encodeURIComponent).join("/")}`;
  return parameters.size ? `${path}?${parameters}` : path;
}

/** Go to a place. */
export function go(segments: readonly string[], query: Record<string, string> = {}): void {
  location.hash = link(segments, query);
}

/** The parameters of a place that a pattern such as `queues/:queue` fits, or null. */
export function matched(pattern: string, segments: readonly string[]): Record<string, string> | null {
  const parts = pattern.split("/").filter(Boolean);
  if (parts.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith(":")) parameters[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return parameters;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
