/** The users: their passwords and rules, and what each may do. */
import { useSignal } from "@preact/signals";
import { ask, url } from "../api";
import { type Answers, type Field, FormDialog } from "../components/form";
import { Refusal, Waiting } from "../components/states";
import { Table } from "../components/table";
import { say } from "../components/toast";
import type { Page, PageProps } from "../page";
import { usePolled } from "../polled";
import { may, type Rights } from "../rights";
import { go, link } from "../router";
import { user as current } from "../session";

interface User {
  user: string;
  rules: readonly string[];
}

type Change = "add" | "password" | "rules" | "delete";

const PASSWORDS: readonly Field[] = [
  { name: "password", label: "Password", kind: "password", isRequired: true, autocomplete: "new-password" },
  { name: "again", label: "The password again", kind: "password", isRequired: true, autocomplete: "new-password" },
];

function UsersPage({ query }: PageProps) {
  const isKeeper = may("change-permissions");
  const asked = { user: query.get("user") ?? "", name: query.get("name") ?? "", destination: query.get("destination") ?? "" };
  return (
    <>
      {isKeeper ? (
        <Users asked={asked} />
      ) : (
        <div class="page-head">
          <h1>What you may do</h1>
        </div>
      )}
      <RightsOf asked={asked} isKeeper={isKeeper} />
    </>
  );
}

function Users({ asked }: { asked: Record<string, string> }) {
  const { data, problem, refresh } = usePolled<{ users: readonly User[] }>("/users", 5000);
  const change = useSignal<[Change, User] | null>(null);
  const button = (kind: Change, text: string, user: User) => (
    <button
      type="button"
      class={kind === "delete" ? "quiet danger" : "quiet"}
      aria-label={`${text} of ${user.user}`}
      disabled={kind === "delete" && user.user === current.value}
      title={kind === "delete" && user.user === current.value ? "This is you" : undefined}
      onClick={() => (change.value = [kind, user])}
    >
      {text}
    </button>
  );
  return (
    <>
      <div class="page-head">
        <h1>Users</h1>
        <div class="actions">
          <button type="button" class="primary" onClick={() => (change.value = ["add", { user: "", rules: [] }])}>
            Add a user
          </button>
        </div>
      </div>
      {problem.value ? (
        <Refusal problem={problem.value} />
      ) : !data.value ? (
        <Waiting />
      ) : (
        <Table
          caption="Users"
          isNarrow
          columns={[
            { name: "user", title: "User", cell: (user) => user.user },
            { name: "rules", title: "Rules", cell: (user) => user.rules.map((rule) => <code class="rule" key={rule}>{rule}</code>) },
            {
              name: "actions",
              title: "Change",
              cell: (user) => (
                <div class="row-actions">
                  {button("password", "Password", user)}
                  {button("rules", "Rules", user)}
                  {button("delete", "Delete", user)}
                </div>
              ),
            },
          ]}
          rows={data.value.users}
          rowKey={(user) => user.user}
          rowLink={(user) => link(["users"], { ...asked, user: user.user })}
          empty="The broker has no users file: whoever it lets in may do everything."
        />
      )}
      {change.value && <ChangeUser kind={change.value[0]} user={change.value[1]} onClose={() => (change.value = null)} onDone={refresh} />}
    </>
  );
}

function ChangeUser({ kind, user, onClose, onDone }: { kind: Change; user: User; onClose: () => void; onDone: () => void }) {
  const name = user.user;
  const rules: Field = {
    name: "rules",
    label: "Rules, one a line",
    kind: "lines",
    value: user.rules.join("\n"),
    help: "Rights and names, such as `read,browse prices.*`; without a rule the user may do nothing",
  };
  const put = async (who: string, body: object, done: string): Promise<void> => {
    await ask(url(["users", who]), { method: "PUT", body });
    say(done);
    onDone();
  };
  switch (kind) {
    case "add":
      return (
        <FormDialog
          title="Add a user"
          action="Add"
          fields={[{ name: "name", label: "Name", isRequired: true, autocomplete: "off" }, ...PASSWORDS, rules]}
          onClose={onClose}
          onSubmit={(answers) => put(String(answers["name"]), { password: passwordIn(answers), rules: rulesIn(answers) }, `${answers["name"]} may log in.`)}
        />
      );
    case "password":
      return (
        <FormDialog
          title={`Another password for ${name}`}
          text="Open connections stay; new ones need the new password."
          action="Change"
          fields={PASSWORDS}
          onClose={onClose}
          onSubmit={(answers) => put(name, { password: passwordIn(answers) }, `The password of ${name} is another one.`)}
        />
      );
    case "rules":
      return (
        <FormDialog
          title={`Rules of ${name}`}
          action="Change"
          fields={[rules]}
          onClose={onClose}
          onSubmit={(answers) => put(name, { rules: rulesIn(answers) }, `The rules of ${name} hold.`)}
        />
      );
    case "delete":
      return (
        <FormDialog
          title={`Delete ${name}?`}
          text="Connections of the user end within a second; queues and messages stay."
          action="Delete the user"
          isDangerous
          fields={[]}
          onClose={onClose}
          onSubmit={async () => {
            await ask(url(["users", name]), { method: "DELETE" });
            say(`${name} was deleted.`);
            onDone();
          }}
        />
      );
  }
}

function passwordIn({ password, again }: Answers): unknown {
  if (password !== again) throw new Error("The two passwords differ");
  return password;
}

function rulesIn(answers: Answers): string[] {
  return String(answers["rules"] ?? "").split("\n").map((rule) => rule.trim()).filter(Boolean);
}

/** For a user and names: what is allowed, and which right is missing. */
function RightsOf({ asked, isKeeper }: { asked: Record<"user" | "name" | "destination", string>; isKeeper: boolean }) {
  const { data, problem } = usePolled<Rights>(url(["rights"], asked), 10_000);
  const who = data.value?.user ?? "";
  const fields = [
    ...(isKeeper ? [{ name: "user", label: "May user", help: "you, if it is empty" } as const] : []),
    { name: "name", label: "with", help: "a queue, an exchange or an address" },
    { name: "destination", label: "and", help: "where to, of what is moved, copied or bound" },
  ] as const;
  return (
    <section class="card" aria-labelledby="rights-heading">
      <h2 id="rights-heading">What {asked.user || "you"} may do</h2>
      <div class="question">
        {fields.map(({ name, label, help }) => (
          <label key={name} class="field">
            <span>{label}</span>
            <input key={asked[name]} type="text" defaultValue={asked[name]} autocomplete="off" onChange={(event) => go(["users"], { ...asked, [name]: event.currentTarget.value })} />
            <small class="help">{help}</small>
          </label>
        ))}
      </div>
      {problem.value ? (
        <Refusal problem={problem.value} />
      ) : (
        <Table
          isNarrow
          caption={`What is allowed to ${who || "the user"}`}
          columns={[
            { name: "allowed", title: "Allowed", cell: ({ allowed }) => <span class={allowed ? "tag on" : "tag bad"}>{allowed ? "yes" : "no"}</span> },
            { name: "meaning", title: `May ${who}`, cell: (verdict) => `${verdict.meaning}?` },
            { name: "lacks", title: "Right that is missing", cell: ({ lacks }) => <code>{lacks}</code> },
          ]}
          rows={data.value?.verbs ?? []}
          rowKey={(verdict) => verdict.verb}
        />
      )}
    </section>
  );
}

export const usersPage: Page = { path: "users", title: "Users", inNavigation: true, needs: "change-permissions", view: UsersPage };
