/** What a page shows while it waits, and where it may not or cannot show more. */
import type { Problem } from "../api";

export function Waiting() {
  return <p class="notice">Asking the broker …</p>;
}

/** Why there is nothing to show. */
export function Refusal({ problem }: { problem: Problem }) {
  return (
    <div class="notice" role="alert">
      <strong>{titleOf(problem)}</strong>
      <p>{problem.detail}</p>
    </div>
  );
}

function titleOf(problem: Problem): string {
  if (problem.isUnreachable) return "No answer";
  if (problem.isOfNothing) return "Not found";
  return problem.status === 403 ? "Not allowed" : "Not possible";
}
