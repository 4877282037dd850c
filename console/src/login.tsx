/** The page that asks who the user is. */
import { useSignal } from "@preact/signals";
import { Form } from "./components/form";
import { logIn } from "./session";

export function Login() {
  const byToken = useSignal(false);
  return (
    <main class="login">
      <h1>lastvalue</h1>
      {byToken.value ? (
        <Form
          key="token"
          action="Log in"
          fields={[{ name: "token", label: "Token", kind: "password", isRequired: true }]}
          onSubmit={({ token }) => logIn({ token })}
        />
      ) : (
        <Form
          key="password"
          action="Log in"
          fields={[
            { name: "user", label: "User", isRequired: true, autocomplete: "username" },
            { name: "password", label: "Password", kind: "password", isRequired: true, autocomplete: "current-password" },
          ]}
          onSubmit={({ user, password }) => logIn({ user, password })}
        />
      )}
      <button type="button" class="plain muted" onClick={() => (byToken.value = !byToken.value)}>
        {byToken.value ? "Log in with a password" : "Log in with a token"}
      </button>
    </main>
  );
}
