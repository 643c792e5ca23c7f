interface SparklineProps {
  counts: readonly number[];
  label: string;
}

const width = 120;
const height = 28;

/** Counts over time, as bars: few decisions a minute are no line. */
export function Sparkline({ counts, label }: SparklineProps) {
  const most = Math.max(1, ...counts);
  const step = width / counts.length;
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {counts.map((value, place) => {
        const tall = value === 0 ? 1 : Math.max(3, (value / most) * height);
        return (
          <rect
            key={place}
            x={place * step + step * 0.1}
            y={height - tall}
            width={step * 0.8}
            height={tall}
            opacity={value === 0 ? 0.35 : 1}
          />
        );
      })}
    </svg>
  );
}
