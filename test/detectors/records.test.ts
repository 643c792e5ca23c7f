import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

test('finds people in records of DICOM, GEDCOM and SWIFT, and in the lines of a passport', async (t) => {
  expectCases(t, [
    [
      '(0010,0010) PN [DOE^RICHARD]\n(0010,0020) LO [PT-884213]\n(0010,0030) DA [19650714]\n(0010,1040) LO [5 MAIN ST]\n(0008,0010) CS [X]',
      'PERSON=DOE^RICHARD',
      'MRN=PT-884213',
      'DATE_OF_BIRTH=19650714',
      'STREET_ADDRESS=5 MAIN ST',
    ],
    [
      '0 @I1@ INDI\n1 NAME Ambrose /Fairweather/\n1 BIRT\n2 DATE 14 FEB 1921\n1 ADDR 5 Main St',
      'PERSON=Ambrose /Fairweather/',
      'DATE_OF_BIRTH=14 FEB 1921',
      'STREET_ADDRESS=5 Main St',
    ],
    [
      ':50K:/12345678901\nHANS MUSTERFRAU\n:59:/CH53815900JPE9TVRA6XI\nPETER GLANZMANN\n:70:X',
      'US_BANK_NUMBER=12345678901',
      'PERSON=HANS MUSTERFRAU',
      'IBAN_CODE=CH53815900JPE9TVRA6XI',
      'PERSON=PETER GLANZMANN',
    ],
    [
      'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10',
      'PERSON=ERIKSSON<<ANNA<MARIA',
      'PASSPORT=L898902C36UTO7408122F1204159ZE184226B<<<<<10',
    ],
    ['(00) is no record'],
    ['p < q'],
  ]);
});

test('a record that repeats its openings is read in linear time', async (t) => {
  const detector = createDetector();
  for (const piece of ['(0010,0010) PN [', '1 BIRT\n', ':50K:/1', 'P<UTOA<<'])
    t.ok(detector.scan({ text: `${piece.startsWith('1') ? '0 @' : ''}${piece.repeat(6000)}` }));
});
