import type { BindingTerms } from './bindings.ts';

interface TermsRow {
  params: string;
  mode: BindingTerms['mode'];
  createdAt: number;
  updatedAt: number | null;
}

/** A binding is as it was created until it is changed. */
export const termsOf = ({ params, mode, createdAt, updatedAt }: TermsRow) => ({
  params,
  mode,
  createdAt,
  updatedAt: updatedAt ?? createdAt,
});

export const noTerms: BindingTerms = { params: '{}', mode: null };
