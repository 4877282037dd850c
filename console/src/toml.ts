/** Tables as TOML has them, which a configuration is written in. */

export type TomlTables = Readonly<Record<string, unknown>>;
type Entry = readonly [string, unknown];

/** The text of a document; tables within the tables at its top are written inline. */
export function tomlOf(document: TomlTables): string {
  return Object.entries(document).map(topOf).join("\n");
}

function topOf([name, value]: Entry): string {
  if (Array.isArray(value)) return value.map((each: unknown) => tableOf(`[[${keyOf(name)}]]`, each)).join("\n");
  return isTable(value) ? tableOf(`[${keyOf(name)}]`, value) : `${lineOf([name, value])}\n`;
}

function tableOf(head: string, value: unknown): string {
  const lines = isTable(value) ? Object.entries(value).map(lineOf) : [];
  return [head, ...lines, ""].join("\n");
}

function lineOf([name, value]: Entry): string {
  return `${keyOf(name)} = ${valueOf(value)}`;
}

function valueOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueOf).join(", ")}]`;
  if (isTable(value)) return `{ ${Object.entries(value).map(lineOf).join(", ")} }`;
  return JSON.stringify(value);
}

function keyOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function isTable(value: unknown): value is TomlTables {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
