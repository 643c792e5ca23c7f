import { test } from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { expectCases } from './expect.ts';

const detector = createDetector();

/** `TAG path` of everything that is found. */
const found = (input: unknown): string[] =>
  detector
    .scan(input)
    .detections()
    .map(({ tag, path }) => `${tag} ${path}`);

test('finds both degrees of a place in members of JSON, as numbers and as text', async (t) => {
  for (const [input, ...paths] of [
    [{ latitude: 52.520008, longitude: 13.404954 }, '/latitude', '/longitude'],
    [{ lat: '52.520008', lng: '13.404954' }, '/lat', '/lng'],
    [{ at: { lat: -33.8688, lon: 151.2 } }, '/at/lat', '/at/lon'],
    [{ coordinates: [13.404954, 52.520008] }, '/coordinates/0', '/coordinates/1'],
    [
      { geo: { type: 'Point', coordinates: [13.4049, 52.52, 34] } },
      '/geo/coordinates/0',
      '/geo/coordinates/1',
      '/geo/coordinates/2',
    ],
  ] as const)
    t.same(
      found(input),
      paths.map((path) => `COORDINATES ${path}`),
      JSON.stringify(input),
    );
});

test('rough degrees, one number alone, and the shapes of countries are no places of persons', async (t) => {
  for (const input of [
    { latitude: 52.5, longitude: 13.4 },
    { latitude: 52.520008 },
    { latitude: 952.520008, longitude: 13.404954 },
    { ratio: 52.520008, other: 13.404954 },
    { lat: 52, lng: 13 },
    { coordinates: [52.520008] },
    { type: 'Polygon', coordinates: [[[13.404954, 52.520008]]] },
    Object.fromEntries([
      ['lat', 52.520008],
      ...Array.from({ length: 40 }, (_, i) => [`x${i}`, i]),
      ['lng', 13.404954],
    ]),
  ])
    t.same(found(input), [], JSON.stringify(input));
});

test('finds places written with degrees, minutes, seconds and hemispheres', async (t) => {
  expectCases(t, [
    ['40°26\'46"N 79°58\'56"W', 'COORDINATES=40°26\'46"N 79°58\'56"W'],
    ['at 40° 26′ 46″ N, 79° 58′ 56″ W.', 'COORDINATES=40° 26′ 46″ N, 79° 58′ 56″ W'],
    ["N 40° 26.767' W 79° 58.933'", "COORDINATES=N 40° 26.767' W 79° 58.933'"],
    ["N40°26.767' W79°58.933'", "COORDINATES=N40°26.767' W79°58.933'"],
    ["41°24'12''N 2°10'26''E", "COORDINATES=41°24'12''N 2°10'26''E"],
    ["40°25'N 3°42'O", "COORDINATES=40°25'N 3°42'O"],
    ['40.446° N, 79.982° W', 'COORDINATES=40.446° N, 79.982° W'],
    ['turn 40.446° and 79.982°'],
    ['between 40° N and 41° N'],
    ['40° N 79° W'],
    ["200°10'N 79°58'W"],
    ['20 °C to 30 °C'],
    ['40.446° N, 79.982° S'],
    ['rotate(45.5°)'],
  ]);
});

test('finds dates of birth in the eras of Japan and Taiwan', async (t) => {
  expectCases(t, [
    ['生年月日: 昭和59年3月5日', 'DATE_OF_BIRTH=昭和59年3月5日'],
    ['生年月日：平成元年1月8日', 'DATE_OF_BIRTH=平成元年1月8日'],
    ['出生 民國73年3月5日', 'DATE_OF_BIRTH=民國73年3月5日'],
    ['生年月日 1984年 3月 5日', 'DATE_OF_BIRTH=1984年 3月 5日'],
    ['更新 昭和59年3月5日'],
    ['生年月日: 昭和59年13月5日'],
    ['生年月日: 第59年3月5日'],
    ['生年月日: 元年1月8日'],
    ['生年月日: 昭和59年3月'],
    ['生年月日: 昭和59年3'],
  ]);
});

test('finds telephone numbers as they are dialled from abroad', async (t) => {
  expectCases(t, [
    ['write or 0049 30 1234567', 'PHONE_NUMBER=0049 30 1234567'],
    ['00 33 1 42 68 53 00', 'PHONE_NUMBER=00 33 1 42 68 53 00'],
    ['0044-20-7183-8750', 'PHONE_NUMBER=0044-20-7183-8750'],
    ['011 44 20 7183 8750', 'PHONE_NUMBER=011 44 20 7183 8750'],
    ['00 1 415 555 0132', 'PHONE_NUMBER=00 1 415 555 0132'],
    ['0033 4455 6677 8899 0011'],
    ['0049 0301 234567'],
    ['0021 4455'],
    ['0100 33 1 42 68 53 00'],
    ['00 99 1 42 68 53 00'],
    ['array([+1.        +1.12345679+1.12345679j])'],
    ["Mobile Safari's handling.\n\n## 6.12.1 (2025-12-22)"],
  ]);
});

test('versions, years and numbers of bugs are no telephone numbers', async (t) => {
  expectCases(t, [
    ['status unpacked libkmod2:amd64 30+20221128-1'],
    ['gtk+3.0 (3.24.38-2~deb12u3) bookworm'],
    ['2016-2020 Endless Mobile, Inc\n 2017-2022 Endless'],
    ['wrap the stat library call. Closes: #1001961'],
    ['Phone+49 30 1234567', 'PHONE_NUMBER=+49 30 1234567'],
    ['mobile 2016-9920', 'PHONE_NUMBER=2016-9920'],
  ]);
});

test('a number under a key of its own is not what the word before that key names', async (t) => {
  expectCases(t, [
    ['"member-id":"6303aaf4b4d37adc","snapshot-index":82887740,"took":3'],
    ['member id=A1, index=82887740'],
    ['member id 12345678', 'HEALTH_PLAN_ID=12345678'],
    ['"member-id":"12345678"', 'HEALTH_PLAN_ID=12345678'],
    ['{\\"member_id\\": \\"12345678\\"}', 'HEALTH_PLAN_ID=12345678'],
    ['"type":"member id","number":"12345678"', 'HEALTH_PLAN_ID=12345678'],
    ['"member id":"A","queue":"X12345678"'],
    ['mail postfix/smtp: ABDFC2614F: relay=none'],
    ['PAN ABDFC2614F', 'IN_PAN=ABDFC2614F'],
  ]);
});

test('words on the other side of a gap between escapes name nothing', async (t) => {
  const far = 'lorem ipsum '.repeat(80);
  t.same(found({ text: `\\u0041 member id ${far}\\u0041 12345678` }), []);
  t.same(found({ text: `member id \0 12345678` }), ['HEALTH_PLAN_ID /text']);
});
