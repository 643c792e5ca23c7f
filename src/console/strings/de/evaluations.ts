import type { Strings } from '../en.ts';

export const evaluationStrings = {
  evaluations: {
    title: 'Bewertungen',
    none: 'Noch wurde keine Aktion bewertet.',
    noneFound: 'Keine Bewertung passt.',
    period: 'Zeitraum',
    periods: { hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage' },
    decision: 'Entscheidung',
    filters: {
      tool: 'Werkzeug',
      rule: 'Regel-ID',
      tag: 'Datenart',
      correlationId: 'Korrelations-ID',
      traceId: 'Trace-ID',
    },
    columns: { tool: 'Aktion', why: 'Grund', integration: 'Integration', at: 'Zeit' },
    pages: 'Seiten der Suche',
    noneSoFar: 'Keine unter den neuesten. Weiter mit „Ältere“.',
    least: (n: string) => `mindestens ${n}`,
    newest: 'Neueste',
  },
} satisfies Pick<Strings, 'evaluations'>;
