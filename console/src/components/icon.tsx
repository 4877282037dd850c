/** Small outlines. They are pictures beside words or in buttons that have a label. */

const PATHS = {
  left: "M10 3 5 8l5 5",
  right: "m6 3 5 5-5 5",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  pin: "M6 2h4l-.5 5 2.5 2.5H4L6.500 7 6 2ZM8 9.500V14",
  leave: "M6 3H3v10h3M7 8h6M10.500 5 13.500 8l-3 3",
  check: "m3 8.500 3.500 3.500L13 4.500",
  dot: "M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  pause: "M5.500 3.500v9M10.500 3.500v9",
  warning: "M8 2 15 14H1L8 2ZM8 6.500v3.500M8 12v.2",
  menu: "M2 4h12M2 8h12M2 12h12",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
