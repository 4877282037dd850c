/** Light or dark: as the system says, until the user chooses. */
import { computed, effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";

const NAME = "lastvalue-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);
system.addEventListener("change", (event) => (systemIsDark.value = event.matches));

const chosen = signal<Theme | null>(stored());

/** The theme that is shown. */
export const theme = computed<Theme>(() => chosen.value ?? (systemIsDark.value ? "dark" : "light"));

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

/** Show the other theme, and remember that. */
export function switchTheme(): void {
  chosen.value = theme.value === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(NAME, chosen.value);
  } catch {
    // A browser that stores nothing shows the theme until the page is closed.
  }
}

function stored(): Theme | null {
  try {
    const name = localStorage.getItem(NAME);
    return name === "light" || name === "dark" ? name : null;
  } catch {
    return null;
  }
}
