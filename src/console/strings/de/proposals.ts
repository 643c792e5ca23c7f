import type { Strings } from '../en.ts';

export const proposalStrings = {
  proposals: {
    title: 'Vorschläge',
    none: 'Keine Änderung ist vorgeschlagen.',
    noneHint:
      'Bei Vier-Augen-Kontrolle schlägt eine Person mit assize proposals oder der API eine Änderung an dem vor, was entscheidet, und eine andere nimmt sie hier vor.',
    statuses: { PENDING: 'Wartet', ACTIVATED: 'Vorgenommen', REJECTED: 'Abgelehnt' },
    operations: {
      bindPolicy: 'Eine Richtlinie binden',
      unbindPolicy: 'Eine Richtlinie lösen',
      bindHousePolicy: 'Eine Hausrichtlinie binden',
      unbindHousePolicy: 'Eine Hausrichtlinie lösen',
      changeList: 'Eine Liste ändern',
      deprecatePolicy: 'Eine Richtlinie ausmustern',
    },
    what: 'Änderung',
    author: 'Vorgeschlagen von',
    at: 'Vorgeschlagen',
    decided: 'Entschieden',
    decidedBy: 'Entschieden von',
    note: 'Warum',
    policy: 'Richtlinie',
    integration: 'Integration',
    list: 'Liste',
    change: 'Die Änderung',
    before: 'Wie es beim Vorschlag war',
    noBefore: 'Beim Vorschlag gab es das noch nicht.',
    activate: 'Änderung vornehmen',
    activated: 'Die Änderung ist vorgenommen.',
    reject: 'Ablehnen',
    rejected: 'Der Vorschlag ist abgelehnt.',
    own: 'Sie haben sie vorgeschlagen: Bei Vier-Augen-Kontrolle nimmt eine andere Person sie vor.',
    rejectQuestion: 'Diesen Vorschlag ablehnen? Danach kann er nicht mehr vorgenommen werden.',
  },
} satisfies Pick<Strings, 'proposals'>;
