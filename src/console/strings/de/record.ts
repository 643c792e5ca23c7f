import type { Strings } from '../en.ts';

/** The record and its verification. */
export const recordStrings = {
  record: {
    title: 'Akte',
    text: 'Alles, was entschieden und geändert wurde, ist ein Eintrag in einer Kette von Hashes. Jede Minute werden die Enden aller Ketten gemeinsam signiert, als eine Wurzel.',
    roots: 'Signierte Wurzeln',
    noRoot: 'Noch ist keine Wurzel signiert: die erste kommt binnen einer Minute.',
    root: 'Wurzel',
    signed: 'Signiert',
    leaves: 'Kettenenden',
    hash: 'Hash',
    key: 'Signaturschlüssel',
    keyText: 'Geben Sie die Id des Schlüssels denen, die Exporte prüfen, auf anderem Weg als die Exporte.',
    keyId: 'Id des Schlüssels',
    verify: 'In diesem Browser prüfen',
    verifyText:
      'Lädt die Akte und berechnet hier jeden Hash und jede Signatur neu: der Dienst wird nicht gefragt, ob sie stimmt.',
    verifyStart: 'Akte prüfen',
    session: 'Id der Sitzung (leer: alles)',
    from: 'Ab (UTC, optional)',
    to: 'Bis (UTC, optional)',
    reading: (lines) => `Wird gelesen und geprüft: ${lines} Zeilen …`,
    stop: 'Anhalten',
    whole: 'Geprüft: Nichts wurde verändert.',
    broken: (n) => (n === 1 ? '1 Fehler wurde gefunden.' : `${n} Fehler wurden gefunden.`),
    result: (entries, chains, roots) =>
      `${entries} Einträge in ${chains} Ketten, gedeckt von ${roots} Wurzeln.`,
    covered: 'Gedeckt bis',
    withoutContent: (n) => `${n} Einträge haben keinen Inhalt mehr: gelöscht oder nie behalten.`,
    lineOf: (line) => `Zeile ${line}`,
    faults: {
      unreadable: () => 'Die Zeile ist nicht lesbar.',
      place: () => 'Die Zeile steht nicht an ihrer Stelle.',
      changed: (about) => `Eintrag ${about} wurde verändert.`,
      follows: (about) => `Eintrag ${about} folgt nicht auf den vor ihm: einer von beiden wurde ersetzt.`,
      missing: (about) => `Vor Eintrag ${about} fehlen andere, oder die Reihenfolge wurde verändert.`,
      content: (about) => `Der Inhalt von Eintrag ${about} ist nicht der, der aufgezeichnet wurde.`,
      covered: (about) => `Keine signierte Wurzel deckt Eintrag ${about}, wie er hier steht.`,
      decides: (about) => `Was entscheidet, ist nicht, was die Einträge davon sagen: ${about}.`,
      truncated: (about) => `Die Kette endet zu früh, mit Eintrag ${about}.`,
      key: (about) => `Der Schlüssel ist nicht der mit der Id ${about}.`,
      signature: (about) => `Wurzel ${about} ist nicht von ihrem Schlüssel signiert.`,
      rootOrder: (about) => `Wurzel ${about} folgt nicht auf die vor ihr.`,
      tree: (about) => `Die signierte Wurzel folgt nicht aus dem, was sie deckt: ${about}.`,
      end: () => 'Das Ende fehlt.',
    },
    save: 'Export sichern',
    saveHint: 'Andere prüfen die Datei mit assize audit verify oder mit verify-record.mjs.',
    tooLong:
      'Dieser Export ist zu lang für einen Browser. Nehmen Sie einen Zeitraum, eine Sitzung oder assize audit export.',
  },
} satisfies Pick<Strings, 'record'>;
