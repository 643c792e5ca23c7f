const paths = {
  now: 'M3 12h4l3-7 4 14 3-7h4',
  reviews: 'M5 4h14v16H5zM9 12l2 2 4-4',
  sessions: 'M6 4v16M6 7h12M6 12h8M6 17h10',
  policies: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  integrations: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  operators:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 3-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17 14c2.5.5 4 2.5 4 6',
  audit: 'M5 3h11l3 3v15H5zM9 9h6M9 13h6M9 17h4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6',
  api: 'M8 6l-5 6 5 6M16 6l5 6-5 6',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
} as const;
export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
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
