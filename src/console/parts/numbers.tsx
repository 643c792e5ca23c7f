interface NumbersProps {
  of: readonly (readonly [label: string, value: string])[];
}

/** The few numbers that matter most, large. */
export function Numbers({ of }: NumbersProps) {
  return (
    <dl class="numbers">
      {of.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
