export const statsDimensions = ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'] as const;
export type StatsDimension = (typeof statsDimensions)[number];
export const statsUnits = ['hour', 'day'] as const;
export type StatsUnit = (typeof statsUnits)[number];
export const statsUnitMs: Readonly<Record<StatsUnit, number>> = { hour: 3_600_000, day: 86_400_000 };
