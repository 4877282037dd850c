/** Buttons that keep what is shown as a file. */
import { csvOf, download, type Exported, jsonLinesOf } from "../export";

export function Export({ name, rows }: { name: string; rows: () => readonly Exported[] }) {
  return (
    <span class="row-actions" role="group" aria-label="Export what is shown">
      <button type="button" class="quiet" title="What is shown, for spreadsheets" onClick={() => download(`${name}.csv`, "text/csv", csvOf(rows()))}>
        CSV
      </button>
      <button
        type="button"
        class="quiet"
        title="What is shown, a line of JSON for each row"
        onClick={() => download(`${name}.jsonl`, "application/jsonl", jsonLinesOf(rows()))}
      >
        JSON
      </button>
    </span>
  );
}
