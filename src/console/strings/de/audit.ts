import type { Strings } from '../en.ts';

/** Management calls, and who made them. */
export const auditStrings = {
  audit: {
    title: 'Protokoll',
    none: 'Noch ist nichts aufgezeichnet.',
    text: 'Jede Änderung und jeder abgelehnte Aufruf. Einträge bleiben für immer.',
    outcome: 'Ergebnis',
    outcomes: { SUCCEEDED: 'Ausgeführt', REFUSED: 'Abgelehnt', FAILED: 'Gescheitert' },
    before: 'Vorher',
    after: 'Nachher',
    at: 'Zeit',
    actor: 'Von',
    action: 'Aktion',
    resource: 'Ressource',
    resourceId: 'ID der Ressource',
    message: 'Meldung',
    address: 'Adresse',
    reads: 'Lesezugriffe zeigen',
  },
} satisfies Pick<Strings, 'audit'>;
