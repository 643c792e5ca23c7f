import type { Strings } from '../en.ts';

/** Held actions, and the decisions of operators. */
export const reviewStrings = {
  reviews: {
    title: 'Prüfungen',
    list: 'Prüfungen',
    statuses: {
      PENDING: 'Offen',
      APPROVED: 'Genehmigt',
      REJECTED: 'Abgelehnt',
      EXPIRED: 'Abgelaufen',
      CANCELLED: 'Mit der Sitzung beendet',
      CONSUMED: 'Verwendet',
    },
    none: 'Keine Aktion wartet auf eine Entscheidung.',
    noneHint: 'Wenn eine Richtlinie eine Aktion anhält, erscheint sie hier.',
    noneOfStatus: 'Keine Prüfung hat diesen Status.',
    choose: 'Wählen Sie eine Prüfung, um zu sehen, was angehalten wurde und warum.',
    wants: 'will aufrufen:',
    wantsContent: 'will Inhalt senden',
    why: 'Warum angehalten wurde',
    input: 'Argumente',
    rawInput: 'Argumente als JSON',
    argumentKinds: {
      recipient: 'Empfänger',
      amount: 'Betrag',
      command: 'Befehl',
      path: 'Pfad',
      address: 'Adresse',
      text: 'Freitext',
    },
    was: 'vorher:',
    isNew: 'vorher nicht vorhanden',
    gone: 'Nicht mehr vorhanden:',
    sameAsBefore: 'Gleich wie die zuletzt angehaltene Aktion dieses Tools:',
    comparedWith: 'Markiert ist, was von der zuletzt angehaltenen Aktion dieses Tools abweicht:',
    showAll: (n) => `Alles zeigen (${n} Argumente)`,
    readOn: 'Weiterlesen, um zu genehmigen',
    decidedTogether: 'Aktionen dieser Entscheidung',
    actions: (n) => (n === 1 ? '1 Aktion' : `${n} Aktionen`),
    inAll: 'In allen gleich',
    noDifference: 'Keine Unterschiede.',
    target: 'Ziel',
    metadata: 'Metadaten des Ziels',
    before: 'Die Sitzung bisher',
    openSession: 'Sitzung öffnen',
    noSession: 'Diese Aktion gehört zu keiner Sitzung.',
    comment: 'Kommentar (optional; der Agent erhält ihn)',
    rejection: 'Kommentar (der Agent erhält ihn)',
    receives: 'Was der Agent erhält',
    approveMeans: (n) =>
      n === 1
        ? 'Der Agent darf diese Aktion einmal ausführen, genau so, wie sie hier steht.'
        : `Jede der ${n} Aktionen darf einmal ausgeführt werden, genau so, wie sie hier steht.`,
    rejectMeans: (n) =>
      n === 1
        ? 'Die Aktion bleibt blockiert, und der Agent erhält Ihren Kommentar.'
        : `Die ${n} Aktionen bleiben blockiert, und die Agenten erhalten Ihren Kommentar.`,
    send: (verb, n) => {
      const word = verb === 'approve' ? 'genehmigen' : 'ablehnen';
      return n > 1 ? `${n} Aktionen ${word}` : word === 'genehmigen' ? 'Genehmigen' : 'Ablehnen';
    },
    sending: 'Wird gesendet …',
    select: 'Auswählen',
    selected: (n) => `${n} ausgewählt`,
    clear: 'Auswahl aufheben',
    decision: 'Entscheidung',
    approved: (n) => (n === 1 ? 'Genehmigt.' : `${n} Aktionen genehmigt.`),
    rejected: (n) => (n === 1 ? 'Abgelehnt.' : `${n} Aktionen abgelehnt.`),
    lost: (who, status) => `Nicht von Ihnen entschieden: ${who} war schneller (${status}).`,
    unsent: (comment) => `Ihr Kommentar wurde nicht gesendet: ${comment}`,
    changed:
      'Der Agent hat die Aktion erneut versucht, seit Sie sie gelesen haben. Lesen Sie die neuen Befunde, und entscheiden Sie dann.',
    counted: (n) =>
      n === 1
        ? 'Ihre Genehmigung zählt. Es braucht weitere.'
        : `Ihre ${n} Genehmigungen zählen. Es braucht weitere.`,
    reason: 'Grund (optional)',
    reasons: {
      EXPECTED: 'Erwartet',
      CONFIRMED_WITH_REQUESTER: 'Mit dem Auftraggeber geklärt',
      FALSE_POSITIVE: 'Fehlalarm',
      WRONG_RECIPIENT: 'Falscher Empfänger',
      TOO_MUCH_DATA: 'Zu viele Daten',
      NOT_AUTHORIZED: 'Nicht befugt',
      SUSPECTED_INJECTION: 'Verdacht auf Injection',
      OTHER: 'Etwas anderes',
    },
    once: 'Nur diese Aktion, ohne die späteren',
    grant: (rule, same, uses, minutes) =>
      `Die Regel ${rule} lässt dann ${uses === null ? 'spätere Aktionen' : `${uses} spätere Aktionen`} der Sitzung durch ${
        same === null ? '(genau gleiche)' : same.length > 0 ? `(mit gleichem ${same.join(', ')})` : ''
      }${
        same?.includes('origin')
          ? ', was immer der Datensatz sagt, aus dem die Werte dieser Aktion sind,'
          : ''
      } ${minutes === null ? 'bis sie endet' : `für ${minutes} Minuten`}.`.replace(/ +/g, ' '),
    takes: 'Genehmigungen',
    progress: (n, needed) =>
      `${n} von ${needed} ${needed === 1 ? 'Genehmigung' : 'Genehmigungen'}; der Agent wartet noch.`,
    refusals: {
      own_request:
        'Sie können das nicht genehmigen: Sie hatten einen Schlüssel dieser Integration, oder die Sitzung arbeitet für Sie. Jemand anderes muss es tun.',
      not_in_group: 'Sie können das nicht genehmigen: Sie sind in keiner der nötigen Gruppen.',
      already_approved: 'Sie haben das schon genehmigt. Es braucht noch jemand anderen.',
    },
    someRefused: (n) =>
      n === 1
        ? 'Eine dieser Aktionen können Sie nicht genehmigen: Öffnen Sie sie, um den Grund zu sehen.'
        : `${n} dieser Aktionen können Sie nicht genehmigen: Öffnen Sie sie, um den Grund zu sehen.`,
    requires: (n, groups) =>
      `Nötig: ${n === 1 ? '1 Person' : `${n} Personen`}${groups.length > 0 ? ` aus ${groups.join(' oder ')}` : ''}.`,
    notRequester:
      'Wer einen Schlüssel der Integration hatte oder für wen die Sitzung arbeitet, kann nicht genehmigen.',
    approvedBy: 'Genehmigt von',
    assign: 'Mir zuweisen',
    release: 'Zuweisung aufheben',
    assignedTo: 'Zugewiesen an',
    extend: (minutes) => `Um ${minutes} Minuten verlängern`,
    comments: 'Kommentare',
    commentsHint: 'Für andere Operatoren: Der Agent sieht sie nie.',
    newComment: 'Kommentar für andere Operatoren',
    writeComment: 'Kommentieren',
    keys: 'Tasten: J nächste, K vorige, X auswählen, A genehmigen, R ablehnen, Esc zurück.',
    notify: 'Benachrichtigen',
    notifying: 'Benachrichtigungen sind an',
    filterLabel: 'Status der Prüfungen',
  },
} satisfies Pick<Strings, 'reviews'>;
