/** What a page of the console is. */
import type { ComponentType } from "preact";

export interface PageProps {
  /** What `:name` in the path stands for. */
  parameters: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

export interface Page {
  /** The pattern of its place: `queues` or `queues/:queue`. */
  path: string;
  title: string;
  /** Whether the navigation has it; its path has no parameters then. */
  inNavigation: boolean;
  /** What one has to be allowed to do to see it, as the broker names it. */
  needs?: string;
  view: ComponentType<PageProps>;
}
