import { test } from 'tap';
import { expectCases } from './expect.ts';

test('moments in lines of logs are nothing, and a date of birth written so is one', async (t) =>
  expectCases(t, [
    ['2026/11/12 14:03:22 [error] 1234#5678: *123456789 upstream timed out'],
    ['10.0.3.4 - - [12/Nov/2026:14:03:22 +0000] "GET / HTTP/1.1" 200 1234567', 'IP_ADDRESS=10.0.3.4'],
    ['1:M 12 Nov 2026 14:03:22.123 * DB saved on disk'],
    ['wrote 1234567890\n2026-11-12 14:03:22.123 UTC [4711] LOG:  checkpoint'],
    ['wrote 12345678\r\n2026-11-12T14:03:22Z checkpoint'],
    ['born 1984/03/05 10:11:12', 'DATE_OF_BIRTH=1984/03/05'],
    ['date of birth 1984/03/05 10:11:12 in Berlin', 'DATE_OF_BIRTH=1984/03/05'],
    ['/2026:14:03:22 4111 1111 1111 1111', 'CREDIT_CARD=4111 1111 1111 1111'],
    ['2026/11/12 14:03:22, card 4111111111111111', 'CREDIT_CARD=4111111111111111'],
    ['card 4111 1111\n1111 1111', 'CREDIT_CARD=4111 1111\n1111 1111'],
  ]));

test('four dotted numbers are an address by themselves, with their prefix and their words', async (t) =>
  expectCases(t, [
    ['from 10.1.2.3 port 22', 'IP_ADDRESS=10.1.2.3'],
    ['client: 192.168.100.200, server: _', 'IP_ADDRESS=192.168.100.200'],
    ['[10.1.2.3] (172.16.0.1)', 'IP_ADDRESS=10.1.2.3', 'IP_ADDRESS=172.16.0.1'],
    ['route 10.1.2.0/24', 'IP_ADDRESS=10.1.2.0/24'],
    ['bound to 0.0.0.0 now'],
    ['host 10.1.2.256 '],
    ['host 10.01.2.3 '],
    ['host 10.1.2.3.4.5 '],
    ['version 10.1.2.3 '],
    ['## [4.12.0.3] '],
    ['10.1.2.3 4.5.6.7 both', 'IP_ADDRESS=10.1.2.3', 'IP_ADDRESS=4.5.6.7'],
  ]));

test('a number of one group is something by a word, a plus or an extension only', async (t) =>
  expectCases(t, [
    ['bytes=12345678 done'],
    ['+4930901820 done', 'PHONE_NUMBER=+4930901820'],
    ['phone 030901820 done', 'PHONE_NUMBER=030901820'],
    ['4159260132 x12 mobile', 'PHONE_NUMBER=4159260132 x12'],
    ['4159260132 mobile', 'PHONE_NUMBER=4159260132'],
    ['lists 219-09-9999 and 12345678'],
  ]));
