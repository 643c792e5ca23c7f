import type { Strings } from '../en.ts';

/** The integrations that a policy applies to. */
export const bindingStrings = {
  bindings: {
    applies: 'Gilt als',
    appliesNow: 'Gilt jetzt als',
    house: 'Hausrichtlinie',
    bound: 'Zugeordnet',
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
    bindAnother: 'Richtlinie zuordnen',
    bindTitle: (policy, integration) => `${policy} der Integration ${integration} zuordnen`,
    houseTitle: (policy) => `${policy} zur Hausrichtlinie machen`,
    houseMeans: 'Sie gilt dann für jede Integration, auch für künftige.',
    setHouse: 'Zur Hausrichtlinie machen',
    removeHouse: 'Aus den Hausrichtlinien nehmen',
    change: 'Zuordnung ändern',
    save: 'Zuordnung speichern',
    notActive: 'Diese Richtlinie ist nicht aktiv: Sie gilt, sobald sie aktiviert ist.',
    neverRun: 'Diese Richtlinie hat noch nichts gemeldet. In MONITOR meldet sie, ohne etwas zu ändern.',
    preview: 'Vorschau',
    previewMeans:
      'Spielt Aufgezeichnetes so ab, als setzte die Richtlinie ihre Regeln hier durch. Nichts wird aufgezeichnet.',
    startPreview: 'Vorschau der Zuordnung',
    unbindQuestion: (policy, integration) =>
      `Zuordnung von ${policy} zu ${integration} aufheben? Die Richtlinie gilt dort dann nicht mehr.`,
    removeHouseQuestion: (policy) =>
      `${policy} aus den Hausrichtlinien nehmen? Sie gilt dann nur noch, wo sie zugeordnet ist.`,
    done: (policy, place) => `${policy} gilt ab jetzt: ${place}.`,
    ended: (policy, place) => `${policy} gilt nicht mehr: ${place}.`,
  },
} satisfies Pick<Strings, 'bindings'>;
