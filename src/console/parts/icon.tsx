/** The one set of icons: lines on a grid of 24. */
const paths = {
  now: 'M3 12h4l3-7 4 14 3-7h4',
  reviews: 'M5 4h14v16H5zM9 12l2 2 4-4',
  sessions: 'M6 4v16M6 7h12M6 12h8M6 17h10',
  evaluations: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21M8 10.5l2 2 3.5-3.5',
  violations: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  statistics: 'M4 20h16M7 20v-7M12 20V5M17 20v-10',
  policies: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  proposals: 'M4 5h16v11H9l-5 4zM12 8v5M9.5 10.5h5',
  integrations: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  lists: 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1',
  entities: 'M4 20V6l8-3 8 3v14M9 20v-5h6v5M9 10h.5M14.5 10h.5',
  'mcp-servers': 'M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01',
  webhooks: 'M4 12h10M10 7l5 5-5 5M19 5v14',
  operators:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 3-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17 14c2.5.5 4 2.5 4 6',
  audit: 'M5 3h11l3 3v15H5zM9 9h6M9 13h6M9 17h4',
  record: 'M8 7a3 3 0 0 1 3-3h2a3 3 0 0 1 0 6M16 17a3 3 0 0 1-3 3h-2a3 3 0 0 1 0-6M12 9v6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6',
  api: 'M8 6l-5 6 5 6M16 6l5 6-5 6',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  density: 'M4 6h16M4 10h16M4 14h16M4 18h16',
  keys: 'M3 6h18v12H3zM7 10h.5M12 10h.5M17 10h.5M8 14h8',
  views: 'M6 4h12v16l-6-4-6 4z',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  copy: 'M9 9h11v11H9zM5 15V4h11',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
} as const;
export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
