import { isCard, isNamedCard } from '../checks/card.ts';
import type { Kind } from './kind.ts';

export const paymentCards: readonly Kind[] = [
  {
    tag: 'CREDIT_CARD',
    categories: ['FINANCIAL', 'PCI'],
    words:
      'card cards creditcard credit_card debit cardnumber card_number cc ccnumber pan visa ' +
      'mastercard amex american_express discover diners jcb maestro unionpay kreditkarte tarjeta ' +
      'carte carta kartennummer cardno ccnum',
    digits: [
      {
        check: isCard,
        yields: true,
        always: '13|14|15|16|19|4~4~4~4|4~6~5|4~6~4|4~4~4~4~3',
        strict: '8~8|6~10|4~4~4~1',
      },
      {
        check: isNamedCard,
        yields: true,
        named: '12|13|14|15|16|17|18|19|4~4~4|4~4~4~3|4~4~4~4|4~6~5|4~6~4|' + '4~4~4~4~3|6~13|8~8|6~10|8~10',
      },
    ],
    docs: {
      counts:
        'issuer ranges and lengths (ISO/IEC 7812), Luhn; printed groups, one by one, or bare; bare: under the key of a counter',
      strength: ['checksum', 'bare'],
      found: '4111 1111 1111 1111',
      missed: '4111 1111 1111 1112',
    },
  },
];
