/** What the user may do, as the broker says; it decides again at each request. */
import { computed, signal } from "@preact/signals";
import { ask, url } from "./api";
import { usePolled } from "./polled";

export interface Verdict {
  verb: string;
  meaning: string;
  allowed: boolean;
  /** The right that is missing. */
  lacks: string;
  /** Only a broker that leads carries it out. */
  needs_leader: boolean;
}

export interface Rights {
  user: string;
  verbs: readonly Verdict[];
  /** The broker that this one follows, empty where that is not known yet; null where it follows none. */
  follows: string | null;
}

const ASKED_EVERY_MS = 15_000;

/** The user's rights that need no name of a queue; undefined until they are known. */
const own = signal<Rights | undefined>();

/** Which broker this one follows, if any. */
export const follows = computed(() => own.value?.follows ?? null);

/** Ask which pages the user may see. */
export async function learnRights(): Promise<void> {
  own.value = await ask<Rights>(url(["rights"]));
}

export function forgetRights(): void {
  own.value = undefined;
}

/** Whether the user may do something for which no queue is named; also while that is not known. */
export function may(verb: string): boolean {
  return lackIn(own.value, verb, false) === "";
}

/** What stands against doing something, by its verb; empty where nothing does, or nothing is known yet. */
export type Lack = (verb: string) => string;

/** What stands against doing something with a queue or an exchange. */
export function useLack(name: string): Lack {
  const { data } = usePolled<Rights>(url(["rights"], { name }), ASKED_EVERY_MS);
  return (verb) => lackIn(data.value, verb, true);
}

/** What stands against changing anything here. */
export function lackOfLeader(): string {
  return follows.value === null ? "" : followed(follows.value);
}

function lackIn(rights: Rights | undefined, verb: string, whereItIsDone: boolean): string {
  const verdict = rights?.verbs.find((each) => each.verb === verb);
  if (!rights || !verdict) return "";
  if (!verdict.allowed) return `This needs the right ${verdict.lacks}`;
  return whereItIsDone && verdict.needs_leader && rights.follows !== null ? followed(rights.follows) : "";
}

function followed(leader: string): string {
  return `This broker follows ${leader || "another one"}, which makes changes`;
}
