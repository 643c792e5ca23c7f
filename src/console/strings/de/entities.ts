import type { Strings } from '../en.ts';

/** The entities that agents work for, and the counters of policies. */
export const entityStrings = {
  entities: {
    title: 'Entitäten',
    create: 'Entität registrieren',
    created: (name) => `${name} ist registriert.`,
    none: 'Keine Entität ist registriert.',
    noneHint:
      'Eine Entität ist eine Person, ein Team, ein Agent oder ein Dienst, für den Sitzungen arbeiten. Sitzungen nennen jede mit ihrer ID, registriert oder nicht.',
    kind: 'Art',
    kinds: { PERSON: 'Person', TEAM: 'Team', AGENT: 'Agent', SERVICE: 'Dienst', OTHER: 'Anderes' },
    owner: 'Verantwortlich',
    id: 'ID',
    idHint: 'Die entityId ihrer Sitzungen; leer für eine neue.',
    metadata: 'Metadaten',
    sessions: 'Sitzungen',
    violations: 'Verstöße',
    openSessions: 'Ihre Sitzungen',
    openViolations: 'Ihre Verstöße',
    noCounters: 'Keine geltende Richtlinie zählt über diese Entität.',
    edit: 'Entität bearbeiten',
    changed: (name) => `${name} wurde geändert.`,
    forget: 'Entität vergessen',
    forgetQuestion:
      'Vergessen, was über diese Entität bekannt ist? Ihre Sitzungen und deren Aufzeichnung bleiben.',
    forgotten: 'Die Entität ist vergessen.',
  },
  counters: {
    title: 'Zähler',
    name: 'Zähler',
    value: 'Jetzt',
    limits: 'Grenzen',
    limit: {
      '>': (most, does) => `über ${most}: ${does}`,
      '>=': (most, does) => `ab ${most}: ${does}`,
    },
    noLimit: 'keine feste Grenze',
    reports: 'gemeldet',
    used: (share) => `${share} verbraucht`,
    reached: 'erreicht',
    window: 'Zeitfenster',
    everything: 'alles',
    over: 'Zählt über',
    scopes: {
      session: 'diese Sitzung',
      tree: 'die Sitzung und die darunter',
      entity: 'die Entität',
      integration: 'die Integration',
    },
    policy: 'Richtlinie',
    integration: 'Integration',
    split: (n, by) => `${n} Zahlen, eine je ${by}`,
    notCounted: 'noch nichts gezählt',
  },
} satisfies Pick<Strings, 'entities' | 'counters'>;
