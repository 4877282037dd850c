/** What a page shows while it waits, and where it may not or cannot show more. */
import type { Problem } from "../api";

export function Waiting() {
  return <p class="notice">Asking the broker …</p>;
}

/** Why there is nothing to show. */
export function Refusal({ problem }: { problem: Problem }) {
  const title = problem.status === 403 ? "Not allowed" : problem.status === 404 ? "Not found" : "No answer";
  return (
    <div class="notice" role="alert">
      <strong>{title}</strong>
      <p>{problem.detail}</p>
    </div>
  );
}
