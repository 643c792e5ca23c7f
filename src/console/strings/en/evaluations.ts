/** The search for evaluations. */
export const evaluationStrings = {
  evaluations: {
    title: 'Evaluations',
    none: 'No action has been evaluated yet.',
    noneFound: 'No evaluation matches.',
    period: 'Period',
    periods: { hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days' },
    decision: 'Decision',
    filters: {
      tool: 'Tool',
      rule: 'Rule id',
      tag: 'Data tag',
      correlationId: 'Correlation id',
      traceId: 'Trace id',
    },
    columns: { tool: 'Action', why: 'Why', integration: 'Integration', at: 'At' },
    pages: 'Pages of the search',
    noneSoFar: 'None among the newest. Continue with “Older”.',
    least: (n: string) => `at least ${n}`,
    newest: 'Newest',
  },
};
