import type { Strings } from '../en.ts';

/** Evaluations, and why each was decided so. */
export const evaluationStrings = {
  evaluations: {
    title: 'Bewertungen',
    none: 'Noch wurde keine Aktion bewertet.',
    noneFound: 'Keine Bewertung passt.',
    decision: 'Entscheidung',
    filters: {
      tool: 'Tool',
      rule: 'Regel-ID',
      tag: 'Datenart',
      correlationId: 'Korrelations-ID',
      traceId: 'Trace-ID',
    },
    columns: { tool: 'Aktion', why: 'Grund', integration: 'Integration', at: 'Zeit' },
    pages: 'Seiten der Suche',
    noneSoFar: 'Keine unter den neuesten. Weiter mit „Ältere“.',
    newest: 'Neueste',
  },
  evaluation: {
    title: 'Bewertung',
    did: (phase, tool) => {
      if (phase === 'PROMPT') return 'Eine Person hat dem Agenten einen Prompt gesendet.';
      if (phase === 'RESULT') return `Eine Aktion hat ein Ergebnis geliefert${tool ? ` (${tool})` : ''}.`;
      return tool ? `Der Agent wollte ${tool} aufrufen.` : 'Der Agent wollte Inhalt senden.';
    },
    verdict: {
      ALLOW: 'Das wurde erlaubt.',
      WARN: 'Das wurde mit einer Warnung erlaubt.',
      APPROVAL_REQUIRED: 'Das wurde angehalten, bis eine Person entscheidet.',
      BLOCK: 'Das wurde blockiert.',
    },
    policy: (name, version) => `${name}, Version ${version}`,
    detections: 'Gefundene Daten',
    policies: 'Richtlinien, die entschieden haben',
    noPolicies: 'Keine Richtlinie war beteiligt.',
    input: 'Eingabe',
    raw: 'Als JSON',
    session: 'Sitzung',
    review: 'Prüfung',
    id: 'ID der Bewertung',
    correlation: 'Korrelations-ID',
    identity: 'Geprüfte Identität',
    trace: 'Trace',
    columns: { type: 'Art der Daten', place: 'Stelle' },
  },
  why: {
    title: 'Warum',
    by: {
      ALLOW: 'Erlaubt von',
      WARN: 'Warnung von',
      APPROVAL_REQUIRED: 'Angehalten von',
      BLOCK: 'Blockiert von',
    },
    of: 'in',
    noRule: 'Keine durchgesetzte Regel hat etwas gemeldet.',
    settled: {
      ALLOW: 'Eine Genehmigung ließ es zu.',
      WARN: 'Eine Genehmigung ließ es zu.',
      APPROVAL_REQUIRED: 'Es braucht eine Genehmigung.',
      BLOCK: 'Es wurde zuvor abgelehnt.',
    },
    also: 'Außerdem gemeldet',
    monitored: 'Beobachtende Richtlinien',
    monitoredMeans: 'Sie melden, ohne zu entscheiden: Nichts davon hat die Entscheidung geändert.',
    would: {
      ALLOW: 'würde erlauben',
      WARN: 'würde warnen',
      APPROVAL_REQUIRED: 'würde anhalten',
      BLOCK: 'würde blockieren',
    },
    condition: 'Bedingung und Werte',
    failed: 'Die Bedingung ließ sich nicht auswerten, darum gilt die Regel als erfüllt.',
    raised: (from, by) =>
      `Der Schweregrad wurde von ${from} angehoben${by.length > 0 ? ` durch ${by.join(' oder ')}` : ''}.`,
    stricter: (from) =>
      `Eine Untergrenze für den Schweregrad oder onError machte es strenger als die eigene Wirkung (${from}).`,
    unknown: (why) => `nicht bekannt: ${why}`,
    actions: (places) => `${places.length === 1 ? 'Aktion' : 'Aktionen'} ${places.join(', ')}`,
    foundIn: (type, place) => `${type} in ${place}`,
    roles: { APPROVES: 'Genehmigt von', REJECTS: 'Abgelehnt von' },
    granted: 'Eine frühere Genehmigung deckt',
  },
} satisfies Pick<Strings, 'evaluations' | 'evaluation' | 'why'>;
