/** Requests to the gateway; its errors are problem documents (RFC 9457). */
import { signal } from "@preact/signals";

/** What the gateway refused, and why. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly fields: ReadonlyMap<string, string> = new Map(),
  ) {
    super(detail);
    this.name = "Problem";
  }

  /** Whether there is no such thing, or not any more. */
  get isOfNothing(): boolean {
    return this.status === 404 || this.status === 410;
  }

  /** Whether the gateway, or the broker behind it, did not answer at all. */
  get isUnreachable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** Whether the gateway and its broker answer: what the newest request found. */
export const reachable = signal(true);
/** Whether the gateway asks who the user is. */
export const loginNeeded = signal(false);

/** Sent with what changes something, to show that a page of the gateway sends it: see `session.ts`. */
export const proof: { headers: Readonly<Record<string, string>> } = { headers: {} };

export interface Asked {
  method?: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** How long an answer may take: a gateway that is stopped, or a network that is gone, refuses nothing. */
const ANSWERED_WITHIN_MS = 120_000;

/** Where the gateway is: it may be below a path of a proxy. */
const ROOT = location.pathname.replace(/console\/[^/]*$/, "");

/** The answer to a request, or a Problem. The path begins with a slash. */
export async function request(path: string, asked: Asked = {}): Promise<Response> {
  const method = asked.method ?? "GET";
  const headers: Record<string, string> = { ...(method === "GET" ? {} : proof.headers), ...asked.headers };
  if (asked.body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(ROOT + path.slice(1), {
      method,
      headers,
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
      signal: asked.signal ?? null,
      cache: "no-store",
      credentials: "same-origin",
    });
  } catch (error) {
    if (asked.signal?.aborted) throw error;
    reachable.value = false;
    throw new Problem(0, "the gateway does not answer");
  }
  if (answer.ok || answer.status === 304) {
    reachable.value = true;
    return answer;
  }
  const problem = await readProblem(answer);
  reachable.value = !problem.isUnreachable;
  if (problem.status === 401) loginNeeded.value = true;
  throw problem;
}

/** The JSON of an answer; undefined where it has no content. */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const timer = setTimeout(end, ANSWERED_WITHIN_MS);
  asked.signal?.addEventListener("abort", end, { once: true });
  if (asked.signal?.aborted) end();
  try {
    const answer = await request(path, { ...asked, signal: ended.signal });
    const text = await answer.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  } catch (error) {
    if (!ended.signal.aborted || asked.signal?.aborted) throw error;
    reachable.value = false;
    throw new Problem(0, "the gateway does not answer");
  } finally {
    clearTimeout(timer);
    asked.signal?.removeEventListener("abort", end);
  }
}

/** A path of these segments, each encoded, with the parameters that have a value. */
export function url(segments: readonly string[], parameters: Record<string, unknown> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.append(name, String(value));
  }
  const path = `/${segments.map(encodeURIComponent).join("/")}`;
  return query.size ? `${path}?${query}` : path;
}

/** The text of an error for a person. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function readProblem(answer: Response): Promise<Problem> {
  const fallback = `${answer.status} ${answer.statusText}`.trim();
  try {
    const document = (await answer.json()) as { detail?: string; errors?: { field: string; fault: string }[] };
    const fields = new Map((document.errors ?? []).map((each) => [each.field, each.fault]));
    return new Problem(answer.status, document.detail ?? fallback, fields);
  } catch {
    return new Problem(answer.status, fallback);
  }
}
