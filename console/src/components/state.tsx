/** How something is, in a word, a colour and a picture. */
import { Icon } from "./icon";

export type Tone = "good" | "idle" | "warn" | "bad";

const PICTURES = { good: "check", idle: "dot", warn: "pause", bad: "warning" } as const;

export function State({ tone, text, title }: { tone: Tone; text: string; title?: string }) {
  return (
    <span class={`tag state ${tone}`} title={title}>
      <Icon name={PICTURES[tone]} />
      {text}
    </span>
  );
}
