/** The users with their rules, and what each may do. */
import { url } from "../api";
import { Refusal } from "../components/states";
import { Table } from "../components/table";
import type { Page, PageProps } from "../page";
import { usePolled } from "../polled";
import { may, type Verdict } from "../rights";
import { go, link } from "../router";

function Users({ query }: PageProps) {
  const asked = { user: query.get("user") ?? "", name: query.get("name") ?? "", destination: query.get("destination") ?? "" };
  const isKeeper = may("change-permissions");
  const users = usePolled<{ users: { user: string; rules: string[] }[] }>(isKeeper ? "/users" : null, 10_000);
  const rights = usePolled<{ user: string; verbs: Verdict[] }>(url(["rights"], asked), 10_000);
  const fields = [
    ...(isKeeper ? [{ name: "user", label: "May user", help: "you, if it is empty" } as const] : []),
    { name: "name", label: "with", help: "a queue, an exchange or an address" },
    { name: "destination", label: "and", help: "where to, of what is moved, copied or bound" },
  ] as const;
  return (
    <>
      <div class="page-head">
        <h1>{isKeeper ? "Users" : "What you may do"}</h1>
      </div>
      {!isKeeper ? null : users.problem.value ? (
        <Refusal problem={users.problem.value} />
      ) : (
        <Table
          caption="Users"
          columns={[
            { name: "user", title: "User", cell: (user) => user.user },
            { name: "rules", title: "Rules", cell: (user) => user.rules.map((rule) => <code class="rule" key={rule}>{rule}</code>) },
          ]}
          rows={users.data.value?.users ?? []}
          rowKey={(user) => user.user}
          rowLink={(user) => link(["users"], { ...asked, user: user.user })}
          empty="The broker has no users file: whoever connects may do everything."
        />
      )}
      <section class="card" aria-labelledby="rights-heading">
        <h2 id="rights-heading">May X do Y?</h2>
        <div class="question">
          {fields.map(({ name, label, help }) => (
            <label key={name} class="field">
              <span>{label}</span>
              <input key={asked[name]} type="text" defaultValue={asked[name]} autocomplete="off" onChange={(event) => go(["users"], { ...asked, [name]: event.currentTarget.value })} />
              <small class="help">{help}</small>
            </label>
          ))}
        </div>
        {rights.problem.value ? (
          <Refusal problem={rights.problem.value} />
        ) : (
          <Table
            caption={`What ${rights.data.value?.user ?? "the user"} may do`}
            columns={[
              { name: "allowed", title: "Allowed", cell: ({ allowed }) => <span class={allowed ? "tag on" : "tag bad"}>{allowed ? "yes" : "no"}</span> },
              { name: "meaning", title: `May ${rights.data.value?.user ?? ""}`, cell: (verdict) => `${verdict.meaning}?` },
              { name: "lacks", title: "Right that is missing", cell: ({ lacks }) => <code>{lacks}</code> },
            ]}
            rows={rights.data.value?.verbs ?? []}
            rowKey={(verdict) => verdict.verb}
          />
        )}
      </section>
    </>
  );
}

export const usersPage: Page = { path: "users", title: "Users", inNavigation: true, needs: "change-permissions", view: Users };
