import type { Strings } from '../en.ts';

/** Numbers of evaluations over time. */
export const statisticStrings = {
  statistics: {
    title: 'Statistik',
    by: 'Nach',
    dimensions: {
      integration: 'Integration',
      policy: 'Richtlinie',
      rule: 'Regel',
      tool: 'Tool',
      tag: 'Gesehene Daten',
      entity: 'Entität',
    },
    decisions: 'Bewertungen',
    none: 'In diesem Zeitraum wurde nichts bewertet.',
    noneBy: 'In diesem Zeitraum gibt es hier nichts zu zählen.',
    most: 'Die 20 mit den meisten Bewertungen.',
    name: 'Name',
    course: 'Verlauf',
    courseOf: (name, n) => `${name}: ${n} Bewertungen im Zeitraum`,
    latency: 'Zeit bis zur Entscheidung',
    latencyText:
      'Vom Beginn einer Bewertung bis zu ihrer Entscheidung, ohne das Schreiben auf die Festplatte danach.',
    slowest: 'Längste',
    reviews: 'Prüfungen der letzten 7 Tage',
    pending: 'Offen',
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    cancelled: 'Mit der Sitzung beendet',
    expired: 'Abgelaufen',
    unseen: 'Ungesehen abgelaufen',
    p50: 'Mittlere Zeit bis zur Entscheidung (Median)',
    p90: '90. Perzentil',
  },
} satisfies Pick<Strings, 'statistics'>;
