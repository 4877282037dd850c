/** The frame of the console: navigation, the page of the place, and what holds for all pages. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loginNeeded, reachable } from "./api";
import { Alarms } from "./alarms";
import { Icon } from "./components/icon";
import { Waiting } from "./components/states";
import { sayError, Toasts } from "./components/toast";
import { Login } from "./login";
import type { Page } from "./page";
import { PAGES } from "./pages";
import { link, matched, place } from "./router";
import { learnRights, may } from "./rights";
import { logOut, resume, user } from "./session";
import { switchTheme, theme } from "./theme";

const RETRY_MS = 2000;
const RIGHTS_EVERY_MS = 15_000;

export function App() {
  if (loginNeeded.value) return <Login />;
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to the content
      </a>
      <Navigation />
      <main id="main" tabIndex={-1}>
        {!reachable.value && (
          <p class="banner" role="alert">
            The broker does not answer. The console goes on when it does.
          </p>
        )}
        {user.value === undefined ? (
          <Session />
        ) : (
          <>
            <Alarms />
            <Current />
          </>
        )}
      </main>
      <Toasts />
    </div>
  );
}

/** Asks who the user is, until the gateway says so or asks for a login. */
function Session() {
  useEffect(() => {
    let timer = 0;
    const look = (): void => void resume().catch(() => (timer = window.setTimeout(look, RETRY_MS)));
    look();
    return () => clearTimeout(timer);
  }, []);
  return <Waiting />;
}

function Navigation() {
  useRights();
  const isOpen = useSignal(false);
  const { segments } = place.value;
  const current = segments[0] ?? PAGES[0]?.path;
  const other = theme.value === "dark" ? "light" : "dark";
  return (
    <header class={isOpen.value ? "sidebar open" : "sidebar"}>
      <div class="brand">
        <span>lastvalue</span>
        <button
          type="button"
          class="plain menu"
          aria-label="Menu"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon name="menu" />
        </button>
      </div>
      <nav aria-label="Pages of the console" onClick={() => (isOpen.value = false)}>
        {PAGES.filter((page) => page.inNavigation && (!page.needs || may(page.needs))).map((page) => (
          <a key={page.path} href={link([page.path])} aria-current={page.path === current ? "page" : undefined}>
            {page.title}
          </a>
        ))}
      </nav>
      <div class="foot">
        {user.value && !may("change-permissions") && (
          <a class="own-rights" href={link(["users"])}>
            What you may do
          </a>
        )}
        {user.value && (
          <button type="button" class="plain" title="Log out" onClick={() => logOut().catch(sayError)}>
            <Icon name="leave" />
            <span>Log out {user.value}</span>
          </button>
        )}
        <button type="button" class="plain" onClick={switchTheme}>
          <Icon name={other === "light" ? "sun" : "moon"} />
          <span>{other === "dark" ? "Dark" : "Light"}</span>
        </button>
      </div>
    </header>
  );
}

/** Ask now and then what the user may do: that changes with rules, and with who leads. */
function useRights(): void {
  const who = user.value;
  useEffect(() => {
    if (who === undefined) return;
    const look = (): void => void (document.hidden || learnRights().catch(() => {}));
    look();
    const timer = setInterval(look, RIGHTS_EVERY_MS);
    return () => clearInterval(timer);
  }, [who]);
}

function Current() {
  const { segments, query } = place.value;
  const asked = segments.length ? segments : [PAGES[0]?.path ?? ""];
  const [page, parameters] = found(asked);
  useEffect(() => {
    document.title = page ? `${asked.length > 1 ? asked[1] : page.title} · lastvalue` : "lastvalue";
  });
  if (!page) {
    return (
      <div class="notice" role="alert">
        <strong>There is no such page</strong>
        <p>
          <a href={link([])}>{PAGES[0]?.title}</a>
        </p>
      </div>
    );
  }
  const View = page.view;
  return <View key={asked.join("/")} parameters={parameters} query={query} />;
}

function found(segments: readonly string[]): [Page | null, Record<string, string>] {
  for (const page of PAGES) {
    const parameters = matched(page.path, segments);
    if (parameters) return [page, parameters];
  }
  return [null, {}];
}
