/** A queue as the gateway describes it. */

export interface Queue {
  name: string;
  type: string;
  options: Readonly<Record<string, string | number | boolean | null>>;
  depth: number;
  available: number;
  depth_bytes: number;
  subscriptions: number;
  published: number;
  refused: number;
  removed: Readonly<Record<string, number>>;
  stored: boolean;
  statistics: Readonly<Record<string, number>>;
}

/** A queue option, as the gateway declares it. */
export interface QueueOption {
  name: string;
  kind: "text" | "number" | "flag" | "choice";
  choices: readonly string[];
  default: string | number | boolean | null;
  unit: string;
  sentence: string;
  types: readonly string[];
  /** A queue that exists cannot change it. */
  for_life: boolean;
}

/** Which part of what came was replaced by something newer. */
export function conflationRatio(queue: Queue): number {
  return queue.published ? (queue.statistics["conflated"] ?? 0) / queue.published : 0;
}

/** The parameters that a path with this key needs: keys in paths are texts otherwise. */
export function keyQuery(key: unknown): Record<string, string> {
  return typeof key === "number" ? { type: "integer" } : typeof key === "boolean" ? { type: "boolean" } : {};
}
