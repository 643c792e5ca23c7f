import { type DigitCheck, isRepeated, weighted } from '../../checks/digits.ts';
import type { Kind } from '../kind.ts';

/** Receita Federal: two check digits modulus 11. */
const brCpf: DigitCheck = (d, o) => {
  if (isRepeated(d, o, 11)) return false;
  const first = ((weighted(d, o, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weighted(d, o, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return first === d[o + 9] && second === d[o + 10];
};

export const southAmerica: readonly Kind[] = [
  {
    tag: 'BR_CPF',
    categories: ['PII'],
    words: 'cpf cadastro_de cadastro',
    identity: true,
    digits: [{ check: brCpf, always: '3.3.3-2', strict: '11|3~3~3~2|9-2' }],
    docs: {
      country: 'Brazil',
      counts: 'two check digits modulus 11; bare with a word',
      strength: ['checksum'],
      found: '529.982.247-25',
      missed: '529.982.247-26',
    },
  },
];
