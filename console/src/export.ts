/** What a page shows, as a file: CSV for spreadsheets, JSON lines for programs. */
import { shown } from "./format";

export type Exported = Readonly<Record<string, unknown>>;

/** One line a row; a column for each name that a row has. */
export function csvOf(rows: readonly Exported[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(","));
  return [names.map(cell).join(","), ...lines, ""].join("\r\n");
}

export function jsonLinesOf(rows: readonly Exported[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Let the browser keep a text as a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe, as spreadsheets write it. */
function cell(value: unknown): string {
  const text = value === null ? "" : shown(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
