/** Links to the parts of a page, one of which is shown. */
export interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly Name[];
  current: Name;
  hrefOf: (tab: Name) => string;
}

export function Tabs<Name extends string>({ label, tabs, current, hrefOf }: TabsProps<Name>) {
  return (
    <nav class="segments" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab} href={hrefOf(tab)} aria-current={tab === current ? "page" : undefined}>
          {tab}
        </a>
      ))}
    </nav>
  );
}
