import { Heading } from '../parts/heading.tsx';
import { words } from '../strings/index.ts';
import { EvaluationDetail } from './evaluation/detail.tsx';

export function EvaluationPage({ id }: { id: string }) {
  return (
    <div class="evaluation">
      <Heading title={words.value.evaluation.title} />
      <EvaluationDetail id={id} />
    </div>
  );
}
