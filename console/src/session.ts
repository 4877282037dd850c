/** Who uses the console: a session of the gateway, or nobody where it serves everybody. */
import { signal } from "@preact/signals";
import { ask, loginNeeded, Problem, proof } from "./api";
import { forgetRights } from "./rights";

interface Session {
  user: string | null;
  csrf_token: string | null;
  csrf_header: string;
}

/** The user, null where there is none; undefined until the gateway has said. */
export const user = signal<string | null | undefined>(undefined);

/** Ask the gateway who the user is. */
export async function resume(): Promise<void> {
  take(await ask<Session>("/session"));
}

/** Begin a session. */
export async function logIn(credentials: { user: unknown; password: unknown } | { token: unknown }): Promise<void> {
  try {
    take(await ask<Session>("/session", { method: "POST", body: credentials }));
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    throw new Error("token" in credentials ? "The token is wrong or has expired" : "Wrong user or password");
  }
}

/** End the session. */
export async function logOut(): Promise<void> {
  await ask("/session", { method: "DELETE" });
  proof.headers = {};
  forgetRights();
  user.value = undefined;
  loginNeeded.value = true;
}

function take(session: Session): void {
  proof.headers = session.csrf_token ? { [session.csrf_header]: session.csrf_token } : {};
  user.value = session.user;
  loginNeeded.value = false;
}
