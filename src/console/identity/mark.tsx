/** The mark of Assize: an A whose crossbar reaches beyond it. The favicon is the same drawing. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#2b3a9f" />
      <path
        d="M7.5 25 16 6.5 24.5 25"
        fill="none"
        stroke="#fff"
        stroke-width="3.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <path d="M5 19.2h22" stroke="#ffc24b" stroke-width="3.2" stroke-linecap="round" />
    </svg>
  );
}
