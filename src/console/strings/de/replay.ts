import type { Strings } from '../en.ts';

export const replayStrings = {
  replay: {
    title: 'Nachspielen',
    about:
      'Entscheidet noch einmal, was aufgezeichnet ist, mit dem Dokument, wie es jetzt ist. Nichts wird aufgezeichnet.',
    range: 'Auswertungen',
    ranges: {
      day: 'des letzten Tages',
      week: 'der letzten 7 Tage',
      month: 'der letzten 30 Tage',
      all: 'alle aufgezeichneten',
    },
    start: 'Akte nachspielen',
    starting: 'Beginnt …',
    progress: (n, total) => `${n} von ${total} Auswertungen`,
    summary: (changed, n, total) =>
      changed === 1
        ? `1 von ${total} Entscheidungen ändert sich`
        : `${n} von ${total} Entscheidungen ändern sich`,
    stricter: 'strenger',
    looser: 'weniger streng',
    sessions: 'betroffene Sitzungen',
    notEvaluated: (n) =>
      `${n} Entscheidungen hängen von Inhalten ab, die nicht aufbewahrt sind, und bleiben wie aufgezeichnet.`,
    rule: 'Regel',
    findingsBefore: 'Befunde damals',
    findingsAfter: 'Befunde jetzt',
    action: 'Aktion',
    time: 'Zeit',
    was: 'War',
    would: 'Wäre',
    because: 'Wegen',
    wouldNotCome: 'käme nicht',
    more: (n) => `Die ersten ${n} sind gezeigt.`,
    outdated: 'Das Dokument hat sich seit diesem Nachspielen geändert.',
  },
} satisfies Partial<Strings>;
