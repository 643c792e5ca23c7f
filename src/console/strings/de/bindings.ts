import type { Strings } from '../en.ts';

/** The integrations that a policy applies to. */
export const bindingStrings = {
  bindings: {
    applies: 'Gilt als',
    appliesNow: 'Gilt jetzt als',
    house: 'Hausrichtlinie',
    bound: 'Gebunden',
    nowhere: 'nicht mehr',
    everyIntegration: 'Jede Integration (Hausrichtlinie)',
    mode: 'Modus',
    modes: { ENFORCE: 'Setzt durch', MONITOR: 'Beobachtet' },
    ofDocument: (mode) => `Wie im Dokument: ${mode}`,
    params: 'Parameter',
    paramsHint: 'JSON, zum Beispiel {"limit": 500}. Die anderen behalten die Vorgaben unten.',
    declared: 'Parameter des Dokuments',
    defaults: 'Vorgaben',
    notParams: 'muss ein JSON-Objekt sein, zum Beispiel {"limit": 500}',
    nothing: 'Für diese Integration gilt keine Richtlinie: Alles wird erlaubt.',
    bindAnother: 'Richtlinie binden',
    bindTitle: (policy, integration) => `${policy} an ${integration} binden`,
    houseTitle: (policy) => `${policy} zur Hausrichtlinie machen`,
    houseMeans: 'Sie gilt dann für jede Integration, auch für künftige.',
    setHouse: 'Zur Hausrichtlinie machen',
    removeHouse: 'Aus den Hausrichtlinien nehmen',
    change: 'Ändern',
    save: 'Bindung speichern',
    notActive: 'Diese Richtlinie ist nicht aktiv: Sie gilt, sobald sie aktiviert ist.',
    neverRun: 'Diese Richtlinie hat noch nichts gemeldet. In MONITOR meldet sie, ohne etwas zu ändern.',
    preview: 'Vorschau',
    previewMeans:
      'Spielt Aufgezeichnetes so ab, als setzte die Richtlinie ihre Regeln hier durch. Nichts wird aufgezeichnet.',
    startPreview: 'Vorschau der Bindung',
    unbindQuestion: (policy, integration) => `${policy} von ${integration} lösen? Sie gilt dort nicht mehr.`,
    removeHouseQuestion: (policy) =>
      `${policy} aus den Hausrichtlinien nehmen? Sie gilt dann nur noch, wo sie gebunden ist.`,
    done: (policy, place) => `${policy} gilt ab jetzt: ${place}.`,
    ended: (policy, place) => `${policy} gilt nicht mehr: ${place}.`,
  },
} satisfies Pick<Strings, 'bindings'>;
