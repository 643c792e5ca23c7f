import type { Strings } from '../en.ts';

/** The record and its verification. */
export const recordStrings = {
  record: {
    title: 'Aufzeichnung',
    text: 'Alles, was entschieden und geändert wurde, ist ein Eintrag in einer Kette von Hashes. Jede Minute werden die Enden aller Ketten gemeinsam signiert, als eine Wurzel.',
    roots: 'Signierte Wurzeln',
    noRoot: 'Noch ist keine Wurzel signiert: Die erste kommt binnen einer Minute.',
    root: 'Wurzel',
    signed: 'Signiert',
    leaves: 'Kettenenden',
    hash: 'Hash',
    key: 'Signaturschlüssel',
    keyText:
      'Geben Sie die ID des Schlüssels allen, die Exporte verifizieren, auf einem anderen Weg als die Exporte selbst.',
    keyId: 'ID des Schlüssels',
    verify: 'In diesem Browser verifizieren',
    verifyText:
      'Lädt die Aufzeichnung und berechnet hier jeden Hash und jede Signatur neu: Der Dienst wird nicht gefragt, ob sie stimmt.',
    verifyStart: 'Aufzeichnung verifizieren',
    session: 'Sitzungs-ID (leer: alles)',
    from: 'Ab (UTC, optional)',
    to: 'Bis (UTC, optional)',
    reading: (lines) => `Wird gelesen und verifiziert: ${lines} Zeilen …`,
    stop: 'Abbrechen',
    whole: 'Verifiziert: Nichts wurde verändert.',
    broken: (n) => (n === 1 ? 'Nicht verifiziert: 1 Fehler.' : `Nicht verifiziert: ${n} Fehler.`),
    result: (entries, chains, roots) =>
      `${entries} Einträge in ${chains} Ketten, gedeckt von ${roots} Wurzeln.`,
    covered: 'Gedeckt bis',
    withoutContent: (n) => `${n} Einträge haben keinen Inhalt mehr: gelöscht oder nie aufbewahrt.`,
    lineOf: (line) => `Zeile ${line}`,
    faults: {
      unreadable: () => 'Die Zeile ist nicht lesbar.',
      place: () => 'Die Zeile steht nicht an ihrer Stelle.',
      changed: (about) => `Eintrag ${about} wurde verändert.`,
      follows: (about) => `Eintrag ${about} folgt nicht auf den vorigen: Einer von beiden wurde ersetzt.`,
      missing: (about) => `Vor Eintrag ${about} fehlen andere, oder die Reihenfolge wurde verändert.`,
      content: (about) => `Der Inhalt von Eintrag ${about} ist nicht der, der aufgezeichnet wurde.`,
      covered: (about) => `Keine signierte Wurzel deckt Eintrag ${about}, wie er hier steht.`,
      decides: (about) => `Der entscheidende Stand weicht von seinen Einträgen ab: ${about}.`,
      truncated: (about) => `Die Kette endet zu früh, mit Eintrag ${about}.`,
      key: (about) => `Der Schlüssel ist nicht der mit der ID ${about}.`,
      signature: (about) => `Wurzel ${about} ist nicht von ihrem Schlüssel signiert.`,
      rootOrder: (about) => `Wurzel ${about} folgt nicht auf die vorige.`,
      tree: (about) => `Die signierte Wurzel folgt nicht aus dem, was sie deckt: ${about}.`,
      end: () => 'Das Ende fehlt.',
    },
    save: 'Export sichern',
    saveHint: 'Andere verifizieren die Datei mit assize audit verify oder mit verify-record.mjs.',
    tooLong:
      'Dieser Export ist zu lang für einen Browser. Nehmen Sie einen Zeitraum, eine Sitzung oder assize audit export.',
  },
} satisfies Pick<Strings, 'record'>;
