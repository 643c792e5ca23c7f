import type { Strings } from '../en.ts';

/** The steps from the demo to agents of one's own. */
export const startStrings = {
  start: {
    title: 'Eigene Agenten einrichten',
    about:
      'Vier Schritte von der Demo zu Ihren Agenten. Jeder ist erledigt, sobald der Dienst es feststellt.',
    putAway: 'Schritte ausblenden',
    isAway: 'Die Schritte sind ausgeblendet. Die Einstellungen zeigen sie wieder.',
    done: 'Erledigt',
    open: 'Offen',
    first: 'Verbinden Sie zuerst einen Agenten.',
    connect: '1. Agent verbinden',
    connectMeans: 'Jeder Agent hat eine Integration mit eigenem Schlüssel.',
    bind: '2. Richtlinien zuordnen, die nur beobachten',
    bindMeans: (n) =>
      `Ordnet ${n === 1 ? 'die aktive Richtlinie' : `die ${n} aktiven Richtlinien`} in MONITOR zu: Sie melden, ohne eine Entscheidung zu ändern.`,
    noStarters: 'Es gibt noch keine aktive Richtlinie.',
    bindNow: 'In MONITOR zuordnen',
    bound: (n) => (n === 1 ? '1 Richtlinie ist zugeordnet.' : `${n} Richtlinien sind zugeordnet.`),
    openIntegration: 'Integration öffnen',
    invite: '3. Prüfer einladen',
    inviteMeans: 'Prüfer genehmigen angehaltene Aktionen oder lehnen sie ab.',
    inviteNow: 'Prüfer anlegen',
    webhook: '4. Webhook testen',
    webhookMeans:
      'Ein Webhook meldet angehaltene Aktionen an einen Dienst, an Slack, an Teams oder per E-Mail.',
  },
} satisfies Pick<Strings, 'start'>;
