/** Short messages about what was done, or could not be done. */
import { signal } from "@preact/signals";
import { textOf } from "../api";

interface Toast {
  id: number;
  text: string;
  isError: boolean;
}

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 5000;
const ERROR_SHOWN_MS = 12_000;
let lastId = 0;

/** Say that something was done. */
export function say(text: string): void {
  add(text, false);
}

/** Say why something could not be done. */
export function sayError(error: unknown): void {
  add(textOf(error), true);
}

/** Do something, and say what was done or why it could not be; whether it was done. */
export async function attempt(done: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
  } catch (error) {
    sayError(error);
    return false;
  }
  say(done);
  return true;
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isError }) => (
        <div key={id} class={isError ? "toast error" : "toast"}>
          <span>{text}</span>
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => remove(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

function add(text: string, isError: boolean): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-3), { id, text, isError }];
  setTimeout(remove, isError ? ERROR_SHOWN_MS : SHOWN_MS, id);
}

function remove(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}
